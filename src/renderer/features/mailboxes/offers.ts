import Inbox from '@lucide/svelte/icons/inbox'
import Tag from '@lucide/svelte/icons/tag'
import { FOLDERS } from '../../../shared/model.ts'
import type { Offer, OfferSource } from '../../kernel/offers.ts'
import { folderName } from './folder-name.ts'
import { inboxName } from './inbox-name.ts'

/** Under which the use of a label's entry is kept. */
export const labelOfferId = (labelId: string): string => `label ${labelId}`

/** The folders of the other inboxes, and the labels of the one that the window is about. */
export const mailboxOffers: OfferSource = ({ session: { mailboxes, inbox: current } }) => {
  const folders = mailboxes.inboxes
    .filter(({ id }) => id !== current.id)
    .flatMap((inbox) =>
      FOLDERS.map((folder): Offer => ({
        id: `folder ${inbox.id} ${folder}`,
        name: folder === 'inbox' ? inboxName(inbox) : `${folderName(folder)} of ${inboxName(inbox)}`,
        detail: folder === 'inbox' ? 'Inbox' : 'Folder',
        icon: Inbox,
        go: ({ shell }) => shell.route.go({ view: 'folder', inboxId: inbox.id, folder, threadId: null }),
      })),
    )
  const inboxId = current.id
  if (inboxId === null) return folders
  const labels = mailboxes.labels(inboxId).map(({ id: labelId, name }): Offer => ({
    id: labelOfferId(labelId),
    name,
    detail: 'Label',
    icon: Tag,
    go: ({ shell }) => shell.route.go({ view: 'label', inboxId, labelId, threadId: null }),
  }))
  return [...folders, ...labels]
}
