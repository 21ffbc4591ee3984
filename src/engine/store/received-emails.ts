import type Database from 'better-sqlite3'
import { toReceivedEmail, toReceivedEmailDetail, toTime } from '../api/model-from-wire.ts'
import type { WireReceivedEmail } from '../api/wire.ts'
import type { ReceivedEmail, ReceivedEmailDetail } from '../../shared/model.ts'
import { joinTransaction } from './join-transaction.ts'

export interface ReceivedEmailStore {
  /** Newest first. */
  readonly list: (window: { offset: number; limit: number }) => readonly ReceivedEmail[]
  readonly count: () => number
  /** The whole e-mail, where it was fetched before. */
  readonly get: (id: string) => ReceivedEmailDetail | undefined
  readonly has: (id: string) => boolean
  /** @returns whether anything differs from before */
  readonly storePage: (wires: readonly WireReceivedEmail[]) => boolean
  readonly storeWhole: (wire: WireReceivedEmail) => void
  /** Marks an e-mail that the platform no longer holds; it stays readable. */
  readonly markGone: (id: string) => void
  /** IDs of the e-mails that the platform's list should hold with `after < createdAt <= upTo`. */
  readonly idsBetween: (after: number, upTo: number) => readonly string[]
}

interface Row {
  readonly on_server: number
  readonly complete: number
  readonly wire: string
}

export const createReceivedEmailStore = (database: Database.Database): ReceivedEmailStore => {
  const select = database.prepare<[number, number], Row>(
    `SELECT on_server, complete, wire FROM received_emails ORDER BY created_at DESC, key DESC LIMIT ? OFFSET ?`,
  )
  const count = database.prepare<[], number>('SELECT count(*) FROM received_emails').pluck()
  const selectOne = database.prepare<[string], Row>(
    'SELECT on_server, complete, wire FROM received_emails WHERE id = ?',
  )
  const upsertListed = database.prepare<[string, number, string]>(
    `INSERT INTO received_emails (id, created_at, on_server, complete, wire) VALUES (?, ?, 1, 0, ?)
     ON CONFLICT (id) DO UPDATE
     SET on_server = 1, wire = iif(complete = 1, wire, excluded.wire), created_at = excluded.created_at
     WHERE on_server <> 1 OR (complete = 0 AND wire <> excluded.wire)`,
  )
  const upsertWhole = database.prepare<[string, number, string]>(
    `INSERT INTO received_emails (id, created_at, on_server, complete, wire) VALUES (?, ?, 1, 1, ?)
     ON CONFLICT (id) DO UPDATE SET on_server = 1, complete = 1, wire = excluded.wire`,
  )
  const mark = database.prepare<[string]>('UPDATE received_emails SET on_server = 0 WHERE id = ?')
  const between = database
    .prepare<[number, number], string>(
      'SELECT id FROM received_emails WHERE created_at > ? AND created_at <= ? AND on_server = 1',
    )
    .pluck()

  const read = (row: Row): WireReceivedEmail => JSON.parse(row.wire) as WireReceivedEmail

  return {
    list: ({ offset, limit }) =>
      select.all(limit, offset).map((row) => toReceivedEmail(read(row), row.on_server === 1)),
    count: () => count.get() ?? 0,
    get: (id) => {
      const row = selectOne.get(id)
      return row?.complete === 1 ? toReceivedEmailDetail(read(row), row.on_server === 1) : undefined
    },
    has: (id) => selectOne.get(id) !== undefined,
    storePage: (wires) =>
      joinTransaction(database, () =>
        wires
          .map((wire) => upsertListed.run(wire.id, toTime(wire.created_at), JSON.stringify(wire)).changes)
          .some((changes) => changes > 0),
      ),
    storeWhole: (wire) => {
      // The signed address runs out within the hour and is asked for anew: it has no place on a disk.
      const { raw, ...rest } = wire
      const kept = raw === null || raw === undefined ? wire : { ...rest, raw: { download_url: '' } }
      upsertWhole.run(wire.id, toTime(wire.created_at), JSON.stringify(kept))
    },
    markGone: (id) => {
      mark.run(id)
    },
    idsBetween: (after, upTo) => between.all(after, upTo),
  }
}
