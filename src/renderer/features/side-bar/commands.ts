import Archive from '@lucide/svelte/icons/archive'
import HardDrive from '@lucide/svelte/icons/hard-drive'
import Inbox from '@lucide/svelte/icons/inbox'
import OctagonAlert from '@lucide/svelte/icons/octagon-alert'
import Send from '@lucide/svelte/icons/send'
import Trash from '@lucide/svelte/icons/trash-2'
import type { Component } from 'svelte'
import { FOLDERS, type Folder } from '../../../shared/model.ts'
import type { Command, PaletteItem, PaletteSource, CommandContext } from '../../kernel/commands.ts'
import { createInboxListCommand } from '../mailboxes/inbox-list-command.ts'
import { MARK_LISTS } from '../threads/mark-lists.ts'
import Tag from '@lucide/svelte/icons/tag'
import { parseAssigneeName } from '../../../shared/assignees.ts'
import { formatAccountName } from '../accounts/describe-account.ts'
import { showInbox } from '../accounts/numbered-inboxes.ts'
import { inboxName, folderName } from '../mailboxes/mailbox-names.ts'
import { getListTime } from '../../../shared/thread-state.ts'
import MailOpen from '@lucide/svelte/icons/mail-open'
import SquareArrowRight from '@lucide/svelte/icons/square-arrow-right'
import { createFolderQuery } from '../../../shared/thread-query.ts'
import type { Action } from '../../ui/action.ts'
import { formatCount } from '../../ui/format-quantity.ts'

const FOLDER_ENTRIES: Readonly<Record<Folder, { icon: Component; keys?: readonly string[]; words: string }>> = {
  inbox: { icon: Inbox, keys: ['g i'], words: 'home new received' },
  archive: { icon: Archive, keys: ['g a'], words: 'done' },
  spam: { icon: OctagonAlert, words: 'junk' },
  sent: { icon: Send, keys: ['g t'], words: 'outgoing' },
  trash: { icon: Trash, words: 'deleted bin' },
}

const FOLDER_COMMANDS: readonly Command[] = FOLDERS.map((folder) =>
  createInboxListCommand({ ...FOLDER_ENTRIES[folder], id: `go.${folder}`, name: folderName(folder) }, (inboxId) => ({
    view: 'folder',
    inboxId,
    folder,
    threadId: null,
  })),
)

/** Mail that the platform has deleted. */
const goToLocalOnly = createInboxListCommand(
  { id: 'go.onlyHere', name: 'Only here', words: 'kept deleted platform computer local dropped old', icon: HardDrive },
  (inboxId) => ({ view: 'localOnly', inboxId, threadId: null }),
)

/** Lists of local thread states, each a search by its query. */
const MARK_LIST_COMMANDS: readonly Command[] = MARK_LISTS.map(({ id, name, query, icon, keys, words }) =>
  createInboxListCommand({ id, name, words, icon, keys }, (inboxId) => ({
    ...{ view: 'search', inboxId, query },
    threadId: null,
  })),
)

export const MAILBOX_COMMANDS: readonly Command[] = [...FOLDER_COMMANDS, ...MARK_LIST_COMMANDS, goToLocalOnly]

/** ID that counts the use of a label's entry. */
export const labelItemId = (labelId: string): string => `label ${labelId}`

/** Folders of the account's other inboxes, inboxes of other accounts, and labels of the current inbox. */
export const mailboxItems: PaletteSource = ({
  shell: { account: accounts },
  session: { mailboxes, inbox: current },
}) => {
  const elsewhere = accounts.inboxes
    .filter(({ account }) => account.id !== accounts.shown?.id)
    .map((found): PaletteItem => ({
      id: `inbox ${found.account.id} ${found.inbox.id}`,
      name: inboxName(found.inbox),
      detail: `Inbox in ${formatAccountName(found.account)}`,
      icon: Inbox,
      go: ({ shell }) => showInbox(shell.account, found),
    }))
  const folders = mailboxes.inboxes
    .filter(({ id }) => id !== current.id)
    .flatMap((inbox) =>
      FOLDERS.map((folder): PaletteItem => ({
        id: `folder ${inbox.id} ${folder}`,
        name: folder === 'inbox' ? inboxName(inbox) : `${folderName(folder)} in ${inboxName(inbox)}`,
        detail: folder === 'inbox' ? 'Inbox' : 'Folder',
        icon: Inbox,
        go: ({ shell }) => shell.route.go({ view: 'folder', inboxId: inbox.id, folder, threadId: null }),
      })),
    )
  const inboxId = current.id
  if (inboxId === null) return [...folders, ...elsewhere]
  const labels = mailboxes.labels(inboxId).map(({ id: labelId, name }): PaletteItem => ({
    id: labelItemId(labelId),
    name: parseAssigneeName(name) ?? name,
    detail: parseAssigneeName(name) === null ? 'Label' : 'Assigned',
    icon: Tag,
    go: ({ shell }) => shell.route.go({ view: 'label', inboxId, labelId, threadId: null }),
  }))
  return [...folders, ...elsewhere, ...labels]
}

/** Marks all threads in a folder as read, including those not stored locally. Undone as one step. */
const markAllRead = async ({ shell, session }: CommandContext, inboxId: string, folder: Folder): Promise<void> => {
  const { backend, toasts } = shell
  const query = createFolderQuery(inboxId, folder)
  const first = { offset: 0, limit: 1 }
  const [newest, unread] = await Promise.all([
    backend.call('thread.list', { query, ...first }),
    backend.call('thread.list', { query: { ...query, read: false }, ...first, localOnly: true }),
  ])
  const failed = [newest, unread].find(({ ok }) => !ok)
  if (!newest.ok || !unread.ok) {
    if (failed?.ok === false) toasts.problem(failed.error)
    return
  }
  const [top] = newest.data.items
  if (top === undefined || (unread.data.total === 0 && !unread.data.hasMore)) {
    toasts.show(`No unread threads in ${folderName(folder)}.`)
    return
  }
  const said = {
    count: unread.data.total,
    of: (count: number) => {
      const threads = `${formatCount(count, 'thread')} in ${folderName(folder)}`
      return { done: `Marked ${threads} as read`, undone: `Marked ${threads} as unread again` }
    },
  }
  void session.actions.change([], { read: true }, said, { query, upTo: getListTime(top), except: [] })
}

/** No "Empty": the platform deletes no threads on demand (platform.md 7.6). */
export const listFolderActions = (context: CommandContext, inboxId: string, folder: Folder): readonly Action[] => [
  {
    name: 'Open',
    icon: SquareArrowRight,
    keys: 'Enter',
    run: () => context.shell.route.go({ view: 'folder', inboxId, folder, threadId: null }),
  },
  {
    name: 'Mark all as read',
    icon: MailOpen,
    run: () => void markAllRead(context, inboxId, folder),
  },
]
