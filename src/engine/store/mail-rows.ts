import type Database from 'better-sqlite3'
import { PAYLOAD_JSON_SQL } from './checksummed-payload.ts'

/** An e-mail's row, with the fields that show which message it is a copy of. */
export interface MailRow {
  readonly key: number
  readonly id: string
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly messageId: string | null
  readonly from: string | null
  readonly subject: string | null
}

export interface MailThreadRef {
  readonly key: number
  readonly id: string
  readonly inboxId: string
  readonly inboxKey: number
}

/** SQL for a field of a row's payload; null unless it is a string, because the payload may contain any type. */
const payloadField = (field: string): string =>
  `CASE WHEN json_valid(${PAYLOAD_JSON_SQL}) THEN CASE json_type(${PAYLOAD_JSON_SQL}, '$.${field}')
     WHEN 'text' THEN json_extract(${PAYLOAD_JSON_SQL}, '$.${field}') END END`
const NAMES = `${payloadField('message_id')} AS messageId, ${payloadField('"from"')} AS "from", ${payloadField('subject')} AS subject`

const THREADS =
  'threads.key, threads.id, inboxes.id AS inboxId, inbox_key AS inboxKey FROM threads JOIN inboxes ON inboxes.key = inbox_key'

/** All mail in the cache, in any list, whether or not the platform still has it. */
export const createMailRows = (database: Database.Database) => {
  const accountEmails = (table: string): Database.Statement<[number, number], MailRow> =>
    database.prepare(`SELECT key, id, created_at AS at, ${NAMES} FROM ${table} WHERE key > ? ORDER BY key LIMIT ?`)
  const threads = database.prepare<[], MailThreadRef>(`SELECT ${THREADS} ORDER BY threads.key`)
  const thread = database.prepare<[number, string], MailThreadRef>(
    `SELECT ${THREADS} WHERE inbox_key = ? AND threads.id = ?`,
  )
  const emails = database.prepare<[number], MailRow>(
    `SELECT key, id, received_at AS at, ${NAMES} FROM emails WHERE thread_key = ? ORDER BY received_at, key`,
  )
  const lists = { received: accountEmails('received_emails'), sent: accountEmails('sent_emails') }
  return {
    threads: (): readonly MailThreadRef[] => threads.all(),
    thread: (inboxKey: number, threadId: string): MailThreadRef | undefined => thread.get(inboxKey, threadId),
    emailsOf: (threadKey: number): readonly MailRow[] => emails.all(threadKey),
    accountEmails: (list: 'received' | 'sent', afterKey: number, limit: number): readonly MailRow[] =>
      lists[list].all(afterKey, limit),
  }
}
