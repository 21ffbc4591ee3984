import type Database from 'better-sqlite3'
import type { EmailSource, PreparedEmail, WrittenDocument } from './index-writer.ts'
import type { SearchableEmail } from './searchable-email.ts'

/** E-mails of one thread that wait to be indexed, and what is to be written of them. */
export interface PreparedThread {
  readonly threadKey: number
  readonly emails: readonly PreparedEmail[]
  /** Whether these are all that it has left; a thread of very many is prepared in several parts. */
  readonly isWhole: boolean
}

/** Where preparing goes on. */
interface Place {
  readonly threadKey: number
  readonly place: number
  /** The key of its last e-mail that was prepared; null where all are. */
  readonly after: number | null
}

/** What writing a row takes, in characters of a text. */
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
 * Threads of an older file that wait to be indexed, newest first. FTS5 writes all that a transaction has as a segment of its
 * own, and each segment costs merges: so e-mails are read and taken apart in some steps, and written together in the next.
 * What is prepared is in memory alone, and forgotten as soon as anything in the index changes.
 */
export class WaitingMail {
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

  /** Characters of all that is to be written, its rows counted as some. */
  get weight(): number {
    return this.#weight
  }

  get isEmpty(): boolean {
    return this.#prepared.length === 0
  }

  /** Prepares e-mails of the next thread. @returns whether there were any to do, or a thread without any */
  prepare(limit: number): boolean {
    const last = this.#last
    const isBegun = last !== null && last.after !== null
    const thread = isBegun ? last : this.#sql.next.get(last?.place ?? Number.MIN_SAFE_INTEGER)
    if (thread === undefined) {
      // One that waits all the same is before it by now.
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

  /** Gives out what is prepared, to be written now. */
  take(): readonly PreparedThread[] {
    const taken = this.#prepared
    this.#prepared = []
    this.#weight = 0
    return taken
  }

  /** Something may be another by now, or was not written: all that is not indexed is prepared anew. */
  forget(): void {
    this.take()
    this.#last = null
  }
}
