import type { ContactOrder, ContactQuery, ContactSubscription } from '../../shared/contact-query.ts'
import type { Contact } from '../../shared/people.ts'
import { typedFilter } from '../../shared/search/typed-filter.ts'
import { foldText } from '../../shared/search/words.ts'

/** A contact as it is kept. */
interface KeptRow {
  readonly id: string
  readonly wire: string
}

/** What of a contact is compared. */
interface Known {
  /** From which the rest was read. */
  readonly wire: string
  readonly id: string
  readonly folded: string
  readonly name: string
  readonly address: string
  readonly unsubscribed: boolean
}

/** Finds contacts in memory: there are thousands of them, not millions, and what is typed is a part of anything. */
export interface ContactFinder {
  /** The IDs of those that a query means, in its order. */
  readonly find: (query: ContactQuery) => readonly string[]
  /** Contacts were kept or removed. */
  readonly changed: () => void
}

/** Queries of which what was found is remembered: those of some windows, which read it piece by piece. */
const MOST_REMEMBERED = 8

const collator = new Intl.Collator('en', { sensitivity: 'base', numeric: true })

/** What of a contact is searched. Parts of fields that stand beside each other are not told from parts of one. */
const foldedOf = ({ firstName, lastName, email, properties }: Contact): string => {
  const told = Object.entries(properties).map(([key, value]) => `${key} ${key.replace(/[_-]+/g, ' ')} ${value ?? ''}`)
  return foldText([`${firstName ?? ''} ${lastName ?? ''}`, email, ...told].join('\n'))
}

const isSubscriptionMeant = (wanted: ContactSubscription, isUnsubscribed: boolean): boolean =>
  wanted === 'all' || isUnsubscribed === (wanted === 'unsubscribed')

const byAddress = (one: Known, other: Known): number =>
  one.address < other.address ? -1 : Number(one.address > other.address)

const ORDERS: Readonly<Record<Exclude<ContactOrder, 'newest'>, (one: Known, other: Known) => number>> = {
  name: (one, other) => collator.compare(one.name, other.name) || byAddress(one, other),
  address: byAddress,
}

/** Whether a query means a contact. */
export const isContactMeant = ({ typed, subscription }: ContactQuery): ((contact: Contact) => boolean) => {
  const matches = typedFilter(typed)
  return (contact) => isSubscriptionMeant(subscription, contact.unsubscribed) && matches(foldedOf(contact))
}

/**
 * @param readRows all that are kept, newest first
 * @param read a row in the model's terms
 * @param isInDoubt whether what is kept may be taken back: what is found then is found anew the next time
 */
export const createContactFinder = <Row extends KeptRow>(
  readRows: () => readonly Row[],
  read: (row: Row) => Contact,
  isInDoubt: () => boolean,
): ContactFinder => {
  let known: ReadonlyMap<string, Known> = new Map()
  let ordered = new Map<ContactOrder, readonly Known[]>()
  let found = new Map<string, readonly string[]>()
  let isStale = true

  const know = (row: Row): Known => {
    const before = known.get(row.id)
    // Reading the words takes far longer than comparing them.
    if (before?.wire === row.wire) return before
    const contact = read(row)
    const name = [contact.firstName, contact.lastName].filter((part) => part !== null && part.trim() !== '').join(' ')
    const address = contact.email.toLowerCase()
    return {
      wire: row.wire,
      id: row.id,
      folded: foldedOf(contact),
      name: name === '' ? address : name,
      address,
      unsubscribed: contact.unsubscribed,
    }
  }
  const inOrder = (order: ContactOrder): readonly Known[] => {
    if (isStale) {
      known = new Map(readRows().map((row) => [row.id, know(row)]))
      ordered = new Map([['newest', [...known.values()]]])
      found = new Map()
      isStale = isInDoubt()
    }
    const there = ordered.get(order)
    if (there !== undefined || order === 'newest') return there ?? []
    const sorted = [...known.values()].sort(ORDERS[order])
    ordered.set(order, sorted)
    return sorted
  }

  return {
    find: ({ typed, subscription, order }) => {
      const all = inOrder(order)
      const key = JSON.stringify([typed, subscription, order])
      const before = found.get(key)
      if (before !== undefined) return before
      const matches = typedFilter(typed)
      const ids = all
        .filter(({ folded, unsubscribed }) => isSubscriptionMeant(subscription, unsubscribed) && matches(folded))
        .map(({ id }) => id)
      const [oldest] = found.keys()
      if (oldest !== undefined && found.size >= MOST_REMEMBERED) found.delete(oldest)
      found.set(key, ids)
      return ids
    },
    changed: () => {
      isStale = true
    },
  }
}
