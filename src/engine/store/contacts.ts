import type Database from 'better-sqlite3'
import { bareContact, type FetchedContact } from '../api/contacts.ts'
import type { ContactQuery } from '../../shared/contact-query.ts'
import type { Contact } from '../../shared/people.ts'
import type { OnBroken } from './broken-row.ts'
import { canonicalAddress } from './canonical-address.ts'
import { ContactFinder } from './contact-finder.ts'
import type { ListIndex } from './list-index.ts'
import { readSealedContact, seal } from './sealed-words.ts'

interface Row {
  readonly id: string
  readonly created_at: number
  readonly wire: string
  readonly made_by: string | null
}

const COLUMNS = 'id, created_at, wire, made_by'

const LIST = { kind: 'contacts', of: [] } as const

/** Contacts that are looked through for a part: reading more would hold up what is typed. */
const MOST_LOOKED_THROUGH = 10_000

const NOBODY: ReadonlySet<string> = new Set()

const pattern = (part: string): string => `%${part.replace(/[\\%_]/g, '\\$&')}%`
const capitalised = (part: string): string => part.charAt(0).toUpperCase() + part.slice(1)

const prepareStatements = (database: Database.Database) => ({
  page: database.prepare<[number, number, number], Row>(
    `SELECT ${COLUMNS} FROM contacts WHERE created_at < ? ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?`,
  ),
  all: database.prepare<[], Row>(`SELECT ${COLUMNS} FROM contacts ORDER BY created_at DESC, id DESC`),
  having: database.prepare<{ typed: string; capital: string; within: number; most: number }, Row>(
    `SELECT ${COLUMNS}
     FROM (SELECT ${COLUMNS} FROM contacts ORDER BY created_at DESC, id DESC LIMIT @within)
     WHERE wire LIKE @typed ESCAPE '\\' OR wire LIKE @capital ESCAPE '\\' LIMIT @most`,
  ),
  one: database.prepare<[string], Row>(`SELECT ${COLUMNS} FROM contacts WHERE id = ?`),
  byAddress: database.prepare<[string], Row>(
    `SELECT ${COLUMNS} FROM contacts WHERE address = ? ORDER BY created_at DESC, id DESC LIMIT 1`,
  ),
  upsert: database.prepare<[string, string, number, number, string]>(
    `INSERT INTO contacts (id, address, created_at, round, wire) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE
     SET address = excluded.address, created_at = excluded.created_at, round = excluded.round, wire = excluded.wire`,
  ),
  setMadeBy: database.prepare<[string, string]>('UPDATE contacts SET made_by = ? WHERE id = ?'),
  removeOne: database.prepare<[string], number>('DELETE FROM contacts WHERE id = ? RETURNING created_at').pluck(),
  removeUnmet: database.prepare<[number], number>('DELETE FROM contacts WHERE round < ? RETURNING created_at').pluck(),
  spare: database.prepare<[number, number]>('UPDATE contacts SET round = ? WHERE round < ?'),
})

export class ContactStore {
  readonly #lists: Pick<ListIndex, 'write' | 'move' | 'count' | 'seek'>
  readonly #onBroken: OnBroken
  readonly #sql: ReturnType<typeof prepareStatements>
  readonly #finder: ContactFinder<Row>

  constructor(
    database: Database.Database,
    lists: Pick<ListIndex, 'write' | 'move' | 'count' | 'seek'>,
    onBroken: OnBroken,
  ) {
    this.#lists = lists
    this.#onBroken = onBroken
    this.#sql = prepareStatements(database)
    this.#finder = new ContactFinder(
      () => this.#sql.all.all(),
      (row) => this.#read(row),
      () => database.inTransaction,
    )
  }

  /** Newest first. */
  list({ offset, limit }: { readonly offset: number; readonly limit: number }): readonly Contact[] {
    const { before, skip } = this.#lists.seek(LIST, offset)
    return this.#sql.page.all(before, limit, skip).map((row) => this.#read(row))
  }

  count(): number {
    return this.#lists.count(LIST)
  }

  /** A window of those that a query means, in its order, and how many these are. @param without IDs of those left out */
  find(
    query: ContactQuery,
    { offset, limit }: { readonly offset: number; readonly limit: number },
    without = NOBODY,
  ): { readonly items: readonly Contact[]; readonly total: number } {
    const found = this.#finder.find(query)
    const ids = without.size === 0 ? found : found.filter((id) => !without.has(id))
    const items = ids.slice(offset, offset + limit).flatMap((id) => this.get(id) ?? [])
    return { items, total: ids.length }
  }

  /** Some of the newest ones whose fields have a typed part; a part that spans two fields counts as well. */
  having(part: string, most: number): readonly Contact[] {
    // LIKE takes A for a, and no other letter's capital for it.
    const parts = { typed: pattern(part), capital: pattern(capitalised(part)) }
    return this.#sql.having.all({ ...parts, within: MOST_LOOKED_THROUGH, most }).map((row) => this.#read(row))
  }

  has(id: string): boolean {
    return this.#sql.one.get(id) !== undefined
  }

  get(id: string): Contact | undefined {
    const row = this.#sql.one.get(id)
    return row === undefined ? undefined : this.#read(row)
  }

  /** The newest one with an address, however that is written. `madeBy`: the change by which this computer made it. */
  byAddress(address: string): { readonly contact: Contact; readonly madeBy: string | null } | undefined {
    const row = this.#sql.byAddress.get(canonicalAddress(address))
    return row === undefined ? undefined : { contact: this.#read(row), madeBy: row.made_by }
  }

  /** Keeps one contact. @param round as of `storePage` @param madeBy the change by which this computer made it, if it did */
  put(contact: FetchedContact, round: number, madeBy: string | null): void {
    this.#lists.write(() => {
      this.#keep(contact, round)
      if (madeBy !== null) this.#sql.setMadeBy.run(madeBy, contact.id)
    })
  }

  remove(id: string): void {
    this.#lists.write(() => {
      this.#finder.changed()
      for (const createdAt of this.#sql.removeOne.all(id)) this.#lists.move(LIST, createdAt, null)
    })
  }

  /**
   * Keeps a page of contacts.
   * @param round the walk of the list that met them
   * @returns whether anything differs from before
   */
  storePage(contacts: readonly FetchedContact[], round: number): boolean {
    return this.#lists.write(() => contacts.map((contact) => this.#keep(contact, round)).some(Boolean))
  }

  /**
   * Removes the contacts that a whole walk has not met: the order of the list is not promised (contract, 4), so that
   * only a complete walk shows what is gone.
   * @returns whether there were any
   */
  sweep(round: number): boolean {
    return this.#lists.write(() => {
      this.#finder.changed()
      const gone = this.#sql.removeUnmet.all(round)
      for (const createdAt of gone) this.#lists.move(LIST, createdAt, null)
      return gone.length > 0
    })
  }

  /** Counts every contact as met by a walk: a page of it could not be read in full. */
  spareAll(round: number): void {
    this.#sql.spare.run(round, round)
  }

  #read(row: Row): Contact {
    const kept = readSealedContact(row.wire, row.id)
    if (kept?.isSound !== true) this.#onBroken({ kind: 'contacts', id: row.id })
    return kept?.thing ?? bareContact(row.id, row.created_at)
  }

  /** Within a write of the lists. @returns whether anything differs from before */
  #keep(contact: FetchedContact, round: number): boolean {
    this.#finder.changed()
    const text = seal(contact)
    const before = this.#sql.one.get(contact.id)
    this.#sql.upsert.run(contact.id, canonicalAddress(contact.email), contact.createdAt, round, text)
    this.#lists.move(LIST, before?.created_at ?? null, contact.createdAt)
    return before?.wire !== text
  }
}
