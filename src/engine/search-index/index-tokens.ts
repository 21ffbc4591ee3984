/**
 * What the index holds of an e-mail beside its words: facts that never change, as tokens that no word can be, as words
 * have no underscore. A fact so is met in the index's own order, as a word is.
 */
import type { EmailKind, PeopleField } from '../../shared/thread-query.ts'

/** Between two fields, so that no phrase reaches over it. */
export const FIELD_END = '_'
export const OUTBOUND = '_o'
export const attachmentToken = (hasAttachment: boolean): string => (hasAttachment ? '_a1' : '_a0')

export const kindToken = (kind: EmailKind): string => `_k${kind}`

const FIELD_LETTERS: Readonly<Record<PeopleField, string>> = { from: 'f', to: 't', cc: 'c', bcc: 'b' }
/** A person in a field, as `search_documents.people` has it. */
export const personMark = (field: PeopleField, key: number): string => `${FIELD_LETTERS[field]}${key}`
export const personToken = (mark: string): string => `_${mark}`

const EARLIEST = 0
const LATEST = Date.UTC(2200, 0, 1)
const clamp = (time: number): number => Math.min(Math.max(time, EARLIEST), LATEST - 1)

/** A word of the subject. They follow each other as the words do, so that a phrase of the subject is one of theirs. */
export const subjectToken = (word: string): string => `_s${word}`

type SpanUnit = 'decade' | 'year' | 'month' | 'day'

/** Of a year with four digits, as all between the earliest and the latest have. */
const dayDigits = (date: Date): string =>
  String(date.getUTCFullYear() * 10_000 + (date.getUTCMonth() + 1) * 100 + date.getUTCDate())

/** @param digits of a day, such as 20261101 */
const tokenOf = (unit: SpanUnit, digits: string): string => {
  switch (unit) {
    case 'decade':
      return `_e${digits.slice(0, 3)}`
    case 'year':
      return `_y${digits.slice(0, 4)}`
    case 'month':
      return `_m${digits.slice(0, 6)}`
    case 'day':
      return `_d${digits}`
  }
}

/** The token of the span of time around a moment, and the span's ends; all in UTC. */
const spanAt = (
  unit: SpanUnit,
  time: number,
): { readonly token: string; readonly start: number; readonly end: number } => {
  const date = new Date(time)
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()]
  const token = tokenOf(unit, dayDigits(date))
  const first = year - (year % 10)
  switch (unit) {
    case 'decade':
      return { token, start: Date.UTC(first, 0), end: Date.UTC(first + 10, 0) }
    case 'year':
      return { token, start: Date.UTC(year, 0), end: Date.UTC(year + 1, 0) }
    case 'month':
      return { token, start: Date.UTC(year, month), end: Date.UTC(year, month + 1) }
    case 'day':
      return { token, start: Date.UTC(year, month, day), end: Date.UTC(year, month, day + 1) }
  }
}

const UNITS = ['decade', 'year', 'month', 'day'] as const

export const timeTokens = (time: number): readonly string[] => {
  const digits = dayDigits(new Date(clamp(time)))
  return UNITS.map((unit) => tokenOf(unit, digits))
}

/**
 * Tokens that every e-mail between two moments has one of, few of them for however long a time: whole decades, years and
 * months, and days at both ends, whose other e-mails have it as well.
 * @param until exclusive
 */
export const tokensBetween = (since: number, until: number): readonly string[] => {
  const end = clamp(until - 1) + 1
  const tokens: string[] = []
  // A day that holds one end only is taken whole.
  for (let at = spanAt('day', clamp(since)).start; at < end;) {
    const fits = (unit: SpanUnit): boolean => {
      const span = spanAt(unit, at)
      return span.start === at && span.end <= end
    }
    const span = spanAt(UNITS.find(fits) ?? 'day', at)
    tokens.push(span.token)
    at = span.end
  }
  return tokens
}
