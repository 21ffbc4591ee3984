/**
 * Parses times expressed in words: in the future for a snooze, a reminder or a scheduled message, in the past for a
 * search. Rejects ambiguous dates such as 1/12/2026.
 */
import {
  CalendarDate,
  CalendarDateTime,
  endOfMonth,
  fromAbsolute,
  toCalendarDate,
  toZoned,
  type DateDuration,
} from '@internationalized/date'
import type { Clock } from './search/date-bounds.ts'
import { DATE_UNITS, type DateUnit } from './thread-query.ts'

/** Direction to assume if the words don't give one: `friday` is the next one (`ahead`) or the last one (`behind`). */
type Direction = 'ahead' | 'behind'

interface NamedTime {
  readonly day: CalendarDate
  /** Length of the period that starts on `day`: a day, week, weekend, month or year. */
  readonly span?: DateDuration | undefined
  /** Null if the words name only a day. */
  readonly time: TimeOfDay | null
  /** The moment given by a duration from now such as `2h`, in milliseconds since the epoch; otherwise null. */
  readonly at: number | null
  /** The duration that `at` was computed from, for a search that stays relative to the current time. */
  readonly ago?: { readonly amount: number; readonly unit: DateUnit } | undefined
}

interface TimeOfDay {
  readonly hour: number
  readonly minute: number
}

/** A parsed value, with the number of words that it consumed. */
interface Found<Value> {
  readonly value: Value
  readonly words: number
}

/** UTF-16 units. No time in words is longer. */
const MAX_LENGTH = 100
/** Default hour of a day, and the hour at which a day ends. */
const [MORNING, DAY_END] = [9, 17]
const SATURDAY = 6
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const MONTHS: readonly string[] = [
  ...['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october'],
  ...['november', 'december'],
]
/** Default hour of a part of the day, and the first and last hour that can be combined with it. */
const PARTS_OF_DAY: ReadonlyMap<string, readonly [hour: number, first?: number, last?: number]> = new Map([
  ['midnight', [0]],
  ['morning', [MORNING, 0, 11]],
  ['am', [MORNING, 0, 11]],
  ['pm', [14, 12, 23]],
  ['noon', [12]],
  ['midday', [12]],
  ['afternoon', [14, 12, 18]],
  ['evening', [18, 17, 23]],
  ['night', [21, 17, 23]],
  ['end of', [DAY_END, 0, 23]],
])
const NUMBERS: ReadonlyMap<string, number> = new Map([
  ...'zero one two three four five six seven eight nine ten eleven twelve'
    .split(' ')
    .map((name, count): [string, number] => [name, count]),
  ...Object.entries({ a: 1, an: 1, fifteen: 15, twenty: 20, thirty: 30, forty: 40, fifty: 50, ninety: 90 }),
])
const UNITS = [
  ['minutes', /^m(?:ins?|inutes?)?$/],
  ['hours', /^h(?:rs?|ours?)?$/],
  ['days', /^d(?:ays?)?$/],
  ['weeks', /^w(?:ks?|eeks?)?$/],
  ['months', /^mo(?:s|nths?)?$/],
  ['years', /^y(?:rs?|ears?)?$/],
] as const
/** Matches a duration without spaces: `1h30m`, `3days`. */
const WITHOUT_BLANKS = /(\d)([a-z]+)(?=\d|\b)/g
/** Other spellings, with the one that is parsed. */
const SPELLINGS: readonly (readonly [pattern: RegExp, spelling: string])[] = [
  [/^(\d{4}-\d\d-\d\d)t(?=\d)/g, '$1 '],
  [/@/g, ' at '],
  [/\b([ap])\.m\b/g, '$1m'],
  [/ o['’]clock\b/g, ':00'],
  [/\b(?:a )?couple(?: of)?\b/g, '2'],
  [/\b(?:a )?fortnight\b/g, '2 weeks'],
  [/\bcob\b|\bclose of business\b/g, 'eod'],
  [/\bweds\b/g, 'wed'],
  [/\bfirst of\b/g, '1st'],
  [/(\dst|\dnd|\drd|\dth) of\b/g, '$1'],
  // Abbreviations such as “Fri.” and “Dec.”
  [/([a-z])\.(?=[\s,]|$)/g, '$1'],
]
const FILLERS: ReadonlySet<string> = new Set(['on', 'in', 'the', 'by', '-'])

/** @param word the start of a name, at least three letters @returns the index of the name, or -1 */
const indexOfName = (names: readonly string[], word = ''): number =>
  word.length < 3 ? -1 : names.findIndex((name) => name.startsWith(word))

/** Day of the week, with 0 for Sunday. */
const weekdayOf = (day: CalendarDate): number => day.toDate('UTC').getUTCDay()

/** @returns null for a day that doesn't exist, because `CalendarDate` would turn 31 April into 30 April */
const dayIn = (year: number, month: number, date: number): CalendarDate | null => {
  const day = new CalendarDate(year, month, date)
  return day.year === year && day.month === month && day.day === date ? day : null
}

/** The nearest day with this month and date, today included. A leap day may be eight years away. */
const nearestDay = (today: CalendarDate, month: number, date: number, direction: Direction): CalendarDate | null => {
  for (let years = 0; years <= 8; years += 1) {
    const day = dayIn(today.year + (direction === 'ahead' ? years : -years), month, date)
    if (day !== null && (direction === 'ahead' ? day.compare(today) >= 0 : day.compare(today) <= 0)) return day
  }
  return null
}

/** Parses a date: `2026-12-24`, `24.12.2026`, `24.12.`, `24 dec 2026`, `dec 24th`, `12/24/2026`. */
const parseDate = ([first = '', second, third = '']: readonly string[], today: CalendarDate, direction: Direction) => {
  const found = (words: number, year: number | null, month: number, date: number): Found<CalendarDate> | null => {
    const day = year === null ? nearestDay(today, month, date, direction) : dayIn(year, month, date)
    return day === null ? null : { value: day, words }
  }
  const [, isoYear, , isoMonth, isoDate] = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/.exec(first) ?? []
  if (isoYear !== undefined) return found(1, Number(isoYear), Number(isoMonth), Number(isoDate))
  const [, dottedDate, dottedMonth, dottedYear] = /^(\d{1,2})\.(\d{1,2})\.((?:20)?\d\d)?$/.exec(first) ?? []
  if (dottedDate !== undefined) {
    const year = dottedYear === undefined ? null : Number(dottedYear.slice(-2)) + 2000
    return found(1, year, Number(dottedMonth), Number(dottedDate))
  }
  const [, one, other, slashedYear] = /^(\d{1,2})\/(\d{1,2})(?:\/(\d{4}))?$/.exec(first) ?? []
  if (one !== undefined) {
    const [date, month] = [Number(one), Number(other)].toSorted((a, b) => b - a) as [number, number]
    if (date <= 12 && date !== month) return null
    return found(1, slashedYear === undefined ? null : Number(slashedYear), month, date)
  }
  const isDayFirst = /^\d/.test(first)
  const month = indexOfName(MONTHS, isDayFirst ? second : first) + 1
  const [, date] = /^(\d{1,2})(?:\.|st|nd|rd|th)?$/.exec((isDayFirst ? first : second) ?? '') ?? []
  if (month === 0 || date === undefined) return null
  const year = /^\d{4}$/.test(third) ? Number(third) : null
  return found(year === null ? 2 : 3, year, month, Number(date))
}

/** The nearest day with this date in any month, today included. */
const nearestDate = (today: CalendarDate, date: number, direction: Direction): CalendarDate | null => {
  const first = today.set({ day: 1 })
  // At most every second month lacks a date.
  const days = [0, 1, 2].map((months) => {
    const { year, month } = direction === 'ahead' ? first.add({ months }) : first.subtract({ months })
    return dayIn(year, month, date)
  })
  const fits = (day: CalendarDate): boolean =>
    direction === 'ahead' ? day.compare(today) >= 0 : day.compare(today) <= 0
  return days.find((day) => day !== null && fits(day)) ?? null
}

/** The first such weekday after today, or the last one before today. */
const weekdayFrom = (today: CalendarDate, weekday: number, direction: Direction): CalendarDate => {
  const days = (weekday - weekdayOf(today) + 7) % 7
  return direction === 'ahead' ? today.add({ days: days || 7 }) : today.subtract({ days: 7 - days })
}

/** The next Saturday, or, on a weekend, the next morning of that weekend. */
const weekendFrom = (today: CalendarDate, hour: number): CalendarDate => {
  const isPastMorning = hour >= MORNING
  if (weekdayOf(today) === SATURDAY) return isPastMorning ? today.add({ days: 1 }) : today
  return weekdayOf(today) === 0 && !isPastMorning ? today : weekdayFrom(today, SATURDAY, 'ahead')
}

/** Last day of the current period, or of the next one. A week ends on Friday. */
const endOf = (unit: string, today: CalendarDate, isNext: boolean): CalendarDate => {
  const count = isNext ? 1 : 0
  if (unit === 'day') return today.add({ days: count })
  if (unit === 'week') return today.add({ days: ((5 - weekdayOf(today) + 7) % 7) + 7 * count })
  return unit === 'month' ? endOfMonth(today.add({ months: count })) : new CalendarDate(today.year + count, 12, 31)
}

interface Day extends Pick<NamedTime, 'day' | 'span'> {
  readonly part: string | null
  /** Set if only a day of the week was named. */
  readonly weekday?: number
}

/** Combines a day with its day of the week, or a day of the week with its week. @returns null if they contradict each other */
const combineDays = (one: Day, other: Day): Day | null => {
  const [named, day] = one.weekday === undefined ? [other, one] : [one, other]
  const { weekday } = named
  const isOneDay = day.span?.days === 1
  if (weekday === undefined) return isOneDay && named.day.compare(day.day) === 0 ? day : null
  // Weeks start on Monday.
  if (day.span?.weeks !== undefined) return { ...named, day: day.day.add({ days: (weekday + 6) % 7 }) }
  return isOneDay && weekdayOf(day.day) === weekday ? day : null
}

/** Parses a day from the first words. @returns null if they don't name a day */
const parseDay = (
  words: readonly string[],
  today: CalendarDate,
  hour: number,
  direction: Direction,
): Found<Day> | null => {
  const found = (day: CalendarDate, count: number, part: string | null = null, span: DateDuration = { days: 1 }) => ({
    value: { day, part, span },
    words: count,
  })
  const [first = '', second = ''] = words
  if (first === 'today' || (first === 'this' && PARTS_OF_DAY.has(second))) return found(today, 1)
  if (first === 'tonight') return found(today, 1, 'night')
  if (/^(?:tomorrow|tmrw?)$/.test(first)) return found(today.add({ days: 1 }), 1)
  if (first === 'yesterday') return found(today.subtract({ days: 1 }), 1)
  if (words.slice(0, 3).join(' ') === 'day after tomorrow') return found(today.add({ days: 2 }), 3)
  const [end, next, unit, letter] =
    /^(?:end of (?:the |this )?(next )?(day|week|month|year)|eo([dwmy]))\b/.exec(words.slice(0, 4).join(' ')) ?? []
  if (end !== undefined) {
    const of = unit ?? ['day', 'week', 'month', 'year'].find((each) => each.startsWith(letter ?? '')) ?? ''
    return found(endOf(of, today, next !== undefined), end.split(' ').length, 'end of')
  }
  const said = /^(?:next|this|last|past|coming)$/.test(first) ? first : null
  const [name, count] = said === null ? [first, 1] : [second, 2]
  const isBehind = said === 'last' || said === 'past'
  const way: Direction = isBehind ? 'behind' : said === 'next' || said === 'coming' ? 'ahead' : direction
  const weekday = indexOfName(WEEKDAYS, name)
  if (weekday !== -1) {
    const isToday = said === null && direction === 'behind' && weekday === weekdayOf(today)
    const { value, words: used } = found(isToday ? today : weekdayFrom(today, weekday, way), count)
    return { value: said === null ? { ...value, weekday } : value, words: used }
  }
  const nextMonday = weekdayFrom(today, 1, 'ahead')
  if (name === 'weekend' && way === 'behind') {
    const isNow = weekdayOf(today) % SATURDAY === 0 && !isBehind
    return found(nextMonday.subtract({ days: isNow ? 2 : 9 }), count, null, { days: 2 })
  }
  if (name === 'weekend') return found(said === 'next' ? nextMonday.add({ days: 5 }) : weekendFrom(today, hour), count)
  const steps = isBehind ? -1 : said === 'this' || way === 'behind' ? 0 : 1
  if (name === 'week') return found(nextMonday.add({ weeks: steps - 1 }), count, null, { weeks: 1 })
  if (said !== null && name === 'month')
    return found(today.add({ months: steps }).set({ day: 1 }), count, null, { months: 1 })
  if (said !== null && name === 'year')
    return found(new CalendarDate(today.year + steps, 1, 1), count, null, { years: 1 })
  const date = said === null ? parseDate(words, today, direction) : null
  if (date !== null) return found(date.value, date.words)
  const [, ordinal] = /^(\d{1,2})(?:st|nd|rd|th)$/.exec(first) ?? []
  const month = indexOfName(MONTHS, name) + 1
  const year = /^\d{4}$/.exec(words[count] ?? '')?.[0]
  const start =
    ordinal !== undefined
      ? nearestDate(today, Number(ordinal), direction)
      : month === 0
        ? null
        : year === undefined
          ? nearestDay(today, month, 1, way)
          : dayIn(Number(year), month, 1)
  if (start === null) return null
  return ordinal !== undefined
    ? found(start, 1)
    : found(start, count + (year === undefined ? 0 : 1), null, { months: 1 })
}

interface Hour extends TimeOfDay {
  /** True if no am or pm was typed, so the hour may be meant in the afternoon. */
  readonly isBare: boolean
}

/** Parses `9`, `nine`, `9:30`, `9.30`, `9am`, `9 pm` from the first words. @returns null if they don't name an hour */
const parseHour = ([first = '', second = '']: readonly string[]): Found<Hour> | null => {
  const digits = first.length < 3 ? first : String(NUMBERS.get(first) ?? first)
  const [, hours, minutes = '0', attached] = /^(\d{1,2})(?:[:.](\d{2}))?(am|pm)?$/.exec(digits) ?? []
  if (hours === undefined || Number(minutes) > 59) return null
  const isApart = attached === undefined && /^[ap]m$/.test(second)
  const half = isApart ? second : attached
  const [hour, words] = [Number(hours), isApart ? 2 : 1]
  if (half === undefined) return hour > 23 ? null : { value: { hour, minute: Number(minutes), isBare: true }, words }
  if (hour < 1 || hour > 12) return null
  return { value: { hour: (hour % 12) + (half === 'pm' ? 12 : 0), minute: Number(minutes), isBare: false }, words }
}

/** Combines a part of the day with an hour: `tonight 8` means 20:00. Undefined if they contradict each other. */
const timeOf = (part: string | null, hour: Hour | null): TimeOfDay | null | undefined => {
  if (part === null) return hour
  const [usual = MORNING, first = 24, last = 0] = PARTS_OF_DAY.get(part) ?? []
  if (hour === null) return { hour: usual, minute: 0 }
  const isLate = first >= 12 && hour.isBare && hour.hour < 12
  const { hour: of, minute } = isLate ? { ...hour, hour: hour.hour + 12 } : hour
  return of >= first && of <= last ? { hour: of, minute } : undefined
}

/** Parses a day, a time, or both, in any order. */
const parseDayAndTime = (
  words: readonly string[],
  { now, timeZone }: Clock,
  direction: Direction,
): NamedTime | null => {
  const here = fromAbsolute(now, timeZone)
  const today = toCalendarDate(here)
  let [day, part, hour]: [Day | null, string | null, Hour | null] = [null, null, null]
  for (let at = 0; at < words.length;) {
    const word = words[at] ?? ''
    // The words after “at” are an hour, even in “at 17 dec 24”.
    if (word === 'at') at += 1
    const left = words.slice(at)
    const named: Found<Day> | null = word === 'at' ? null : parseDay(left, today, here.hour, direction)
    const typed: Found<Hour> | null = named === null && hour === null ? parseHour(left) : null
    if (named !== null) {
      if (named.value.part === 'night' && part !== null) return null
      day = day === null ? named.value : combineDays(day, named.value)
      if (day === null) return null
      part ??= named.value.part
    } else if (typed !== null) hour = typed.value
    else if (PARTS_OF_DAY.has(left[0] ?? '') && (part === null || part === 'end of')) part = left[0] ?? null
    else if (!FILLERS.has(left[0] ?? '')) return null
    at += named?.words ?? typed?.words ?? 1
  }
  const time = timeOf(part, hour)
  if (time === undefined) return null
  if (day !== null) return { day: day.day, span: day.span, time, at: null }
  if (time === null) return null
  // A time without a day means the nearest such time in the given direction.
  const isLater = time.hour * 60 + time.minute > here.hour * 60 + here.minute
  const days = direction === 'ahead' ? (isLater ? 0 : 1) : isLater ? -1 : 0
  return { day: today.add({ days }), time, at: null }
}

/** Parses a duration: `2h`, `in two days`, `1h 30m`, `half an hour`, `3 days ago`, `in 2 days 9:00`. */
const parseDuration = (typed: readonly string[], clock: Clock, direction: Direction): NamedTime | null => {
  const words = typed.filter((word) => word !== 'and' && word !== 'in')
  const length: Partial<Record<(typeof UNITS)[number][0], number>> = {}
  let [at, ago]: [number, NamedTime['ago']] = [0, undefined]
  if (/^half an? h/.test(words.slice(0, 3).join(' '))) [length.minutes, at] = [30, 3]
  for (; at + 1 < words.length; at += 2) {
    const [word = '', name = ''] = words.slice(at)
    const count = /^\d{1,4}(?:\.5)?$/.test(word) ? Number(word) : (NUMBERS.get(word) ?? -1)
    const unit = UNITS.find(([, pattern]) => pattern.test(name))?.[0]
    const isHalf = count % 1 > 0
    if (count === -1 || unit === undefined || length[unit] !== undefined || (isHalf && unit !== 'hours')) break
    length[unit] = Math.floor(count)
    if (isHalf) length.minutes = 30
    const named = DATE_UNITS.find((each) => `${each}s` === unit)
    ago = at === 0 && count > 0 && !isHalf && named !== undefined ? { amount: count, unit: named } : undefined
  }
  if (at === 0) return null
  const rest = words.slice(at)
  const [isAgo, isFromNow] = [rest.join(' ') === 'ago', rest.join(' ') === 'from now']
  const isBehind = isAgo || (direction === 'behind' && typed[0] !== 'in' && !isFromNow)
  const now = fromAbsolute(clock.now, clock.timeZone)
  const then = isBehind ? now.subtract(length) : now.add(length)
  const day = toCalendarDate(then)
  if (rest.length === 0 || isAgo || isFromNow) {
    return { day, time: null, at: then.toDate().getTime(), ago: isBehind ? ago : undefined }
  }
  if (length.minutes !== undefined || length.hours !== undefined) return null
  if (rest[0] === 'from') {
    const from = parseDayAndTime(rest.slice(1), clock, 'ahead')
    return from === null ? null : { day: from.day.add(length), time: from.time, at: null }
  }
  const time = parseDayAndTime(['today', ...rest], clock, direction)?.time ?? null
  return time === null ? null : { day, time, at: null }
}

/** @returns null if the text names no time */
export const parseTimeExpression = (typed: string, clock: Clock, direction: Direction): NamedTime | null => {
  if (typed.length > MAX_LENGTH) return null
  const lower = typed.toLowerCase().trim()
  const text = SPELLINGS.reduce((before, [pattern, spelling]) => before.replaceAll(pattern, spelling), lower)
  const split = (words: string): readonly string[] => words.trim().split(/[\s,]+/)
  if (text === '') return null
  const duration = parseDuration(split(text.replaceAll(WITHOUT_BLANKS, '$1 $2 ')), clock, direction)
  if (duration !== null) return duration
  // “1.12” is a date or a time. A search is for a date.
  const texts = [text, text.replace(/(?<![\d.:])\d{1,2}\.\d{1,2}(?![\d.])/, '$&.')]
  const [first, second] = direction === 'behind' ? texts.toReversed() : texts
  return parseDayAndTime(split(first ?? ''), clock, direction) ?? parseDayAndTime(split(second ?? ''), clock, direction)
}

const localTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

/**
 * Parses a moment in the future: `tomorrow 9:00`, `in 2 hours`, `mon 14:30`, `1 dec`, `2026-12-24 18:00`, `9pm`,
 * `tonight`. A day without a time starts at nine.
 * @param now milliseconds since the epoch, like the result
 * @returns null if the text names no moment; the result may be in the past
 */
export const parseFutureTime = (typed: string, now: number, timeZone: string = localTimeZone()): number | null => {
  const named = parseTimeExpression(typed, { now, timeZone }, 'ahead')
  if (named === null) return null
  if (named.at !== null) return named.at
  const { day, time } = named
  const { hour, minute } = time ?? { hour: MORNING, minute: 0 }
  return toZoned(new CalendarDateTime(day.year, day.month, day.day, hour, minute), timeZone)
    .toDate()
    .getTime()
}
