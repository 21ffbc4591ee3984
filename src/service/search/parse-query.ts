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
 * Contract, Search threads, `query`: "Every word must match. Double-quoted words match an exact phrase. A word or
 * quoted phrase starting with `-` is excluded." Terms without a letter, digit or pictograph are ignored.
 */
export function parseQuery(query: string): readonly QueryTerm[] {
  return [...query.matchAll(typedTerm)]
    .map(([, minus, phrase, word]) => ({ words: tokenizeWords(phrase ?? word ?? ''), excluded: minus === '-' }))
    .filter(({ words }) => words.length > 0)
}

/** Contract, Limits: words are counted as typed, each word within quotes too. */
export function countQueryWords(query: string): number {
  return query
    .replaceAll('"', ' ')
    .split(/\s+/u)
    .filter((word) => word !== '' && word !== '-').length
}
