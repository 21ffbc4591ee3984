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

/** A message that was sent from this computer: a person hears of it where it comes to nothing. */
export interface FollowedDelivery extends KeptDelivery {
  readonly sentAt: number
  readonly inboxId: string
  /** Null where it is not known. */
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

const toKept = (row: Row): KeptDelivery => ({
  sentId: row.sent_id,
  lastEvent: row.last_event,
  learnedAt: row.learned_at,
  confirmedAt: row.confirmed_at,
})

const prepareStatements = (database: Database.Database) => ({
  select: database.prepare<[string], Row>('SELECT * FROM deliveries WHERE sent_id = ?'),
  hear: database.prepare<[string, string | null, number, number]>(
    `INSERT INTO deliveries (sent_id, last_event, learned_at, confirmed_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (sent_id) DO UPDATE SET
       learned_at = iif(last_event IS excluded.last_event AND learned_at IS NOT NULL, learned_at, excluded.learned_at),
       last_event = excluded.last_event, confirmed_at = excluded.confirmed_at`,
  ),
  follow: database.prepare<[string, number, string, string | null]>(
    `INSERT INTO deliveries (sent_id, sent_at, inbox_id, thread_id) VALUES (?, ?, ?, ?)
     ON CONFLICT (sent_id) DO UPDATE
     SET sent_at = coalesce(sent_at, excluded.sent_at), inbox_id = excluded.inbox_id, thread_id = excluded.thread_id`,
  ),
  followed: database.prepare<[number], Row>(
    'SELECT * FROM deliveries WHERE sent_at IS NOT NULL AND is_told = 0 AND sent_at >= ? ORDER BY sent_at',
  ),
  isFromHere: database
    .prepare<[string], number>('SELECT 1 FROM deliveries WHERE sent_id = ? AND sent_at IS NOT NULL')
    .pluck(),
  markTold: database.prepare<[string]>('UPDATE deliveries SET is_told = 1 WHERE sent_id = ?'),
})

/** What became of the account's sent e-mails, and when that was heard. */
export class DeliveryStore {
  readonly #sql: ReturnType<typeof prepareStatements>

  constructor(database: Database.Database) {
    this.#sql = prepareStatements(database)
  }

  get(sentId: string): KeptDelivery | undefined {
    const row = this.#sql.select.get(sentId)
    return row === undefined ? undefined : toKept(row)
  }

  /**
   * Notes what the platform says of an e-mail, within the write of it.
   * @param at when it said so
   */
  hear(sentId: string, lastEvent: string | null, at: number): void {
    this.#sql.hear.run(sentId, lastEvent, at, at)
  }

  /** Notes that a message was sent from here; again changes nothing. */
  follow({
    sentId,
    sentAt,
    inboxId,
    threadId,
  }: Omit<FollowedDelivery, 'lastEvent' | 'learnedAt' | 'confirmedAt'>): void {
    this.#sql.follow.run(sentId, sentAt, inboxId, threadId)
  }

  isFromHere(sentId: string): boolean {
    return this.#sql.isFromHere.get(sentId) !== undefined
  }

  /** Those that were sent from here since a time and that a person has not heard of, oldest first. */
  followed(since: number): readonly FollowedDelivery[] {
    return this.#sql.followed
      .all(since)
      .flatMap((row) =>
        row.sent_at === null || row.inbox_id === null
          ? []
          : [{ ...toKept(row), sentAt: row.sent_at, inboxId: row.inbox_id, threadId: row.thread_id }],
      )
  }

  /** The person has heard what became of one. */
  told(sentId: string): void {
    this.#sql.markTold.run(sentId)
  }
}
