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

const REMEMBERED = 50_000

const characters = (word: string): readonly string[] => Array.from(word)

/**
 * Words that were met and the tokens for their beginnings, by number: the common ones are neither taken apart nor written for
 * every e-mail. Numbers side by side, as hundreds are looked at for each e-mail, and those of objects are far apart.
 */
interface MetTerms {
  readonly words: Map<string, number>
  readonly tokens: Map<string, number>
  readonly texts: string[]
  /** The number of the e-mail that it was met in last: none is given twice for one. */
  readonly metIn: number[]
  /** Whether the table has it, or never will. */
  readonly isKept: boolean[]
  /** The tokens of a word; 0 where it has none. */
  readonly pairs: number[]
  readonly triples: number[]
}

/** None has the number 0. */
const noTerms = (): MetTerms => ({
  words: new Map(),
  tokens: new Map(),
  texts: [''],
  metIn: [0],
  isKept: [true],
  pairs: [0],
  triples: [0],
})

/** What an e-mail's words are to the vocabulary. */
export interface ReadWords {
  /** The tokens for the beginnings of its words, each once. */
  readonly beginnings: readonly string[]
  /** What the table may not have yet, by the numbers of this moment. */
  readonly added: readonly number[]
}

const term = (text: string): string => `"${text}"${characters(text).length >= LONGEST ? ' *' : ''}`

const anyOf = (texts: readonly string[], native: string): string =>
  texts.length === 0 || texts.length > MOST_WORDS ? native : `(${texts.map(term).join(' OR ')})`

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

/** The words of all e-mails in the index, and how those that begin alike are found. */
export class Vocabulary {
  readonly #database: Database.Database
  readonly #statements: ReturnType<typeof prepare>
  #terms = noTerms()
  /** What is known is that of a table with so many terms. */
  #known = 0
  #email = 0

  constructor(database: Database.Database) {
    this.#database = database
    this.#statements = prepare(database)
  }

  /** Looks at the words of an e-mail. @param fields its words, field by field */
  read(fields: readonly (readonly string[])[]): ReadWords {
    const count = this.#statements.count.get() ?? 0
    // What was written within a transaction that was taken back is not there.
    if (count !== this.#known || this.#terms.words.size > REMEMBERED) this.#terms = noTerms()
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

  /** Takes note of what was read last. */
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

  /** The condition for FTS5 that words follow each other, the last of which is a beginning. */
  beginning(typed: readonly string[]): string {
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
        this.#startingWith(last).map((word) => before + word),
        native,
      )
    if (before !== '') return native
    if (letters === 3) return `"${THREE_LETTERS}${last}"`
    return letters === 2 ? `"${TWO_LETTERS}${last}"` : anyOf([last, ...this.#startingWith(TWO_LETTERS + last)], native)
  }

  clear(): void {
    this.#terms = noTerms()
    this.#known = 0
    this.#database.exec('DELETE FROM search_terms')
  }

  // No character is greater, in SQLite's order of bytes.
  #startingWith(beginning: string): readonly string[] {
    return this.#statements.between.all(beginning, `${beginning}\u{10ffff}`, MOST_WORDS + 1)
  }

  #learn(word: string): number {
    const letters = characters(word)
    // Where each character is a word there are none: a word is its own beginning.
    const pair = letters.length < 2 ? 0 : this.#tokenOf(TWO_LETTERS, letters.slice(0, 2))
    const triple = letters.length < 3 ? 0 : this.#tokenOf(THREE_LETTERS, letters.slice(0, 3))
    const text = letters.length > LONGEST ? letters.slice(0, LONGEST).join('') : word
    // What is as short as the beginnings that have tokens is no term of the table.
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
