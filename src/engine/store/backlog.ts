import type Database from 'better-sqlite3'
import { createListNames, type ListIndex } from './list-index.ts'

/** A thread whose e-mails are not all in the cache. */
export interface ThreadToRead {
  readonly key: number
  readonly inboxKey: number
  readonly inboxId: string
  readonly threadId: string
  /** The activity up to which its e-mails are about to be fetched. */
  readonly receivedAt: number
}

/** What of a thread decides whether its e-mails are still to be fetched. */
export interface Completeness {
  readonly receivedAt: number
  /** The activity up to which its e-mails are here. */
  readonly emailsAt: number | null
  readonly onServer: boolean
}

/** The threads whose e-mails are still to be fetched, counted as they come and go. */
export interface Backlog {
  /** How many there are of an inbox since a time in milliseconds. Kept beside the rows, so that asking costs nothing. */
  readonly count: (inboxKey: number, since: number) => number
  /**
   * Newest first.
   * @param below goes on after this one
   */
  readonly page: (
    inboxKey: number,
    since: number,
    below: Pick<ThreadToRead, 'key' | 'receivedAt'> | null,
    limit: number,
  ) => readonly ThreadToRead[]
  /** Within a write of the lists' index: a thread's row is written; `before` is null for a new one. */
  readonly note: (inboxKey: number, before: Completeness | null, after: Completeness) => void
}

const isLacking = ({ receivedAt, emailsAt, onServer }: Completeness): boolean => onServer && emailsAt !== receivedAt

export const createBacklog = (database: Database.Database, lists: Pick<ListIndex, 'countSince' | 'move'>): Backlog => {
  // The condition of the partial index `threads_lacking_emails`.
  const LACKING = 'threads.on_server = 1 AND (emails_at IS NULL OR emails_at <> received_at)'
  const select = database.prepare<[number, number, number, number, number, number], ThreadToRead>(
    `SELECT threads.key, inbox_key AS inboxKey, inboxes.id AS inboxId, threads.id AS threadId, received_at AS receivedAt
     FROM threads JOIN inboxes ON inboxes.key = inbox_key
     WHERE inbox_key = ? AND ${LACKING} AND received_at >= ?
       AND received_at <= ? AND (received_at < ? OR threads.key > ?)
     ORDER BY received_at DESC, threads.key LIMIT ?`,
  )
  const lackingList = createListNames('lacking')
  const timeIn = (thread: Completeness | null): number | null =>
    thread !== null && isLacking(thread) ? thread.receivedAt : null

  return {
    count: (inboxKey, since) => lists.countSince(lackingList(inboxKey), since),
    page: (inboxKey, since, below, limit) => {
      const upTo = below?.receivedAt ?? Number.MAX_SAFE_INTEGER
      return select.all(inboxKey, since, upTo, upTo, below?.key ?? -1, limit)
    },
    note: (inboxKey, before, after) => lists.move(lackingList(inboxKey), timeIn(before), timeIn(after)),
  }
}
