import MessageSquare from '@lucide/svelte/icons/message-square'
import { FOLDERS } from '../../../shared/model.ts'
import type { PaletteItem, PaletteSource } from '../../kernel/palette-items.ts'
import { toDisplayName } from '../../../shared/address.ts'
import { formatSubject } from '../threads/correspondent.ts'

export const recentThreadItems: PaletteSource = ({ session: { conversation } }) =>
  conversation.recent
    .filter(({ id }) => id !== conversation.threadId)
    .map(({ id, inboxId, subject, from, folder: name }): PaletteItem => ({
      id: `thread ${id}`,
      name: formatSubject(subject),
      detail: toDisplayName(from),
      icon: MessageSquare,
      go: ({ shell }) => {
        const folder = FOLDERS.find((each) => each === name) ?? 'inbox'
        shell.route.go({ view: 'folder', inboxId, folder, threadId: id })
      },
    }))
