import Inbox from '@lucide/svelte/icons/inbox'
import Tag from '@lucide/svelte/icons/tag'
import { parseAssigneeName } from '../../../shared/assignees.ts'
import { FOLDERS } from '../../../shared/model.ts'
import type { PaletteItem, PaletteSource } from '../../kernel/palette-items.ts'
import { formatAccountName } from '../accounts/describe-account.ts'
import { showInbox } from '../accounts/numbered-inboxes.ts'
import { folderName } from '../mailboxes/folder-name.ts'
import { inboxName } from '../mailboxes/inbox-name.ts'

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
