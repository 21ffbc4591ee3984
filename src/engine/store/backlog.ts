import type Database from 'better-sqlite3'
import { createListRefFactory, type ListIndex } from './list-index.ts'

/** A thread whose e-mails aren't all cached. */
export interface IncompleteThread {
  readonly key: number
  readonly inboxKey: number
  readonly inboxId: string
  readonly threadId: string
  /** E-mails up to this activity time will be fetched next. */
  readonly receivedAt: number
}

/** Fields that determine whether a thread's e-mails still have to be fetched. */
export interface Completeness {
  readonly receivedAt: number
  /** The thread's e-mails up to this activity time are stored; null if none are. */
  readonly emailsAt: number | null
  readonly onServer: boolean
}

const isLacking = ({ receivedAt, emailsAt, onServer }: Completeness): boolean => onServer && emailsAt !== receivedAt

const timeIn = (thread: Completeness | null): number | null =>
  thread !== null && isLacking(thread) ? thread.receivedAt : null

// Must match the condition of the partial index `threads_lacking_emails`.
const LACKING = 'threads.on_server = 1 AND (emails_at IS NULL OR emails_at <> received_at)'

/** Threads whose e-mails still have to be fetched, with a running count. */
export class Backlog {
  readonly #lists: Pick<ListIndex, 'countSince' | 'move'>
  readonly #select: Database.Statement<[number, number, number, number, number, number], IncompleteThread>
  readonly #list = createListRefFactory('lacking')

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

  /** Number of an inbox's threads since a time, in milliseconds. Reads a running count, so it is cheap. */
  count(inboxKey: number, since: number): number {
    return this.#lists.countSince(this.#list(inboxKey), since)
  }

  /** Threads, newest first. @param below thread to continue after */
  page(
    inboxKey: number,
    since: number,
    below: Pick<IncompleteThread, 'key' | 'receivedAt'> | null,
    limit: number,
  ): readonly IncompleteThread[] {
    const upTo = below?.receivedAt ?? Number.MAX_SAFE_INTEGER
    return this.#select.all(inboxKey, since, upTo, upTo, below?.key ?? -1, limit)
  }

  /** Call within a list index transaction whenever a thread's row is written. @param before null for a new thread */
  note(inboxKey: number, before: Completeness | null, after: Completeness): void {
    this.#lists.move(this.#list(inboxKey), timeIn(before), timeIn(after))
  }
}
