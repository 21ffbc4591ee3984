import Share from '@lucide/svelte/icons/share-2'
import type { Command } from '../../kernel/commands.ts'

export const SHARE_LINK_COMMANDS: readonly Command[] = [
  {
    id: 'go.shareLinks',
    name: 'Go to share links',
    words: 'shared made urls copy expired',
    group: 'Go to',
    icon: Share,
    keys: [],
    run: ({ shell }) => shell.route.go({ view: 'shareLinks' }),
  },
]
