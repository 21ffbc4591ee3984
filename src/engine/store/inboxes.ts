import type Database from 'better-sqlite3'
import { toInbox } from '../api/model-from-wire.ts'
import type { WireInbox } from '../api/wire.ts'
import type { Inbox } from '../../shared/model.ts'
import { joinTransaction } from './join-transaction.ts'

/** An inbox as the cache knows it; `key` is what other tables refer to. */
export interface StoredInbox {
  readonly key: number
  readonly inbox: Inbox
  readonly onServer: boolean
}

export interface InboxStore {
  /** In the platform's order. */
  readonly all: () => readonly StoredInbox[]
  readonly get: (id: string) => StoredInbox | undefined
  /**
   * Keeps what the platform lists. Inboxes that it no longer lists stay readable and are marked; those that a person
   * added stay as they are.
   * @returns whether anything differs from before
   */
  readonly replaceAll: (wires: readonly WireInbox[]) => boolean
  /** Keeps an inbox that the platform knows and does not list. */
  readonly add: (id: string) => void
  /** Marks an inbox that the platform says does not exist any more. */
  readonly markGone: (id: string) => void
}

interface Row {
  readonly key: number
  readonly id: string
  readonly on_server: number
  readonly wire: string
}

const toStored = (row: Row): StoredInbox => ({
  key: row.key,
  inbox: toInbox(JSON.parse(row.wire) as WireInbox),
  onServer: row.on_server === 1,
})

export const createInboxStore = (database: Database.Database): InboxStore => {
  const selectAll = database.prepare<[], Row>('SELECT key, id, on_server, wire FROM inboxes ORDER BY position, key')
  const selectOne = database.prepare<[string], Row>('SELECT key, id, on_server, wire FROM inboxes WHERE id = ?')
  const upsert = database.prepare<[string, number, string]>(
    `INSERT INTO inboxes (id, position, on_server, wire) VALUES (?, ?, 1, ?)
     ON CONFLICT (id) DO UPDATE SET position = excluded.position, on_server = 1, wire = excluded.wire
     WHERE position <> excluded.position OR on_server <> 1 OR wire <> excluded.wire`,
  )
  const insertAdded = database.prepare<[string, string]>(
    `INSERT INTO inboxes (id, position, on_server, added, wire)
     VALUES (?, (SELECT coalesce(max(position), 0) + 1 FROM inboxes), 1, 1, ?)
     ON CONFLICT (id) DO UPDATE SET on_server = 1, added = 1`,
  )
  const mark = database.prepare<[string]>('UPDATE inboxes SET on_server = 0 WHERE id = ? AND on_server = 1')
  const markUnlisted = database.prepare<[string]>(
    'UPDATE inboxes SET on_server = 0 WHERE id = ? AND on_server = 1 AND added = 0',
  )

  return {
    all: () => selectAll.all().map(toStored),
    get: (id) => {
      const row = selectOne.get(id)
      return row === undefined ? undefined : toStored(row)
    },
    replaceAll: (wires) =>
      joinTransaction(database, () => {
        const listed = new Set(wires.map(({ id }) => id))
        const written = wires.map((wire, position) => upsert.run(wire.id, position, JSON.stringify(wire)).changes)
        const marked = selectAll.all().map(({ id }) => (listed.has(id) ? 0 : markUnlisted.run(id).changes))
        return [...written, ...marked].some((changes) => changes > 0)
      }),
    add: (id) => {
      insertAdded.run(id, JSON.stringify({ id }))
    },
    markGone: (id) => {
      mark.run(id)
    },
  }
}
