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
import type { AccountList } from '../search-index/account-keys.ts'
import type { AccountListQuery, SearchIndex } from '../search-index/search-index.ts'
import { createSearchableReader } from './indexed-rows.ts'
import { toWireTime, type AccountListOfRow, type OnBroken } from './broken-row.ts'
import type { ListIndex } from './list-index.ts'
import { readSealedReceivedEmail, readSealedSentEmail, seal, type ReadWire } from './sealed-wire.ts'

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
  /** Takes over an e-mail from another cache, where this one does not know it. */
  readonly restore: (wire: Wire, isWhole: boolean, onServer: boolean) => void
  /** Marks an e-mail that the platform no longer holds; it stays readable. */
  readonly markGone: (id: string) => void
  /** IDs of the e-mails that the platform's list should hold with `after < createdAt <= upTo`. */
  readonly idsBetween: (after: number, upTo: number) => readonly string[]
  /**
   * Searches the list by words, people, attachments and dates, which the platform cannot, newest first.
   * @param after the ID of the last e-mail of the page before
   * @returns null where the cursor is not in the cache
   */
  readonly search: (
    query: AccountListQuery,
    after: string | null,
    limit: number,
  ) => { readonly emails: readonly Listed[]; readonly hasMore: boolean } | null
  /** Makes the best of a row whose words were damaged, until the platform has said them again. */
  readonly mend: (id: string) => void
}

export type ReceivedEmailStore = AccountEmailStore<WireReceivedEmail, ReceivedEmail, ReceivedEmailDetail>
export type SentEmailStore = AccountEmailStore<WireSentEmail, SentEmail, SentEmailDetail>

interface Row {
  readonly key: number
  readonly id: string
  readonly created_at: number
  readonly on_server: number
  readonly complete: number
  readonly wire: string
}

interface Listable {
  readonly id: string
  readonly created_at?: string | null | undefined
}

interface Format<Wire, Listed, Whole> {
  readonly table: 'received_emails' | 'sent_emails'
  readonly list: AccountList
  readonly broken: AccountListOfRow
  readonly readKept: (text: string, id: string) => ReadWire<Wire> | null
  readonly toListed: (wire: Wire, onServer: boolean) => Listed
  readonly toWhole: (wire: Wire, onServer: boolean) => Whole
  /** What of a whole e-mail is written down. */
  readonly toKept: (wire: Wire) => object
}

const createAccountEmailStore = <Wire extends Listable & (WireReceivedEmail | WireSentEmail), Listed, Whole>(
  database: Database.Database,
  lists: ListIndex,
  index: Pick<SearchIndex, 'keepAccountEmail' | 'searchAccountEmails'>,
  onBroken: OnBroken,
  { table, list: name, broken, readKept, toListed, toWhole, toKept }: Format<Wire, Listed, Whole>,
): AccountEmailStore<Wire, Listed, Whole> => {
  const keptList = { kind: table, of: [] } as const
  const select = database.prepare<[number, number, number], Row>(
    `SELECT key, id, created_at, on_server, complete, wire FROM ${table} WHERE created_at < ?
     ORDER BY created_at DESC, key DESC LIMIT ? OFFSET ?`,
  )
  const selectOne = database.prepare<[string], Row>(
    `SELECT key, id, created_at, on_server, complete, wire FROM ${table} WHERE id = ?`,
  )
  const upsertListed = database.prepare<[string, number, number, string]>(
    `INSERT INTO ${table} (id, created_at, on_server, complete, wire) VALUES (?, ?, 1, ?, ?)
     ON CONFLICT (id) DO UPDATE
     SET on_server = 1, complete = excluded.complete, wire = excluded.wire, created_at = excluded.created_at
     WHERE on_server <> 1 OR complete <> excluded.complete OR wire <> excluded.wire`,
  )
  const upsertWhole = database.prepare<[string, number, string]>(
    `INSERT INTO ${table} (id, created_at, on_server, complete, wire) VALUES (?, ?, 1, 1, ?)
     ON CONFLICT (id) DO UPDATE SET on_server = 1, complete = 1, wire = excluded.wire`,
  )
  const insertRestored = database.prepare<[string, number, number, number, string]>(
    `INSERT INTO ${table} (id, created_at, on_server, complete, wire) VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
  )
  const mark = database.prepare<[string]>(`UPDATE ${table} SET on_server = 0 WHERE id = ?`)
  const between = database
    .prepare<[number, number], string>(
      `SELECT id FROM ${table} WHERE created_at > ? AND created_at <= ? AND on_server = 1`,
    )
    .pluck()

  const mend = database.prepare<[number, string, string]>(`UPDATE ${table} SET complete = ?, wire = ? WHERE id = ?`)

  /** What a row says without its own words. */
  const bare = (row: Row): string => seal({ id: row.id, created_at: toWireTime(row.created_at) })
  /** Null where nothing can be read. */
  const read = (row: Row): Wire | null => {
    const kept = readKept(row.wire, row.id)
    if (kept?.isSound !== true) onBroken({ kind: broken, id: row.id })
    return kept?.wire ?? null
  }

  const selectByKey = database.prepare<[number], Row>(
    `SELECT key, id, created_at, on_server, complete, wire FROM ${table} WHERE key = ?`,
  )
  const toSearchable = createSearchableReader(database)
  /** Within the write of a row. */
  const keepSearchable = (wire: Wire): void => {
    const row = selectOne.get(wire.id)
    if (row === undefined) return
    const facts = { isOutbound: name === 'sent', receivedAt: row.created_at }
    index.keepAccountEmail(name, row.key, toSearchable(wire, facts))
  }

  return {
    search: (query, after, limit) => {
      const cursor = after === null ? null : selectOne.get(after)
      if (cursor === undefined) return null
      const page = index.searchAccountEmails(name, query, cursor?.key ?? null, limit)
      if (page === null) return null
      const emails = page.rowKeys.flatMap((key) => {
        const row = selectByKey.get(key)
        const wire = row === undefined ? null : read(row)
        return row === undefined || wire === null ? [] : [toListed(wire, row.on_server === 1)]
      })
      return { emails, hasMore: page.hasMore }
    },
    list: ({ offset, limit }) => {
      const { before, skip } = lists.seek(keptList, offset)
      return select.all(before, limit, skip).flatMap((row) => {
        const wire = read(row) ?? readKept(bare(row), row.id)?.wire ?? null
        return wire === null ? [] : [toListed(wire, row.on_server === 1)]
      })
    },
    count: () => lists.count(keptList),
    get: (id) => {
      const row = selectOne.get(id)
      const wire = row?.complete === 1 ? read(row) : null
      return row === undefined || wire === null ? undefined : toWhole(wire, row.on_server === 1)
    },
    has: (id) => selectOne.get(id) !== undefined,
    storePage: (wires) =>
      lists.write(() =>
        wires
          .map((wire) => {
            const row = selectOne.get(wire.id)
            const whole = row?.complete === 1 ? (readKept(row.wire, wire.id)?.wire ?? null) : null
            // What a list says later, that an e-mail was delivered, is laid over the whole e-mail and takes nothing from it.
            const kept = whole === null ? wire : { ...whole, ...wire }
            const createdAt = toTime(wire.created_at)
            const { changes } = upsertListed.run(wire.id, createdAt, Number(whole !== null), seal(kept))
            if (changes > 0) {
              lists.move(keptList, row?.created_at ?? null, createdAt)
              keepSearchable(kept)
            }
            return changes
          })
          .some((changes) => changes > 0),
      ),
    storeWhole: (wire) => {
      const createdAt = toTime(wire.created_at)
      lists.write(() => {
        if (selectOne.get(wire.id) === undefined) lists.move(keptList, null, createdAt)
        upsertWhole.run(wire.id, createdAt, seal(toKept(wire)))
        keepSearchable(wire)
      })
    },
    restore: (wire, isWhole, onServer) => {
      const createdAt = toTime(wire.created_at)
      lists.write(() => {
        const { changes } = insertRestored.run(wire.id, createdAt, Number(onServer), Number(isWhole), seal(wire))
        if (changes === 0) return
        lists.move(keptList, null, createdAt)
        keepSearchable(wire)
      })
    },
    markGone: (id) => {
      mark.run(id)
    },
    idsBetween: (after, upTo) => between.all(after, upTo),
    mend: (id) => {
      const row = selectOne.get(id)
      if (row === undefined) return
      const kept = readKept(row.wire, id)
      if (kept === null) mend.run(0, bare(row), id)
      else if (!kept.isSound) mend.run(row.complete, seal(kept.wire), id)
    },
  }
}

export const createReceivedEmailStore = (
  database: Database.Database,
  lists: ListIndex,
  index: Pick<SearchIndex, 'keepAccountEmail' | 'searchAccountEmails'>,
  onBroken: OnBroken,
): ReceivedEmailStore =>
  createAccountEmailStore<WireReceivedEmail, ReceivedEmail, ReceivedEmailDetail>(database, lists, index, onBroken, {
    table: 'received_emails',
    list: 'received',
    broken: 'received',
    readKept: readSealedReceivedEmail,
    toListed: toReceivedEmail,
    toWhole: toReceivedEmailDetail,
    // The signed address runs out within the hour and is asked for anew: it has no place on a disk.
    toKept: ({ raw, ...rest }) =>
      raw === null || raw === undefined ? { ...rest, raw } : { ...rest, raw: { download_url: '' } },
  })

export const createSentEmailStore = (
  database: Database.Database,
  lists: ListIndex,
  index: Pick<SearchIndex, 'keepAccountEmail' | 'searchAccountEmails'>,
  onBroken: OnBroken,
): SentEmailStore =>
  createAccountEmailStore<WireSentEmail, SentEmail, SentEmailDetail>(database, lists, index, onBroken, {
    table: 'sent_emails',
    list: 'sent',
    broken: 'sent e-mails',
    readKept: readSealedSentEmail,
    toListed: toSentEmail,
    toWhole: toSentEmailDetail,
    toKept: (wire) => wire,
  })
