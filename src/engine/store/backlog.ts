import type Database from 'better-sqlite3'

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
  /** How many there are of an inbox since a time in milliseconds. Kept, so that asking costs nothing. */
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
  /** A thread's row is written; `before` is null for a new one. */
  readonly note: (inboxKey: number, before: Completeness | null, after: Completeness) => void
  /** Forgets the counts: a transaction around the writes was taken back. */
  readonly recount: () => void
}

const isLacking = ({ receivedAt, emailsAt, onServer }: Completeness): boolean => onServer && emailsAt !== receivedAt

export const createBacklog = (database: Database.Database): Backlog => {
  // The condition of the partial index `threads_lacking_emails`.
  const LACKING = 'threads.on_server = 1 AND (emails_at IS NULL OR emails_at <> received_at)'
  const countBetween = database
    .prepare<[number, number, number], number>(
      `SELECT count(*) FROM threads WHERE inbox_key = ? AND ${LACKING} AND received_at >= ? AND received_at < ?`,
    )
    .pluck()
  const select = database.prepare<[number, number, number, number, number, number], ThreadToRead>(
    `SELECT threads.key, inbox_key AS inboxKey, inboxes.id AS inboxId, threads.id AS threadId, received_at AS receivedAt
     FROM threads JOIN inboxes ON inboxes.key = inbox_key
     WHERE inbox_key = ? AND ${LACKING} AND received_at >= ?
       AND received_at <= ? AND (received_at < ? OR threads.key > ?)
     ORDER BY received_at DESC, threads.key LIMIT ?`,
  )
  const counts = new Map<number, { readonly since: number; readonly count: number }>()
  const between = (inboxKey: number, from: number, to: number): number => countBetween.get(inboxKey, from, to) ?? 0

  return {
    count: (inboxKey, since) => {
      const known = counts.get(inboxKey)
      if (known?.since === since) return known.count
      const count =
        known === undefined
          ? between(inboxKey, since, Number.MAX_SAFE_INTEGER)
          : since > known.since
            ? known.count - between(inboxKey, known.since, since)
            : known.count + between(inboxKey, since, known.since)
      counts.set(inboxKey, { since, count })
      return count
    },
    page: (inboxKey, since, below, limit) => {
      const upTo = below?.receivedAt ?? Number.MAX_SAFE_INTEGER
      return select.all(inboxKey, since, upTo, upTo, below?.key ?? -1, limit)
    },
    note: (inboxKey, before, after) => {
      const known = counts.get(inboxKey)
      if (known === undefined) return
      const counted = (thread: Completeness | null): number =>
        Number(thread !== null && isLacking(thread) && thread.receivedAt >= known.since)
      const difference = counted(after) - counted(before)
      if (difference !== 0) counts.set(inboxKey, { ...known, count: known.count + difference })
    },
    recount: () => counts.clear(),
  }
}
