import type Database from 'better-sqlite3'
import type { EmailSource, PreparedEmail, WrittenDocument } from './index-writer.ts'
import type { SearchableEmail } from './searchable-email.ts'

/** A batch of one thread's unindexed e-mails, with the text to write for each. */
export interface PreparedThread {
  readonly threadKey: number
  readonly emails: readonly PreparedEmail[]
  /** True if this is the thread's last batch; very long threads take several. */
  readonly isWhole: boolean
}

/** Position at which the next `prepare` continues. */
interface Place {
  readonly threadKey: number
  readonly place: number
  /** Key of the thread's last prepared e-mail, or null if all its e-mails are prepared. */
  readonly after: number | null
}

/** Cost of writing a row, in characters of text. */
const ROW_WEIGHT = 200

const prepareStatements = (database: Database.Database) => ({
  next: database.prepare<[number], Omit<Place, 'after'>>(
    'SELECT thread_key AS threadKey, place FROM search_threads WHERE indexed = 0 AND place > ? ORDER BY place LIMIT 1',
  ),
  hasDocuments: database
    .prepare<[number], number>(
      `SELECT EXISTS (SELECT 1 FROM search_documents
         WHERE document >= documents_from AND document < documents_from + iif(documents_from < 0, 32768, room))
       FROM search_threads WHERE thread_key = ?`,
    )
    .pluck(),
  isIndexed: database.prepare<[number], number>('SELECT 1 FROM search_documents WHERE email_key = ?').pluck(),
})

/**
 * Unindexed threads from a cache file of an older version, newest first. FTS5 writes each transaction as its own
 * segment, and segments must be merged later. Most steps therefore only read and parse e-mails, which a later step
 * writes together. Prepared e-mails stay in memory and are discarded if the index changes.
 */
export class UnindexedMail {
  readonly #sql: ReturnType<typeof prepareStatements>
  readonly #source: EmailSource
  readonly #compose: (email: SearchableEmail) => WrittenDocument
  #prepared: PreparedThread[] = []
  #last: Place | null = null
  #weight = 0

  constructor(database: Database.Database, source: EmailSource, compose: (email: SearchableEmail) => WrittenDocument) {
    this.#sql = prepareStatements(database)
    this.#source = source
    this.#compose = compose
  }

  /** Size of the pending write, in characters, including a fixed cost per row. */
  get weight(): number {
    return this.#weight
  }

  get isEmpty(): boolean {
    return this.#prepared.length === 0
  }

  /** Prepares e-mails of the next thread. @param limit maximum number of e-mails @returns false if no thread is left */
  prepare(limit: number): boolean {
    const last = this.#last
    const isBegun = last !== null && last.after !== null
    const thread = isBegun ? last : this.#sql.next.get(last?.place ?? Number.MIN_SAFE_INTEGER)
    if (thread === undefined) {
      // Threads that are still unindexed have moved ahead of this position, so start again.
      this.#last = null
      return last !== null && this.isEmpty && this.prepare(limit)
    }
    const { threadKey, place } = thread
    const rows = this.#source.ofThread(threadKey, isBegun ? last.after : 0, limit)
    const areSomeIndexed = this.#sql.hasDocuments.get(threadKey) === 1
    const emails: PreparedEmail[] = []
    for (const { key, read } of rows) {
      const email = areSomeIndexed && this.#sql.isIndexed.get(key) === 1 ? undefined : read()
      if (email === undefined) continue
      const { receivedAt, isOutbound } = email
      const written = this.#compose(email)
      emails.push({ emailKey: key, receivedAt, isOutbound, written })
      this.#weight += written.words.length
    }
    const isWhole = rows.length < limit
    this.#weight += ROW_WEIGHT * (1 + emails.length)
    this.#prepared.push({ threadKey, emails, isWhole })
    this.#last = { threadKey, place, after: isWhole ? null : (rows.at(-1)?.key ?? null) }
    return true
  }

  take(): readonly PreparedThread[] {
    const taken = this.#prepared
    this.#prepared = []
    this.#weight = 0
    return taken
  }

  /** Discards the prepared e-mails, because they may be outdated or a write failed. They will be prepared again. */
  forget(): void {
    this.take()
    this.#last = null
  }
}
