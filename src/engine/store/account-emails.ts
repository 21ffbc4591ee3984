import type Database from 'better-sqlite3'
import {
  createPlaceholderReceivedEmail,
  mergeReceivedEmail,
  withoutRawUrl,
  type FetchedReceivedEmail,
} from '../platform/resources/received-emails.ts'
import { createPlaceholderSentEmail, mergeSentEmail, type FetchedSentEmail } from '../platform/resources/sent-emails.ts'
import type { ReceivedEmail, ReceivedEmailDetail, SentEmail, SentEmailDetail } from '../../shared/model.ts'
import type { AccountList } from './search-index/thread-order.ts'
import type { SearchIndex } from './search-index/search-index.ts'
import type { AccountListQuery, FoundRows, StepBounds, ThreadSearch } from './search-index/search-threads.ts'
import type { SearchableEmail } from './search-index/searchable-email.ts'
import { toSearchable } from './indexed-rows.ts'
import type { DeliveryStore } from './deliveries.ts'
import type { WebhookEventStore } from './webhook-events.ts'
import type { OnBrokenRow } from './broken-row.ts'
import { runInTransaction } from './watch-database.ts'
import { MAX_DATE_DIFFERENCE_MS, normalizeMessageId } from './same-message.ts'
import {
  parseChecksummedReceivedEmail,
  parseChecksummedSentEmail,
  addChecksum,
  type ChecksummedPayload,
} from './checksummed-payload.ts'
import type { Clock } from '../timing/clock.ts'

type AccountListIndex = Pick<
  SearchIndex,
  'indexAccountEmail' | 'dropAccountEmail' | 'accountListVersion' | 'countAccountEmails'
>

export type FetchedAccountEmail = FetchedReceivedEmail | FetchedSentEmail

/**
 * Time to remember removals, in milliseconds. Longer than any time-out, so that no request from before the removal is
 * still in flight.
 */
const REMOVED_FOR_MS = 120_000

/** Maximum e-mails read per Message-ID: anyone can copy a Message-ID. */
const MAX_SAME_ID = 100

interface Row {
  readonly key: number
  readonly id: string
  readonly created_at: number
  readonly on_server: number
  readonly complete: number
  readonly wire: string
  readonly message_id: string | null
}

interface Format<Fetched, Listed, Whole> {
  readonly table: 'received_emails' | 'sent_emails'
  readonly list: AccountList
  readonly broken: 'received' | 'sent e-mails'
  readonly readKept: (text: string, id: string) => ChecksummedPayload<Fetched> | null
  readonly toListed: (email: Fetched, onServer: boolean) => Listed
  readonly toWhole: (email: Fetched, onServer: boolean) => Whole
  /** A placeholder for an e-mail whose stored text is lost. */
  readonly bare: (id: string, createdAt: number) => Fetched
  readonly withNews: (known: Fetched, later: Fetched) => Fetched
  readonly toKept: (email: Fetched) => Fetched
  /** Called in the write transaction with each stored e-mail, even if it is unchanged. */
  readonly heard?: (email: Fetched) => void
}

/**
 * Order in which to store a page. At equal times, the list shows greater keys first, while the platform lists the
 * e-mail that it stored later first.
 */
const toStorageOrder = <Email extends { readonly createdAt: number }>(page: readonly Email[]): readonly Email[] =>
  page.toReversed().toSorted((one, other) => other.createdAt - one.createdAt)

const prepareStatements = (database: Database.Database, table: 'received_emails' | 'sent_emails') => {
  const ROW = 'SELECT key, id, created_at, on_server, complete, wire, message_id'
  return {
    page: database.prepare<[number, number], Row>(
      `${ROW} FROM ${table} ORDER BY created_at DESC, key DESC LIMIT ? OFFSET ?`,
    ),
    count: database.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck(),
    one: database.prepare<[string], Row>(`${ROW} FROM ${table} WHERE id = ?`),
    byKey: database.prepare<[number], Row>(`${ROW} FROM ${table} WHERE key = ?`),
    byMessageId: database.prepare<[string, number, number], Row>(
      `${ROW} FROM ${table} WHERE message_id = ? AND created_at BETWEEN ? AND ? LIMIT ${MAX_SAME_ID}`,
    ),
    idsBetween: database
      .prepare<[number, number], string>(
        `SELECT id FROM ${table} WHERE created_at > ? AND created_at <= ? AND on_server = 1`,
      )
      .pluck(),
    upsertListed: database.prepare<[string, number, number, string]>(
      `INSERT INTO ${table} (id, created_at, on_server, complete, wire) VALUES (?, ?, 1, ?, ?)
       ON CONFLICT (id) DO UPDATE
       SET on_server = 1, complete = excluded.complete, wire = excluded.wire, created_at = excluded.created_at
       WHERE on_server <> 1 OR complete <> excluded.complete OR wire <> excluded.wire`,
    ),
    upsertWhole: database.prepare<[string, number, string]>(
      `INSERT INTO ${table} (id, created_at, on_server, complete, wire) VALUES (?, ?, 1, 1, ?)
       ON CONFLICT (id) DO UPDATE SET on_server = 1, complete = 1, wire = excluded.wire`,
    ),
    markGone: database.prepare<[string]>(`UPDATE ${table} SET on_server = 0 WHERE id = ?`),
    repair: database.prepare<[number, string, string]>(`UPDATE ${table} SET complete = ?, wire = ? WHERE id = ?`),
    remove: database.prepare<[number]>(`DELETE FROM ${table} WHERE key = ?`),
  }
}

interface AccountEmailParts {
  readonly database: Database.Database
  readonly index: AccountListIndex
  readonly search: Pick<ThreadSearch, 'searchList'>
  readonly onBroken: OnBrokenRow
  readonly clock: Clock
}

/** E-mails of an account-wide list (received or sent), which belong to no inbox. */
export class AccountEmailStore<Fetched extends FetchedAccountEmail, Listed, Whole> {
  readonly #parts: AccountEmailParts
  readonly #format: Format<Fetched, Listed, Whole>
  readonly #sql: ReturnType<typeof prepareStatements>
  /** Removal times by e-mail ID (`Clock.elapsed`). */
  readonly #removedAt = new Map<string, number>()

  constructor(parts: AccountEmailParts, format: Format<Fetched, Listed, Whole>) {
    this.#parts = parts
    this.#format = format
    this.#sql = prepareStatements(parts.database, format.table)
  }

  /** Newest first. */
  list({ offset, limit }: { readonly offset: number; readonly limit: number }): readonly Listed[] {
    return this.#sql.page.all(limit, offset).map((row) => this.#toListed(row))
  }

  count(): number {
    return this.#sql.count.get() ?? 0
  }

  /** The full e-mail, if it has been fetched. */
  get(id: string): Whole | undefined {
    const row = this.#sql.one.get(id)
    const email = row?.complete === 1 ? this.#read(row) : null
    return row === undefined || email === null ? undefined : this.#format.toWhole(email, row.on_server === 1)
  }

  /** List data of an e-mail whose body isn't stored; undefined if it is stored or the e-mail is unknown. */
  remains(id: string): Whole | undefined {
    const row = this.#sql.one.get(id)
    return row?.complete === 0 ? this.#format.toWhole(this.#readOrPlaceholder(row), row.on_server === 1) : undefined
  }

  listed(id: string): Listed | undefined {
    const row = this.#sql.one.get(id)
    return row === undefined ? undefined : this.#toListed(row)
  }

  has(id: string): boolean {
    return this.#sql.one.get(id) !== undefined
  }

  /** Works for e-mails that were only listed, too. Null if missing or unreadable. */
  subjectOf(id: string): string | null {
    const row = this.#sql.one.get(id)
    return row === undefined ? null : (this.#read(row)?.subject ?? null)
  }

  /** Null if the list response didn't include it. */
  messageIdOf(id: string): string | null {
    return this.#sql.one.get(id)?.message_id ?? null
  }

  /** E-mails with a Message-ID, within a day of `around`, in milliseconds since the epoch. */
  withMessageId(messageId: string, around: number): readonly Fetched[] {
    const wanted = normalizeMessageId(messageId)
    if (wanted === '') return []
    const rows = this.#sql.byMessageId.all(wanted, around - MAX_DATE_DIFFERENCE_MS, around + MAX_DATE_DIFFERENCE_MS)
    return rows.flatMap((row) => this.#read(row) ?? [])
  }

  /** @returns true if anything has changed */
  storePage(emails: readonly Fetched[]): boolean {
    return runInTransaction(this.#parts.database, () =>
      toStorageOrder(emails)
        .filter(({ id }) => !this.#isJustRemoved(id))
        .map((email) => this.#storeListed(email))
        .some((isWritten) => isWritten),
    )
  }

  storeWhole(fetched: Fetched): void {
    const { id } = fetched
    if (this.#isJustRemoved(id)) return
    runInTransaction(this.#parts.database, () => {
      const row = this.#sql.one.get(id)
      const known = row === undefined ? null : this.#format.readKept(row.wire, id)
      const email = known?.isIntact === true ? this.#format.withNews(known.thing, fetched) : fetched
      const { createdAt } = email
      this.#sql.upsertWhole.run(id, createdAt, addChecksum(this.#format.toKept(email)))
      this.#format.heard?.(email)
      this.#updateIndex(email)
    })
  }

  /** Marks an e-mail as removed from the platform; it stays readable. */
  markGone(id: string): void {
    this.#sql.markGone.run(id)
  }

  /**
   * Removes an e-mail. A response in flight can't bring it back; a later response can, if the platform still has it.
   * @param isKnownGone true if the platform has removed the e-mail, which the list would notice only later
   * @returns false if the platform still has the e-mail, or if it doesn't exist
   */
  remove(id: string, isKnownGone: boolean): boolean {
    const row = this.#sql.one.get(id)
    if (row === undefined || (row.on_server === 1 && !isKnownGone)) return false
    runInTransaction(this.#parts.database, () => {
      this.#parts.index.dropAccountEmail(this.#format.list, row.key)
      this.#sql.remove.run(row.key)
    })
    this.#removedAt.set(id, this.#parts.clock.elapsed())
    return true
  }

  /** IDs that the platform's list should include for `after < createdAt <= upTo`. */
  idsBetween(after: number, upTo: number): readonly string[] {
    return this.#sql.idsBetween.all(after, upTo)
  }

  /**
   * Searches the list, newest first. Results are valid while `searchVersion` stays the same.
   * @param after row to continue after; null at the top @returns null if that row no longer exists
   */
  search(query: AccountListQuery, after: number | null, bounds: StepBounds): FoundRows | null {
    return this.#parts.search.searchList(this.#format.list, query, after, bounds)
  }

  searchVersion(): number {
    return this.#parts.index.accountListVersion(this.#format.list)
  }

  /** Number of indexed e-mails: all of them, unless the index is being rebuilt. */
  countSearched(): number {
    return this.#parts.index.countAccountEmails(this.#format.list)
  }

  /** A search result with its searchable text; undefined if the row is missing. */
  found(rowKey: number): { readonly listed: Listed; readonly searchable: SearchableEmail } | undefined {
    const row = this.#sql.byKey.get(rowKey)
    if (row === undefined) return undefined
    const email = this.#readOrPlaceholder(row)
    return { listed: this.#format.toListed(email, row.on_server === 1), searchable: this.#toSearchable(email, row) }
  }

  /** Repairs a damaged row as far as possible until the e-mail is fetched again. */
  repair(id: string): void {
    const row = this.#sql.one.get(id)
    if (row === undefined) return
    const kept = this.#format.readKept(row.wire, id)
    if (kept === null) this.#sql.repair.run(0, addChecksum(this.#format.bare(id, row.created_at)), id)
    else if (!kept.isIntact) this.#sql.repair.run(row.complete, addChecksum(kept.thing), id)
  }

  #isJustRemoved(id: string): boolean {
    const at = this.#removedAt.get(id)
    return at !== undefined && this.#parts.clock.elapsed() - at < REMOVED_FOR_MS
  }

  #read(row: Row): Fetched | null {
    const kept = this.#format.readKept(row.wire, row.id)
    if (kept?.isIntact !== true) this.#parts.onBroken({ kind: this.#format.broken, id: row.id })
    return kept?.thing ?? null
  }

  #readOrPlaceholder(row: Row): Fetched {
    return this.#read(row) ?? this.#format.bare(row.id, row.created_at)
  }

  #toListed(row: Row): Listed {
    return this.#format.toListed(this.#readOrPlaceholder(row), row.on_server === 1)
  }

  #toSearchable(email: Fetched, { created_at: receivedAt }: Row): SearchableEmail {
    return toSearchable(email, { isOutbound: this.#format.list === 'sent', receivedAt })
  }

  /** Updates the search index. Call within the row's write transaction. */
  #updateIndex(email: Fetched): void {
    const row = this.#sql.one.get(email.id)
    if (row !== undefined)
      this.#parts.index.indexAccountEmail(this.#format.list, row.key, this.#toSearchable(email, row))
  }

  /** Stores list data. Call within a write transaction. @returns true if anything has changed */
  #storeListed(email: Fetched): boolean {
    const { readKept, withNews, toKept, heard } = this.#format
    const { id } = email
    const row = this.#sql.one.get(id)
    const known = row === undefined ? null : readKept(row.wire, id)
    // A list response may lack fields that an earlier response had.
    const isWhole = row?.complete === 1 && known !== null
    const kept = toKept(known === null || !(isWhole || known.isIntact) ? email : withNews(known.thing, email))
    const { createdAt } = kept
    const { changes } = this.#sql.upsertListed.run(id, createdAt, Number(isWhole), addChecksum(kept))
    heard?.(kept)
    if (changes === 0) return false
    this.#updateIndex(kept)
    return true
  }
}

export type ReceivedEmailStore = AccountEmailStore<FetchedReceivedEmail, ReceivedEmail, ReceivedEmailDetail>
export type SentEmailStore = AccountEmailStore<FetchedSentEmail, SentEmail, SentEmailDetail>

export const createReceivedEmailStore = (parts: AccountEmailParts): ReceivedEmailStore =>
  new AccountEmailStore(parts, {
    table: 'received_emails',
    list: 'received',
    broken: 'received',
    readKept: parseChecksummedReceivedEmail,
    toListed: ({ id, from, to, receivedFor, subject, createdAt, attachments }, onServer) => ({
      id,
      from,
      to,
      receivedFor,
      subject,
      createdAt,
      attachments,
      onServer,
    }),
    toWhole: ({ rawUrl, ...email }, onServer) => ({ ...email, apart: null, hasRaw: rawUrl !== null, onServer }),
    bare: createPlaceholderReceivedEmail,
    withNews: mergeReceivedEmail,
    toKept: withoutRawUrl,
  })

/**
 * Period in which sent mail can get delivery events, in milliseconds: the platform keeps an e-mail for 30 days
 * (platform.md 2.6).
 */
const DELIVERY_EVENT_PERIOD_MS = 30 * MAX_DATE_DIFFERENCE_MS

export const createSentEmailStore = (
  parts: AccountEmailParts,
  deliveries: Pick<DeliveryStore, 'hear'>,
  { failureOf }: Pick<WebhookEventStore, 'failureOf'>,
): SentEmailStore =>
  new AccountEmailStore(parts, {
    table: 'sent_emails',
    list: 'sent',
    broken: 'sent e-mails',
    readKept: parseChecksummedSentEmail,
    toListed: ({ id, from, to, subject, createdAt, lastEvent, scheduledAt }, onServer) => ({
      id,
      from,
      to,
      subject,
      createdAt,
      lastEvent,
      failure: failureOf(id, lastEvent),
      scheduledAt,
      onServer,
    }),
    toWhole: ({ attachments: _names, ...email }, onServer) => ({
      ...email,
      failure: failureOf(email.id, email.lastEvent),
      apart: null,
      onServer,
    }),
    bare: createPlaceholderSentEmail,
    withNews: mergeSentEmail,
    toKept: (email) => email,
    heard: ({ id, lastEvent, createdAt }) => {
      const now = parts.clock.now()
      if (createdAt > now - DELIVERY_EVENT_PERIOD_MS) deliveries.hear(id, lastEvent, now)
    },
  })
