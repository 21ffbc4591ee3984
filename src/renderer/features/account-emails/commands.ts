import ListFilter from '@lucide/svelte/icons/list-filter'
import Shredder from '@lucide/svelte/icons/shredder'
import { findUnlistedRecipients } from '../../../shared/envelope-recipients.ts'
import { quoteValue } from '../../../shared/search/format-search.ts'
import type { Command, CommandContext } from '../../kernel/commands.ts'
import { findTargetMail } from '../threads/chosen-threads.ts'
import { askToDeleteEmail } from '../threads/local-mail-deletion.svelte.ts'

type WithIcon = Command & { readonly icon: NonNullable<Command['icon']> }

/** The e-mail of an account list that commands act on. Null on every other screen. */
const currentEmail = (context: CommandContext) => findTargetMail(context)?.email ?? null

/** Permanently deletes mail that exists only locally, after a confirmation. */
export const deleteLocalEmail: WithIcon = {
  id: 'email.deleteKept',
  name: 'Delete message from this computer…',
  words: 'remove for good permanently forever erase kept only here dropped',
  isDestructive: true,
  group: 'Actions',
  icon: Shredder,
  keys: ['D'],
  when: (context) => currentEmail(context)?.onServer === false,
  run: (context) => {
    const email = currentEmail(context)
    if (email !== null) askToDeleteEmail(context, email)
  },
}

/** The address the e-mail was received for, preferably one that its headers don't name, or null if unknown. */
const currentAddress = (context: CommandContext): string | null => {
  const email = currentEmail(context)
  const found = email?.list === 'received' ? context.session.received.find(email.id) : null
  if (found === null || !('receivedFor' in found)) return null
  const [first = null] = [...findUnlistedRecipients(found.receivedFor, found.to), ...found.receivedFor]
  return first
}

export const showMailForAddress: WithIcon = {
  id: 'received.sameAddress',
  name: 'Show mail for this address',
  words: 'received for catch-all alias filter same recipient',
  group: 'Search',
  icon: ListFilter,
  when: (context) => currentAddress(context) !== null,
  run: (context) => {
    const address = currentAddress(context)?.replaceAll('"', '') ?? null
    if (address === null) return
    context.shell.route.go({ view: 'received', id: null, query: `to:${quoteValue(`<${address}>`)}` })
  },
}
