import type Database from 'better-sqlite3'
import { IN_EMAIL_WORDS } from '../api/thread-emails.ts'
import type { InboxRef } from './inboxes.ts'
import { bareMessageId, isSameMessage } from './same-message.ts'
import { JSON_OF_WORDS } from './sealed-words.ts'

/** An e-mail of one of the account's own lists, as far as it names a message. */
export interface ListedMessage {
  readonly id: string
  readonly from: string
  readonly subject: string | null
  /** Null where the list does not say it. */
  readonly messageId: string | null
}

/** Where an e-mail stands in a thread, under the ID that it has there. */
export interface FoundInThread {
  readonly inbox: InboxRef
  readonly threadId: string
  readonly emailId: string
}

/** Anybody can write somebody else's Message-ID: so many e-mails of one are compared. */
const MOST_OF_A_NAME = 20

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
  `CASE WHEN json_valid(${JSON_OF_WORDS}) THEN json_extract(${JSON_OF_WORDS}, '${path}') END`

/** Finds the thread that holds an e-mail of the account's own lists. */
export class ThreadFinder {
  readonly #select: Database.Statement<[string, string, number], Row>

  constructor(database: Database.Database) {
    this.#select = database.prepare(
      `SELECT named.id AS emailId, inboxes.key AS inboxKey, inboxes.id AS inboxId, threads.id AS threadId,
         named."from", named.subject, named.direction
       FROM (
         SELECT id, thread_key, ${wordAt('$.from')} AS "from", ${wordAt('$.subject')} AS subject,
           ${wordAt(IN_EMAIL_WORDS.direction)} AS direction
         FROM emails WHERE key IN (
           SELECT row_key FROM keeping WHERE id = ? AND list = 2
           UNION SELECT email_key FROM message_names WHERE name = ?)
       ) AS named JOIN threads ON threads.key = thread_key JOIN inboxes ON inboxes.key = inbox_key
       ORDER BY threads.on_server DESC, inboxes.position LIMIT ?`,
    )
  }

  /**
   * By the same ID or the same Message-ID, and the same sender and subject. Of several threads one that the platform still has,
   * in the order of the inboxes.
   */
  threadOf(list: 'received' | 'sent', message: ListedMessage): FoundInThread | undefined {
    // One inbox may write to another: its copy is not the one that the other received.
    const other = list === 'received' ? 'outbound' : 'inbound'
    const row = this.#select
      .all(message.id, bareMessageId(message.messageId), MOST_OF_A_NAME)
      .find((each) => each.direction !== other && isSameMessage({ ...each, from: each.from ?? '' }, message))
    if (row === undefined) return undefined
    const { inboxKey, inboxId, threadId, emailId } = row
    return { inbox: { key: inboxKey, id: inboxId }, threadId, emailId }
  }
}
