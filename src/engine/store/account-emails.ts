import type Database from 'better-sqlite3'
import { MESSAGE_ID_IN_WORDS } from '../api/email-content.ts'
import {
  bareReceivedEmail,
  receivedWithNews,
  withoutRawUrl,
  type FetchedReceivedEmail,
} from '../api/received-emails.ts'
import { bareSentEmail, sentWithNews, type FetchedSentEmail } from '../api/sent-emails.ts'
import type { ReceivedEmail, ReceivedEmailDetail, SentEmail, SentEmailDetail } from '../../shared/model.ts'
import type { AccountList } from '../search-index/account-keys.ts'
import type { AccountListQuery, SearchIndex } from '../search-index/search-index.ts'
import type { FoundRows, StepBounds } from '../search-index/search-threads.ts'
import type { SearchableEmail } from '../search-index/searchable-email.ts'
import { createSearchableReader } from './indexed-rows.ts'
import type { DeliveryStore } from './deliveries.ts'
import type { AccountListOfRow, OnBroken } from './broken-row.ts'
import type { ListIndex } from './list-index.ts'
import { A_DAY, bareMessageId } from './same-message.ts'
import { JSON_OF_WORDS, readSealedReceivedEmail, readSealedSentEmail, seal, type Unsealed } from './sealed-words.ts'
import type { Clock } from '../timing/clock.ts'

/** The e-mails of one of the account's own lists, which belong to no inbox: what it received, or what it sent. */
export interface AccountEmailStore<Fetched, Listed, Whole> {
  /** Newest first. */
  readonly list: (window: { offset: number; limit: number }) => readonly Listed[]
  readonly count: () => number
  /** The whole e-mail, where it was fetched before. */
  readonly get: (id: string) => Whole | undefined
  /** What the list told of an e-mail whose text is not here, without a text; undefined for every other. */
  readonly remains: (id: string) => Whole | undefined
  /** What the list tells of an e-mail, also of one that was not fetched. */
  readonly listed: (id: string) => Listed | undefined
  readonly has: (id: string) => boolean
  /** Also of one that only a list has told of; null where it has none or cannot be read. */
  readonly subjectOf: (id: string) => string | null
  /** Null where the list does not say it. */
  readonly messageIdOf: (id: string) => string | null
  /** Those with a Message-ID among the e-mails of a day around a time, milliseconds since the epoch. */
  readonly withMessageId: (messageId: string, around: number) => readonly Fetched[]
  /** @returns whether anything differs from before */
  readonly storePage: (emails: readonly Fetched[]) => boolean
  readonly storeWhole: (email: Fetched) => void
  /** Takes over an e-mail from another cache, where this one does not know it. */
  readonly restore: (email: Fetched, isWhole: boolean, onServer: boolean) => void
  /** Marks an e-mail that the platform no longer holds; it stays readable. */
  readonly markGone: (id: string) => void
  /**
   * Removes an e-mail. An answer that is still on its way does not bring it back; one of later does, where the platform has it.
   * @param isKnownGone the platform is known to have dropped it: the list learns that late by itself
   * @returns false where the platform has it as far as the list knows, or it is not here: nothing is removed then
   */
  readonly remove: (id: string, isKnownGone: boolean) => boolean
  /** IDs of the e-mails that the platform's list should hold with `after < createdAt <= upTo`. */
  readonly idsBetween: (after: number, upTo: number) => readonly string[]
  /**
   * Looks through the list by words, people, attachments and dates, which the platform cannot, newest first. What was found
   * holds as long as `searchVersion` does.
   * @param after the row after which it goes on; null at the top
   * @returns null where that row is not there
   */
  readonly search: (query: AccountListQuery, after: number | null, bounds: StepBounds) => FoundRows | null
  readonly searchVersion: () => number
  /** E-mails that are searched by now: all of them, unless the index is being made anew. */
  readonly countSearched: () => number
  /** An e-mail that was found, and what of it is searched; undefined where it cannot be read. */
  readonly found: (rowKey: number) => { readonly listed: Listed; readonly searchable: SearchableEmail } | undefined
  /** Makes the best of a row whose words were damaged, until the platform has said them again. */
  readonly mend: (id: string) => void
}

type AccountListIndex = Pick<
  SearchIndex,
  'keepAccountEmail' | 'dropAccountEmail' | 'searchAccountEmails' | 'accountListVersion' | 'countAccountEmails'
>

export type ReceivedEmailStore = AccountEmailStore<FetchedReceivedEmail, ReceivedEmail, ReceivedEmailDetail>
export type SentEmailStore = AccountEmailStore<FetchedSentEmail, SentEmail, SentEmailDetail>

/** After so long no answer is on its way any more: longer than any time-out. */
const REMOVED_FOR_MS = 120_000

/** Rows that are looked through for a Message-ID at most: each is read whole. */
const MOST_LOOKED_AT = 5_000

interface Row {
  readonly key: number
  readonly id: string
  readonly created_at: number
  readonly on_server: number
  readonly complete: number
  readonly wire: string
}

interface Format<Fetched, Listed, Whole> {
  readonly table: 'received_emails' | 'sent_emails'
  readonly list: AccountList
  readonly broken: AccountListOfRow
  readonly readKept: (text: string, id: string) => Unsealed<Fetched> | null
  readonly toListed: (email: Fetched, onServer: boolean) => Listed
  readonly toWhole: (email: Fetched, onServer: boolean) => Whole
  /** What can be said of an e-mail of which the words are lost. */
  readonly bare: (id: string, createdAt: number) => Fetched
  /** A whole e-mail with what a list says of it later. */
  readonly withNews: (whole: Fetched, listed: Fetched) => Fetched
  /** What of an e-mail is written down. */
  readonly toKept: (email: Fetched) => Fetched
  /** Hears what the platform says of an e-mail, within the write of it, also where that is nothing new. */
  readonly heard?: (email: Fetched) => void
}

/**
 * A page of the platform's list as its rows are made. Of those with one time a row with a greater key comes first, and the
 * platform has the one first that was stored later.
 */
const inKeyOrder = <Email extends { readonly createdAt: number }>(page: readonly Email[]): readonly Email[] =>
  page.toReversed().toSorted((one, other) => other.createdAt - one.createdAt)

const createAccountEmailStore = <Fetched extends FetchedReceivedEmail | FetchedSentEmail, Listed, Whole>(
  database: Database.Database,
  lists: ListIndex,
  index: AccountListIndex,
  onBroken: OnBroken,
  {
    table,
    list: name,
    broken,
    readKept,
    toListed,
    toWhole,
    bare,
    withNews,
    toKept,
    heard,
  }: Format<Fetched, Listed, Whole>,
  clock: Clock,
): AccountEmailStore<Fetched, Listed, Whole> => {
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
  const remove = database.prepare<[number]>(`DELETE FROM ${table} WHERE key = ?`)
  /** When e-mails were removed, `Clock.elapsed`. */
  const removedAt = new Map<string, number>()
  const isJustRemoved = (id: string): boolean => {
    const at = removedAt.get(id)
    return at !== undefined && clock.elapsed() - at < REMOVED_FOR_MS
  }
  const between = database
    .prepare<[number, number], string>(
      `SELECT id FROM ${table} WHERE created_at > ? AND created_at <= ? AND on_server = 1`,
    )
    .pluck()

  const selectByMessageId = database.prepare<[number, number, number, string], Row>(
    `SELECT key, id, created_at, on_server, complete, wire FROM (
       SELECT * FROM ${table} WHERE created_at BETWEEN ? AND ?
       ORDER BY created_at DESC LIMIT ?
     ) WHERE CASE WHEN json_valid(${JSON_OF_WORDS})
       THEN trim(json_extract(${JSON_OF_WORDS}, '${MESSAGE_ID_IN_WORDS}'), ' <>') END = ?`,
  )
  const selectMessageId = database
    .prepare<[string], string | null>(
      `SELECT CASE WHEN json_valid(${JSON_OF_WORDS})
         THEN json_extract(${JSON_OF_WORDS}, '${MESSAGE_ID_IN_WORDS}') END FROM ${table} WHERE id = ?`,
    )
    .pluck()
  const mend = database.prepare<[number, string, string]>(`UPDATE ${table} SET complete = ?, wire = ? WHERE id = ?`)

  /** Null where nothing can be read. */
  const read = (row: Row): Fetched | null => {
    const kept = readKept(row.wire, row.id)
    if (kept?.isSound !== true) onBroken({ kind: broken, id: row.id })
    return kept?.thing ?? null
  }

  const readOrBare = (row: Row): Fetched => read(row) ?? bare(row.id, row.created_at)

  const selectByKey = database.prepare<[number], Row>(
    `SELECT key, id, created_at, on_server, complete, wire FROM ${table} WHERE key = ?`,
  )
  const readSearchable = createSearchableReader(database)
  const toSearchable = (email: Fetched, { created_at: receivedAt }: Row): SearchableEmail =>
    readSearchable(email, { isOutbound: name === 'sent', receivedAt })
  /** Within the write of a row. */
  const keepSearchable = (email: Fetched): void => {
    const row = selectOne.get(email.id)
    if (row !== undefined) index.keepAccountEmail(name, row.key, toSearchable(email, row))
  }

  return {
    search: (query, after, bounds) => index.searchAccountEmails(name, query, after, bounds),
    searchVersion: () => index.accountListVersion(name),
    countSearched: () => index.countAccountEmails(name),
    found: (rowKey) => {
      const row = selectByKey.get(rowKey)
      if (row === undefined) return undefined
      const email = readOrBare(row)
      return { listed: toListed(email, row.on_server === 1), searchable: toSearchable(email, row) }
    },
    list: ({ offset, limit }) => {
      const { before, skip } = lists.seek(keptList, offset)
      return select.all(before, limit, skip).map((row) => toListed(readOrBare(row), row.on_server === 1))
    },
    count: () => lists.count(keptList),
    get: (id) => {
      const row = selectOne.get(id)
      const email = row?.complete === 1 ? read(row) : null
      return row === undefined || email === null ? undefined : toWhole(email, row.on_server === 1)
    },
    remains: (id) => {
      const row = selectOne.get(id)
      return row?.complete === 0 ? toWhole(readOrBare(row), row.on_server === 1) : undefined
    },
    listed: (id) => {
      const row = selectOne.get(id)
      return row === undefined ? undefined : toListed(readOrBare(row), row.on_server === 1)
    },
    has: (id) => selectOne.get(id) !== undefined,
    subjectOf: (id) => {
      const row = selectOne.get(id)
      return row === undefined ? null : (read(row)?.subject ?? null)
    },
    messageIdOf: (id) => selectMessageId.get(id) ?? null,
    withMessageId: (messageId, around) => {
      const wanted = bareMessageId(messageId)
      if (wanted === '') return []
      const rows = selectByMessageId.all(around - A_DAY, around + A_DAY, MOST_LOOKED_AT, wanted)
      return rows.flatMap((row) => read(row) ?? [])
    },
    storePage: (emails) =>
      lists.write(() =>
        inKeyOrder(emails)
          .filter(({ id }) => !isJustRemoved(id))
          .map((email) => {
            const row = selectOne.get(email.id)
            const whole = row?.complete === 1 ? (readKept(row.wire, email.id)?.thing ?? null) : null
            const kept = toKept(whole === null ? email : withNews(whole, email))
            const { createdAt } = email
            const { changes } = upsertListed.run(email.id, createdAt, Number(whole !== null), seal(kept))
            heard?.(kept)
            if (changes > 0) {
              lists.move(keptList, row?.created_at ?? null, createdAt)
              keepSearchable(kept)
            }
            return changes
          })
          .some((changes) => changes > 0),
      ),
    storeWhole: (email) => {
      const { id, createdAt } = email
      if (isJustRemoved(id)) return
      lists.write(() => {
        if (selectOne.get(id) === undefined) lists.move(keptList, null, createdAt)
        upsertWhole.run(id, createdAt, seal(toKept(email)))
        heard?.(email)
        keepSearchable(email)
      })
    },
    restore: (email, isWhole, onServer) => {
      const { id, createdAt } = email
      lists.write(() => {
        const { changes } = insertRestored.run(id, createdAt, Number(onServer), Number(isWhole), seal(email))
        if (changes === 0) return
        lists.move(keptList, null, createdAt)
        keepSearchable(email)
      })
    },
    markGone: (id) => {
      mark.run(id)
    },
    remove: (id, isKnownGone) => {
      const row = selectOne.get(id)
      if (row === undefined || (row.on_server === 1 && !isKnownGone)) return false
      lists.write(() => {
        lists.move(keptList, row.created_at, null)
        index.dropAccountEmail(name, row.key)
        remove.run(row.key)
      })
      removedAt.set(id, clock.elapsed())
      return true
    },
    idsBetween: (after, upTo) => between.all(after, upTo),
    mend: (id) => {
      const row = selectOne.get(id)
      if (row === undefined) return
      const kept = readKept(row.wire, id)
      if (kept === null) mend.run(0, seal(bare(id, row.created_at)), id)
      else if (!kept.isSound) mend.run(row.complete, seal(kept.thing), id)
    },
  }
}

export const createReceivedEmailStore = (
  database: Database.Database,
  lists: ListIndex,
  index: AccountListIndex,
  onBroken: OnBroken,
  clock: Clock,
): ReceivedEmailStore =>
  createAccountEmailStore<FetchedReceivedEmail, ReceivedEmail, ReceivedEmailDetail>(
    database,
    lists,
    index,
    onBroken,
    {
      table: 'received_emails',
      list: 'received',
      broken: 'received',
      readKept: readSealedReceivedEmail,
      toListed: ({ id, from, to, subject, createdAt, attachments }, onServer) => ({
        id,
        from,
        to,
        subject,
        createdAt,
        attachments,
        onServer,
      }),
      toWhole: ({ rawUrl, ...email }, onServer) => ({ ...email, apart: null, hasRaw: rawUrl !== null, onServer }),
      bare: bareReceivedEmail,
      withNews: receivedWithNews,
      toKept: withoutRawUrl,
    },
    clock,
  )

/** Nothing else becomes of older mail: the platform keeps an e-mail 30 days (platform facts 1). */
const HEARD_FOR_MS = 30 * A_DAY

export const createSentEmailStore = (
  database: Database.Database,
  lists: ListIndex,
  index: AccountListIndex,
  deliveries: Pick<DeliveryStore, 'hear'>,
  onBroken: OnBroken,
  clock: Clock,
): SentEmailStore =>
  createAccountEmailStore<FetchedSentEmail, SentEmail, SentEmailDetail>(
    database,
    lists,
    index,
    onBroken,
    {
      table: 'sent_emails',
      list: 'sent',
      broken: 'sent e-mails',
      readKept: readSealedSentEmail,
      toListed: ({ id, from, to, subject, createdAt, lastEvent, scheduledAt }, onServer) => ({
        id,
        from,
        to,
        subject,
        createdAt,
        lastEvent,
        scheduledAt,
        onServer,
      }),
      toWhole: ({ attachments: _names, ...email }, onServer) => ({ ...email, apart: null, onServer }),
      bare: bareSentEmail,
      withNews: sentWithNews,
      toKept: (email) => email,
      heard: ({ id, lastEvent, createdAt }) => {
        const now = clock.now()
        if (createdAt > now - HEARD_FOR_MS) deliveries.hear(id, lastEvent, now)
      },
    },
    clock,
  )
