import type Database from 'better-sqlite3'
import { lacksEmails } from './schema.ts'

/** A thread whose e-mails aren't all cached. */
export interface IncompleteThread {
  readonly key: number
  readonly inboxKey: number
  readonly inboxId: string
  readonly threadId: string
  /** E-mails up to this activity time will be fetched next. */
  readonly receivedAt: number
}

/** Threads whose e-mails still have to be fetched. */
export class Backlog {
  readonly #countAll: Database.Statement<[number], number>
  readonly #countSince: Database.Statement<[number, number], number>
  readonly #select: Database.Statement<[number, number, number, number, number, number], IncompleteThread>

  constructor(database: Database.Database) {
    this.#countAll = database
      .prepare<[number], number>('SELECT sum(threads) FROM thread_counts WHERE inbox_key = ? AND lacks_emails = 1')
      .pluck()
    this.#countSince = database
      .prepare<[number, number], number>(
        `SELECT count(*) FROM threads WHERE inbox_key = ? AND ${lacksEmails('threads.')} AND received_at >= ?`,
      )
      .pluck()
    this.#select = database.prepare(
      `SELECT threads.key, inbox_key AS inboxKey, inboxes.id AS inboxId, threads.id AS threadId, received_at AS receivedAt
       FROM threads JOIN inboxes ON inboxes.key = inbox_key
       WHERE inbox_key = ? AND ${lacksEmails('threads.')} AND received_at >= ?
         AND received_at <= ? AND (received_at < ? OR threads.key > ?)
       ORDER BY received_at DESC, threads.key LIMIT ?`,
    )
  }

  /**
   * Number of an inbox's threads since a time, in milliseconds. Counting from the beginning
   * (`Number.MIN_SAFE_INTEGER`) takes no longer in a large inbox.
   */
  count(inboxKey: number, since: number): number {
    return (
      (since === Number.MIN_SAFE_INTEGER ? this.#countAll.get(inboxKey) : this.#countSince.get(inboxKey, since)) ?? 0
    )
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
}
