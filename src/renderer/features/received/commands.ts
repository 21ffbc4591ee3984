import ArrowDownLeft from '@lucide/svelte/icons/arrow-down-left'
import { createAccountListCommand, type Command } from '../../kernel/commands.ts'

export const RECEIVED_COMMANDS: readonly Command[] = [
  createAccountListCommand(
    { title: 'All received', icon: ArrowDownLeft, route: { view: 'received', id: null } },
    { id: 'go.allReceived', name: 'Go to all received', words: 'whole account incoming raw' },
  ),
]
