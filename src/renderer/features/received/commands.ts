import MailOpen from '@lucide/svelte/icons/mail-open'
import type { Command } from '../../kernel/commands.ts'

export const RECEIVED_COMMANDS: readonly Command[] = [
  {
    id: 'go.allReceived',
    name: 'Go to all received',
    words: 'whole account incoming raw',
    group: 'Go to',
    icon: MailOpen,
    keys: [],
    run: ({ shell }) => shell.route.go({ view: 'received', id: null }),
  },
]
