/**
 * What a word that is being typed may become. FTS5 would put all e-mails of all words with a beginning into one list before
 * it gives the first; the words one by one, or a token for a beginning of two or three letters, are read in order as any other.
 */
import type Database from 'better-sqlite3'

/** Before a beginning of two letters, and of three, of any word in the e-mail. */
const TWO_LETTERS = '_q'
const THREE_LETTERS = '_r'
/** With more words than these, FTS5's own way is no slower. */
const MOST_WORDS = 256
/** Characters of a word that are kept: no two that are longer begin alike. */
const LONGEST = 32

/** Terms that are remembered. */
const REMEMBERED = 50_000

const characters = (word: string): readonly string[] => Array.from(word)

/** Something that is in the index, such as a word. */
interface Term {
  readonly text: string
  /** The number of the e-mail that it was met in last: none is given twice for one. */
  metIn: number
  /** The state of the table that is known to have it. */
  keptIn: number
}

/** A word, what it is in the table, and the tokens for its beginnings; null where it has none. */
interface Word extends Term {
  readonly pair: Term | null
  readonly triple: Term | null
}

/** @param isKept whether the table has such terms */
const termOf = (text: string, isKept: boolean): Term => ({ text, metIn: 0, keptIn: isKept ? 0 : Infinity })

/** What an e-mail's words are to the vocabulary. */
export interface ReadWords {
  /** The tokens for the beginnings of its words, each once. */
  readonly beginnings: readonly string[]
  /** What the table may not have yet. */
  readonly added: readonly Term[]
}

export interface Vocabulary {
  /** Looks at the words of an e-mail. @param fields its words, field by field */
  readonly read: (fields: readonly (readonly string[])[]) => ReadWords
  /** Takes note of what was read last. */
  readonly keep: (words: ReadWords) => void
  /** The condition for FTS5 that words follow each other, the last of which is a beginning. */
  readonly beginning: (typed: readonly string[]) => string
  readonly clear: () => void
}

export const createVocabulary = (database: Database.Database): Vocabulary => {
  const insert = database.prepare<[string]>('INSERT OR IGNORE INTO search_terms (term) SELECT value FROM json_each(?)')
  const selectCount = database.prepare<[], number>("SELECT value FROM search_state WHERE name = 'terms'").pluck()
  const setCount = database.prepare<[number]>(
    `INSERT INTO search_state (name, value) VALUES ('terms', ?)
     ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
  )
  /** Words that were met, so that the common ones are neither taken apart nor written for every e-mail. */
  const words = new Map<string, Word>()
  const beginnings = new Map<string, Term>()
  /** The state of the table, which has `count` terms, and the e-mail that is read. */
  const now = { state: 1, count: 0, email: 0 }
  const forget = (): void => {
    words.clear()
    beginnings.clear()
    now.state += 1
  }
  const beginningOf = (mark: string, letters: readonly string[]): Term => {
    const token = mark + letters.join('')
    const known = beginnings.get(token) ?? termOf(token, mark === TWO_LETTERS)
    beginnings.set(token, known)
    return known
  }
  const learn = (text: string): Word => {
    const letters = characters(text)
    const word: Word = {
      // What is as short as the beginnings that have tokens is no term of the table.
      ...termOf(letters.length > LONGEST ? letters.slice(0, LONGEST).join('') : text, letters.length > 3),
      // Where each character is a word there are none: a word is its own beginning.
      pair: letters.length < 2 ? null : beginningOf(TWO_LETTERS, letters.slice(0, 2)),
      triple: letters.length < 3 ? null : beginningOf(THREE_LETTERS, letters.slice(0, 3)),
    }
    words.set(text, word)
    return word
  }
  const select = database
    .prepare<[string, string, number], string>(
      'SELECT term FROM search_terms WHERE term >= ? AND term < ? ORDER BY term LIMIT ?',
    )
    .pluck()
  // No character is greater, in SQLite's order of bytes.
  const startingWith = (beginning: string): readonly string[] =>
    select.all(beginning, `${beginning}\u{10ffff}`, MOST_WORDS + 1)
  const term = (text: string): string => `"${text}"${characters(text).length >= LONGEST ? ' *' : ''}`
  const anyOf = (texts: readonly string[], native: string): string =>
    texts.length === 0 || texts.length > MOST_WORDS ? native : `(${texts.map(term).join(' OR ')})`

  return {
    read: (fields) => {
      const count = selectCount.get() ?? 0
      // What was written within a transaction that was taken back is not there.
      if (count !== now.count || words.size > REMEMBERED) forget()
      now.count = count
      now.email += 1
      const tokens: string[] = []
      const added: Term[] = []
      const meet = (term: Term): boolean => {
        if (term.metIn === now.email) return false
        term.metIn = now.email
        if (term.keptIn < now.state) added.push(term)
        return true
      }
      for (const field of fields) {
        for (const text of field) {
          const word = words.get(text) ?? learn(text)
          if (!meet(word)) continue
          // Hundreds of times an e-mail: a loop over the two takes half as long again.
          if (word.pair !== null && meet(word.pair)) tokens.push(word.pair.text)
          if (word.triple !== null && meet(word.triple)) tokens.push(word.triple.text)
        }
      }
      return { beginnings: tokens, added }
    },
    keep: ({ added }) => {
      const terms: string[] = []
      for (const term of added) {
        if (term.keptIn >= now.state) continue
        term.keptIn = now.state
        terms.push(term.text)
      }
      if (terms.length === 0) return
      const { changes } = insert.run(JSON.stringify(terms))
      if (changes === 0) return
      now.count += changes
      setCount.run(now.count)
    },
    beginning: (typed) => {
      const last = typed.at(-1) ?? ''
      const before = typed
        .slice(0, -1)
        .map((word) => `${word} `)
        .join('')
      const native = `"${before}${last}" *`
      const letters = characters(last).length
      if (letters > LONGEST) return native
      if (letters > 3)
        return anyOf(
          startingWith(last).map((word) => before + word),
          native,
        )
      if (before !== '') return native
      if (letters === 3) return `"${THREE_LETTERS}${last}"`
      return letters === 2 ? `"${TWO_LETTERS}${last}"` : anyOf([last, ...startingWith(TWO_LETTERS + last)], native)
    },
    clear: () => {
      forget()
      now.count = 0
      database.exec('DELETE FROM search_terms')
    },
  }
}
