import Link2 from '@lucide/svelte/icons/link-2'
import type { Command } from '../../kernel/commands.ts'

export const SHARE_LINK_COMMANDS: readonly Command[] = [
  {
    id: 'go.shareLinks',
    name: 'Go to share links',
    words: 'shared made urls copy expired',
    group: 'Go to',
    icon: Link2,
    keys: [],
    run: ({ shell }) => shell.route.go({ view: 'shareLinks' }),
  },
]
