import type Database from 'better-sqlite3'
import { payloadTextSql } from './checksummed-payload.ts'

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

const NAMES = `message_id AS messageId, ${payloadTextSql('$.from')} AS "from", ${payloadTextSql('$.subject')} AS subject`

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
