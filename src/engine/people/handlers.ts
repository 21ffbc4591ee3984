import type { HandlersOf } from '../../shared/contract.ts'
import type { AccountAccess } from '../account-access.ts'
import { listKey } from '../search-index/account-keys.ts'
import { personText } from '../search-index/searchable-email.ts'
import { bestPeople } from '../search-index/suggest-people.ts'

/** Contacts that are looked at for one answer. */
const MOST_CONTACTS = 50

export const personHandlers = ({ current, inboxOf }: AccountAccess): HandlersOf<'person'> => ({
  'person.suggest': ({ typed, limit, ...of }) => {
    const part = typed.trim().toLowerCase()
    if (part === '') return []
    const { cache } = current()
    // First and last name are fields of their own.
    const known = cache.contacts.having(part.split(/\s+/u)[0] ?? part, MOST_CONTACTS)
    const ids = new Map(known.map(({ id, email }) => [email.toLowerCase(), id]))
    const contacts = known
      .map(({ email, firstName, lastName }) => ({
        name: [firstName, lastName].filter((name) => name !== null && name !== '').join(' '),
        address: email,
      }))
      .filter((person) => personText(person).includes(part))
    const correspondents = cache.search.suggestPeople(
      'list' in of ? listKey(of.list) : inboxOf(of.inboxId).key,
      part,
      limit,
    )
    return bestPeople([...correspondents, ...contacts], part)
      .slice(0, limit)
      .map(({ name, address }) => ({
        name: name === '' ? null : name,
        address,
        contactId: ids.get(address.toLowerCase()) ?? null,
      }))
  },
})
