import type Database from 'better-sqlite3'

/** Delivery state of a sent e-mail. Times are in milliseconds since the epoch. */
export interface StoredDelivery {
  /** The e-mail's ID in the account's list of sent e-mails. */
  readonly sentId: string
  /** The platform's event name; null if none has been received yet. */
  readonly lastEvent: string | null
  /** Time at which this event was first received; null if none was. */
  readonly learnedAt: number | null
  /** Time at which this event was last confirmed. */
  readonly confirmedAt: number | null
}

/** A message sent from this computer. If its delivery fails, the user is notified. */
export interface TrackedDelivery extends StoredDelivery {
  readonly sentAt: number
  readonly inboxId: string
  readonly threadId: string | null
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

const toKept = (row: Row): StoredDelivery => ({
  sentId: row.sent_id,
  lastEvent: row.last_event,
  learnedAt: row.learned_at,
  confirmedAt: row.confirmed_at,
})

export const createDeliveryStore = (database: Database.Database) => {
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
  const followed = database.prepare<[number], Row & { readonly sent_at: number; readonly inbox_id: string }>(
    `SELECT * FROM deliveries
     WHERE sent_at IS NOT NULL AND inbox_id IS NOT NULL AND is_notified = 0 AND sent_at >= ? ORDER BY sent_at`,
  )
  const fromHere = database.prepare<[string]>('SELECT 1 FROM deliveries WHERE sent_id = ? AND sent_at IS NOT NULL')
  const markTold = database.prepare<[string]>('UPDATE deliveries SET is_notified = 1 WHERE sent_id = ?')
  return {
    get: (sentId: string): StoredDelivery | undefined => {
      const row = select.get(sentId)
      return row === undefined ? undefined : toKept(row)
    },
    /** Records an event. Call within the transaction that writes the e-mail. @param at time of the response */
    hear: (sentId: string, lastEvent: string | null, at: number): void => void hear.run(sentId, lastEvent, at, at),
    /** Records a message sent from this computer. Repeated calls keep the first time. */
    follow: ({
      sentId,
      sentAt,
      inboxId,
      threadId,
    }: Omit<TrackedDelivery, keyof Omit<StoredDelivery, 'sentId'>>): void =>
      void follow.run(sentId, sentAt, inboxId, threadId),
    isFromHere: (sentId: string): boolean => fromHere.get(sentId) !== undefined,
    /** Messages sent from this computer since a time, oldest first, unless the user has been notified. */
    followed: (since: number): readonly TrackedDelivery[] =>
      followed
        .all(since)
        .map((row) => ({ ...toKept(row), sentAt: row.sent_at, inboxId: row.inbox_id, threadId: row.thread_id })),
    told: (sentId: string): void => void markTold.run(sentId),
  }
}

export type DeliveryStore = ReturnType<typeof createDeliveryStore>
