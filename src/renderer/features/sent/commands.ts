import ArrowUpRight from '@lucide/svelte/icons/arrow-up-right'
import { createAccountListCommand, type Command } from '../../kernel/commands.ts'

export const SENT_COMMANDS: readonly Command[] = [
  createAccountListCommand(
    { title: 'All sent', icon: ArrowUpRight, route: { view: 'sent', id: null } },
    { id: 'go.allSent', name: 'Go to all sent', words: 'whole account outgoing delivered' },
  ),
]
