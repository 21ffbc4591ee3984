import ArrowUpRight from '@lucide/svelte/icons/arrow-up-right'
import type { Command } from '../../kernel/commands.ts'

export const SENT_COMMANDS: readonly Command[] = [
  {
    id: 'go.allSent',
    name: 'Go to all sent',
    words: 'whole account outgoing delivered',
    group: 'Go to',
    icon: ArrowUpRight,
    keys: [],
    run: ({ shell }) => shell.route.go({ view: 'sent', id: null }),
  },
]
