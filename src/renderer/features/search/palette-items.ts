import AtSign from '@lucide/svelte/icons/at-sign'
import Bookmark from '@lucide/svelte/icons/bookmark'
import Search from '@lucide/svelte/icons/search'
import User from '@lucide/svelte/icons/user'
import type { CommandOutput } from '../../../shared/contract.ts'
import { quoteValue } from '../../../shared/search/format-search.ts'
import type { CommandContext } from '../../kernel/commands.ts'
import type { PaletteItem, PaletteSource } from '../../kernel/palette-items.ts'

const searchFor = ({ shell }: CommandContext, inboxId: string, query: string): void =>
  shell.route.go({ view: 'search', inboxId, query, threadId: null })

export const savedSearchItems: PaletteSource = ({ session: { savedSearches, inbox } }) =>
  inbox.id === null
    ? []
    : savedSearches.of(inbox.id).map(({ id, name, text, inboxId }): PaletteItem => ({
        id: `saved ${id}`,
        name,
        detail: 'Saved search',
        icon: Bookmark,
        go: (context) => searchFor(context, inboxId, text),
      }))

/** Last entry of the palette: a search for the typed text. None without an inbox. */
export const searchItems = ({ session: { inbox } }: CommandContext, typed: string): readonly PaletteItem[] => {
  const inboxId = inbox.id
  const query = typed.trim()
  if (inboxId === null || query === '') return []
  return [
    {
      id: 'search',
      name: `Search mail for “${query}”`,
      detail: '',
      icon: Search,
      go: (context) => searchFor(context, inboxId, query),
    },
  ]
}

const personOffer = (inboxId: string, { name, address, contactId }: Person): PaletteItem => ({
  id: `person ${address}`,
  name: name ?? address,
  detail: [name === null ? [] : address, contactId === null ? 'Mail from' : 'Contact'].flat().join(' · '),
  icon: contactId === null ? AtSign : User,
  go: (context) => {
    if (contactId === null) searchFor(context, inboxId, `from:${quoteValue(address)}`)
    else context.shell.route.go({ view: 'contacts', id: contactId })
  },
})

/** People matching the typed text. Choosing a contact opens it; choosing anyone else searches for their mail. */
export const peopleItems = async (
  { shell: { backend }, session: { inbox } }: CommandContext,
  typed: string,
): Promise<readonly PaletteItem[]> => {
  const inboxId = inbox.id
  if (inboxId === null || typed.trim() === '') return []
  const found = await backend.call('person.suggest', { inboxId, typed: typed.trim().slice(0, 256), limit: 6 })
  return found.ok ? found.data.map((person) => personOffer(inboxId, person)) : []
}

type Person = CommandOutput<'person.suggest'>[number]
