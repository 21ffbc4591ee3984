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

const isLacking = ({ receivedAt, emailsAt, onServer }: Completeness): boolean => onServer && emailsAt !== receivedAt

const timeIn = (thread: Completeness | null): number | null =>
  thread !== null && isLacking(thread) ? thread.receivedAt : null

// The condition of the partial index `threads_lacking_emails`.
const LACKING = 'threads.on_server = 1 AND (emails_at IS NULL OR emails_at <> received_at)'

/** The threads whose e-mails are still to be fetched, counted as they come and go. */
export class Backlog {
  readonly #lists: Pick<ListIndex, 'countSince' | 'move'>
  readonly #select: Database.Statement<[number, number, number, number, number, number], ThreadToRead>
  readonly #list = createListNames('lacking')

  constructor(database: Database.Database, lists: Pick<ListIndex, 'countSince' | 'move'>) {
    this.#lists = lists
    this.#select = database.prepare(
      `SELECT threads.key, inbox_key AS inboxKey, inboxes.id AS inboxId, threads.id AS threadId, received_at AS receivedAt
       FROM threads JOIN inboxes ON inboxes.key = inbox_key
       WHERE inbox_key = ? AND ${LACKING} AND received_at >= ?
         AND received_at <= ? AND (received_at < ? OR threads.key > ?)
       ORDER BY received_at DESC, threads.key LIMIT ?`,
    )
  }

  /** How many there are of an inbox since a time in milliseconds. Kept beside the rows, so that asking costs nothing. */
  count(inboxKey: number, since: number): number {
    return this.#lists.countSince(this.#list(inboxKey), since)
  }

  /**
   * Newest first.
   * @param below goes on after this one
   */
  page(
    inboxKey: number,
    since: number,
    below: Pick<ThreadToRead, 'key' | 'receivedAt'> | null,
    limit: number,
  ): readonly ThreadToRead[] {
    const upTo = below?.receivedAt ?? Number.MAX_SAFE_INTEGER
    return this.#select.all(inboxKey, since, upTo, upTo, below?.key ?? -1, limit)
  }

  /** Within a write of the lists' index: a thread's row is written; `before` is null for a new one. */
  note(inboxKey: number, before: Completeness | null, after: Completeness): void {
    this.#lists.move(this.#list(inboxKey), timeIn(before), timeIn(after))
  }
}
