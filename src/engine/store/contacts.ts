import type Database from 'better-sqlite3'
import {
  createLocalContact,
  createPlaceholderContact,
  contactParser,
  withContactChange,
  type FetchedContact,
  type NewContact,
} from '../platform/resources/contacts.ts'
import { serializePayload } from '../platform/raw-payload.ts'
import type { ContactOrder, ContactQuery } from '../../shared/contact-query.ts'
import type { Contact, ContactChange } from '../../shared/people.ts'
import { toTypedParts } from '../../shared/search/typed-filter.ts'
import { foldText } from '../../shared/search/word-tokenizer.ts'
import type { OnBrokenRow } from './broken-row.ts'
import { canonicalizeAddress } from './canonical-address.ts'
import { parseChecksummedContact, addChecksum } from './checksummed-payload.ts'
import { runInTransaction } from './watch-database.ts'
import { SELECT_MEMBERS, type SegmentStore } from './segments.ts'

interface Row {
  readonly id: string
  readonly address: string
  readonly round: number
  /** The platform's checksummed payload; null until it has the contact. */
  readonly wire: string | null
  /** The payload with pending changes; null if nothing is pending. */
  readonly shown: string | null
  /** Null if the contact isn't listed. */
  readonly listed_at: number | null
}

export interface PendingContact {
  readonly isBeingDeleted: boolean
  /** Data to create the contact with; null if it isn't to be created. */
  readonly made: NewContact | null
  readonly change: ContactChange
  /** Segments by ID: true to add the contact, false to remove it. */
  readonly segments: ReadonlyMap<string, boolean>
}

/** Pending contact changes. The cache applies them, so that responses can't make the user's changes flicker. */
export interface PendingContacts {
  readonly ofContact: (contactId: string) => PendingContact | undefined
  /**
   * True if a change was confirmed after this `Clock.elapsed` time. If so, a response requested earlier may be
   * outdated.
   */
  readonly confirmedSince: (contactId: string, askedAt: number) => boolean
}

const NO_PENDING_CONTACTS: PendingContacts = { ofContact: () => undefined, confirmedSince: () => false }

/** `listed_at` of contacts that the platform doesn't have yet, plus their key. They are first in every order. */
const LOCAL = 2 ** 52

const ORDERS: Readonly<Record<ContactOrder, string>> = {
  newest: 'listed_at DESC, id DESC',
  name: 'sort_name, id',
  address: `listed_at < ${LOCAL}, address, id`,
}

/** Searchable text of a contact. A match may span adjacent fields. */
const foldedOf = ({ firstName, lastName, email, properties }: Contact): string => {
  const pairs = Object.entries(properties).map(([key, value]) => `${key} ${key.replace(/[_-]+/g, ' ')} ${value ?? ''}`)
  return foldText([`${firstName ?? ''} ${lastName ?? ''}`, email, ...pairs].join('\n'))
}

/** Sort key by name, or else by address, with numbers by value. Contacts without wire come first. */
const sortNameOf = ({ firstName, lastName, email }: Contact, isLocal: boolean): string => {
  const name = [firstName, lastName].filter((part) => part !== null && part.trim() !== '').join(' ')
  const key = foldText(`${name === '' ? email : name}\n${email}`).replace(/\d+/g, (digits) => digits.padStart(12, '0'))
  return isLocal ? `\t${key}` : key
}

type SelectedValue<Column> = Column extends 'id' ? string : number

const COLUMNS = 'id, address, round, wire, shown, listed_at'

const prepareStatements = (database: Database.Database) => ({
  one: database.prepare<[string], Row>(`SELECT ${COLUMNS} FROM contacts WHERE id = ?`),
  byKey: database.prepare<[number], Row>(`SELECT ${COLUMNS} FROM contacts WHERE key = ?`),
  byAddress: database.prepare<[string], Row>(
    `SELECT ${COLUMNS} FROM contacts WHERE address = ? ORDER BY listed_at IS NULL, listed_at DESC, id DESC LIMIT 1`,
  ),
  idOf: database
    .prepare<[string], string>(
      'SELECT id FROM contacts WHERE address = ? AND wire IS NOT NULL ORDER BY listed_at DESC, id DESC LIMIT 1',
    )
    .pluck(),
  alike: database.prepare<[string, string]>(
    'SELECT 1 FROM contacts WHERE address = ? AND id <> ? AND listed_at IS NOT NULL LIMIT 1',
  ),
  changes: database.prepare<[], number>('SELECT total_changes()').pluck(),
  madeBy: database.prepare<[string], string | null>('SELECT made_by FROM contacts WHERE id = ?').pluck(),
  upsert: database.prepare<{
    id: string
    address: string
    wire: string | null
    shown: string | null
    listedAt: number | null
    unsubscribed: number
    folded: string
    sortName: string
    round: number
  }>(
    `INSERT INTO contacts (id, address, round, wire, shown, listed_at, unsubscribed, folded, sort_name)
     VALUES (@id, @address, @round, @wire, @shown, @listedAt, @unsubscribed, @folded, @sortName)
     ON CONFLICT (id) DO UPDATE
     SET address = excluded.address, round = excluded.round, wire = excluded.wire, shown = excluded.shown, listed_at = excluded.listed_at,
       unsubscribed = excluded.unsubscribed, folded = excluded.folded, sort_name = excluded.sort_name`,
  ),
  // A contact to be created isn't listed if the platform turns out to have its address.
  listLocal: database.prepare<[string]>(
    `UPDATE contacts
     SET listed_at = CASE WHEN EXISTS (
       SELECT 1 FROM contacts AS other
       WHERE other.address = contacts.address AND other.wire IS NOT NULL AND other.listed_at IS NOT NULL
     ) THEN NULL ELSE ${LOCAL} + key END
     WHERE address = ? AND wire IS NULL`,
  ),
  setRound: database.prepare<[number, string]>('UPDATE contacts SET round = ? WHERE id = ?'),
  setMadeBy: database.prepare<[string, string]>('UPDATE contacts SET made_by = ? WHERE id = ?'),
  remove: database.prepare<[string], string>('DELETE FROM contacts WHERE id = ? RETURNING address').pluck(),
  unmet: database.prepare<[number], string>('SELECT id FROM contacts WHERE wire IS NOT NULL AND round < ?').pluck(),
  spare: database.prepare<[number, number]>('UPDATE contacts SET round = ? WHERE round < ?'),
})

/**
 * The account's contacts as displayed: each row is the platform's contact with pending changes applied, or one that is
 * yet to be created there. Rows are written again whenever either side changes.
 */
export class ContactStore {
  readonly #database: Database.Database
  readonly #segments: Pick<SegmentStore, 'project'>
  readonly #onBroken: OnBrokenRow
  readonly #pending: PendingContacts
  readonly #sql: ReturnType<typeof prepareStatements>
  /** The last query and the number of its contacts, valid until anything is written. */
  #last: { readonly query: string; readonly changes: number | undefined; readonly total: number } | null = null

  constructor(
    database: Database.Database,
    segments: Pick<SegmentStore, 'project'>,
    onBroken: OnBrokenRow,
    pending: PendingContacts = NO_PENDING_CONTACTS,
  ) {
    this.#database = database
    this.#segments = segments
    this.#onBroken = onBroken
    this.#pending = pending
    this.#sql = prepareStatements(database)
  }

  /** A window of the contacts matching a query, and their number. Contacts to be created come first. */
  find(
    query: ContactQuery,
    { offset, limit }: { readonly offset: number; readonly limit: number },
  ): { readonly items: readonly Contact[]; readonly total: number } {
    const keys = this.#select('key', query, { offset, limit })
    const rows = keys.flatMap((key) => this.#sql.byKey.get(key) ?? [])
    return { items: rows.map((row) => this.#toDisplayed(row)), total: this.#count(query) }
  }

  idsOf(query: ContactQuery): readonly string[] {
    return this.#select('id', query)
  }

  /** True if the platform has the contact, as far as known. */
  has(id: string): boolean {
    return (this.#sql.one.get(id)?.wire ?? null) !== null
  }

  /** A contact, even if it is about to be deleted. */
  get(id: string): Contact | undefined {
    const row = this.#sql.one.get(id)
    return row === undefined ? undefined : this.#toDisplayed(row)
  }

  /** A listed contact; null if it is about to be deleted, undefined if unknown. @param idOrAddress any spelling */
  lookUp(idOrAddress: string): Contact | null | undefined {
    const byId = this.#sql.one.get(idOrAddress)
    // The platform may turn out to have the address of one to be created.
    const isFound = byId !== undefined && (byId.wire !== null || byId.listed_at !== null)
    const row = isFound ? byId : this.#sql.byAddress.get(byId?.address ?? canonicalizeAddress(idOrAddress))
    if (row === undefined) return undefined
    return row.listed_at === null ? null : this.#toDisplayed(row)
  }

  /** ID of the newest contact that the platform has with this address, in any spelling. */
  idOf(address: string): string | undefined {
    return this.#sql.idOf.get(canonicalizeAddress(address))
  }

  /** The platform's contact, without pending changes. */
  server(id: string): FetchedContact | undefined {
    const row = this.#sql.one.get(id)
    return typeof row?.wire === 'string' ? this.#readStored(row.id, row.wire) : undefined
  }

  /** The change that created the contact here, if one did. */
  madeBy(id: string): string | null {
    return this.#sql.madeBy.get(id) ?? null
  }

  /** Call when pending changes to these contacts have changed. */
  project(ids: readonly string[]): void {
    runInTransaction(this.#database, () => {
      for (const id of ids) {
        const { wire = null, round = 0 } = this.#sql.one.get(id) ?? {}
        const server = wire === null ? null : { wire, contact: this.#readStored(id, wire) }
        const pending = this.#pending.ofContact(id)
        this.#segments.project(id, pending?.segments)
        this.#write(id, server, pending, round)
      }
    })
  }

  /** Stores one contact. @param round see `storePage` @param madeBy the local change that created it, if any */
  put(contact: FetchedContact, round: number, madeBy?: string): void {
    runInTransaction(this.#database, () => {
      this.#store(contact, round)
      if (madeBy !== undefined) this.#sql.setMadeBy.run(madeBy, contact.id)
    })
  }

  remove(id: string): void {
    const address = this.#sql.remove.get(id)
    if (address !== undefined) this.#sql.listLocal.run(address)
  }

  /**
   * Stores a page of contacts. @returns true if anything has changed
   * @param round number of the list crawl that found them
   * @param askedAt `Clock.elapsed` time of the request; contacts changed locally since then are skipped
   */
  storePage(contacts: readonly FetchedContact[], round: number, askedAt = Number.POSITIVE_INFINITY): boolean {
    const keep = (contact: FetchedContact): boolean => {
      if (!this.#pending.confirmedSince(contact.id, askedAt)) return this.#store(contact, round)
      this.#sql.setRound.run(round, contact.id)
      return false
    }
    return runInTransaction(this.#database, () => contacts.map(keep).some(Boolean))
  }

  /**
   * Removes contacts that a complete crawl didn't find. Only a complete crawl reveals deletions, because the list's
   * order isn't guaranteed (platform.md 18.3). @returns true if there were any
   */
  removeMissing(round: number): boolean {
    const gone = this.#sql.unmet.all(round)
    runInTransaction(this.#database, () => gone.forEach((id) => this.remove(id)))
    return gone.length > 0
  }

  /** Marks all contacts as found by a crawl, because one of its pages was only partly readable. */
  markAllFound(round: number): void {
    this.#sql.spare.run(round, round)
  }

  #count(query: ContactQuery): number {
    const text = JSON.stringify(query)
    const changes = this.#sql.changes.get()
    if (this.#last?.query === text && this.#last.changes === changes) return this.#last.total
    const [total = 0] = this.#select('count(*)', query)
    // A rollback and another process's writes don't count as changes.
    this.#last = this.#database.inTransaction || this.#database.readonly ? null : { query: text, changes, total }
    return total
  }

  #select<Column extends 'key' | 'id' | 'count(*)'>(
    column: Column,
    { typed, subscription, order, segmentId }: ContactQuery,
    { offset, limit } = { offset: 0, limit: -1 },
  ): readonly SelectedValue<Column>[] {
    const parts = toTypedParts(typed)
    const conditions = [
      'listed_at IS NOT NULL',
      ...parts.map(() => 'instr(folded, ?) > 0'),
      ...(subscription === 'all' ? [] : [`unsubscribed = ${Number(subscription === 'unsubscribed')}`]),
      ...(segmentId === undefined ? [] : [`id IN (${SELECT_MEMBERS})`]),
    ]
    return this.#database
      .prepare<(string | number)[], SelectedValue<Column>>(
        `SELECT ${column} FROM contacts WHERE ${conditions.join(' AND ')} ORDER BY ${ORDERS[order]} LIMIT ? OFFSET ?`,
      )
      .pluck()
      .all(...parts, ...(segmentId === undefined ? [] : [segmentId]), limit, offset)
  }

  #toDisplayed(row: Row): Contact {
    const { id, address, wire, shown } = row
    const contact =
      (shown === null ? null : contactParser.stored(shown, id)) ??
      (wire === null ? createPlaceholderContact(id, 0) : this.#readStored(id, wire))
    return {
      ...contact,
      ...(wire === null && { createdAt: null }),
      ...(address !== '' && this.#sql.alike.get(address, id) !== undefined && { isDuplicate: true }),
    }
  }

  #readStored(id: string, wire: string): FetchedContact {
    const kept = parseChecksummedContact(wire, id)
    if (kept?.isIntact !== true) this.#onBroken({ kind: 'contacts' })
    return kept?.thing ?? createPlaceholderContact(id, 0)
  }

  /** Stores one contact. Call within a transaction. @returns true if anything has changed */
  #store(contact: FetchedContact, round: number): boolean {
    const wire = addChecksum(contact)
    if (this.#sql.one.get(contact.id)?.wire === wire) {
      this.#sql.setRound.run(round, contact.id)
      return false
    }
    this.#write(contact.id, { wire, contact }, this.#pending.ofContact(contact.id), round)
    return true
  }

  /** Writes a row with pending changes applied. Call within a transaction. @param server what the platform has */
  #write(
    id: string,
    server: { readonly wire: string; readonly contact: FetchedContact } | null,
    pending: PendingContact | undefined,
    round: number,
  ): void {
    const made = pending?.made ?? null
    const local = made === null ? null : createLocalContact(id, made)
    const changed = server !== null && pending !== undefined ? withContactChange(server.contact, pending.change) : null
    const contact = changed ?? server?.contact ?? local
    if (contact === null) {
      this.remove(id)
      return
    }
    const address = canonicalizeAddress(contact.email)
    this.#sql.upsert.run({
      ...{ id, address, round, wire: server?.wire ?? null },
      shown: pending === undefined ? null : serializePayload(contact),
      listedAt: pending?.isBeingDeleted === true ? null : contact.createdAt,
      unsubscribed: Number(contact.unsubscribed),
      folded: foldedOf(contact),
      sortName: sortNameOf(contact, server === null),
    })
    this.#sql.listLocal.run(address)
  }
}
