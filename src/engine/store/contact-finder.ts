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

/** Queries whose results are remembered: those of some windows, which read them piece by piece. */
const MOST_REMEMBERED = 8

const collator = new Intl.Collator('en', { sensitivity: 'base', numeric: true })

/** What is searched of a contact. A part that spans two neighbouring fields counts as well. */
const foldedOf = ({ firstName, lastName, email, properties }: Contact): string => {
  const pairs = Object.entries(properties).map(([key, value]) => `${key} ${key.replace(/[_-]+/g, ' ')} ${value ?? ''}`)
  return foldText([`${firstName ?? ''} ${lastName ?? ''}`, email, ...pairs].join('\n'))
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

/** Finds contacts in memory: there are thousands of them, not millions, and what is typed is a part of anything. */
export class ContactFinder<Row extends KeptRow> {
  readonly #readRows: () => readonly Row[]
  readonly #read: (row: Row) => Contact
  readonly #isInDoubt: () => boolean
  #known: ReadonlyMap<string, Known> = new Map()
  #ordered = new Map<ContactOrder, readonly Known[]>()
  #found = new Map<string, readonly string[]>()
  #isStale = true

  /**
   * @param readRows all that are kept, newest first
   * @param read a row in the model's terms
   * @param isInDoubt whether what is kept may be taken back: what is found then is found anew the next time
   */
  constructor(readRows: () => readonly Row[], read: (row: Row) => Contact, isInDoubt: () => boolean) {
    this.#readRows = readRows
    this.#read = read
    this.#isInDoubt = isInDoubt
  }

  /** The IDs of those that a query means, in its order. */
  find({ typed, subscription, order }: ContactQuery): readonly string[] {
    const all = this.#inOrder(order)
    const found = this.#found
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
  }

  /** Contacts were kept or removed. */
  changed(): void {
    this.#isStale = true
  }

  #know(row: Row): Known {
    const before = this.#known.get(row.id)
    // Reading the words takes far longer than comparing them.
    if (before?.wire === row.wire) return before
    const contact = this.#read(row)
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

  #inOrder(order: ContactOrder): readonly Known[] {
    if (this.#isStale) {
      this.#known = new Map(this.#readRows().map((row) => [row.id, this.#know(row)]))
      this.#ordered = new Map([['newest', [...this.#known.values()]]])
      this.#found = new Map()
      this.#isStale = this.#isInDoubt()
    }
    const there = this.#ordered.get(order)
    if (there !== undefined || order === 'newest') return there ?? []
    const sorted = [...this.#known.values()].sort(ORDERS[order])
    this.#ordered.set(order, sorted)
    return sorted
  }
}
