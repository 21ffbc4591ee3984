import type Database from 'better-sqlite3'

/** What is known of what became of a sent e-mail. Times are milliseconds since the epoch. */
export interface KeptDelivery {
  /** The ID that it has among the account's sent e-mails. */
  readonly sentId: string
  /** In the platform's words; null where nothing has been heard of it yet. */
  readonly lastEvent: string | null
  /** When that was first heard; null where nothing has been. */
  readonly learnedAt: number | null
  /** When it was last heard again. */
  readonly confirmedAt: number | null
}

/** A message that was sent from this computer, and of which a person is told where it comes to nothing. */
export interface FollowedDelivery extends KeptDelivery {
  readonly sentAt: number
  readonly inboxId: string
  /** Null where it is not known. */
  readonly threadId: string | null
}

/** What became of the account's sent e-mails, and when that was heard. */
export interface DeliveryStore {
  readonly get: (sentId: string) => KeptDelivery | undefined
  /**
   * Notes what the platform says of an e-mail, within the write of it.
   * @param at when it said so
   */
  readonly hear: (sentId: string, lastEvent: string | null, at: number) => void
  /** Notes that a message was sent from here; again changes nothing. */
  readonly follow: (message: {
    readonly sentId: string
    readonly sentAt: number
    readonly inboxId: string
    readonly threadId: string | null
  }) => void
  /** Those that were sent from here since a time and of which nothing was told, oldest first. */
  readonly followed: (since: number) => readonly FollowedDelivery[]
  /** The person was told what became of one. */
  readonly told: (sentId: string) => void
}

interface Row {
  readonly sent_id: string
  readonly last_event: string | null
  readonly learned_at: number | null
  readonly confirmed_at: number | null
  readonly sent_at: number | null
  readonly inbox_id: string | null
  readonly thread_id: string | null
}

const toKept = (row: Row): KeptDelivery => ({
  sentId: row.sent_id,
  lastEvent: row.last_event,
  learnedAt: row.learned_at,
  confirmedAt: row.confirmed_at,
})

export const createDeliveryStore = (database: Database.Database): DeliveryStore => {
  const select = database.prepare<[string], Row>('SELECT * FROM deliveries WHERE sent_id = ?')
  const hear = database.prepare<[string, string | null, number, number]>(
    `INSERT INTO deliveries (sent_id, last_event, learned_at, confirmed_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (sent_id) DO UPDATE SET
       learned_at = iif(last_event IS excluded.last_event AND learned_at IS NOT NULL, learned_at, excluded.learned_at),
       last_event = excluded.last_event, confirmed_at = excluded.confirmed_at`,
  )
  const follow = database.prepare<[string, number, string, string | null]>(
    `INSERT INTO deliveries (sent_id, sent_at, inbox_id, thread_id) VALUES (?, ?, ?, ?)
     ON CONFLICT (sent_id) DO UPDATE
     SET sent_at = coalesce(sent_at, excluded.sent_at), inbox_id = excluded.inbox_id, thread_id = excluded.thread_id`,
  )
  const selectFollowed = database.prepare<[number], Row>(
    'SELECT * FROM deliveries WHERE sent_at IS NOT NULL AND is_told = 0 AND sent_at >= ? ORDER BY sent_at',
  )
  const markTold = database.prepare<[string]>('UPDATE deliveries SET is_told = 1 WHERE sent_id = ?')

  return {
    get: (sentId) => {
      const row = select.get(sentId)
      return row === undefined ? undefined : toKept(row)
    },
    hear: (sentId, lastEvent, at) => {
      hear.run(sentId, lastEvent, at, at)
    },
    follow: ({ sentId, sentAt, inboxId, threadId }) => {
      follow.run(sentId, sentAt, inboxId, threadId)
    },
    followed: (since) =>
      selectFollowed
        .all(since)
        .flatMap((row) =>
          row.sent_at === null || row.inbox_id === null
            ? []
            : [{ ...toKept(row), sentAt: row.sent_at, inboxId: row.inbox_id, threadId: row.thread_id }],
        ),
    told: (sentId) => {
      markTold.run(sentId)
    },
  }
}
