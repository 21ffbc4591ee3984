import Users from '@lucide/svelte/icons/users'
import type { Command } from '../../kernel/commands.ts'

export const CONTACT_COMMANDS: readonly Command[] = [
  {
    id: 'go.contacts',
    name: 'Go to contacts',
    words: 'people address book topics',
    group: 'Go to',
    icon: Users,
    keys: ['g c'],
    run: ({ shell }) => shell.route.go({ view: 'contacts', id: null }),
  },
]
