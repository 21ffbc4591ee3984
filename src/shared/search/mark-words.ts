/**
 * Where what was searched for stands in a text, by the rules by which it was found (contract, Search threads, `query` and
 * `from`): whole words however they are written, phrases within one field, parts of a name or an address.
 */
import type { EmailQuery } from '../email-query.ts'
import { openWordOf, PEOPLE_FIELDS, type PeopleField } from '../thread-query.ts'
import type { Span } from './lex-search.ts'
import { placeWords, wordsOf, type PlacedWord } from './words.ts'

/** Words that follow each other in one field. `isOpen`: the last of them is a beginning. */
export interface WordTerm {
  readonly words: readonly string[]
  readonly isOpen: boolean
  /** They have to be in the subject. */
  readonly isInSubject?: true | undefined
}

/** The terms of a query by their words. One in which nothing is a word says nothing (docs/service.md, "a term without a word"). */
export const wordTermsOf = ({
  text,
  lastWordIsPrefix,
}: Pick<EmailQuery, 'text' | 'lastWordIsPrefix'>): readonly (WordTerm & { readonly isExcluded: boolean })[] => {
  const open = lastWordIsPrefix === true ? openWordOf(text) : undefined
  return text.flatMap((term) => {
    const { text: typed, isExcluded, isInSubject } = term
    const words = wordsOf(typed)
    return words.length === 0 ? [] : [{ words, isExcluded, isOpen: term === open, isInSubject }]
  })
}

/** What of an e-mail that a search found is marked. */
export interface SearchMarks {
  /** Anywhere. */
  readonly terms: readonly WordTerm[]
  /** In the subject alone. */
  readonly inSubject: readonly WordTerm[]
  /** Parts of names and addresses, in lower case. */
  readonly people: Readonly<Record<PeopleField, readonly string[]>>
}

/** @returns null where nothing is marked: for the list of a folder or a label, and for conditions that no word fulfils */
export const marksOf = (query: EmailQuery): SearchMarks | null => {
  const wanted = wordTermsOf(query).filter(({ isExcluded }) => !isExcluded)
  const terms = wanted.filter(({ isInSubject }) => isInSubject !== true)
  const inSubject = wanted.filter(({ isInSubject }) => isInSubject === true)
  const parts = (field: PeopleField): readonly string[] => query[field].map((value) => value.toLowerCase())
  const people = { from: parts('from'), to: parts('to'), cc: parts('cc'), bcc: parts('bcc') }
  const isAny = wanted.length > 0 || PEOPLE_FIELDS.some((field) => people[field].length > 0)
  return isAny ? { terms, inSubject, people } : null
}

/** In their order, and none within another. */
const merged = (spans: readonly Span[]): readonly Span[] => {
  const kept: Span[] = []
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const last = kept.at(-1)
    if (last !== undefined && span.start < last.end)
      kept[kept.length - 1] = { ...last, end: Math.max(last.end, span.end) }
    else kept.push(span)
  }
  return kept
}

const isAt = (placed: readonly PlacedWord[], at: number, { words, isOpen }: WordTerm): boolean =>
  words.every((word, offset) => {
    const there = placed[at + offset]?.word
    return isOpen && offset === words.length - 1 ? there?.startsWith(word) === true : there === word
  })

/**
 * Where any of some terms stands in a field: whole words, a phrase from its first to its last word. Linear in the text's
 * length.
 * @returns places in their order, none within another
 */
export const markWords = (text: string, terms: readonly WordTerm[]): readonly Span[] => {
  if (terms.length === 0 || text === '') return []
  const byFirst = Map.groupBy(
    terms.filter(({ words, isOpen }) => !isOpen || words.length > 1),
    ({ words }) => words[0],
  )
  const beginnings = terms.filter(({ words, isOpen }) => isOpen && words.length === 1)
  const placed = placeWords(text)
  const spans: Span[] = []
  for (const [at, { word, start }] of placed.entries()) {
    for (const term of [...(byFirst.get(word) ?? []), ...beginnings]) {
      if (isAt(placed, at, term)) spans.push({ start, end: placed[at + term.words.length - 1]?.end ?? start })
    }
  }
  return merged(spans)
}

/** Whether a subject has the words that a search asks for in it. */
export const hasSubjectWords = (
  query: Pick<EmailQuery, 'text' | 'lastWordIsPrefix'>,
  subject: string | null,
): boolean =>
  wordTermsOf(query).every((term) => term.isInSubject !== true || markWords(subject ?? '', [term]).length > 0)

const MARKS_AFTER = /\p{M}*/uy

/** Where any of some parts stands in a name or an address, in whatever case. @param parts in lower case */
export const markParts = (text: string, parts: readonly string[]): readonly Span[] => {
  if (parts.length === 0) return []
  const lower = text.toLowerCase()
  // Few letters become longer in lower case; where one did, each is looked at.
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
  return merged(spans)
}

/** What is marked of a name or an address in a field of an e-mail. @param field null where it is said in no field */
export const markPerson = (text: string, marks: SearchMarks, field: PeopleField | null): readonly Span[] =>
  merged([...markWords(text, marks.terms), ...(field === null ? [] : markParts(text, marks.people[field]))])

/** A piece of a field that is drawn by itself. */
export interface FieldPiece {
  readonly text: string
  /** Whether it is parted from the piece before it, so that no word goes on in it. */
  readonly isApart: boolean
}

/**
 * Marks a field that is drawn in pieces: a word or phrase that lies in several of them is marked in each.
 * @returns places for each piece, within it
 */
export const markPieces = (pieces: readonly FieldPiece[], terms: readonly WordTerm[]): readonly (readonly Span[])[] => {
  const whole = pieces.map(({ text, isApart }) => (isApart ? `\n${text}` : text)).join('')
  const spans = markWords(whole, terms)
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
