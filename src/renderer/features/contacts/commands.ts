import Users from '@lucide/svelte/icons/users'
import { goToAccountList, type Command } from '../../kernel/commands.ts'

export const CONTACT_COMMANDS: readonly Command[] = [
  goToAccountList(
    { title: 'Contacts', icon: Users, route: { view: 'contacts', id: null } },
    { id: 'go.contacts', name: 'Go to contacts', words: 'people address book topics', keys: ['g c'] },
  ),
]
