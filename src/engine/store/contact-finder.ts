import type { ContactOrder, ContactQuery, ContactSubscription } from '../../shared/contact-query.ts'
import type { Contact } from '../../shared/people.ts'
import { typedFilter } from '../../shared/search/typed-filter.ts'
import { foldText } from '../../shared/search/words.ts'

interface KeptRow {
  readonly id: string
  /** Milliseconds since the epoch. */
  readonly created_at: number
  readonly wire: string
}

/** Reads what is kept. */
interface ReadRows<Row> {
  /** All, newest first. */
  readonly all: () => readonly Row[]
  /** Those with these IDs, in any order. */
  readonly some: (ids: readonly string[]) => readonly Row[]
}

/** What of a contact is compared. */
interface Known {
  /** From which the rest was read. */
  readonly wire: string
  readonly id: string
  readonly createdAt: number
  readonly folded: string
  readonly name: string
  readonly address: string
  readonly unsubscribed: boolean
}

/** Queries whose results are remembered: those of some windows, which read them piece by piece. */
const MOST_REMEMBERED = 8

/** Contacts that are read again one by one after a change; more are read with all others. */
const MOST_CHANGED = 200

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

/** Puts a few into a long list, both in order. @param many is changed: copying it takes longer than all else */
const merge = (many: number[], few: readonly number[], compare: (one: number, other: number) => number): number[] => {
  for (const place of few) {
    let [low, high] = [0, many.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (compare(many[middle] ?? 0, place) < 0) low = middle + 1
      else high = middle
    }
    many.splice(low, 0, place)
  }
  return many
}

const newestFirst = (one: Known, other: Known): number => {
  if (one.createdAt !== other.createdAt) return other.createdAt - one.createdAt
  return one.id < other.id ? 1 : Number(one.id > other.id) * -1
}

const ORDERS: Readonly<Record<ContactOrder, (one: Known, other: Known) => number>> = {
  newest: newestFirst,
  name: (one, other) => collator.compare(one.name, other.name) || byAddress(one, other),
  address: byAddress,
}

export const isContactMeant = ({ typed, subscription }: ContactQuery): ((contact: Contact) => boolean) => {
  const matches = typedFilter(typed)
  return (contact) => isSubscriptionMeant(subscription, contact.unsubscribed) && matches(foldedOf(contact))
}

/**
 * Finds contacts in memory: there are a hundred thousand of them at most, not millions, and what is typed is a part of anything.
 * Each has a place, and an order is a list of places, so that looking through all of them goes through memory from its
 * beginning to its end, whatever the order.
 */
export class ContactFinder<Row extends KeptRow> {
  readonly #readRows: ReadRows<Row>
  readonly #read: (row: Row) => Contact
  readonly #isInDoubt: () => boolean
  /** By place; null where a contact has gone. */
  #known: (Known | null)[] = []
  #placeOf = new Map<string, number>()
  #orders = new Map<ContactOrder, readonly number[]>()
  #found = new Map<string, readonly number[]>()
  /** What was looked for last, and the places of those that were found: 1 for each. */
  #typedLast: {
    readonly folded: string
    readonly subscription: ContactSubscription
    readonly meant: Uint8Array
  } | null = null
  #isStale = true
  /** IDs of contacts that are to be read again. */
  #changed = new Set<string>()

  /**
   * @param read a row in the model's terms
   * @param isInDoubt whether what is kept may be taken back: what is found then is found anew the next time
   */
  constructor(readRows: ReadRows<Row>, read: (row: Row) => Contact, isInDoubt: () => boolean) {
    this.#readRows = readRows
    this.#read = read
    this.#isInDoubt = isInDoubt
  }

  /** The places of those that a query means, in its order: as good as their IDs (`idAt`) until something is changed. */
  find({ typed, subscription, order }: ContactQuery): readonly number[] {
    const all = this.#inOrder(order)
    const found = this.#found
    const key = JSON.stringify([typed, subscription, order])
    const before = found.get(key)
    if (before !== undefined) return before
    const places = typed.trim() === '' && subscription === 'all' ? all : this.#matching({ typed, subscription }, all)
    const [oldest] = found.keys()
    if (oldest !== undefined && found.size >= MOST_REMEMBERED) found.delete(oldest)
    found.set(key, places)
    return places
  }

  idAt(place: number): string {
    return this.#known[place]?.id ?? ''
  }

  /** Contacts were kept or removed, or are seen otherwise. @param ids all of them where it is left out */
  changed(ids?: readonly string[]): void {
    if (ids === undefined) this.#isStale = true
    else for (const id of ids) this.#changed.add(id)
  }

  #matching({ typed, subscription }: Pick<ContactQuery, 'typed' | 'subscription'>, all: readonly number[]) {
    const matches = typedFilter(typed)
    const folded = foldText(typed)
    const before = this.#typedLast
    // Whoever types on looks among those that were found: more letters find fewer.
    const among = before?.subscription === subscription && folded.startsWith(before.folded) ? before.meant : null
    const meant = new Uint8Array(this.#known.length)
    for (let place = 0; place < this.#known.length; place += 1) {
      if (among?.[place] === 0) continue
      const known = this.#known[place]
      if (known && isSubscriptionMeant(subscription, known.unsubscribed) && matches(known.folded)) meant[place] = 1
    }
    this.#typedLast = { folded, subscription, meant }
    return all.filter((place) => meant[place] === 1)
  }

  #know(row: Row): Known {
    const before = this.#at(row.id)
    // Reading the words takes far longer than comparing them.
    if (before?.wire === row.wire && !this.#changed.has(row.id)) return before
    const contact = this.#read(row)
    const name = [contact.firstName, contact.lastName].filter((part) => part !== null && part.trim() !== '').join(' ')
    const address = contact.email.toLowerCase()
    return {
      wire: row.wire,
      id: row.id,
      createdAt: row.created_at,
      folded: foldedOf(contact),
      name: name === '' ? address : name,
      address,
      unsubscribed: contact.unsubscribed,
    }
  }

  #at(id: string): Known | null {
    const place = this.#placeOf.get(id)
    return place === undefined ? null : (this.#known[place] ?? null)
  }

  #inOrder(order: ContactOrder): readonly number[] {
    if (this.#isStale || this.#changed.size > MOST_CHANGED) this.#readAll()
    else if (this.#changed.size > 0) this.#readChanged()
    const there = this.#orders.get(order)
    if (there !== undefined) return there
    const sorted = [...(this.#orders.get('newest') ?? [])].sort(this.#comparing(order))
    this.#orders.set(order, sorted)
    return sorted
  }

  #comparing(order: ContactOrder): (one: number, other: number) => number {
    const compare = ORDERS[order]
    return (one, other) => {
      const [first, second] = [this.#known[one], this.#known[other]]
      return first && second ? compare(first, second) : 0
    }
  }

  #readAll(): void {
    this.#known = this.#readRows.all().map((row) => this.#know(row))
    this.#placeOf = new Map(this.#known.flatMap((known, place) => (known === null ? [] : [[known.id, place] as const])))
    this.#orders = new Map([['newest', this.#known.map((_known, place) => place)]])
    this.#settle()
  }

  /** Only what has changed is read and put where it belongs now: sorting all anew takes longer than a frame. */
  #readChanged(): void {
    const ids = [...this.#changed]
    const rows = new Map(this.#readRows.some(ids).map((row) => [row.id, row]))
    const moved: number[] = []
    for (const id of ids) {
      const row = rows.get(id)
      const place = this.#placeOf.get(id) ?? (row === undefined ? undefined : this.#known.length)
      if (place === undefined) continue
      moved.push(place)
      this.#known[place] = row === undefined ? null : this.#know(row)
      if (row === undefined) this.#placeOf.delete(id)
      else this.#placeOf.set(id, place)
    }
    const isMoved = new Uint8Array(this.#known.length)
    for (const place of moved) isMoved[place] = 1
    const there = moved.filter((place) => this.#known[place] !== null)
    for (const [order, places] of this.#orders) {
      const compare = this.#comparing(order)
      const rest = places.filter((place) => isMoved[place] === 0)
      this.#orders.set(order, merge(rest, there, compare))
    }
    this.#settle()
  }

  #settle(): void {
    this.#found = new Map()
    this.#typedLast = null
    this.#changed = new Set()
    this.#isStale = this.#isInDoubt()
  }
}
