import type Database from 'better-sqlite3'

/** Rows read per step. A step takes a millisecond or two. */
const ROWS_PER_STEP = 1_000

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

/** Reads all threads, and the times of their e-mails, in steps. */
export const createAnsweredThreads = (database: Database.Database) => {
  // Excludes the account's own lists, whose keys are negative.
  const threads = database.prepare<[number], IndexedThread>(
    `SELECT thread_key AS threadKey, inbox_key AS inboxKey, folder FROM search_threads
     WHERE thread_key > ? ORDER BY thread_key LIMIT ${ROWS_PER_STEP}`,
  )
  const emails = database.prepare<[number], IndexedEmail>(
    `SELECT document, thread_key AS threadKey, received_at AS receivedAt, is_outbound AS isOutbound FROM search_documents
     WHERE document > ? ORDER BY document LIMIT ${ROWS_PER_STEP}`,
  )
  const threadId = database.prepare<[number], string>('SELECT id FROM threads WHERE key = ?').pluck()
  return {
    /** @param after key of the last thread of the previous step, or 0 @returns an empty list at the end */
    threadsAfter: (after: number): readonly IndexedThread[] => threads.all(after),
    /** @param after number of the last document of the previous step, or the smallest number */
    emailsAfter: (after: number): readonly IndexedEmail[] => emails.all(after),
    idOf: (threadKey: number): string | undefined => threadId.get(threadKey),
  }
}
