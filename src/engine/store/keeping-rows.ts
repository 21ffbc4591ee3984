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

/** What of each e-mail is still to be fetched: the table `keeping`, which follows the e-mails by itself. */
export interface KeepingRowStore {
  /**
   * E-mails that are to be kept, of a span of time, whose next try is due. One of a thread waits for the same e-mail of the
   * account's own lists.
   * @param order by their time; newest first or oldest first
   */
  readonly toDo: (
    span: { readonly from: number; readonly upTo: number; readonly due: number },
    order: 'newest' | 'oldest',
    limit: number,
  ) => readonly EmailToKeep[]
  /** When the next one is due that failed; null where none waits. */
  readonly nextDue: (from: number) => number | null
  readonly settle: (email: Pick<EmailToKeep, 'list' | 'key'>, state: KeptState) => void
  readonly postpone: (email: Pick<EmailToKeep, 'list' | 'key'>, failures: number, until: number) => void
  /** All that ended like this is looked at again. */
  readonly lookAgain: (state: KeptState) => void
  /** How the keeping of an e-mail of the account's own lists has ended; null where none has it, or it is to be done. */
  readonly ownState: (id: string) => KeptState | null
  /** An e-mail of the account's received ones is also in a thread, under another ID, and is counted there. */
  readonly isTwin: (receivedId: string) => void
  /** The thread of an e-mail; undefined where it is not here any more. */
  readonly threadOf: (emailKey: number) => { readonly inbox: InboxRef; readonly threadId: string } | undefined
  /** The thread that holds an e-mail; undefined where none here does. */
  readonly threadWith: (emailId: string) => { readonly inbox: InboxRef; readonly threadId: string } | undefined
  readonly count: (since: number) => KeptCounts
  /** E-mails that are known since a time, each once. */
  readonly countKnown: (since: number) => number
  /** Bytes of all files that stay: those of the same content count once. */
  readonly fileBytes: () => number
  /** Bytes of the cache's own file. */
  readonly cacheBytes: () => number
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

export const createKeepingRowStore = (database: Database.Database): KeepingRowStore => {
  const newest = database.prepare<[number, number, number, number], Row>(
    `${HERE} ORDER BY at DESC, list, row_key LIMIT ?`,
  )
  const oldest = database.prepare<[number, number, number, number], Row>(
    `${HERE} ORDER BY at, list DESC, row_key DESC LIMIT ?`,
  )
  const nextDue = database
    .prepare<[number], number | null>('SELECT min(retry_at) FROM keeping WHERE state = 0 AND at >= ?')
    .pluck()
  const settle = database.prepare<[number, number, number]>(
    'UPDATE keeping SET state = ?, failures = 0, retry_at = 0 WHERE list = ? AND row_key = ?',
  )
  const postpone = database.prepare<[number, number, number, number]>(
    'UPDATE keeping SET failures = ?, retry_at = ? WHERE list = ? AND row_key = ?',
  )
  const lookAgain = database.prepare<[number]>(
    'UPDATE keeping SET state = 0, failures = 0, retry_at = 0 WHERE state = ?',
  )
  const ownState = database
    .prepare<[string], number>('SELECT state FROM keeping WHERE id = ? AND list <> 2 LIMIT 1')
    .pluck()
  const isTwin = database.prepare<[string]>('UPDATE keeping SET twin = 1 WHERE id = ? AND list = 0')
  const selectThread = database.prepare<[number], { inboxKey: number; inboxId: string; threadId: string }>(
    `SELECT inboxes.key AS "inboxKey", inboxes.id AS "inboxId", threads.id AS "threadId"
     FROM emails JOIN threads ON threads.key = thread_key JOIN inboxes ON inboxes.key = inbox_key WHERE emails.key = ?`,
  )
  const selectInThread = database
    .prepare<[string], number>('SELECT row_key FROM keeping WHERE id = ? AND list = 2 LIMIT 1')
    .pluck()
  const threadOf: KeepingRowStore['threadOf'] = (emailKey) => {
    const row = selectThread.get(emailKey)
    return row === undefined ? undefined : { inbox: { key: row.inboxKey, id: row.inboxId }, threadId: row.threadId }
  }
  const countStates = database.prepare<[], { state: number; emails: number }>(
    'SELECT state, count(*) AS emails FROM keeping WHERE twin = 0 AND state > 0 GROUP BY state',
  )
  const countLeft = database
    .prepare<[number], number>('SELECT count(*) FROM keeping WHERE twin = 0 AND state = 0 AND at >= ?')
    .pluck()
  const countKnown = database
    .prepare<[number], number>('SELECT count(*) FROM keeping WHERE twin = 0 AND at >= ?')
    .pluck()
  const ofAccount = (table: 'received_emails' | 'sent_emails', list: number): string => `
    (SELECT count(*) FROM ${table} JOIN keeping ON list = ${list} AND row_key = ${table}.key
     WHERE on_server = 0 AND complete = 1 AND twin = 0)`
  const countOnlyHere = database
    .prepare<[], number>(
      `SELECT (SELECT count(*) FROM emails WHERE on_server = 0)
       + (SELECT count(*) FROM threads JOIN emails ON thread_key = threads.key
          WHERE threads.on_server = 0 AND emails.on_server = 1)
       + ${ofAccount('received_emails', 0)} + ${ofAccount('sent_emails', 1)}`,
    )
    .pluck()
  const fileBytes = database
    .prepare<[], number>(
      'SELECT coalesce(sum(bytes), 0) FROM (SELECT DISTINCT digest, bytes FROM contents WHERE share IS NULL)',
    )
    .pluck()

  return {
    toDo: ({ from, upTo, due }, order, limit) =>
      (order === 'newest' ? newest : oldest).all(from, upTo, due, limit).flatMap(({ onServer, ...row }) => {
        const list = KEPT_LISTS[row.list]
        return list === undefined ? [] : [{ ...row, list, onServer: onServer === 1 }]
      }),
    nextDue: (from) => nextDue.get(from) ?? null,
    settle: ({ list, key }, state) => {
      settle.run(STATES[state], numberOf(list), key)
    },
    postpone: ({ list, key }, failures, until) => {
      postpone.run(failures, until, numberOf(list), key)
    },
    lookAgain: (state) => {
      lookAgain.run(STATES[state])
    },
    ownState: (id) => STATE_NAMES.find((name) => STATES[name] === ownState.get(id)) ?? null,
    isTwin: (receivedId) => {
      isTwin.run(receivedId)
    },
    threadOf,
    threadWith: (emailId) => {
      const key = selectInThread.get(emailId)
      return key === undefined ? undefined : threadOf(key)
    },
    count: (since) => {
      const states = new Map(countStates.all().map(({ state, emails }) => [state, emails]))
      const of = (state: KeptState): number => states.get(STATES[state]) ?? 0
      return {
        kept: of('whole') + of('in part'),
        inPart: of('in part'),
        left: countLeft.get(since) ?? 0,
        withoutFiles: of('no room'),
        lost: of('lost'),
        onlyHere: countOnlyHere.get() ?? 0,
      }
    },
    countKnown: (since) => countKnown.get(since) ?? 0,
    fileBytes: () => fileBytes.get() ?? 0,
    cacheBytes: () =>
      Number(database.pragma('page_count', { simple: true })) * Number(database.pragma('page_size', { simple: true })),
  }
}
