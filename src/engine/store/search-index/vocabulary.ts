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

const MAX_CACHED_TERMS = 50_000

const characters = (word: string): readonly string[] => Array.from(word)

/**
 * Cache of words and prefix tokens by number, so that common ones aren't split and written for every e-mail. Uses
 * arrays of numbers: hundreds of terms are read per e-mail, and objects would be scattered in memory.
 */
interface TermCache {
  readonly words: Map<string, number>
  readonly tokens: Map<string, number>
  readonly texts: string[]
  /** Number of the last e-mail with the term, to list the term once per e-mail. */
  readonly metIn: number[]
  /** True if the table has the term, or if the term is never stored. */
  readonly isKept: boolean[]
  /** Numbers of the word's prefix tokens with two letters (`pairs`) and three letters (`triples`), or 0. */
  readonly pairs: number[]
  readonly triples: number[]
}

/** An empty cache. Number 0 is reserved. */
const createTermCache = (): TermCache => ({
  words: new Map(),
  tokens: new Map(),
  texts: [''],
  metIn: [0],
  isKept: [true],
  pairs: [0],
  triples: [0],
})

export interface ReadWords {
  readonly beginnings: readonly string[]
  /** Numbers of terms that the table may not have yet. */
  readonly added: readonly number[]
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
  #terms = createTermCache()
  /** Number of terms in the table, as of the last read. */
  #known = 0
  #email = 0

  constructor(database: Database.Database) {
    this.#database = database
    this.#statements = prepare(database)
  }

  /** Terms of an e-mail, to be stored with `keep`. @param fields the e-mail's words by field */
  read(fields: readonly (readonly string[])[]): ReadWords {
    const count = this.#statements.count.get() ?? 0
    // The count differs after a rollback: the cache may have terms that were rolled back.
    if (count !== this.#known || this.#terms.words.size > MAX_CACHED_TERMS) this.#terms = createTermCache()
    this.#known = count
    this.#email += 1
    const email = this.#email
    const { words, texts, metIn, isKept, pairs, triples } = this.#terms
    const beginnings: string[] = []
    const added: number[] = []
    const meet = (term: number): boolean => {
      if (metIn[term] === email) return false
      metIn[term] = email
      if (isKept[term] === false) added.push(term)
      return true
    }
    for (const field of fields) {
      for (const text of field) {
        const word = words.get(text) ?? this.#learn(text)
        if (!meet(word)) continue
        const [pair, triple] = [pairs[word] ?? 0, triples[word] ?? 0]
        if (pair > 0 && meet(pair)) beginnings.push(texts[pair] ?? '')
        if (triple > 0 && meet(triple)) beginnings.push(texts[triple] ?? '')
      }
    }
    return { beginnings, added }
  }

  /** Stores the terms of the last `read`. */
  keep({ added }: ReadWords): void {
    const { isKept, texts } = this.#terms
    const fresh = added.filter((term) => isKept[term] === false)
    if (fresh.length === 0) return
    for (const term of fresh) isKept[term] = true
    const { changes } = this.#statements.insert.run(JSON.stringify(fresh.map((term) => texts[term])))
    if (changes === 0) return
    this.#known += changes
    this.#statements.setCount.run(this.#known)
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
    this.#terms = createTermCache()
    this.#known = 0
    this.#database.exec('DELETE FROM search_terms')
  }

  // U+10FFFF is the greatest character in SQLite's byte order.
  #startingWith(beginning: string): readonly string[] {
    return this.#statements.between.all(beginning, `${beginning}\u{10ffff}`, MAX_WORDS + 1)
  }

  #learn(word: string): number {
    const letters = characters(word)
    // A single character has no prefix token, for example in scripts where each character is a word.
    const pair = letters.length < 2 ? 0 : this.#tokenOf(TWO_LETTERS, letters.slice(0, 2))
    const triple = letters.length < 3 ? 0 : this.#tokenOf(THREE_LETTERS, letters.slice(0, 3))
    const text = letters.length > MAX_STORED_LENGTH ? letters.slice(0, MAX_STORED_LENGTH).join('') : word
    // Words of up to three letters aren't stored as terms: the prefix tokens cover them.
    const found = this.#add(text, letters.length <= 3, pair, triple)
    this.#terms.words.set(word, found)
    return found
  }

  #tokenOf(mark: string, letters: readonly string[]): number {
    const token = mark + letters.join('')
    const found = this.#terms.tokens.get(token) ?? this.#add(token, mark !== TWO_LETTERS)
    this.#terms.tokens.set(token, found)
    return found
  }

  #add(text: string, isKept: boolean, pair = 0, triple = 0): number {
    const terms = this.#terms
    terms.metIn.push(0)
    terms.isKept.push(isKept)
    terms.pairs.push(pair)
    terms.triples.push(triple)
    return terms.texts.push(text) - 1
  }
}
