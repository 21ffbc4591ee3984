import type { ContactOrder, ContactQuery, SubscriptionFilter } from '../../shared/contact-query.ts'
import type { Contact } from '../../shared/people.ts'
import { createTypedFilter } from '../../shared/search/typed-filter.ts'
import { foldText } from '../../shared/search/word-tokenizer.ts'

interface KeptRow {
  readonly id: string
  /** Milliseconds since the epoch. */
  readonly created_at: number
  readonly wire: string
}

interface ReadRows<Row> {
  /** All rows, newest first. */
  readonly all: () => readonly Row[]
  readonly some: (ids: readonly string[]) => readonly Row[]
}

interface CachedContact {
  /** The stored payload it was parsed from. */
  readonly wire: string
  readonly id: string
  readonly createdAt: number
  readonly folded: string
  readonly name: string
  readonly address: string
  readonly unsubscribed: boolean
}

/** Maximum cached queries: enough for a few windows that load their results in pieces. */
const MAX_CACHED_QUERIES = 8

/** Maximum number of changed contacts to reread one by one. If more change, all contacts are reread. */
const MAX_CHANGED = 200

const collator = new Intl.Collator('en', { sensitivity: 'base', numeric: true })

/** Searchable text of a contact. A match may span adjacent fields. */
const foldedOf = ({ firstName, lastName, email, properties }: Contact): string => {
  const pairs = Object.entries(properties).map(([key, value]) => `${key} ${key.replace(/[_-]+/g, ' ')} ${value ?? ''}`)
  return foldText([`${firstName ?? ''} ${lastName ?? ''}`, email, ...pairs].join('\n'))
}

const matchesSubscription = (wanted: SubscriptionFilter, isUnsubscribed: boolean): boolean =>
  wanted === 'all' || isUnsubscribed === (wanted === 'unsubscribed')

const byAddress = (one: CachedContact, other: CachedContact): number =>
  one.address < other.address ? -1 : Number(one.address > other.address)

/** Merges sorted lists. @param many modified in place, since copying would cost more than the merge */
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

const newestFirst = (one: CachedContact, other: CachedContact): number => {
  if (one.createdAt !== other.createdAt) return other.createdAt - one.createdAt
  return one.id < other.id ? 1 : Number(one.id > other.id) * -1
}

const ORDERS: Readonly<Record<ContactOrder, (one: CachedContact, other: CachedContact) => number>> = {
  newest: newestFirst,
  name: (one, other) => collator.compare(one.name, other.name) || byAddress(one, other),
  address: byAddress,
}

export const createContactFilter = ({ typed, subscription }: ContactQuery): ((contact: Contact) => boolean) => {
  const matches = createTypedFilter(typed)
  return (contact) => matchesSubscription(subscription, contact.unsubscribed) && matches(foldedOf(contact))
}

/**
 * In-memory search for up to a hundred thousand contacts, since typed text may match any substring. Each contact has a
 * fixed place, and each sort order is a list of places. Every search thus scans memory sequentially.
 */
export class ContactFinder<Row extends KeptRow> {
  readonly #readRows: ReadRows<Row>
  readonly #read: (row: Row) => Contact
  readonly #isInDoubt: () => boolean
  /** Contacts by place; null for removed contacts. */
  #known: (CachedContact | null)[] = []
  #placeOf = new Map<string, number>()
  #orders = new Map<ContactOrder, readonly number[]>()
  #found = new Map<string, readonly number[]>()
  /** The last search. `meant` has a 1 at each matching place. */
  #lastSearch: {
    readonly folded: string
    readonly subscription: SubscriptionFilter
    readonly meant: Uint8Array
  } | null = null
  #isStale = true
  #changed = new Set<string>()

  /** @param isInDoubt returns true while a write may be rolled back; results found then aren't reused */
  constructor(readRows: ReadRows<Row>, read: (row: Row) => Contact, isInDoubt: () => boolean) {
    this.#readRows = readRows
    this.#read = read
    this.#isInDoubt = isInDoubt
  }

  /** Places of matching contacts, in the query's order. Valid until the next change, as are the IDs from `idAt`. */
  find({ typed, subscription, order }: ContactQuery): readonly number[] {
    const all = this.#inOrder(order)
    const found = this.#found
    const key = JSON.stringify([typed, subscription, order])
    const before = found.get(key)
    if (before !== undefined) return before
    const places = typed.trim() === '' && subscription === 'all' ? all : this.#matching({ typed, subscription }, all)
    const [oldest] = found.keys()
    if (oldest !== undefined && found.size >= MAX_CACHED_QUERIES) found.delete(oldest)
    found.set(key, places)
    return places
  }

  idAt(place: number): string {
    return this.#known[place]?.id ?? ''
  }

  /**
   * Call when contacts were stored or removed, or when their displayed data changed. @param ids all contacts if omitted
   */
  changed(ids?: readonly string[]): void {
    if (ids === undefined) this.#isStale = true
    else for (const id of ids) this.#changed.add(id)
  }

  #matching({ typed, subscription }: Pick<ContactQuery, 'typed' | 'subscription'>, all: readonly number[]) {
    const matches = createTypedFilter(typed)
    const folded = foldText(typed)
    const before = this.#lastSearch
    // Longer text matches fewer contacts, so search only the previous results.
    const among = before?.subscription === subscription && folded.startsWith(before.folded) ? before.meant : null
    const meant = new Uint8Array(this.#known.length)
    for (let place = 0; place < this.#known.length; place += 1) {
      if (among?.[place] === 0) continue
      const known = this.#known[place]
      if (known && matchesSubscription(subscription, known.unsubscribed) && matches(known.folded)) meant[place] = 1
    }
    this.#lastSearch = { folded, subscription, meant }
    return all.filter((place) => meant[place] === 1)
  }

  #toCached(row: Row): CachedContact {
    const before = this.#at(row.id)
    // Skip unchanged payloads: parsing takes far longer than comparing.
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

  #at(id: string): CachedContact | null {
    const place = this.#placeOf.get(id)
    return place === undefined ? null : (this.#known[place] ?? null)
  }

  #inOrder(order: ContactOrder): readonly number[] {
    if (this.#isStale || this.#changed.size > MAX_CHANGED) this.#readAll()
    else if (this.#changed.size > 0) this.#readChanged()
    const there = this.#orders.get(order)
    if (there !== undefined) return there
    const sorted = [...(this.#orders.get('newest') ?? [])].sort(this.#comparatorFor(order))
    this.#orders.set(order, sorted)
    return sorted
  }

  #comparatorFor(order: ContactOrder): (one: number, other: number) => number {
    const compare = ORDERS[order]
    return (one, other) => {
      const [first, second] = [this.#known[one], this.#known[other]]
      return first && second ? compare(first, second) : 0
    }
  }

  #readAll(): void {
    this.#known = this.#readRows.all().map((row) => this.#toCached(row))
    this.#placeOf = new Map(this.#known.flatMap((known, place) => (known === null ? [] : [[known.id, place] as const])))
    this.#orders = new Map([['newest', this.#known.map((_known, place) => place)]])
    this.#settle()
  }

  /** Rereads and moves only the changed contacts, since sorting all of them takes longer than a frame. */
  #readChanged(): void {
    const ids = [...this.#changed]
    const rows = new Map(this.#readRows.some(ids).map((row) => [row.id, row]))
    const moved: number[] = []
    for (const id of ids) {
      const row = rows.get(id)
      const place = this.#placeOf.get(id) ?? (row === undefined ? undefined : this.#known.length)
      if (place === undefined) continue
      moved.push(place)
      this.#known[place] = row === undefined ? null : this.#toCached(row)
      if (row === undefined) this.#placeOf.delete(id)
      else this.#placeOf.set(id, place)
    }
    const isMoved = new Uint8Array(this.#known.length)
    for (const place of moved) isMoved[place] = 1
    const there = moved.filter((place) => this.#known[place] !== null)
    for (const [order, places] of this.#orders) {
      const compare = this.#comparatorFor(order)
      const rest = places.filter((place) => isMoved[place] === 0)
      this.#orders.set(order, merge(rest, there, compare))
    }
    this.#settle()
  }

  #settle(): void {
    this.#found = new Map()
    this.#lastSearch = null
    this.#changed = new Set()
    this.#isStale = this.#isInDoubt()
  }
}
