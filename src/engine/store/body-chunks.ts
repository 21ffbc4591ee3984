import type Database from 'better-sqlite3'
import type { FetchedEmail } from '../platform/resources/thread-emails.ts'

type EmailPath = readonly [inboxId: string, threadId: string, emailId: string]

/** Prefix of all names below a place. JSON escapes quotes, so IDs can't make it ambiguous. */
const prefixOf = (place: readonly string[]): string => `${JSON.stringify(place).slice(0, -1)},`
/** Upper bound of a prefix search: sorts after the quote that follows the prefix in every name. */
const END = '~'

/**
 * Name of a body stored separately. It includes the e-mail, so that unreferenced bodies can be found. @param hash hash
 * of the text
 */
export const nameBody = (place: EmailPath, field: 'html' | 'text', hash: string): string =>
  `${prefixOf(place)}${JSON.stringify([field, hash]).slice(1)}`

const prepareStatements = (database: Database.Database) => ({
  insert: database.prepare<[string, number, string]>(
    'INSERT OR IGNORE INTO body_pieces (name, place, text) VALUES (?, ?, ?)',
  ),
  count: database.prepare<[string], number>('SELECT count(*) FROM body_pieces WHERE name = ?').pluck(),
  piece: database
    .prepare<[string, number], string>('SELECT text FROM body_pieces WHERE name = ? AND place = ?')
    .pluck(),
  names: database
    .prepare<[string, string], string>('SELECT DISTINCT name FROM body_pieces WHERE name > ? AND name < ?')
    .pluck(),
  unknown: database
    .prepare<[string, string, number], string>(
      `SELECT DISTINCT name FROM body_pieces WHERE name > ? AND name < ?
       AND json_extract(name, '$[2]') NOT IN (SELECT id FROM emails WHERE thread_key = ?)`,
    )
    .pluck(),
  remove: database.prepare<[string]>('DELETE FROM body_pieces WHERE name = ?'),
})

/** Large bodies, stored in pieces outside their e-mails. */
export class BodyChunkStore {
  readonly #sql: ReturnType<typeof prepareStatements>
  /**
   * Names of bodies being written that no e-mail refers to yet. A concurrent fetch of the thread must not remove them.
   */
  readonly #unreferencedNames = new Set<string>()

  constructor(database: Database.Database) {
    this.#sql = prepareStatements(database)
  }

  store(name: string, place: number, text: string): void {
    this.#unreferencedNames.add(name)
    this.#sql.insert.run(name, place, text)
  }

  count(name: string): number {
    return this.#sql.count.get(name) ?? 0
  }

  /** A piece of a body, counted from 0; undefined after the last piece. */
  piece(name: string, place: number): string | undefined {
    return this.#sql.piece.get(name, place)
  }

  /** Removes an e-mail's bodies, except for those that it refers to now. Without an e-mail, removes all of them. */
  settle(place: EmailPath, email?: Pick<FetchedEmail, 'bodyPieceNames'>): void {
    const beginning = prefixOf(place)
    const kept = [email?.bodyPieceNames.html, email?.bodyPieceNames.text]
    for (const name of kept) if (typeof name === 'string') this.#unreferencedNames.delete(name)
    this.#removeExcept(this.#sql.names.all(beginning, beginning + END), kept)
  }

  removeThread(inboxId: string, threadId: string): void {
    const beginning = prefixOf([inboxId, threadId])
    for (const name of this.#sql.names.all(beginning, beginning + END)) {
      this.#unreferencedNames.delete(name)
      this.#sql.remove.run(name)
    }
  }

  /** Removes bodies whose e-mails were never stored in the thread. */
  settleThread(inboxId: string, threadId: string, threadKey: number): void {
    const beginning = prefixOf([inboxId, threadId])
    this.#removeExcept(this.#sql.unknown.all(beginning, beginning + END, threadKey), [])
  }

  #removeExcept(names: readonly string[], kept: readonly (string | null | undefined)[]): void {
    for (const name of names) if (!kept.includes(name) && !this.#unreferencedNames.has(name)) this.#sql.remove.run(name)
  }
}
