import type Database from 'better-sqlite3'
import { createPlaceholderContact, type FetchedContact } from '../platform/resources/contacts.ts'
import type { ContactQuery } from '../../shared/contact-query.ts'
import type { Contact, ContactChange } from '../../shared/people.ts'
import { foldToPlainLetters } from './search-index/spellings.ts'
import type { OnBrokenRow } from './broken-row.ts'
import { canonicalizeAddress } from './canonical-address.ts'
import { ContactFinder } from './contact-finder.ts'
import type { ListIndex } from './list-index.ts'
import { parseChecksummedContact, addChecksum } from './checksummed-payload.ts'

interface Row {
  readonly id: string
  readonly created_at: number
  readonly wire: string
  readonly made_by: string | null
}

export interface PendingContact {
  readonly isBeingDeleted: boolean
  readonly change: ContactChange
}

/** Pending contact changes. The cache applies them, so that responses can't make the user's changes flicker. */
export interface PendingContacts {
  readonly ofContact: (contactId: string) => PendingContact | undefined
  /** Pending changes to a segment by contact ID: true to add the contact, false to remove it. */
  readonly inSegment: (segmentId: string) => ReadonlyMap<string, boolean>
  /**
   * True if a change was confirmed after this `Clock.elapsed` time. If so, a response requested earlier may be
   * outdated.
   */
  readonly confirmedSince: (contactId: string, askedAt: number) => boolean
}

export const NO_PENDING_CONTACTS: PendingContacts = {
  ofContact: () => undefined,
  inSegment: () => new Map(),
  confirmedSince: () => false,
}

const contactWith = (
  contact: Contact,
  { firstName = contact.firstName, lastName = contact.lastName, unsubscribed, properties }: ContactChange,
): Contact => ({
  ...contact,
  firstName,
  lastName,
  unsubscribed: unsubscribed ?? contact.unsubscribed,
  properties: properties === undefined ? contact.properties : { ...contact.properties, ...properties },
})

const COLUMNS = 'id, created_at, wire, made_by'

const LIST = { kind: 'contacts', of: [] } as const

/** Maximum contacts to search for typed text. Searching more would delay typing. */
const MAX_SEARCHED = 10_000
/** Maximum contacts with non-ASCII text to compare while ignoring accents. */
const MAX_FOLDED = 2_000

const NO_IDS: ReadonlySet<string> = new Set()

const pattern = (part: string): string => `%${part.replace(/[\\%_]/g, '\\$&')}%`
const capitalize = (part: string): string => part.charAt(0).toUpperCase() + part.slice(1)

const prepareStatements = (database: Database.Database) => ({
  page: database.prepare<[number, number, number], Row>(
    `SELECT ${COLUMNS} FROM contacts WHERE created_at < ? ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?`,
  ),
  all: database.prepare<[], Row>(`SELECT ${COLUMNS} FROM contacts ORDER BY created_at DESC, id DESC`),
  containing: database.prepare<{ typed: string; capital: string; within: number; most: number }, Row>(
    `SELECT ${COLUMNS}
     FROM (SELECT ${COLUMNS} FROM contacts ORDER BY created_at DESC, id DESC LIMIT @within)
     WHERE wire LIKE @typed ESCAPE '\\' OR wire LIKE @capital ESCAPE '\\' LIMIT @most`,
  ),
  accented: database.prepare<{ within: number; most: number }, Row>(
    `SELECT ${COLUMNS}
     FROM (SELECT ${COLUMNS} FROM contacts ORDER BY created_at DESC, id DESC LIMIT @within)
     WHERE octet_length(wire) > length(wire) LIMIT @most`,
  ),
  one: database.prepare<[string], Row>(`SELECT ${COLUMNS} FROM contacts WHERE id = ?`),
  byAddress: database.prepare<[string], Row>(
    `SELECT ${COLUMNS} FROM contacts WHERE address = ? ORDER BY created_at DESC, id DESC LIMIT 1`,
  ),
  allByAddress: database.prepare<[string], Row>(
    `SELECT ${COLUMNS} FROM contacts WHERE address = ? ORDER BY created_at DESC, id DESC LIMIT 20`,
  ),
  alike: database
    .prepare<[string, string], string>('SELECT id FROM contacts WHERE address = ? AND id <> ? LIMIT 20')
    .pluck(),
  someById: database.prepare<[string], Row>(
    `SELECT ${COLUMNS} FROM contacts WHERE id IN (SELECT value FROM json_each(?))`,
  ),
  upsert: database.prepare<[string, string, number, number, string]>(
    `INSERT INTO contacts (id, address, created_at, round, wire) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE
     SET address = excluded.address, created_at = excluded.created_at, round = excluded.round, wire = excluded.wire`,
  ),
  setMadeBy: database.prepare<[string, string]>('UPDATE contacts SET made_by = ? WHERE id = ?'),
  removeOne: database.prepare<[string], number>('DELETE FROM contacts WHERE id = ? RETURNING created_at').pluck(),
  removeUnmet: database.prepare<[number], number>('DELETE FROM contacts WHERE round < ? RETURNING created_at').pluck(),
  spareOne: database.prepare<[number, string]>('UPDATE contacts SET round = ? WHERE id = ?'),
  spare: database.prepare<[number, number]>('UPDATE contacts SET round = ? WHERE round < ?'),
})

export class ContactStore {
  readonly #lists: Pick<ListIndex, 'write' | 'move' | 'count' | 'seek'>
  readonly #onBroken: OnBrokenRow
  readonly #pending: PendingContacts
  readonly #sql: ReturnType<typeof prepareStatements>
  readonly #finder: ContactFinder<Row>

  constructor(
    database: Database.Database,
    lists: Pick<ListIndex, 'write' | 'move' | 'count' | 'seek'>,
    onBroken: OnBrokenRow,
    pending: PendingContacts = NO_PENDING_CONTACTS,
  ) {
    this.#lists = lists
    this.#onBroken = onBroken
    this.#pending = pending
    this.#sql = prepareStatements(database)
    this.#finder = new ContactFinder(
      {
        all: () => this.#sql.all.all(),
        some: (ids) => this.#sql.someById.all(JSON.stringify(ids)),
      },
      (row) => this.#read(row),
      () => database.inTransaction,
    )
  }

  /** Newest first. */
  list({ offset, limit }: { readonly offset: number; readonly limit: number }): readonly Contact[] {
    const { before, skip } = this.#lists.seek(LIST, offset)
    return this.#sql.page.all(before, limit, skip).map((row) => this.#toDisplayed(row))
  }

  count(): number {
    return this.#lists.count(LIST)
  }

  /** @param without IDs to exclude @param among IDs to consider; all if omitted */
  find(
    query: ContactQuery,
    { offset, limit }: { readonly offset: number; readonly limit: number },
    without = NO_IDS,
    among?: ReadonlySet<string>,
  ): { readonly items: readonly Contact[]; readonly total: number } {
    const finder = this.#finder
    const places = this.#placesOf(query, without, among)
    const items = places.slice(offset, offset + limit).flatMap((place) => this.get(finder.idAt(place)) ?? [])
    return { items, total: places.length }
  }

  idsOf(query: ContactQuery, without = NO_IDS, among?: ReadonlySet<string>): readonly string[] {
    return this.#placesOf(query, without, among).map((place) => this.#finder.idAt(place))
  }

  /** Newest contacts whose fields contain the typed text, ignoring accents. A match may span two fields. */
  containing(part: string, most: number): readonly Contact[] {
    // LIKE ignores case for ASCII letters only.
    const parts = { typed: pattern(part), capital: pattern(capitalize(part)) }
    const rows = this.#sql.containing.all({ ...parts, within: MAX_SEARCHED, most })
    const accented = (
      rows.length < most ? this.#sql.accented.all({ within: MAX_SEARCHED, most: MAX_FOLDED }) : []
    ).filter(({ id, wire }) => foldToPlainLetters(wire).includes(part) && !rows.some((row) => row.id === id))
    return [...rows, ...accented].slice(0, most).map((row) => this.#read(row))
  }

  has(id: string): boolean {
    return this.#sql.one.get(id) !== undefined
  }

  get(id: string): Contact | undefined {
    const row = this.#sql.one.get(id)
    return row === undefined ? undefined : this.#toDisplayed(row)
  }

  /** Newest contact with this address, in any spelling. `madeBy` is the local change that created it. */
  byAddress(address: string): { readonly contact: Contact; readonly madeBy: string | null } | undefined {
    const row = this.#sql.byAddress.get(canonicalizeAddress(address))
    return row === undefined ? undefined : { contact: this.#toDisplayed(row), madeBy: row.made_by }
  }

  /** All contacts with this address, in any spelling, newest first. */
  allByAddress(address: string): readonly Contact[] {
    return this.#sql.allByAddress.all(canonicalizeAddress(address)).map((row) => this.#toDisplayed(row))
  }

  /** Latest platform state of a contact, without pending changes. `madeBy` is the local change that created it. */
  server(id: string): { readonly contact: FetchedContact; readonly madeBy: string | null } | undefined {
    const row = this.#sql.one.get(id)
    return row === undefined ? undefined : { contact: this.#readStored(row), madeBy: row.made_by }
  }

  /** Call when pending changes to these contacts have changed. */
  projected(ids: readonly string[]): void {
    this.#finder.changed(ids)
  }

  /** Stores one contact. @param round see `storePage` @param madeBy the local change that created it, if any */
  put(contact: FetchedContact, round: number, madeBy: string | null): void {
    this.#lists.write(() => {
      this.#storeContact(contact, round)
      if (madeBy !== null) this.#sql.setMadeBy.run(madeBy, contact.id)
    })
  }

  remove(id: string): void {
    this.#lists.write(() => {
      this.#finder.changed([id])
      for (const createdAt of this.#sql.removeOne.all(id)) this.#lists.move(LIST, createdAt, null)
    })
  }

  /**
   * Stores a page of contacts. @returns true if anything has changed
   * @param round number of the list crawl that found them
   * @param askedAt `Clock.elapsed` time of the request; contacts changed locally since then are skipped
   */
  storePage(contacts: readonly FetchedContact[], round: number, askedAt = Number.POSITIVE_INFINITY): boolean {
    const keep = (contact: FetchedContact): boolean => {
      if (!this.#pending.confirmedSince(contact.id, askedAt)) return this.#storeContact(contact, round)
      this.#sql.spareOne.run(round, contact.id)
      return false
    }
    return this.#lists.write(() => contacts.map(keep).some(Boolean))
  }

  /**
   * Removes contacts that a complete crawl didn't find. Only a complete crawl reveals deletions, because the list's
   * order isn't guaranteed (platform.md 18.3). @returns true if there were any
   */
  removeMissing(round: number): boolean {
    return this.#lists.write(() => {
      this.#finder.changed()
      const gone = this.#sql.removeUnmet.all(round)
      for (const createdAt of gone) this.#lists.move(LIST, createdAt, null)
      return gone.length > 0
    })
  }

  /** Marks all contacts as found by a crawl, because one of its pages was only partly readable. */
  markAllFound(round: number): void {
    this.#sql.spare.run(round, round)
  }

  #placesOf(query: ContactQuery, without: ReadonlySet<string>, among?: ReadonlySet<string>): readonly number[] {
    const finder = this.#finder
    const found = finder.find(query)
    if (without.size === 0 && among === undefined) return found
    return found.filter((place) => {
      const id = finder.idAt(place)
      return !without.has(id) && (among === undefined || among.has(id))
    })
  }

  /** A contact as displayed: includes pending changes, and a flag for duplicate addresses. */
  #toDisplayed(row: Row): Contact {
    const contact = this.#read(row)
    const address = canonicalizeAddress(contact.email)
    const isDuplicate =
      address !== '' &&
      this.#sql.alike.all(address, row.id).some((id) => this.#pending.ofContact(id)?.isBeingDeleted !== true)
    return isDuplicate ? { ...contact, isDuplicate } : contact
  }

  #read(row: Row): Contact {
    const kept = this.#readStored(row)
    const pending = this.#pending.ofContact(row.id)
    return pending === undefined ? kept : contactWith(kept, pending.change)
  }

  #readStored(row: Row): FetchedContact {
    const kept = parseChecksummedContact(row.wire, row.id)
    if (kept?.isIntact !== true) this.#onBroken({ kind: 'contacts', id: row.id })
    return kept?.thing ?? createPlaceholderContact(row.id, row.created_at)
  }

  /** Stores one contact. Call within a list transaction. @returns true if anything has changed */
  #storeContact(contact: FetchedContact, round: number): boolean {
    const text = addChecksum(contact)
    const before = this.#sql.one.get(contact.id)
    if (before?.wire !== text) this.#finder.changed([contact.id])
    this.#sql.upsert.run(contact.id, canonicalizeAddress(contact.email), contact.createdAt, round, text)
    this.#lists.move(LIST, before?.created_at ?? null, contact.createdAt)
    return before?.wire !== text
  }
}
