import type Database from 'better-sqlite3'
import { bareContact, type FetchedContact } from '../api/contacts.ts'
import type { ContactQuery } from '../../shared/contact-query.ts'
import type { Contact } from '../../shared/people.ts'
import type { OnBroken } from './broken-row.ts'
import { canonicalAddress } from './canonical-address.ts'
import { createContactFinder } from './contact-finder.ts'
import type { ListIndex } from './list-index.ts'
import { readSealedContact, seal } from './sealed-words.ts'

export interface ContactStore {
  /** Newest first. */
  readonly list: (window: { offset: number; limit: number }) => readonly Contact[]
  readonly count: () => number
  /** A window of those that a query means, in its order, and how many these are. @param without IDs of those left out */
  readonly find: (
    query: ContactQuery,
    window: { offset: number; limit: number },
    without?: ReadonlySet<string>,
  ) => { readonly items: readonly Contact[]; readonly total: number }
  /** Some of the newest ones whose fields have a typed part, which is not told from a part of another field. */
  readonly having: (part: string, most: number) => readonly Contact[]
  readonly has: (id: string) => boolean
  readonly get: (id: string) => Contact | undefined
  /** The newest one with an address, however that is written. `madeBy`: the change by which this computer made it. */
  readonly byAddress: (address: string) => { readonly contact: Contact; readonly madeBy: string | null } | undefined
  /** Keeps one contact. @param round as of `storePage` @param madeBy the change by which this computer made it, if it did */
  readonly put: (contact: FetchedContact, round: number, madeBy: string | null) => void
  readonly remove: (id: string) => void
  /**
   * Keeps a page of contacts.
   * @param round the walk of the list that met them
   * @returns whether anything differs from before
   */
  readonly storePage: (contacts: readonly FetchedContact[], round: number) => boolean
  /**
   * Removes the contacts that a whole walk has not met: the order of the list is not promised (contract, 4), so that
   * only a complete walk shows what is gone.
   * @returns whether there were any
   */
  readonly sweep: (round: number) => boolean
  /** Counts every contact as met by a walk: a page of it could not be read in full. */
  readonly spareAll: (round: number) => void
}

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

export const createContactStore = (
  database: Database.Database,
  lists: Pick<ListIndex, 'write' | 'move' | 'count' | 'seek'>,
  onBroken: OnBroken,
): ContactStore => {
  const select = database.prepare<[number, number, number], Row>(
    `SELECT ${COLUMNS} FROM contacts WHERE created_at < ? ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?`,
  )
  const selectAll = database.prepare<[], Row>(`SELECT ${COLUMNS} FROM contacts ORDER BY created_at DESC, id DESC`)
  const selectHaving = database.prepare<{ typed: string; capital: string; within: number; most: number }, Row>(
    `SELECT ${COLUMNS}
     FROM (SELECT ${COLUMNS} FROM contacts ORDER BY created_at DESC, id DESC LIMIT @within)
     WHERE wire LIKE @typed ESCAPE '\\' OR wire LIKE @capital ESCAPE '\\' LIMIT @most`,
  )
  const selectOne = database.prepare<[string], Row>(`SELECT ${COLUMNS} FROM contacts WHERE id = ?`)
  const selectByAddress = database.prepare<[string], Row>(
    `SELECT ${COLUMNS} FROM contacts WHERE address = ? ORDER BY created_at DESC, id DESC LIMIT 1`,
  )
  const upsert = database.prepare<[string, string, number, number, string]>(
    `INSERT INTO contacts (id, address, created_at, round, wire) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE
     SET address = excluded.address, created_at = excluded.created_at, round = excluded.round, wire = excluded.wire`,
  )
  const setMadeBy = database.prepare<[string, string]>('UPDATE contacts SET made_by = ? WHERE id = ?')
  const removeOne = database.prepare<[string], number>('DELETE FROM contacts WHERE id = ? RETURNING created_at').pluck()
  const remove = database.prepare<[number], number>('DELETE FROM contacts WHERE round < ? RETURNING created_at').pluck()

  const spare = database.prepare<[number, number]>('UPDATE contacts SET round = ? WHERE round < ?')
  const read = (row: Row): Contact => {
    const kept = readSealedContact(row.wire, row.id)
    if (kept?.isSound !== true) onBroken({ kind: 'contacts', id: row.id })
    return kept?.thing ?? bareContact(row.id, row.created_at)
  }

  const finder = createContactFinder(
    () => selectAll.all(),
    read,
    () => database.inTransaction,
  )
  /** Within a write of the lists. @returns whether anything differs from before */
  const keep = (contact: FetchedContact, round: number): boolean => {
    finder.changed()
    const text = seal(contact)
    const before = selectOne.get(contact.id)
    upsert.run(contact.id, canonicalAddress(contact.email), contact.createdAt, round, text)
    lists.move(LIST, before?.created_at ?? null, contact.createdAt)
    return before?.wire !== text
  }

  return {
    list: ({ offset, limit }) => {
      const { before, skip } = lists.seek(LIST, offset)
      return select.all(before, limit, skip).map(read)
    },
    count: () => lists.count(LIST),
    find: (query, { offset, limit }, without = NOBODY) => {
      const found = finder.find(query)
      const ids = without.size === 0 ? found : found.filter((id) => !without.has(id))
      const rows = ids.slice(offset, offset + limit).map((id) => selectOne.get(id))
      return { items: rows.flatMap((row) => (row === undefined ? [] : [read(row)])), total: ids.length }
    },
    having: (part, most) => {
      // LIKE takes A for a, and no other letter's capital for it.
      const parts = { typed: pattern(part), capital: pattern(capitalised(part)) }
      return selectHaving.all({ ...parts, within: MOST_LOOKED_THROUGH, most }).map(read)
    },
    has: (id) => selectOne.get(id) !== undefined,
    get: (id) => {
      const row = selectOne.get(id)
      return row === undefined ? undefined : read(row)
    },
    storePage: (contacts, round) => lists.write(() => contacts.map((contact) => keep(contact, round)).some(Boolean)),
    byAddress: (address) => {
      const row = selectByAddress.get(canonicalAddress(address))
      return row === undefined ? undefined : { contact: read(row), madeBy: row.made_by }
    },
    put: (contact, round, madeBy) =>
      lists.write(() => {
        keep(contact, round)
        if (madeBy !== null) setMadeBy.run(madeBy, contact.id)
      }),
    remove: (id) =>
      lists.write(() => {
        finder.changed()
        for (const createdAt of removeOne.all(id)) lists.move(LIST, createdAt, null)
      }),
    sweep: (round) =>
      lists.write(() => {
        finder.changed()
        const gone = remove.all(round)
        for (const createdAt of gone) lists.move(LIST, createdAt, null)
        return gone.length > 0
      }),
    spareAll: (round) => {
      spare.run(round, round)
    },
  }
}
