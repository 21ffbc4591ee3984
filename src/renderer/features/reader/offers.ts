import MessageSquare from '@lucide/svelte/icons/message-square'
import { FOLDERS } from '../../../shared/model.ts'
import type { Offer, OfferSource } from '../../kernel/offers.ts'
import { displayName } from '../../../shared/address.ts'
import { subjectOf } from '../threads/correspondent.ts'

export const recentThreadOffers: OfferSource = ({ session: { conversation } }) =>
  conversation.recent
    .filter(({ id }) => id !== conversation.threadId)
    .map(({ id, inboxId, subject, from, folder: name }): Offer => ({
      id: `thread ${id}`,
      name: subjectOf(subject),
      detail: displayName(from),
      icon: MessageSquare,
      go: ({ shell }) => {
        const folder = FOLDERS.find((each) => each === name) ?? 'inbox'
        shell.route.go({ view: 'folder', inboxId, folder, threadId: id })
      },
    }))
