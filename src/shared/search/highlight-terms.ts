/**
 * Finds the matches of a search in a text, by the rules of the search (platform.md 9.8 and 9.9): entire words in any
 * spelling, phrases within one field, parts of a name or address.
 */
import type { EmailQuery } from '../email-query.ts'
import { findPrefixTerm, PEOPLE_FIELDS, type PeopleField } from '../thread-query.ts'
import type { Span } from './lex-search.ts'
import { tokenizeWithOffsets, tokenizeWords, type WordToken } from './word-tokenizer.ts'

/** Consecutive words in one field. If `isOpen`, the last word is a prefix. */
export interface WordTerm {
  readonly words: readonly string[]
  readonly isOpen: boolean
  /** True if the words must be in the subject. */
  readonly isInSubject?: true | undefined
}

/** A query's terms as words. Drops terms that contain no word (platform.md 11.4). */
export const toWordTerms = ({
  text,
  lastWordIsPrefix,
}: Pick<EmailQuery, 'text' | 'lastWordIsPrefix'>): readonly (WordTerm & { readonly isExcluded: boolean })[] => {
  const open = lastWordIsPrefix === true ? findPrefixTerm(text) : undefined
  return text.flatMap((term) => {
    const { text: typed, isExcluded, isInSubject } = term
    const words = tokenizeWords(typed)
    return words.length === 0 ? [] : [{ words, isExcluded, isOpen: term === open, isInSubject }]
  })
}

export interface HighlightTerms {
  readonly terms: readonly WordTerm[]
  readonly inSubject: readonly WordTerm[]
  /** Parts of names and addresses, in lower case. */
  readonly people: Readonly<Record<PeopleField, readonly string[]>>
}

/** @returns null if the query has no text to highlight, such as for a folder or a label */
export const toHighlightTerms = (query: EmailQuery): HighlightTerms | null => {
  const wanted = toWordTerms(query).filter(({ isExcluded }) => !isExcluded)
  const terms = wanted.filter(({ isInSubject }) => isInSubject !== true)
  const inSubject = wanted.filter(({ isInSubject }) => isInSubject === true)
  const parts = (field: PeopleField): readonly string[] => query[field].map((value) => value.toLowerCase())
  const people = { from: parts('from'), to: parts('to'), cc: parts('cc'), bcc: parts('bcc') }
  const isAny = wanted.length > 0 || PEOPLE_FIELDS.some((field) => people[field].length > 0)
  return isAny ? { terms, inSubject, people } : null
}

const mergeSpans = (spans: readonly Span[]): readonly Span[] => {
  const kept: Span[] = []
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const last = kept.at(-1)
    if (last !== undefined && span.start < last.end)
      kept[kept.length - 1] = { ...last, end: Math.max(last.end, span.end) }
    else kept.push(span)
  }
  return kept
}

const isAt = (placed: readonly WordToken[], at: number, { words, isOpen }: WordTerm): boolean =>
  words.every((word, offset) => {
    const there = placed[at + offset]?.word
    return isOpen && offset === words.length - 1 ? there?.startsWith(word) === true : there === word
  })

/**
 * Spans of matching words, and of phrases from their first to their last word. Linear time. @returns sorted spans
 * without overlaps
 */
export const findWordSpans = (text: string, terms: readonly WordTerm[]): readonly Span[] => {
  if (terms.length === 0 || text === '') return []
  const byFirst = Map.groupBy(
    terms.filter(({ words, isOpen }) => !isOpen || words.length > 1),
    ({ words }) => words[0],
  )
  const beginnings = terms.filter(({ words, isOpen }) => isOpen && words.length === 1)
  const placed = tokenizeWithOffsets(text)
  const spans: Span[] = []
  for (const [at, { word, start }] of placed.entries()) {
    for (const term of [...(byFirst.get(word) ?? []), ...beginnings]) {
      if (isAt(placed, at, term)) spans.push({ start, end: placed[at + term.words.length - 1]?.end ?? start })
    }
  }
  return mergeSpans(spans)
}

export const matchesSubjectTerms = (
  query: Pick<EmailQuery, 'text' | 'lastWordIsPrefix'>,
  subject: string | null,
): boolean =>
  toWordTerms(query).every((term) => term.isInSubject !== true || findWordSpans(subject ?? '', [term]).length > 0)

const MARKS_AFTER = /\p{M}*/uy

/** Matches of parts of a name or address, ignoring case. @param parts lower-case parts to find */
export const findSubstringSpans = (text: string, parts: readonly string[]): readonly Span[] => {
  if (parts.length === 0) return []
  const lower = text.toLowerCase()
  // A few letters become longer in lower case. Only if there are any, map the offsets letter by letter.
  const letters: Span[] = []
  if (lower.length !== text.length) {
    let at = 0
    for (const letter of text) {
      const place = { start: at, end: at + letter.length }
      letters.push(...Array.from({ length: letter.toLowerCase().length }, () => place))
      at = place.end
    }
  }
  const spans = parts.flatMap((part) => {
    const found: Span[] = []
    for (let at = lower.indexOf(part); part !== '' && at !== -1; at = lower.indexOf(part, at + part.length)) {
      const last = at + part.length - 1
      MARKS_AFTER.lastIndex = letters[last]?.end ?? last + 1
      const end = MARKS_AFTER.lastIndex + (MARKS_AFTER.exec(text)?.[0].length ?? 0)
      found.push({ start: letters[at]?.start ?? at, end })
    }
    return found
  })
  return mergeSpans(spans)
}

/** Spans to highlight in a name or address. @param field null outside the fields of an e-mail */
export const findPersonSpans = (text: string, marks: HighlightTerms, field: PeopleField | null): readonly Span[] =>
  mergeSpans([
    ...findWordSpans(text, marks.terms),
    ...(field === null ? [] : findSubstringSpans(text, marks.people[field])),
  ])

export interface FieldFragment {
  readonly text: string
  /** True if no word continues from the previous piece into this one. */
  readonly isApart: boolean
}

/**
 * Marks the matches in a text that is split into pieces. A match across pieces is marked in each of them. @returns
 * spans for each piece, relative to its start
 */
export const findFragmentSpans = (
  pieces: readonly FieldFragment[],
  terms: readonly WordTerm[],
): readonly (readonly Span[])[] => {
  const whole = pieces.map(({ text, isApart }) => (isApart ? `\n${text}` : text)).join('')
  const spans = findWordSpans(whole, terms)
  let at = 0
  let next = 0
  return pieces.map(({ text, isApart }) => {
    const start = at + Number(isApart)
    const end = start + text.length
    at = end
    while ((spans[next]?.end ?? Number.POSITIVE_INFINITY) <= start) next += 1
    const within: Span[] = []
    for (let place = next; (spans[place]?.start ?? Number.POSITIVE_INFINITY) < end; place += 1) {
      const span = spans[place] ?? { start: 0, end: 0 }
      within.push({ start: Math.max(span.start, start) - start, end: Math.min(span.end, end) - start })
    }
    return within
  })
}
