import ArrowDownLeft from '@lucide/svelte/icons/arrow-down-left'
import type { Command } from '../../kernel/commands.ts'

export const RECEIVED_COMMANDS: readonly Command[] = [
  {
    id: 'go.allReceived',
    name: 'Go to all received',
    words: 'whole account incoming raw',
    group: 'Go to',
    icon: ArrowDownLeft,
    keys: [],
    run: ({ shell }) => shell.route.go({ view: 'received', id: null }),
  },
]
