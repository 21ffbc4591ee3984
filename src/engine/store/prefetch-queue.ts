import type Database from 'better-sqlite3'
import type { InboxRef } from './inboxes.ts'

/** Lists whose e-mails are archived, in order of priority among equal times. */
export const PREFETCHED_LISTS = ['received', 'sent', 'threads'] as const
export type PrefetchedList = (typeof PREFETCHED_LISTS)[number]

/** An e-mail that may not be completely stored yet. Times are in milliseconds since the epoch. */
export interface EmailToPrefetch {
  readonly list: PrefetchedList
  /** Key of the row in the list's own table. */
  readonly key: number
  readonly id: string
  readonly at: number
  readonly onServer: boolean
  /** Consecutive failures. */
  readonly failures: number
}

/** Final states of archiving an e-mail. They are numbered as in schema.ts. */
const STATE_NAMES = ['whole', 'no room', 'partial', 'lost'] as const
export type PrefetchState = (typeof STATE_NAMES)[number]
const STATES: Readonly<Record<PrefetchState, number>> = { whole: 1, 'no room': 2, partial: 3, lost: 4 }

/** Number of e-mails by archiving state. Each e-mail counts once, however many lists contain it. */
export interface PrefetchCounts {
  /** E-mails stored with everything that the platform provides. */
  readonly kept: number
  /** E-mails counted in `kept` whose raw source or an attachment the platform didn't provide. */
  readonly incomplete: number
  /** E-mails within the chosen period that are still to be processed. */
  readonly left: number
  /** E-mails stored as text only, for lack of space for their files. */
  readonly withoutFiles: number
  /** E-mails that the platform removed before their text was stored. */
  readonly lost: number
  /** E-mails whose text is stored, but that the platform no longer has. */
  readonly localOnly: number
}

interface Row {
  readonly list: number
  readonly key: number
  readonly id: string
  readonly at: number
  readonly failures: number
  readonly onServer: number | null
}

const HERE = `
  SELECT list, row_key AS key, id, at, failures,
    CASE list WHEN 0 THEN (SELECT on_server FROM received_emails WHERE key = row_key)
      WHEN 1 THEN (SELECT on_server FROM sent_emails WHERE key = row_key)
      ELSE (SELECT emails.on_server AND threads.on_server FROM emails JOIN threads ON threads.key = thread_key
        WHERE emails.key = row_key) END AS "onServer"
  FROM prefetch_queue WHERE state = 0 AND at >= ? AND at < ? AND retry_at <= ?
    AND NOT (list = 2 AND EXISTS (SELECT 1 FROM prefetch_queue AS own WHERE own.id = prefetch_queue.id AND own.list <> 2 AND own.state = 0))`

const numberOf = (list: PrefetchedList): number => PREFETCHED_LISTS.indexOf(list)

const ofAccount = (table: 'received_emails' | 'sent_emails', list: number): string => `
  (SELECT count(*) FROM ${table} JOIN prefetch_queue ON list = ${list} AND row_key = ${table}.key
   WHERE on_server = 0 AND complete = 1 AND is_duplicate = 0)`

const prepareStatements = (database: Database.Database) => ({
  newest: database.prepare<[number, number, number, number], Row>(`${HERE} ORDER BY at DESC, list, row_key LIMIT ?`),
  oldest: database.prepare<[number, number, number, number], Row>(`${HERE} ORDER BY at, list, row_key LIMIT ?`),
  nextDue: database
    .prepare<[number], number | null>('SELECT min(retry_at) FROM prefetch_queue WHERE state = 0 AND at >= ?')
    .pluck(),
  settle: database.prepare<[number, number, number]>(
    'UPDATE prefetch_queue SET state = ?, failures = 0, retry_at = 0 WHERE list = ? AND row_key = ?',
  ),
  postpone: database.prepare<[number, number, number, number]>(
    'UPDATE prefetch_queue SET failures = ?, retry_at = ? WHERE list = ? AND row_key = ?',
  ),
  lookAgain: database.prepare<[number]>(
    'UPDATE prefetch_queue SET state = 0, failures = 0, retry_at = 0 WHERE state = ?',
  ),
  ownState: database
    .prepare<[string], number>('SELECT state FROM prefetch_queue WHERE id = ? AND list <> 2 LIMIT 1')
    .pluck(),
  markDuplicate: database.prepare<[string]>('UPDATE prefetch_queue SET is_duplicate = 1 WHERE id = ? AND list = 0'),
  selectThread: database.prepare<[number], { inboxKey: number; inboxId: string; threadId: string }>(
    `SELECT inboxes.key AS "inboxKey", inboxes.id AS "inboxId", threads.id AS "threadId"
     FROM emails JOIN threads ON threads.key = thread_key JOIN inboxes ON inboxes.key = inbox_key WHERE emails.key = ?`,
  ),
  selectInThread: database
    .prepare<[string], number>('SELECT row_key FROM prefetch_queue WHERE id = ? AND list = 2 LIMIT 1')
    .pluck(),
  countStates: database.prepare<[], { state: number; emails: number }>(
    'SELECT state, count(*) AS emails FROM prefetch_queue WHERE is_duplicate = 0 AND state > 0 GROUP BY state',
  ),
  countLeft: database
    .prepare<[number], number>('SELECT count(*) FROM prefetch_queue WHERE is_duplicate = 0 AND state = 0 AND at >= ?')
    .pluck(),
  countKnown: database
    .prepare<[number], number>('SELECT count(*) FROM prefetch_queue WHERE is_duplicate = 0 AND at >= ?')
    .pluck(),
  countOnlyHere: database
    .prepare<[], number>(
      `SELECT (SELECT count(*) FROM emails WHERE on_server = 0)
       + (SELECT count(*) FROM threads JOIN emails ON thread_key = threads.key
          WHERE threads.on_server = 0 AND emails.on_server = 1)
       + ${ofAccount('received_emails', 0)} + ${ofAccount('sent_emails', 1)}`,
    )
    .pluck(),
  fileBytes: database
    .prepare<[], number>(
      'SELECT coalesce(sum(bytes), 0) FROM (SELECT DISTINCT digest, bytes FROM blobs WHERE share IS NULL)',
    )
    .pluck(),
})

interface ThreadOfEmail {
  readonly inbox: InboxRef
  readonly threadId: string
}

/** Queue of e-mails that still have data to fetch. Triggers keep its table, `prefetch_queue`, in sync with the e-mails. */
export class PrefetchQueueStore {
  readonly #database: Database.Database
  readonly #sql: ReturnType<typeof prepareStatements>

  constructor(database: Database.Database) {
    this.#database = database
    this.#sql = prepareStatements(database)
  }

  /**
   * E-mails that are due, including retries. An e-mail in a thread waits while the same one in an account-wide list is
   * unfinished.
   */
  toDo(
    { from, upTo, due }: { readonly from: number; readonly upTo: number; readonly due: number },
    order: 'newest' | 'oldest',
    limit: number,
  ): readonly EmailToPrefetch[] {
    const rows = this.#sql[order].all(from, upTo, due, limit)
    return rows.flatMap(({ onServer, ...row }) => {
      const list = PREFETCHED_LISTS[row.list]
      return list === undefined ? [] : [{ ...row, list, onServer: onServer === 1 }]
    })
  }

  /** Earliest time at which an unfinished e-mail is due; null if there is none. */
  nextDue(from: number): number | null {
    return this.#sql.nextDue.get(from) ?? null
  }

  settle({ list, key }: Pick<EmailToPrefetch, 'list' | 'key'>, state: PrefetchState): void {
    this.#sql.settle.run(STATES[state], numberOf(list), key)
  }

  postpone({ list, key }: Pick<EmailToPrefetch, 'list' | 'key'>, failures: number, until: number): void {
    this.#sql.postpone.run(failures, until, numberOf(list), key)
  }

  lookAgain(state: PrefetchState): void {
    this.#sql.lookAgain.run(STATES[state])
  }

  /** Final state of an e-mail in an account-wide list; null if the e-mail is missing or unfinished. */
  ownState(id: string): PrefetchState | null {
    const state = this.#sql.ownState.get(id)
    return STATE_NAMES.find((name) => STATES[name] === state) ?? null
  }

  /** Marks a received e-mail that is also in a thread, under another ID. It is counted there. */
  markDuplicate(receivedId: string): void {
    this.#sql.markDuplicate.run(receivedId)
  }

  threadOf(emailKey: number): ThreadOfEmail | undefined {
    const row = this.#sql.selectThread.get(emailKey)
    return row === undefined ? undefined : { inbox: { key: row.inboxKey, id: row.inboxId }, threadId: row.threadId }
  }

  threadWith(emailId: string): ThreadOfEmail | undefined {
    const key = this.#sql.selectInThread.get(emailId)
    return key === undefined ? undefined : this.threadOf(key)
  }

  count(since: number): PrefetchCounts {
    const states = new Map(this.#sql.countStates.all().map(({ state, emails }) => [state, emails]))
    const of = (state: PrefetchState): number => states.get(STATES[state]) ?? 0
    return {
      kept: of('whole') + of('partial'),
      incomplete: of('partial'),
      left: this.#sql.countLeft.get(since) ?? 0,
      withoutFiles: of('no room'),
      lost: of('lost'),
      localOnly: this.#sql.countOnlyHere.get() ?? 0,
    }
  }

  /** Number of distinct e-mails with a time of `since` or later. */
  countKnown(since: number): number {
    return this.#sql.countKnown.get(since) ?? 0
  }

  /** Total size in bytes of all permanent files. Identical content counts once. */
  fileBytes(): number {
    return this.#sql.fileBytes.get() ?? 0
  }

  cacheBytes(): number {
    const numberOfPages = Number(this.#database.pragma('page_count', { simple: true }))
    return numberOfPages * Number(this.#database.pragma('page_size', { simple: true }))
  }
}
