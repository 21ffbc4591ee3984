import type Database from 'better-sqlite3'
import { EMAIL_PATHS } from '../platform/resources/thread-emails.ts'
import type { InboxRef } from './inboxes.ts'
import { normalizeMessageId, isSameMessage } from './same-message.ts'
import { payloadTextSql } from './checksummed-payload.ts'

export interface ListedMessage {
  readonly id: string
  readonly from: string
  readonly subject: string | null
  /** Null if the list response didn't include it. */
  readonly messageId: string | null
}

export interface ThreadEmailMatch {
  readonly inbox: InboxRef
  readonly threadId: string
  readonly emailId: string
}

/** Maximum e-mails to compare per Message-ID: anyone can copy a Message-ID. */
const MAX_PER_MESSAGE_ID = 20

interface Row {
  readonly emailId: string
  readonly inboxKey: number
  readonly inboxId: string
  readonly threadId: string
  readonly from: string | null
  readonly subject: string | null
  readonly direction: string | null
}

export const createThreadFinder = (database: Database.Database) => {
  const select = database.prepare<[string, string, number], Row>(
    `SELECT named.id AS emailId, inboxes.key AS inboxKey, inboxes.id AS inboxId, threads.id AS threadId,
       named."from", named.subject, named.direction
     FROM (
       SELECT id, thread_key, ${payloadTextSql('$.from')} AS "from", ${payloadTextSql('$.subject')} AS subject,
         ${payloadTextSql(EMAIL_PATHS.direction)} AS direction
       FROM emails WHERE key IN (
         SELECT row_key FROM prefetch_queue WHERE id = ? AND list = 2
         UNION SELECT key FROM emails WHERE message_id = ?)
     ) AS named JOIN threads ON threads.key = thread_key JOIN inboxes ON inboxes.key = inbox_key
     ORDER BY threads.on_server DESC, inboxes.position LIMIT ?`,
  )
  return {
    /**
     * Finds a message by ID or Message-ID, plus sender and subject. Prefers threads that are still on the platform, then
     * the order of inboxes.
     */
    threadOf: (list: 'received' | 'sent', message: ListedMessage): ThreadEmailMatch | undefined => {
      // If one inbox writes to another, the sender's copy isn't the received e-mail.
      const other = list === 'received' ? 'outbound' : 'inbound'
      const row = select
        .all(message.id, normalizeMessageId(message.messageId), MAX_PER_MESSAGE_ID)
        .find((each) => each.direction !== other && isSameMessage({ ...each, from: each.from ?? '' }, message))
      if (row === undefined) return undefined
      const { inboxKey, inboxId, threadId, emailId } = row
      return { inbox: { key: inboxKey, id: inboxId }, threadId, emailId }
    },
  }
}
