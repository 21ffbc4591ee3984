import type Database from 'better-sqlite3'
import {
  toReceivedEmail,
  toReceivedEmailDetail,
  toSentEmail,
  toSentEmailDetail,
  toTime,
} from '../api/model-from-wire.ts'
import type { WireReceivedEmail, WireSentEmail } from '../api/wire.ts'
import type { ReceivedEmail, ReceivedEmailDetail, SentEmail, SentEmailDetail } from '../../shared/model.ts'
import { joinTransaction } from './join-transaction.ts'

/** The e-mails of one of the account's own lists, which belong to no inbox: what it received, or what it sent. */
export interface AccountEmailStore<Wire, Listed, Whole> {
  /** Newest first. */
  readonly list: (window: { offset: number; limit: number }) => readonly Listed[]
  readonly count: () => number
  /** The whole e-mail, where it was fetched before. */
  readonly get: (id: string) => Whole | undefined
  readonly has: (id: string) => boolean
  /** @returns whether anything differs from before */
  readonly storePage: (wires: readonly Wire[]) => boolean
  readonly storeWhole: (wire: Wire) => void
  /** Marks an e-mail that the platform no longer holds; it stays readable. */
  readonly markGone: (id: string) => void
  /** IDs of the e-mails that the platform's list should hold with `after < createdAt <= upTo`. */
  readonly idsBetween: (after: number, upTo: number) => readonly string[]
}

export type ReceivedEmailStore = AccountEmailStore<WireReceivedEmail, ReceivedEmail, ReceivedEmailDetail>
export type SentEmailStore = AccountEmailStore<WireSentEmail, SentEmail, SentEmailDetail>

interface Row {
  readonly on_server: number
  readonly complete: number
  readonly wire: string
}

interface Listable {
  readonly id: string
  readonly created_at?: string | null | undefined
}

const createAccountEmailStore = <Wire extends Listable, Listed, Whole>(
  database: Database.Database,
  table: 'received_emails' | 'sent_emails',
  toListed: (wire: Wire, onServer: boolean) => Listed,
  toWhole: (wire: Wire, onServer: boolean) => Whole,
  /** What of a whole e-mail is written down. */
  toKept: (wire: Wire) => object,
): AccountEmailStore<Wire, Listed, Whole> => {
  const select = database.prepare<[number, number], Row>(
    `SELECT on_server, complete, wire FROM ${table} ORDER BY created_at DESC, key DESC LIMIT ? OFFSET ?`,
  )
  const count = database.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck()
  const selectOne = database.prepare<[string], Row>(`SELECT on_server, complete, wire FROM ${table} WHERE id = ?`)
  // What a list says later, that an e-mail was delivered, is laid over the whole e-mail and takes nothing from it.
  const merged = 'iif(complete = 1, json_patch(wire, excluded.wire), excluded.wire)'
  const upsertListed = database.prepare<[string, number, string]>(
    `INSERT INTO ${table} (id, created_at, on_server, complete, wire) VALUES (?, ?, 1, 0, ?)
     ON CONFLICT (id) DO UPDATE SET on_server = 1, wire = ${merged}, created_at = excluded.created_at
     WHERE on_server <> 1 OR wire <> ${merged}`,
  )
  const upsertWhole = database.prepare<[string, number, string]>(
    `INSERT INTO ${table} (id, created_at, on_server, complete, wire) VALUES (?, ?, 1, 1, ?)
     ON CONFLICT (id) DO UPDATE SET on_server = 1, complete = 1, wire = excluded.wire`,
  )
  const mark = database.prepare<[string]>(`UPDATE ${table} SET on_server = 0 WHERE id = ?`)
  const between = database
    .prepare<[number, number], string>(
      `SELECT id FROM ${table} WHERE created_at > ? AND created_at <= ? AND on_server = 1`,
    )
    .pluck()

  const read = (row: Row): Wire => JSON.parse(row.wire) as Wire

  return {
    list: ({ offset, limit }) => select.all(limit, offset).map((row) => toListed(read(row), row.on_server === 1)),
    count: () => count.get() ?? 0,
    get: (id) => {
      const row = selectOne.get(id)
      return row?.complete === 1 ? toWhole(read(row), row.on_server === 1) : undefined
    },
    has: (id) => selectOne.get(id) !== undefined,
    storePage: (wires) =>
      joinTransaction(database, () =>
        wires
          .map((wire) => upsertListed.run(wire.id, toTime(wire.created_at), JSON.stringify(wire)).changes)
          .some((changes) => changes > 0),
      ),
    storeWhole: (wire) => {
      upsertWhole.run(wire.id, toTime(wire.created_at), JSON.stringify(toKept(wire)))
    },
    markGone: (id) => {
      mark.run(id)
    },
    idsBetween: (after, upTo) => between.all(after, upTo),
  }
}

export const createReceivedEmailStore = (database: Database.Database): ReceivedEmailStore =>
  createAccountEmailStore<WireReceivedEmail, ReceivedEmail, ReceivedEmailDetail>(
    database,
    'received_emails',
    toReceivedEmail,
    toReceivedEmailDetail,
    // The signed address runs out within the hour and is asked for anew: it has no place on a disk.
    ({ raw, ...rest }) =>
      raw === null || raw === undefined ? { ...rest, raw } : { ...rest, raw: { download_url: '' } },
  )

export const createSentEmailStore = (database: Database.Database): SentEmailStore =>
  createAccountEmailStore<WireSentEmail, SentEmail, SentEmailDetail>(
    database,
    'sent_emails',
    toSentEmail,
    toSentEmailDetail,
    (wire) => wire,
  )
