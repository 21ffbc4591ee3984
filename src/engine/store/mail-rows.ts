import type Database from 'better-sqlite3'
import { JSON_OF_PAYLOAD } from './checksummed-payload.ts'

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

export interface ThreadOfAll {
  readonly key: number
  readonly id: string
  readonly inboxId: string
  readonly inboxKey: number
}

const said = (field: string): string =>
  `CASE WHEN json_valid(${JSON_OF_PAYLOAD}) THEN json_extract(${JSON_OF_PAYLOAD}, '$.${field}') END`
const NAMES = `${said('message_id')} AS messageId, ${said('"from"')} AS "from", ${said('subject')} AS subject`

interface Row extends Omit<MailRow, 'messageId' | 'from' | 'subject'> {
  readonly messageId: unknown
  readonly from: unknown
  readonly subject: unknown
}

/** The value if it is a string: the platform's payload may contain any type. */
const text = (value: unknown): string | null => (typeof value === 'string' ? value : null)
const toMailRow = ({ messageId, from, subject, ...row }: Row): MailRow => ({
  ...row,
  messageId: text(messageId),
  from: text(from),
  subject: text(subject),
})

const THREADS =
  'threads.key, threads.id, inboxes.id AS inboxId, inbox_key AS inboxKey FROM threads JOIN inboxes ON inboxes.key = inbox_key'

const prepareStatements = (database: Database.Database) => {
  const selectOf = (table: string): Database.Statement<[number, number], Row> =>
    database.prepare(`SELECT key, id, created_at AS at, ${NAMES} FROM ${table} WHERE key > ? ORDER BY key LIMIT ?`)
  return {
    threads: database.prepare<[number, number], ThreadOfAll>(
      `SELECT ${THREADS} WHERE threads.key > ? ORDER BY threads.key LIMIT ?`,
    ),
    thread: database.prepare<[number, string], ThreadOfAll>(`SELECT ${THREADS} WHERE inbox_key = ? AND threads.id = ?`),
    emails: database.prepare<[number], Row>(
      `SELECT key, id, received_at AS at, ${NAMES} FROM emails WHERE thread_key = ? ORDER BY received_at, key`,
    ),
    received: selectOf('received_emails'),
    sent: selectOf('sent_emails'),
  }
}

/** All mail in the cache, in any list, whether or not the platform still has it. Read in pages. */
export class MailRows {
  readonly #sql: ReturnType<typeof prepareStatements>

  constructor(database: Database.Database) {
    this.#sql = prepareStatements(database)
  }

  threads(afterKey: number, limit: number): readonly ThreadOfAll[] {
    return this.#sql.threads.all(afterKey, limit)
  }

  thread(inboxKey: number, threadId: string): ThreadOfAll | undefined {
    return this.#sql.thread.get(inboxKey, threadId)
  }

  emailsOf(threadKey: number): readonly MailRow[] {
    return this.#sql.emails.all(threadKey).map(toMailRow)
  }

  accountEmails(list: 'received' | 'sent', afterKey: number, limit: number): readonly MailRow[] {
    return this.#sql[list].all(afterKey, limit).map(toMailRow)
  }
}
