import type Database from 'better-sqlite3'
import type { FetchedEmail } from '../api/thread-emails.ts'

/** Where an e-mail is: the inbox's ID, the thread's and its own. */
type Place = readonly [inboxId: string, threadId: string, emailId: string]

/** The beginning of every name below a place. JSON escapes quotes, so that no ID can be taken for two. */
const beginningOf = (place: readonly string[]): string => `${JSON.stringify(place).slice(0, -1)},`
/** A name goes on with a quote, which this is behind. */
const END = '~'

/**
 * Names a body that is kept apart from its e-mail: only that e-mail refers to it, so it is known when nothing does.
 * @param hash of the text: another one is another body
 */
export const nameBody = (place: Place, field: 'html' | 'text', hash: string): string =>
  `${beginningOf(place)}${JSON.stringify([field, hash]).slice(1)}`

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

/** Large bodies, apart from their e-mails and in pieces. */
export class BodyPieces {
  readonly #sql: ReturnType<typeof prepareStatements>
  /** Bodies that are being written, and that no e-mail names yet: a second reading of the thread leaves them alone. */
  readonly #unnamed = new Set<string>()

  constructor(database: Database.Database) {
    this.#sql = prepareStatements(database)
  }

  store(name: string, place: number, text: string): void {
    this.#unnamed.add(name)
    this.#sql.insert.run(name, place, text)
  }

  count(name: string): number {
    return this.#sql.count.get(name) ?? 0
  }

  /** Counted from 0; undefined behind the last. */
  piece(name: string, place: number): string | undefined {
    return this.#sql.piece.get(name, place)
  }

  /** Removes what was kept for an e-mail, but for the bodies that it names now; all of it without an e-mail. */
  settle(place: Place, email?: Pick<FetchedEmail, 'apartNames'>): void {
    const beginning = beginningOf(place)
    const kept = [email?.apartNames.html, email?.apartNames.text]
    for (const name of kept) if (typeof name === 'string') this.#unnamed.delete(name)
    this.#removeBut(this.#sql.names.all(beginning, beginning + END), kept)
  }

  /** Removes what was kept for all e-mails of a thread. */
  removeThread(inboxId: string, threadId: string): void {
    const beginning = beginningOf([inboxId, threadId])
    for (const name of this.#sql.names.all(beginning, beginning + END)) {
      this.#unnamed.delete(name)
      this.#sql.remove.run(name)
    }
  }

  /** Removes what was kept for e-mails of a thread that never came to be kept themselves. */
  settleThread(inboxId: string, threadId: string, threadKey: number): void {
    const beginning = beginningOf([inboxId, threadId])
    this.#removeBut(this.#sql.unknown.all(beginning, beginning + END, threadKey), [])
  }

  #removeBut(names: readonly string[], kept: readonly (string | null | undefined)[]): void {
    for (const name of names) if (!kept.includes(name) && !this.#unnamed.has(name)) this.#sql.remove.run(name)
  }
}
