/**
 * Index tokens for properties of an e-mail that never change. Tokens contain an underscore and words don't, so they
 * can't collide. This lets properties be found in index order, like words.
 */
import type { EmailKind, PeopleField } from '../../../shared/thread-query.ts'

/** Separates fields, so that no phrase matches across two fields. */
export const FIELD_SEPARATOR = '_'
export const OUTBOUND_TOKEN = '_o'
export const attachmentToken = (hasAttachment: boolean): string => (hasAttachment ? '_a1' : '_a0')

export const kindToken = (kind: EmailKind): string => `_k${kind}`

const FIELD_LETTERS: Readonly<Record<PeopleField, string>> = { from: 'f', to: 't', cc: 'c', bcc: 'b' }
/** Reference to a person in a field, as in `search_documents.people`. */
export const toPersonReference = (field: PeopleField, key: number): string => `${FIELD_LETTERS[field]}${key}`
export const personToken = (mark: string): string => `_${mark}`

const EARLIEST = 0
const LATEST = Date.UTC(2200, 0, 1)
const clamp = (time: number): number => Math.min(Math.max(time, EARLIEST), LATEST - 1)

/** Token for a word in the subject. Tokens follow the subject's word order, so that phrases match too. */
export const subjectToken = (word: string): string => `_s${word}`

type SpanUnit = 'decade' | 'year' | 'month' | 'day'

/** The date as digits, such as 20261101. All years in range have four digits. */
const dayDigits = (date: Date): string =>
  String(date.getUTCFullYear() * 10_000 + (date.getUTCMonth() + 1) * 100 + date.getUTCDate())

/** @param digits a day, such as 20261101 */
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

/** Token and bounds of the time span that contains a time, in UTC. */
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

export const listTimeTokens = (time: number): readonly string[] => {
  const digits = dayDigits(new Date(clamp(time)))
  return UNITS.map((unit) => tokenOf(unit, digits))
}

/**
 * A few tokens for a time range, so that every e-mail in the range has one of them. They cover decades, years and
 * months, plus days at both ends, which may include other e-mails of those days.
 * @param until exclusive
 */
export const listTokensBetween = (since: number, until: number): readonly string[] => {
  const end = clamp(until - 1) + 1
  const tokens: string[] = []
  // Include days that are only partly in the range.
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
