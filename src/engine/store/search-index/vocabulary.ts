/**
 * Completes a word that is being typed. For a prefix search, FTS5 would collect all e-mails with all matching words
 * before returning the first result. Instead, this finds the individual words, or the token for a prefix of two or
 * three letters; those can be read in order.
 */
import type Database from 'better-sqlite3'

/** Prefixes of the tokens for a word's first two and first three letters. */
const TWO_LETTERS = '_q'
const THREE_LETTERS = '_r'
/** Maximum words to search individually. For more, FTS5's own prefix search is as fast. */
const MAX_WORDS = 256
/** Maximum characters stored of a word. Longer words rarely share this many. */
const MAX_STORED_LENGTH = 32

/** Maximum words to remember, so that common ones aren't split and written for every e-mail. */
const MAX_KNOWN_WORDS = 50_000

const characters = (word: string): readonly string[] => Array.from(word)

interface Word {
  /** Tokens for its first two and three letters. */
  readonly tokens: readonly string[]
  /** Terms to store: the word, unless a token finds it, and the token for its first two letters. */
  readonly terms: readonly string[]
}

const splitWord = (word: string): Word => {
  const letters = characters(word)
  // A single character has no prefix token, for example in scripts where each character is a word.
  if (letters.length < 2) return { tokens: [], terms: [] }
  const pair = TWO_LETTERS + letters.slice(0, 2).join('')
  if (letters.length === 2) return { tokens: [pair], terms: [pair] }
  const tokens = [pair, THREE_LETTERS + letters.slice(0, 3).join('')]
  return { tokens, terms: letters.length === 3 ? [pair] : [pair, letters.slice(0, MAX_STORED_LENGTH).join('')] }
}

export interface ReadWords {
  readonly beginnings: readonly string[]
  /** Terms that the table may not have yet. */
  readonly added: readonly string[]
}

const term = (text: string): string => `"${text}"${characters(text).length >= MAX_STORED_LENGTH ? ' *' : ''}`

const anyOf = (texts: readonly string[], native: string): string =>
  texts.length === 0 || texts.length > MAX_WORDS ? native : `(${texts.map(term).join(' OR ')})`

const prepare = (database: Database.Database) => ({
  insert: database.prepare<[string]>('INSERT OR IGNORE INTO search_terms (term) SELECT value FROM json_each(?)'),
  count: database.prepare<[], number>("SELECT value FROM search_state WHERE name = 'terms'").pluck(),
  setCount: database.prepare<[number]>(
    `INSERT INTO search_state (name, value) VALUES ('terms', ?)
     ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
  ),
  between: database
    .prepare<[string, string, number], string>(
      'SELECT term FROM search_terms WHERE term >= ? AND term < ? ORDER BY term LIMIT ?',
    )
    .pluck(),
})

/** Words of all indexed e-mails, for finding words by their beginning. */
export class Vocabulary {
  readonly #database: Database.Database
  readonly #statements: ReturnType<typeof prepare>
  readonly #words = new Map<string, Word>()
  /** Terms that the table has, and their number there as of the last read. */
  readonly #stored = new Set<string>()
  #count = 0

  constructor(database: Database.Database) {
    this.#database = database
    this.#statements = prepare(database)
  }

  /** Terms of an e-mail, to be stored with `keep`. @param fields the e-mail's words by field */
  read(fields: readonly (readonly string[])[]): ReadWords {
    const count = this.#statements.count.get() ?? 0
    // The count differs after a rollback, which may have removed stored terms.
    if (count !== this.#count || this.#words.size > MAX_KNOWN_WORDS) this.#forget()
    this.#count = count
    const beginnings = new Set<string>()
    const added = new Set<string>()
    for (const text of new Set(fields.flat())) {
      const word = this.#words.get(text) ?? splitWord(text)
      this.#words.set(text, word)
      for (const token of word.tokens) beginnings.add(token)
      for (const each of word.terms) if (!this.#stored.has(each)) added.add(each)
    }
    return { beginnings: [...beginnings], added: [...added] }
  }

  /** Stores the terms of the last `read`. */
  keep({ added }: ReadWords): void {
    if (added.length === 0) return
    for (const each of added) this.#stored.add(each)
    const { changes } = this.#statements.insert.run(JSON.stringify(added))
    if (changes === 0) return
    this.#count += changes
    this.#statements.setCount.run(this.#count)
  }

  /** FTS5 condition for a phrase whose last word is a prefix. */
  beginning(typed: readonly string[]): string {
    const last = typed.at(-1) ?? ''
    const before = typed
      .slice(0, -1)
      .map((word) => `${word} `)
      .join('')
    const native = `"${before}${last}" *`
    const letters = characters(last).length
    if (letters > MAX_STORED_LENGTH) return native
    if (letters > 3)
      return anyOf(
        this.#startingWith(last).map((word) => before + word),
        native,
      )
    if (before !== '') return native
    if (letters === 3) return `"${THREE_LETTERS}${last}"`
    return letters === 2 ? `"${TWO_LETTERS}${last}"` : anyOf([last, ...this.#startingWith(TWO_LETTERS + last)], native)
  }

  clear(): void {
    this.#forget()
    this.#count = 0
    this.#database.exec('DELETE FROM search_terms')
  }

  #forget(): void {
    this.#words.clear()
    this.#stored.clear()
  }

  // U+10FFFF is the greatest character in SQLite's byte order.
  #startingWith(beginning: string): readonly string[] {
    return this.#statements.between.all(beginning, `${beginning}\u{10ffff}`, MAX_WORDS + 1)
  }
}
