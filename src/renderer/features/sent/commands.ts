import MailCheck from '@lucide/svelte/icons/mail-check'
import type { Command } from '../../kernel/commands.ts'

export const SENT_COMMANDS: readonly Command[] = [
  {
    id: 'go.allSent',
    name: 'Go to all sent',
    words: 'whole account outgoing delivered',
    group: 'Go to',
    icon: MailCheck,
    keys: [],
    run: ({ shell }) => shell.route.go({ view: 'sent', id: null }),
  },
]
