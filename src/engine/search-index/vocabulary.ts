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

/** A letter or a digit of ASCII as a number below 36; none other. */
const codeOf = (unit: number): number =>
  unit >= 97 && unit <= 122 ? unit - 87 : unit >= 48 && unit <= 57 ? unit - 48 : -1
const CODES = 36

/** Tokens of one kind, and the number of the e-mail in which each was met last: none is given twice for one. */
interface MetTokens {
  readonly texts: string[]
  readonly metIn: Uint32Array
}

const noTokens = (count: number): MetTokens => ({
  texts: Array.from({ length: count }, () => ''),
  metIn: new Uint32Array(count),
})

/**
 * Makes the tokens for the beginnings of words, each once an e-mail. Where each character is a word there is none: a word
 * is its own beginning. Most words begin with ASCII, and there are hundreds in an e-mail: those are found by number.
 */
const createBeginnings = (): ((fields: readonly (readonly string[])[]) => readonly string[]) => {
  const pairs = noTokens(CODES ** 2)
  const triples = noTokens(CODES ** 3)
  let email = 0
  return (fields) => {
    email += 1
    const tokens: string[] = []
    const others = new Set<string>()
    const meet = ({ texts, metIn }: MetTokens, at: number, mark: string, word: string): void => {
      if (metIn[at] === email) return
      metIn[at] = email
      tokens.push((texts[at] ||= mark + word.slice(0, mark === TWO_LETTERS ? 2 : 3)))
    }
    const meetOther = (token: string): void => {
      if (others.has(token)) return
      others.add(token)
      tokens.push(token)
    }
    for (const words of fields) {
      for (const word of words) {
        const [first, second, third] = [codeOf(word.charCodeAt(0)), codeOf(word.charCodeAt(1)), word.charCodeAt(2)]
        const code = codeOf(third)
        if (first >= 0 && second >= 0 && (code >= 0 || Number.isNaN(third))) {
          meet(pairs, first * CODES + second, TWO_LETTERS, word)
          if (code >= 0) meet(triples, (first * CODES + second) * CODES + code, THREE_LETTERS, word)
          continue
        }
        const [one, two, three] = word
        if (one === undefined || two === undefined) continue
        meetOther(TWO_LETTERS + one + two)
        if (three !== undefined) meetOther(THREE_LETTERS + one + two + three)
      }
    }
    return tokens
  }
}

/** What an e-mail's words are to the vocabulary. */
export interface ReadWords {
  /** The tokens for the beginnings of its words, each once. */
  readonly beginnings: readonly string[]
  /** What the table may not have yet. */
  readonly added: readonly string[]
}

export interface Vocabulary {
  /** Looks at the words of an e-mail. @param fields its words, field by field */
  readonly read: (fields: readonly (readonly string[])[]) => ReadWords
  /** Takes note of what was read last. */
  readonly keep: (words: ReadWords) => void
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
  const beginningsOf = createBeginnings()
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
      if (count !== known.count || known.terms.size > REMEMBERED) known.terms.clear()
      known.count = count
      const beginnings = beginningsOf(fields)
      const added: string[] = []
      for (const words of [...fields, beginnings]) {
        for (const word of words) if (word.length > 3 && !known.terms.has(word)) added.push(word)
      }
      return { beginnings, added }
    },
    keep: ({ added }) => {
      const terms: string[] = []
      for (const word of added) {
        if (known.terms.has(word)) continue
        known.terms.add(word)
        const letters = word.startsWith(THREE_LETTERS) ? [] : characters(word)
        if (letters.length > 3) terms.push(letters.length > LONGEST ? letters.slice(0, LONGEST).join('') : word)
      }
      if (terms.length === 0) return
      const { changes } = insert.run(JSON.stringify(terms))
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
