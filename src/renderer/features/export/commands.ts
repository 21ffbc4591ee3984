import Download from '@lucide/svelte/icons/download'
import Users from '@lucide/svelte/icons/users'
import type { Command } from '../../kernel/commands.ts'
import { isThreadRoute } from '../../kernel/route.ts'

export const EXPORT_COMMANDS: readonly Command[] = [
  {
    id: 'export.open',
    name: 'Export…',
    words: 'export mail mbox eml zip save download take out archive backup',
    group: 'Linnet',
    icon: Download,
    // An export covers a single account.
    when: ({ shell }) => !shell.isAllInboxes,
    run: ({ shell, session }) =>
      session.exports.open(isThreadRoute(shell.route.current) ? (session.threads.rows?.query ?? null) : null),
  },
  {
    id: 'export.contacts',
    name: 'Export contacts',
    words: 'csv people address book table save download',
    group: 'Linnet',
    icon: Users,
    when: ({ shell }) => !shell.isAllInboxes,
    run: ({ session }) => void session.exports.saveContacts(),
  },
]
