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

/** Large bodies, apart from their e-mails and in pieces. */
export interface BodyPieces {
  readonly store: (name: string, place: number, text: string) => void
  readonly count: (name: string) => number
  /** Counted from 0; undefined behind the last. */
  readonly piece: (name: string, place: number) => string | undefined
  /** Removes what was kept for an e-mail, but for the bodies that it names now; all of it without an e-mail. */
  readonly settle: (place: Place, email?: Pick<FetchedEmail, 'apartNames'>) => void
  /** Removes what was kept for all e-mails of a thread. */
  readonly removeThread: (inboxId: string, threadId: string) => void
  /** Removes what was kept for e-mails of a thread that never came to be kept themselves. */
  readonly settleThread: (inboxId: string, threadId: string, threadKey: number) => void
}

export const createBodyPieces = (database: Database.Database): BodyPieces => {
  const insert = database.prepare<[string, number, string]>(
    'INSERT OR IGNORE INTO body_pieces (name, place, text) VALUES (?, ?, ?)',
  )
  const count = database.prepare<[string], number>('SELECT count(*) FROM body_pieces WHERE name = ?').pluck()
  const select = database
    .prepare<[string, number], string>('SELECT text FROM body_pieces WHERE name = ? AND place = ?')
    .pluck()
  const selectNames = database
    .prepare<[string, string], string>('SELECT DISTINCT name FROM body_pieces WHERE name > ? AND name < ?')
    .pluck()
  const selectUnknown = database
    .prepare<[string, string, number], string>(
      `SELECT DISTINCT name FROM body_pieces WHERE name > ? AND name < ?
       AND json_extract(name, '$[2]') NOT IN (SELECT id FROM emails WHERE thread_key = ?)`,
    )
    .pluck()
  const remove = database.prepare<[string]>('DELETE FROM body_pieces WHERE name = ?')
  /** Bodies that are being written, and that no e-mail names yet: a second reading of the thread leaves them alone. */
  const unnamed = new Set<string>()

  const removeBut = (names: readonly string[], kept: readonly (string | null | undefined)[]): void => {
    for (const name of names) if (!kept.includes(name) && !unnamed.has(name)) remove.run(name)
  }
  return {
    store: (name, place, text) => {
      unnamed.add(name)
      insert.run(name, place, text)
    },
    count: (name) => count.get(name) ?? 0,
    piece: (name, place) => select.get(name, place),
    settle: (place, email) => {
      const beginning = beginningOf(place)
      const kept = [email?.apartNames.html, email?.apartNames.text]
      for (const name of kept) if (typeof name === 'string') unnamed.delete(name)
      removeBut(selectNames.all(beginning, beginning + END), kept)
    },
    removeThread: (inboxId, threadId) => {
      const beginning = beginningOf([inboxId, threadId])
      for (const name of selectNames.all(beginning, beginning + END)) {
        unnamed.delete(name)
        remove.run(name)
      }
    },
    settleThread: (inboxId, threadId, threadKey) => {
      const beginning = beginningOf([inboxId, threadId])
      removeBut(selectUnknown.all(beginning, beginning + END, threadKey), [])
    },
  }
}
