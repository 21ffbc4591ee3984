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

/** The tokens for the beginnings of words. Where each character is a word there is none: a word is its own beginning. */
export const beginningTokens = (words: Iterable<string>): readonly string[] => {
  const tokens = new Set<string>()
  for (const word of words) {
    const [first, second, third] = word
    if (first === undefined || second === undefined) continue
    tokens.add(TWO_LETTERS + first + second)
    if (third !== undefined) tokens.add(THREE_LETTERS + first + second + third)
  }
  return [...tokens]
}

export interface Vocabulary {
  /** Takes note of the words and tokens of an e-mail. */
  readonly keep: (words: Iterable<string>) => void
  /** The condition for FTS5 that words follow each other, the last of which is a beginning. */
  readonly beginning: (words: readonly string[]) => string
  readonly clear: () => void
}

export const createVocabulary = (database: Database.Database): Vocabulary => {
  const insert = database.prepare<[string]>('INSERT OR IGNORE INTO search_terms (term) SELECT value FROM json_each(?)')
  const selectCount = database.prepare<[], number>("SELECT value FROM search_state WHERE name = 'terms'").pluck()
  const setCount = database.prepare<[number]>(
    `INSERT INTO search_state (name, value) VALUES ('terms', ?)
     ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
  )
  /** Terms that are there, so that the common ones are not written for every e-mail; true while `count` is the table's. */
  const known = { terms: new Set<string>(), count: 0 }
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
    keep: (words) => {
      const count = selectCount.get() ?? 0
      // What was written within a transaction that was taken back is not there.
      if (count !== known.count || known.terms.size > REMEMBERED) known.terms.clear()
      const added: string[] = []
      for (const word of words) {
        if (known.terms.has(word)) continue
        known.terms.add(word)
        const letters = word.length > 3 && !word.startsWith(THREE_LETTERS) ? characters(word) : []
        if (letters.length > 3) added.push(letters.length > LONGEST ? letters.slice(0, LONGEST).join('') : word)
      }
      known.count = count
      if (added.length === 0) return
      const { changes } = insert.run(JSON.stringify(added))
      if (changes === 0) return
      known.count += changes
      setCount.run(known.count)
    },
    beginning: (words) => {
      const last = words.at(-1) ?? ''
      const before = words
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
      known.terms.clear()
      known.count = 0
      database.exec('DELETE FROM search_terms')
    },
  }
}
