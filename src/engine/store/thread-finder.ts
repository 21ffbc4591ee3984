import type Database from 'better-sqlite3'
import { EMAIL_PATHS } from '../api/thread-emails.ts'
import type { InboxRef } from './inboxes.ts'
import { bareMessageId, isSameMessage } from './same-message.ts'
import { JSON_OF_PAYLOAD } from './checksummed-payload.ts'

export interface ListedMessage {
  readonly id: string
  readonly from: string
  readonly subject: string | null
  /** Null if the list response didn't include it. */
  readonly messageId: string | null
}

export interface FoundInThread {
  readonly inbox: InboxRef
  readonly threadId: string
  readonly emailId: string
}

/** Maximum e-mails to compare per Message-ID: anyone can copy a Message-ID. */
const MAX_OF_A_NAME = 20

interface Row {
  readonly emailId: string
  readonly inboxKey: number
  readonly inboxId: string
  readonly threadId: string
  readonly from: string | null
  readonly subject: string | null
  readonly direction: string | null
}

const wordAt = (path: string): string =>
  `CASE WHEN json_valid(${JSON_OF_PAYLOAD}) THEN json_extract(${JSON_OF_PAYLOAD}, '${path}') END`

export class ThreadFinder {
  readonly #select: Database.Statement<[string, string, number], Row>

  constructor(database: Database.Database) {
    this.#select = database.prepare(
      `SELECT named.id AS emailId, inboxes.key AS inboxKey, inboxes.id AS inboxId, threads.id AS threadId,
         named."from", named.subject, named.direction
       FROM (
         SELECT id, thread_key, ${wordAt('$.from')} AS "from", ${wordAt('$.subject')} AS subject,
           ${wordAt(EMAIL_PATHS.direction)} AS direction
         FROM emails WHERE key IN (
           SELECT row_key FROM keeping WHERE id = ? AND list = 2
           UNION SELECT email_key FROM message_names WHERE name = ?)
       ) AS named JOIN threads ON threads.key = thread_key JOIN inboxes ON inboxes.key = inbox_key
       ORDER BY threads.on_server DESC, inboxes.position LIMIT ?`,
    )
  }

  /**
   * Finds a message by ID or Message-ID, plus sender and subject. Prefers threads that are still on the platform, then
   * the order of inboxes.
   */
  threadOf(list: 'received' | 'sent', message: ListedMessage): FoundInThread | undefined {
    // If one inbox writes to another, the sender's copy isn't the received e-mail.
    const other = list === 'received' ? 'outbound' : 'inbound'
    const row = this.#select
      .all(message.id, bareMessageId(message.messageId), MAX_OF_A_NAME)
      .find((each) => each.direction !== other && isSameMessage({ ...each, from: each.from ?? '' }, message))
    if (row === undefined) return undefined
    const { inboxKey, inboxId, threadId, emailId } = row
    return { inbox: { key: inboxKey, id: inboxId }, threadId, emailId }
  }
}
