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
export const createBacklog = (database: Database.Database) => {
  const countAll = database
    .prepare<[number], number>('SELECT sum(threads) FROM thread_counts WHERE inbox_key = ? AND lacks_emails = 1')
    .pluck()
  const countSince = database
    .prepare<[number, number], number>(
      `SELECT count(*) FROM threads WHERE inbox_key = ? AND ${lacksEmails('threads.')} AND received_at >= ?`,
    )
    .pluck()
  const select = database.prepare<[number, number, number, number, number, number], IncompleteThread>(
    `SELECT threads.key, inbox_key AS inboxKey, inboxes.id AS inboxId, threads.id AS threadId, received_at AS receivedAt
     FROM threads JOIN inboxes ON inboxes.key = inbox_key
     WHERE inbox_key = ? AND ${lacksEmails('threads.')} AND received_at >= ?
       AND received_at <= ? AND (received_at < ? OR threads.key > ?)
     ORDER BY received_at DESC, threads.key LIMIT ?`,
  )
  return {
    /**
     * Number of an inbox's threads since a time, in milliseconds. Counting from the beginning
     * (`Number.MIN_SAFE_INTEGER`) takes no longer in a large inbox.
     */
    count: (inboxKey: number, since: number): number =>
      (since === Number.MIN_SAFE_INTEGER ? countAll.get(inboxKey) : countSince.get(inboxKey, since)) ?? 0,
    /** Threads, newest first. @param below thread to continue after */
    page: (
      inboxKey: number,
      since: number,
      below: Pick<IncompleteThread, 'key' | 'receivedAt'> | null,
      limit: number,
    ): readonly IncompleteThread[] => {
      const upTo = below?.receivedAt ?? Number.MAX_SAFE_INTEGER
      return select.all(inboxKey, since, upTo, upTo, below?.key ?? -1, limit)
    },
  }
}

export type Backlog = ReturnType<typeof createBacklog>
