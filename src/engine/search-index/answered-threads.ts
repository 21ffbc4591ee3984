import type Database from 'better-sqlite3'

/** Rows of one step: a millisecond or two. */
const AT_ONCE = 1_000

/** A thread of an inbox, outside of spam and trash. */
interface IndexedThread {
  readonly threadKey: number
  readonly inboxKey: number
  readonly folder: string
}

interface IndexedEmail {
  readonly document: number
  readonly threadKey: number
  readonly receivedAt: number
  readonly isOutbound: number
}

const prepareStatements = (database: Database.Database) => ({
  // Those of the account's own lists are below zero.
  threads: database.prepare<[number], IndexedThread>(
    `SELECT thread_key AS threadKey, inbox_key AS inboxKey, folder FROM search_threads
     WHERE thread_key > ? ORDER BY thread_key LIMIT ${AT_ONCE}`,
  ),
  emails: database.prepare<[number], IndexedEmail>(
    `SELECT document, thread_key AS threadKey, received_at AS receivedAt, is_outbound AS isOutbound FROM search_documents
     WHERE document > ? ORDER BY document LIMIT ${AT_ONCE}`,
  ),
  threadId: database.prepare<[number], string>('SELECT id FROM threads WHERE key = ?').pluck(),
})

/** Goes through all threads and the times of their e-mails, which the index has without their words, some at a time. */
export class AnsweredThreads {
  readonly #sql: ReturnType<typeof prepareStatements>

  constructor(database: Database.Database) {
    this.#sql = prepareStatements(database)
  }

  /** @param after the last thread of the step before; 0 for the first. None are left where none are given */
  threadsAfter(after: number): readonly IndexedThread[] {
    return this.#sql.threads.all(after)
  }

  /** @param after the last document of the step before; the least number for the first */
  emailsAfter(after: number): readonly IndexedEmail[] {
    return this.#sql.emails.all(after)
  }

  idOf(threadKey: number): string | undefined {
    return this.#sql.threadId.get(threadKey)
  }
}
