import Shredder from '@lucide/svelte/icons/shredder'
import type { Command, CommandContext } from '../../kernel/commands.ts'
import { mailAtHand } from '../threads/chosen-threads.ts'

/** The e-mail of one of the account's own lists that commands act on; null on every other screen. */
const emailAtHand = (context: CommandContext) => mailAtHand(context)?.email ?? null

/** What is only on this computer goes for good, once a person has read what that means. */
export const deleteKeptEmail: Command & { readonly icon: NonNullable<Command['icon']> } = {
  id: 'email.deleteKept',
  name: 'Delete message from this computer…',
  words: 'remove for good permanently forever erase kept only here dropped',
  group: 'Actions',
  icon: Shredder,
  keys: ['D'],
  when: (context) => emailAtHand(context)?.onServer === false,
  run: (context) => {
    const email = emailAtHand(context)
    if (email === null) return
    context.session.keptDeletion.askAboutEmail(email.list, email.id, () => context.navigator.openInstead(null))
  },
}
