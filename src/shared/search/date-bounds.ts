/** Dates in a search: parsing them, resolving them in the user's time zone, and formatting them. */
import {
  CalendarDate,
  fromAbsolute,
  parseDate,
  parseDateTime,
  toZoned,
  type DateDuration,
  type ZonedDateTime,
} from '@internationalized/date'
import type { DateBound, DateUnit } from '../thread-query.ts'
import { parseTimeExpression } from '../time-expressions.ts'
import { normalizeKeyword } from './operators.ts'

export interface Clock {
  /** Milliseconds since the epoch. */
  readonly now: number
  /** IANA name such as `Europe/Berlin`. */
  readonly timeZone: string
}

/**
 * Range of a typed date, from its first moment to the first moment after it. `to` is null if the date is a single
 * moment.
 */
export interface TypedDate {
  readonly from: DateBound
  readonly to: DateBound | null
}

const UNITS: Readonly<Record<string, DateUnit>> = {
  h: 'hour',
  hour: 'hour',
  hours: 'hour',
  d: 'day',
  day: 'day',
  days: 'day',
  w: 'week',
  week: 'week',
  weeks: 'week',
  m: 'month',
  mo: 'month',
  month: 'month',
  months: 'month',
  y: 'year',
  year: 'year',
  years: 'year',
}
const UNIT_LETTERS: Readonly<Record<DateUnit, string>> = { hour: 'h', day: 'd', week: 'w', month: 'mo', year: 'y' }
const DAY_NAMES: ReadonlyMap<string, number> = new Map([
  ['yesterday', -1],
  ['today', 0],
  ['tomorrow', 1],
])

const AGO = /^(\d{1,4})([a-z]{1,6})$/
const CALENDAR = /^(\d{4})(?:([-/.])(\d{1,2})(?:\2(\d{1,2}))?)?$/
const TIME = /^(\d{4}-\d\d-\d\d)t(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,3})\d{0,6})?)?(z|[+-]\d\d(?::?\d\d)?)?$/

/** @returns null for anything but a positive duration */
export const parseAgo = (text: string): Extract<DateBound, { kind: 'ago' }> | null => {
  const [, digits, letters] = AGO.exec(normalizeKeyword(text)) ?? []
  const unit = UNITS[letters ?? '']
  const amount = Number(digits)
  return unit === undefined || amount === 0 ? null : { kind: 'ago', amount, unit }
}

const twoDigits = (value: number): string => String(value).padStart(2, '0')

const day = (date: CalendarDate): DateBound => ({ kind: 'day', day: date.toString() })

/** The day after a period, or null past the end of the calendar. */
const dayAfter = (first: CalendarDate, length: DateDuration): DateBound | null =>
  first.add(length).subtract(length).compare(first) === 0 ? day(first.add(length)) : null

const parseCalendar = (text: string): TypedDate | null => {
  const [, year, , month, date] = CALENDAR.exec(text) ?? []
  if (year === undefined || Number(year) === 0) return null
  const parts = [Number(year), Number(month ?? 1), Number(date ?? 1)] as const
  const first = new CalendarDate(...parts)
  // CalendarDate silently turns 31 April into 30 April.
  if (first.year !== parts[0] || first.month !== parts[1] || first.day !== parts[2]) return null
  const length = date !== undefined ? { days: 1 } : month !== undefined ? { months: 1 } : { years: 1 }
  return { from: day(first), to: dayAfter(first, length) }
}

const parseTime = (text: string): TypedDate | null => {
  const [, date, hour, minute, second = '00', fraction = '', offset] = TIME.exec(text) ?? []
  if (date === undefined || hour === undefined || minute === undefined) return null
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null
  if (parseCalendar(date) === null) return null
  const milliseconds = fraction === '' ? '' : `.${fraction.padEnd(3, '0')}`
  const time = `${date}T${hour}:${minute}:${second}${milliseconds}`
  if (offset === undefined) return { from: { kind: 'local-time', time }, to: null }
  const [, sign, hours, minutes = '00'] = /^([+-])(\d\d):?(\d\d)?$/.exec(offset) ?? []
  if (Number(hours ?? 0) > 23 || Number(minutes) > 59) return null
  const at = Date.parse(`${time}${sign === undefined ? 'Z' : `${sign}${hours ?? '00'}:${minutes}`}`)
  return { from: { kind: 'instant', at }, to: null }
}

/** Parses a time in the past, expressed in words (`time-expressions.ts`). */
const parseWords = (text: string, clock: Clock): TypedDate | null => {
  const named = parseTimeExpression(text, clock, 'behind')
  if (named === null) return null
  if (named.ago !== undefined) return { from: { kind: 'ago', ...named.ago }, to: null }
  // Truncated to the minute, so that parsing the search again gives the same time.
  if (named.at !== null) return { from: { kind: 'instant', at: named.at - (named.at % 60_000) }, to: null }
  if (named.time === null) return { from: day(named.day), to: dayAfter(named.day, named.span ?? { days: 1 }) }
  const time = `${named.day.toString()}T${twoDigits(named.time.hour)}:${twoDigits(named.time.minute)}:00`
  return { from: { kind: 'local-time', time }, to: null }
}

/**
 * Parses `2026-05-01`, `2026/5/1`, a month, a year, `today`, an ISO time with or without an offset, a duration back
 * from now (`7d`, `2w`, `3mo`, `1y`, `12h`), or words (`monday`, `last friday`, `two days ago`).
 */
export const parseTypedDate = (typed: string, clock: Clock): TypedDate | null => {
  const text = normalizeKeyword(typed)
  const offset = DAY_NAMES.get(text)
  if (offset !== undefined) {
    return { from: { kind: 'relative-day', offset }, to: { kind: 'relative-day', offset: offset + 1 } }
  }
  const ago = parseAgo(text)
  if (ago !== null) return { from: ago, to: null }
  return parseCalendar(text) ?? parseTime(text) ?? parseWords(text, clock)
}

/** The following day; null unless the bound is a day. */
export const getNextDay = (bound: DateBound): DateBound | null => {
  if (bound.kind === 'relative-day') return { kind: 'relative-day', offset: bound.offset + 1 }
  return bound.kind === 'day' ? dayAfter(parseDate(bound.day), { days: 1 }) : null
}

const startOf = (date: CalendarDate, timeZone: string): ZonedDateTime => toZoned(date, timeZone)

const zonedOf = (bound: Exclude<DateBound, { kind: 'instant' }>, { now, timeZone }: Clock): ZonedDateTime => {
  switch (bound.kind) {
    case 'day':
      return startOf(parseDate(bound.day), timeZone)
    case 'relative-day': {
      const { year, month, day: date } = fromAbsolute(now, timeZone)
      return startOf(new CalendarDate(year, month, date).add({ days: bound.offset }), timeZone)
    }
    case 'local-time':
      return toZoned(parseDateTime(bound.time), timeZone)
    case 'ago':
      return fromAbsolute(now, timeZone).subtract({ [`${bound.unit}s`]: bound.amount })
  }
}

/**
 * The moment of a bound, in milliseconds since the epoch. A day starts with its first moment, even where midnight is
 * skipped.
 */
export const resolveDateBound = (bound: DateBound, clock: Clock): number =>
  bound.kind === 'instant' ? bound.at : zonedOf(bound, clock).toDate().getTime()

/** First and last moment that a four-digit year can express. */
const [EARLIEST, LATEST] = [Date.parse('0001-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59.999Z')]

/** ISO 8601 timestamp for the platform (platform.md 9.11), in the user's offset; limited to the years 1 to 9999. */
export const formatIsoTimestamp = (moment: number, timeZone: string): string => {
  const written = Math.min(Math.max(moment, EARLIEST), LATEST)
  const minutes = fromAbsolute(written, timeZone).offset / 60_000
  const shifted = written + minutes * 60_000
  // Before time zones existed, places had offsets of odd seconds, which a timestamp can't express.
  if (!Number.isInteger(minutes) || shifted < EARLIEST || shifted > LATEST) return new Date(written).toISOString()
  const local = new Date(shifted).toISOString().slice(0, -1)
  const size = Math.abs(minutes)
  return `${local}${minutes < 0 ? '-' : '+'}${twoDigits(Math.floor(size / 60))}:${twoDigits(size % 60)}`
}

export const formatBound = (bound: DateBound): string => {
  switch (bound.kind) {
    case 'day':
      return bound.day
    case 'relative-day':
      return [...DAY_NAMES].find(([, offset]) => offset === bound.offset)?.[0] ?? 'today'
    case 'local-time':
      return bound.time
    case 'instant':
      return new Date(bound.at).toISOString().replace('.000Z', 'Z')
    case 'ago':
      return `${bound.amount}${UNIT_LETTERS[bound.unit]}`
  }
}
