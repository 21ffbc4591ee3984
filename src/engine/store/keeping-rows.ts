import type Database from 'better-sqlite3'
import type { InboxRef } from './inboxes.ts'

/** Where an e-mail stands that is to be kept, in the order in which those of one time are kept. */
export const KEPT_LISTS = ['received', 'sent', 'threads'] as const
export type KeptList = (typeof KEPT_LISTS)[number]

/** An e-mail of which not all is known to be here. Times in milliseconds since the epoch. */
export interface EmailToKeep {
  readonly list: KeptList
  /** Of its row in its own table. */
  readonly key: number
  readonly id: string
  readonly at: number
  readonly onServer: boolean
  /** Tries in a row that failed. */
  readonly failures: number
}

/** How the keeping of an e-mail has ended: the numbers of schema.ts. */
const STATE_NAMES = ['whole', 'no room', 'in part', 'lost'] as const
export type KeptState = (typeof STATE_NAMES)[number]
const STATES: Readonly<Record<KeptState, number>> = { whole: 1, 'no room': 2, 'in part': 3, lost: 4 }

/** E-mails by how far they are here, each counted once however many lists show it. */
export interface KeptCounts {
  /** Here with all that the platform gives of them. */
  readonly kept: number
  /** Of those: the platform did not give their original, or an attachment. */
  readonly inPart: number
  /** Still to be looked at, of the chosen depth. */
  readonly left: number
  /** Here as text alone, as there is no room for their files. */
  readonly withoutFiles: number
  /** The platform dropped them before their text was here. */
  readonly lost: number
  /** Their text is here, and the platform does not have them any more. */
  readonly onlyHere: number
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
  FROM keeping WHERE state = 0 AND at >= ? AND at < ? AND retry_at <= ?
    AND NOT (list = 2 AND EXISTS (SELECT 1 FROM keeping AS own WHERE own.id = keeping.id AND own.list <> 2 AND own.state = 0))`

const numberOf = (list: KeptList): number => KEPT_LISTS.indexOf(list)

const ofAccount = (table: 'received_emails' | 'sent_emails', list: number): string => `
  (SELECT count(*) FROM ${table} JOIN keeping ON list = ${list} AND row_key = ${table}.key
   WHERE on_server = 0 AND complete = 1 AND twin = 0)`

const prepareStatements = (database: Database.Database) => ({
  newest: database.prepare<[number, number, number, number], Row>(`${HERE} ORDER BY at DESC, list, row_key LIMIT ?`),
  oldest: database.prepare<[number, number, number, number], Row>(
    `${HERE} ORDER BY at, list DESC, row_key DESC LIMIT ?`,
  ),
  nextDue: database
    .prepare<[number], number | null>('SELECT min(retry_at) FROM keeping WHERE state = 0 AND at >= ?')
    .pluck(),
  settle: database.prepare<[number, number, number]>(
    'UPDATE keeping SET state = ?, failures = 0, retry_at = 0 WHERE list = ? AND row_key = ?',
  ),
  postpone: database.prepare<[number, number, number, number]>(
    'UPDATE keeping SET failures = ?, retry_at = ? WHERE list = ? AND row_key = ?',
  ),
  lookAgain: database.prepare<[number]>('UPDATE keeping SET state = 0, failures = 0, retry_at = 0 WHERE state = ?'),
  ownState: database.prepare<[string], number>('SELECT state FROM keeping WHERE id = ? AND list <> 2 LIMIT 1').pluck(),
  isTwin: database.prepare<[string]>('UPDATE keeping SET twin = 1 WHERE id = ? AND list = 0'),
  selectThread: database.prepare<[number], { inboxKey: number; inboxId: string; threadId: string }>(
    `SELECT inboxes.key AS "inboxKey", inboxes.id AS "inboxId", threads.id AS "threadId"
     FROM emails JOIN threads ON threads.key = thread_key JOIN inboxes ON inboxes.key = inbox_key WHERE emails.key = ?`,
  ),
  selectInThread: database
    .prepare<[string], number>('SELECT row_key FROM keeping WHERE id = ? AND list = 2 LIMIT 1')
    .pluck(),
  countStates: database.prepare<[], { state: number; emails: number }>(
    'SELECT state, count(*) AS emails FROM keeping WHERE twin = 0 AND state > 0 GROUP BY state',
  ),
  countLeft: database
    .prepare<[number], number>('SELECT count(*) FROM keeping WHERE twin = 0 AND state = 0 AND at >= ?')
    .pluck(),
  countKnown: database.prepare<[number], number>('SELECT count(*) FROM keeping WHERE twin = 0 AND at >= ?').pluck(),
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
      'SELECT coalesce(sum(bytes), 0) FROM (SELECT DISTINCT digest, bytes FROM contents WHERE share IS NULL)',
    )
    .pluck(),
})

interface ThreadOfEmail {
  readonly inbox: InboxRef
  readonly threadId: string
}

/** What of each e-mail is still to be fetched: the table `keeping`, which follows the e-mails by itself. */
export class KeepingRowStore {
  readonly #database: Database.Database
  readonly #sql: ReturnType<typeof prepareStatements>

  constructor(database: Database.Database) {
    this.#database = database
    this.#sql = prepareStatements(database)
  }

  /**
   * E-mails that are to be kept, of a span of time, whose next try is due. One of a thread waits for the same e-mail of the
   * account's own lists.
   * @param order by their time; newest first or oldest first
   */
  toDo(
    { from, upTo, due }: { readonly from: number; readonly upTo: number; readonly due: number },
    order: 'newest' | 'oldest',
    limit: number,
  ): readonly EmailToKeep[] {
    const rows = this.#sql[order].all(from, upTo, due, limit)
    return rows.flatMap(({ onServer, ...row }) => {
      const list = KEPT_LISTS[row.list]
      return list === undefined ? [] : [{ ...row, list, onServer: onServer === 1 }]
    })
  }

  /** When the next one is due that failed; null where none waits. */
  nextDue(from: number): number | null {
    return this.#sql.nextDue.get(from) ?? null
  }

  settle({ list, key }: Pick<EmailToKeep, 'list' | 'key'>, state: KeptState): void {
    this.#sql.settle.run(STATES[state], numberOf(list), key)
  }

  postpone({ list, key }: Pick<EmailToKeep, 'list' | 'key'>, failures: number, until: number): void {
    this.#sql.postpone.run(failures, until, numberOf(list), key)
  }

  lookAgain(state: KeptState): void {
    this.#sql.lookAgain.run(STATES[state])
  }

  /** How the keeping of an e-mail of the account's own lists has ended; null where none has it, or it is to be done. */
  ownState(id: string): KeptState | null {
    const state = this.#sql.ownState.get(id)
    return STATE_NAMES.find((name) => STATES[name] === state) ?? null
  }

  /** Notes that one of the account's received e-mails is also in a thread, under another ID, and is counted there. */
  isTwin(receivedId: string): void {
    this.#sql.isTwin.run(receivedId)
  }

  /** The thread of an e-mail; undefined where it is not here any more. */
  threadOf(emailKey: number): ThreadOfEmail | undefined {
    const row = this.#sql.selectThread.get(emailKey)
    return row === undefined ? undefined : { inbox: { key: row.inboxKey, id: row.inboxId }, threadId: row.threadId }
  }

  /** The thread that holds an e-mail; undefined where none here does. */
  threadWith(emailId: string): ThreadOfEmail | undefined {
    const key = this.#sql.selectInThread.get(emailId)
    return key === undefined ? undefined : this.threadOf(key)
  }

  count(since: number): KeptCounts {
    const states = new Map(this.#sql.countStates.all().map(({ state, emails }) => [state, emails]))
    const of = (state: KeptState): number => states.get(STATES[state]) ?? 0
    return {
      kept: of('whole') + of('in part'),
      inPart: of('in part'),
      left: this.#sql.countLeft.get(since) ?? 0,
      withoutFiles: of('no room'),
      lost: of('lost'),
      onlyHere: this.#sql.countOnlyHere.get() ?? 0,
    }
  }

  /** E-mails that are known since a time, each once. */
  countKnown(since: number): number {
    return this.#sql.countKnown.get(since) ?? 0
  }

  /** Bytes of all files that stay: those of the same content count once. */
  fileBytes(): number {
    return this.#sql.fileBytes.get() ?? 0
  }

  cacheBytes(): number {
    const numberOfPages = Number(this.#database.pragma('page_count', { simple: true }))
    return numberOfPages * Number(this.#database.pragma('page_size', { simple: true }))
  }
}
