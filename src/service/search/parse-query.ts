import { wordsOf } from './words.ts'

/** One word or quoted phrase of a query. */
export interface Term {
  /** Folded words that must follow each other. A word such as `a@b.example` has several. */
  readonly words: readonly string[]
  readonly excluded: boolean
}

/** A term as typed: `word`, `-word`, `"some words"`, `-"some words"`. A missing last quote counts as written. */
const typedTerm = /(-?)(?:"([^"]*)(?:"|$)|([^\s"]+))/gu

/**
 * Contract, Search threads, `query`: "Every word must match. Double-quoted words match an exact phrase. A word or quoted
 * phrase starting with `-` is excluded." A term without a letter, digit or pictograph says nothing and is left out.
 */
export function parseQuery(query: string): readonly Term[] {
  return [...query.matchAll(typedTerm)]
    .map(([, minus, phrase, word]) => ({ words: wordsOf(phrase ?? word ?? ''), excluded: minus === '-' }))
    .filter(({ words }) => words.length > 0)
}

/** Contract, Limits: the words of a query are counted as typed, those within quotes each. */
export function countQueryWords(query: string): number {
  return query
    .replaceAll('"', ' ')
    .split(/\s+/u)
    .filter((word) => word !== '' && word !== '-').length
}
