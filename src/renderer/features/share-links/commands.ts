import Share from '@lucide/svelte/icons/share-2'
import { createAccountListCommand, type Command } from '../../kernel/commands.ts'

export const SHARE_LINK_COMMANDS: readonly Command[] = [
  createAccountListCommand(
    { title: 'Share links', icon: Share, route: { view: 'shareLinks' } },
    { id: 'go.shareLinks', name: 'Go to share links', words: 'shared made urls copy expired' },
  ),
]
