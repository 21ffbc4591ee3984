import type Database from 'better-sqlite3'
import { bareInbox, readKeptInbox, type FetchedInbox } from '../api/inboxes.ts'
import { textOf } from '../api/words.ts'
import type { Inbox } from '../../shared/model.ts'
import type { OnBroken } from './broken-row.ts'
import { joinTransaction } from './join-transaction.ts'
import { ownAddressKey } from './thread-writers.ts'

/** An inbox, by both its names. */
export interface InboxRef {
  readonly key: number
  readonly id: string
}

/** An inbox as the cache knows it; `key` is what other tables refer to. */
export interface StoredInbox {
  readonly key: number
  readonly inbox: Inbox
  /** The name under which it writes; null where it has none. */
  readonly fromName: string | null
  readonly onServer: boolean
  /** Whether a person added it because the platform does not list it. */
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
  insertRestored: database.prepare<[string, number, number, number, string]>(
    'INSERT INTO inboxes (id, position, on_server, added, wire) VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING',
  ),
  mark: database.prepare<[string]>('UPDATE inboxes SET on_server = 0 WHERE id = ? AND on_server = 1'),
  unmark: database.prepare<[string]>('UPDATE inboxes SET on_server = 1 WHERE id = ? AND on_server = 0'),
})

export class InboxStore {
  readonly #database: Database.Database
  readonly #onBroken: OnBroken
  readonly #sql: ReturnType<typeof prepareStatements>
  #addresses: ReadonlySet<string> | null = null

  constructor(database: Database.Database, onBroken: OnBroken = () => undefined) {
    this.#database = database
    this.#onBroken = onBroken
    this.#sql = prepareStatements(database)
  }

  /** In the platform's order. */
  all(): readonly StoredInbox[] {
    return this.#sql.all.all().map((row) => this.#toStored(row))
  }

  get(id: string): StoredInbox | undefined {
    const row = this.#sql.one.get(id)
    return row === undefined ? undefined : this.#toStored(row)
  }

  /** The addresses of all inboxes, as `ownAddressKey` writes them. Asked for each list of threads: kept until an inbox changes. */
  ownAddresses(): ReadonlySet<string> {
    this.#addresses ??= new Set(this.#sql.all.all().map((row) => ownAddressKey(this.#read(row).emailAddress)))
    return this.#addresses
  }

  /**
   * Keeps what the platform lists. Those that it does not list stay as they are: a list alone takes nothing away.
   * @returns whether anything differs from before, which inboxes were marked as gone and are listed again, and which of
   *   those that are not marked the list does not show, leaving out those that a person added
   */
  keepListed(inboxes: readonly FetchedInbox[]): {
    readonly isChanged: boolean
    readonly back: readonly string[]
    readonly unlisted: readonly string[]
  } {
    return joinTransaction(this.#database, () => {
      this.#addresses = null
      const before = this.#sql.all.all()
      const listed = new Set(inboxes.map(({ id }) => id))
      const written = inboxes.map((inbox, position) => this.#sql.upsert.run(inbox.id, position, textOf(inbox)).changes)
      return {
        isChanged: written.some((changes) => changes > 0),
        back: before.flatMap((row) => (row.on_server === 0 && listed.has(row.id) ? [row.id] : [])),
        unlisted: before.flatMap((row) =>
          row.on_server === 1 && row.added === 0 && !listed.has(row.id) ? [row.id] : [],
        ),
      }
    })
  }

  /** Keeps an inbox that the platform knows and does not list. */
  add(id: string): void {
    this.#addresses = null
    this.#sql.insertAdded.run(id, textOf(bareInbox(id)))
  }

  /** Marks an inbox that the platform does not have any more; it stays readable. @returns whether that is new */
  markGone(id: string): boolean {
    return this.#sql.mark.run(id).changes > 0
  }

  /** The platform has an inbox again that was marked. @returns whether it was */
  markBack(id: string): boolean {
    return this.#sql.unmark.run(id).changes > 0
  }

  /** Takes over an inbox from another cache, where this one does not know it. */
  restore({
    inbox,
    position,
    onServer,
    isAdded,
  }: {
    readonly inbox: FetchedInbox
    readonly position: number
    readonly onServer: boolean
    readonly isAdded: boolean
  }): void {
    this.#addresses = null
    this.#sql.insertRestored.run(inbox.id, position, Number(onServer), Number(isAdded), textOf(inbox))
  }

  #read(row: Row): FetchedInbox {
    const inbox = readKeptInbox(row.wire, row.id)
    if (inbox === null) this.#onBroken({ kind: 'inboxes' })
    return inbox ?? bareInbox(row.id)
  }

  #toStored(row: Row): StoredInbox {
    const { fromName, ...inbox } = this.#read(row)
    const onServer = row.on_server === 1
    return { key: row.key, inbox: { ...inbox, onServer }, fromName, onServer, isAdded: row.added === 1 }
  }
}
