import type Database from 'better-sqlite3'
import { createPlaceholderInbox, inboxParser, type FetchedInbox } from '../platform/resources/inboxes.ts'
import { serializePayload } from '../platform/raw-payload.ts'
import type { Inbox } from '../../shared/model.ts'
import { runInTransaction } from './watch-database.ts'
import { ownAddressKey } from './thread-rows.ts'
import { createProblem } from '../../shared/result.ts'

/** An inbox's local key and its platform ID. */
export interface InboxRef {
  readonly key: number
  readonly id: string
}

/** A cached inbox; other tables refer to its `key`. */
export interface StoredInbox extends InboxRef {
  readonly inbox: Inbox
  readonly fromName: string | null
  readonly onServer: boolean
  /** True if the user added it because the platform doesn't list it. */
  readonly isAdded: boolean
}

interface Row {
  readonly key: number
  readonly id: string
  readonly on_server: number
  readonly added: number
  readonly wire: string
}

const ROW = 'SELECT key, id, on_server, added, wire FROM inboxes'

/** A damaged inbox is shown without its fields until the next poll. */
const readInbox = ({ wire, id }: Row): FetchedInbox => inboxParser.stored(wire, id) ?? createPlaceholderInbox(id)

const toStored = (row: Row): StoredInbox => {
  const { fromName, ...inbox } = readInbox(row)
  const onServer = row.on_server === 1
  return { key: row.key, id: row.id, inbox: { ...inbox, onServer }, fromName, onServer, isAdded: row.added === 1 }
}

const prepareStatements = (database: Database.Database) => ({
  all: database.prepare<[], Row>(`${ROW} ORDER BY position, key`),
  one: database.prepare<[string], Row>(`${ROW} WHERE id = ?`),
  upsert: database.prepare<[string, number, string]>(
    `INSERT INTO inboxes (id, position, on_server, wire) VALUES (?, ?, 1, ?)
     ON CONFLICT (id) DO UPDATE SET position = excluded.position, on_server = 1, wire = excluded.wire
     WHERE position <> excluded.position OR on_server <> 1 OR wire <> excluded.wire`,
  ),
  insertAdded: database.prepare<[string, string]>(
    `INSERT INTO inboxes (id, position, on_server, added, wire)
     VALUES (?, (SELECT coalesce(max(position), 0) + 1 FROM inboxes), 1, 1, ?)
     ON CONFLICT (id) DO UPDATE SET on_server = 1, added = 1`,
  ),
  mark: database.prepare<[string]>('UPDATE inboxes SET on_server = 0 WHERE id = ? AND on_server = 1'),
  unmark: database.prepare<[string]>('UPDATE inboxes SET on_server = 1 WHERE id = ? AND on_server = 0'),
})

export class InboxStore {
  readonly #database: Database.Database
  readonly #sql: ReturnType<typeof prepareStatements>
  #addresses: ReadonlySet<string> | null = null
  readonly #refs = new Map<string, InboxRef>()

  constructor(database: Database.Database) {
    this.#database = database
    this.#sql = prepareStatements(database)
  }

  /** Inboxes in the platform's order. */
  all(): readonly StoredInbox[] {
    return this.#sql.all.all().map(toStored)
  }

  get(id: string): StoredInbox | undefined {
    const row = this.#sql.one.get(id)
    return row && toStored(row)
  }

  /** Cached, since every change to a thread reads it: an inbox keeps its key. */
  ref(id: string): InboxRef | undefined {
    const known = this.#refs.get(id)
    if (known !== undefined) return known
    const row = this.#sql.one.get(id)
    if (row === undefined) return undefined
    const ref = { key: row.key, id }
    this.#refs.set(id, ref)
    return ref
  }

  /** @throws ProblemError `not_found` */
  require(id: string): StoredInbox {
    const stored = this.get(id)
    if (stored === undefined) throw createProblem('not_found', 'This account has no such inbox.')
    return stored
  }

  /** Own addresses in `ownAddressKey` form. Cached until an inbox changes, since every thread list reads them. */
  ownAddresses(): ReadonlySet<string> {
    this.#addresses ??= new Set(this.#sql.all.all().map((row) => ownAddressKey(readInbox(row).emailAddress)))
    return this.#addresses
  }

  /**
   * Stores the listed inboxes. Inboxes missing from the list stay, because a list alone doesn't prove their removal.
   * @returns `back`: inboxes that had been marked as gone; `unlisted`: missing inboxes that aren't marked as gone,
   * except those the user added
   */
  storeListed(inboxes: readonly FetchedInbox[]): {
    readonly isChanged: boolean
    readonly back: readonly string[]
    readonly unlisted: readonly string[]
  } {
    return runInTransaction(this.#database, () => {
      this.#addresses = null
      const before = this.#sql.all.all()
      const listed = new Set(inboxes.map(({ id }) => id))
      const written = inboxes.map(
        (inbox, position) => this.#sql.upsert.run(inbox.id, position, serializePayload(inbox)).changes,
      )
      return {
        isChanged: written.some((changes) => changes > 0),
        back: before.flatMap((row) => (row.on_server === 0 && listed.has(row.id) ? [row.id] : [])),
        unlisted: before.flatMap((row) =>
          row.on_server === 1 && row.added === 0 && !listed.has(row.id) ? [row.id] : [],
        ),
      }
    })
  }

  /** Adds an inbox that the platform has but doesn't list. */
  add(id: string): void {
    this.#addresses = null
    this.#sql.insertAdded.run(id, serializePayload(createPlaceholderInbox(id)))
  }

  /**
   * Marks an inbox that the platform no longer has. Its mail stays readable. @returns false if it was marked already
   */
  markGone(id: string): boolean {
    return this.#sql.mark.run(id).changes > 0
  }

  /** Removes the mark from an inbox that has returned. @returns true if it was marked */
  markReturned(id: string): boolean {
    return this.#sql.unmark.run(id).changes > 0
  }

  /** Call when inboxes were written without this store. */
  forgetAddresses(): void {
    this.#addresses = null
  }
}
