import { tokenizeWords } from './word-index.ts'

/** A word or quoted phrase of a query. */
export interface QueryTerm {
  /** Consecutive folded words. A word such as `a@b.example` has several. */
  readonly words: readonly string[]
  readonly excluded: boolean
}

/** A term as typed: `word`, `-word`, `"some words"`, `-"some words"`. The closing quote is optional at the end. */
const typedTerm = /(-?)(?:"([^"]*)(?:"|$)|([^\s"]+))/gu

/**
 * Splits a query into words and phrases (platform.md 9.8). Terms without a letter, digit or pictograph are ignored
 * (platform.md 11.4).
 */
export function parseQuery(query: string): readonly QueryTerm[] {
  return [...query.matchAll(typedTerm)]
    .map(([, minus, phrase, word]) => ({ words: tokenizeWords(phrase ?? word ?? ''), excluded: minus === '-' }))
    .filter(({ words }) => words.length > 0)
}

/** Counts words as typed, also within quotes (platform.md 11.15). */
export function countQueryWords(query: string): number {
  return query
    .replaceAll('"', ' ')
    .split(/\s+/u)
    .filter((word) => word !== '' && word !== '-').length
}
