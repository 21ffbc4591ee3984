import type Database from 'better-sqlite3'
import { foldText } from '../../../shared/search/word-tokenizer.ts'

/**
 * Letters with two spellings. The platform treats the spellings as different, since it only ignores accents
 * (platform.md 11.5). Local search finds both and says so.
 */
const LETTER_SPELLINGS: readonly (readonly [letter: string, plain: string])[] = [
  ['ß', 'ss'],
  ['ł', 'l'],
  ['ø', 'o'],
  ['ø', 'oe'],
  ['đ', 'd'],
  ['ı', 'i'],
  ['œ', 'oe'],
  ['æ', 'ae'],
  ['þ', 'th'],
]

/** Removes case, accents and special letters, for example `nunez`, `lukasz`. */
export const foldToPlainLetters = (text: string): string =>
  LETTER_SPELLINGS.reduce((plain, [letter, other]) => plain.replaceAll(letter, other), foldText(text))

/** Hebrew and Arabic vowel points, which are usually omitted, and the Arabic letter extender. */
const POINTS = /[\p{M}&&[\p{scx=Hebr}\p{scx=Arab}]]|\u0640/gv
/** Maximum spellings searched for one word. */
const MAX_SPELLINGS = 64

const withoutPoints = (word: string): string => word.replace(POINTS, '')

/** Longest word that anyone would type. The vocabulary stores words up to this length in full. */
const MAX_WORD_LENGTH = 30

/** Other spellings of a word (as compared by `tokenizeWords`): varies each letter that has two spellings. At most 64. */
const otherSpellings = (word: string): readonly string[] => {
  if (word.length > MAX_WORD_LENGTH) return []
  const before: Set<string>[] = Array.from(word, () => new Set<string>())
  before[0]?.add('')
  const whole = new Set([withoutPoints(word)])
  for (let at = 0; at < word.length; at += 1) {
    const letter = word.charAt(at)
    const ways = [
      [letter, letter] as const,
      ...LETTER_SPELLINGS,
      ...LETTER_SPELLINGS.map(([one, other]) => [other, one] as const),
    ]
    for (const [from, to] of ways) {
      if (!word.startsWith(from, at)) continue
      const next = before[at + from.length] ?? whole
      for (const start of before[at] ?? []) if (next.size < MAX_SPELLINGS) next.add(start + to)
    }
  }
  whole.delete(word)
  whole.delete('')
  return [...whole]
}

const MAY_HAVE_POINTS = /^[\p{Script=Hebrew}\p{Script=Arabic}]/u
/** Maximum vocabulary terms scanned to find a spelling with vowel points. */
const MAX_TERMS = 5_000
/** Maximum phrases searched in place of one. */
const MAX_PHRASES = 16

const prepare = (database: Database.Database) => ({
  isShortThere: database
    .prepare<[string], number>('SELECT 1 FROM search_words WHERE search_words MATCH ? LIMIT 1')
    .pluck(),
  there: database
    .prepare<[string], string>('SELECT term FROM search_terms WHERE term IN (SELECT value FROM json_each(?))')
    .pluck(),
  terms: database
    .prepare<[string, string, number], string>('SELECT term FROM search_terms WHERE term > ? AND term < ? LIMIT ?')
    .pluck(),
})

export class Spellings {
  readonly #statements: ReturnType<typeof prepare>

  constructor(database: Database.Database) {
    this.#statements = prepare(database)
  }

  /** Other spellings of a phrase that consist only of indexed words. */
  of(words: readonly string[]): readonly (readonly string[])[] {
    let phrases: readonly (readonly string[])[] = [[]]
    for (const word of words) {
      const ways = this.#spellingsOf(word)
      phrases = phrases.flatMap((phrase) => ways.map((way) => [...phrase, way])).slice(0, MAX_PHRASES)
    }
    return phrases.filter((phrase) => phrase.some((word, at) => word !== words[at]))
  }

  #spellingsOf(word: string): readonly string[] {
    return [word, ...new Set([...this.#filterIndexed(otherSpellings(word)), ...this.#withPoints(word)])]
  }

  /** The given words that occur in local mail. The vocabulary only has words longer than three letters. */
  #filterIndexed(words: readonly string[]): readonly string[] {
    const { isShortThere, there } = this.#statements
    const isShort = (word: string): boolean => Array.from(word).length <= 3
    const long = words.filter((word) => !isShort(word))
    const short = words.filter((word) => isShort(word) && isShortThere.get(`"${word}"`) !== undefined)
    return [...short, ...(long.length === 0 ? [] : there.all(JSON.stringify(long)))]
  }

  #withPoints(word: string): readonly string[] {
    if (!MAY_HAVE_POINTS.test(word)) return []
    const first = word.charAt(0)
    const terms = this.#statements.terms.all(first, `${first}\u{10ffff}`, MAX_TERMS)
    return terms.filter((term) => withoutPoints(term) === word)
  }
}
