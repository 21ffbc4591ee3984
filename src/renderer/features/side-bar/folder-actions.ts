import { getListTime } from '../../../shared/thread-state.ts'
import MailOpen from '@lucide/svelte/icons/mail-open'
import SquareArrowRight from '@lucide/svelte/icons/square-arrow-right'
import type { Folder } from '../../../shared/model.ts'
import { createFolderQuery } from '../../../shared/thread-query.ts'
import type { CommandContext } from '../../kernel/commands.ts'
import type { Action } from '../../ui/action.ts'
import { formatCount } from '../../ui/format-quantity.ts'
import { folderName } from '../mailboxes/mailbox-names.ts'

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
    keys: '',
    run: () => void markAllRead(context, inboxId, folder),
  },
]
