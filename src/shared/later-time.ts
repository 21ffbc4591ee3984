/** Times that lie ahead: those that are offered, and what people type for one. All are of the person's own clock. */

/** A time that is offered, in words. */
export interface LaterChoice {
  /** The day; the time of it stands beside. */
  readonly name: string
  /** Milliseconds since the epoch. */
  readonly at: number
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** The hour of a day that is named without one. */
const MORNING = 9

/** A day from now on at an hour of the person's own clock: days are not all 24 hours long. */
export const dayAt = (now: number, days: number, hour: number, minute = 0): number => {
  const date = new Date(now)
  date.setDate(date.getDate() + days)
  date.setHours(hour, minute, 0, 0)
  return date.getTime()
}

/** @param weekday 0 is Sunday. @returns 7 for the day that it is now */
export const daysUntil = (now: number, weekday: number): number => (weekday - new Date(now).getDay() + 7) % 7 || 7

const twoDigits = (value: number): string => String(value).padStart(2, '0')

/** A moment as a person would type it for {@link readMoment}, to the minute. */
export const typedTime = (at: number): string => {
  const date = new Date(at)
  const day = [date.getFullYear(), twoDigits(date.getMonth() + 1), twoDigits(date.getDate())].join('-')
  return `${day} ${date.getHours()}:${twoDigits(date.getMinutes())}`
}

/** So many days on, at the same time by the person's own clock, whether that is put forward or back meanwhile. */
const daysOn = (now: number, days: number): number => {
  const date = new Date(now)
  date.setDate(date.getDate() + days)
  return date.getTime()
}

const monthsOn = (now: number, months: number): number => {
  const date = new Date(now)
  const day = date.getDate()
  date.setMonth(date.getMonth() + months)
  // A month after 31 January is the last of February.
  if (date.getDate() !== day) date.setDate(0)
  return date.getTime()
}

/** Minutes and hours are lengths; days, weeks and months are the calendar's. */
const UNITS: readonly { readonly words: RegExp; readonly after: (now: number, count: number) => number }[] = [
  { words: /^(?:m|min|mins|minutes?)$/, after: (now, count) => now + count * MINUTE_MS },
  { words: /^(?:h|hrs?|hours?)$/, after: (now, count) => now + count * HOUR_MS },
  { words: /^(?:d|days?)$/, after: daysOn },
  { words: /^(?:w|weeks?)$/, after: (now, count) => daysOn(now, 7 * count) },
  { words: /^(?:mo|months?)$/, after: monthsOn },
]
const WEEKDAYS: readonly string[] = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const MONTHS: readonly string[] = [
  ...['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october'],
  ...['november', 'december'],
]
const PARTS_OF_DAY: ReadonlyMap<string, number> = new Map([
  ['morning', MORNING],
  ['noon', 12],
  ['afternoon', 14],
  ['evening', 18],
  ['night', 21],
])

interface TimeOfDay {
  readonly hour: number
  readonly minute: number
}

const readClock = (text: string): TimeOfDay | null => {
  const part = PARTS_OF_DAY.get(text)
  if (part !== undefined) return { hour: part, minute: 0 }
  const match = /^(\d{1,2})(?:[:.](\d{2}))?\s*(am|pm)?$/.exec(text)
  if (match === null) return null
  const [, hours = '', minutes = '0', half] = match
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half === 'pm' ? 12 : 0)
  const isHour = half === undefined ? Number(hours) < 24 : Number(hours) >= 1 && Number(hours) <= 12
  return isHour && Number(minutes) < 60 ? { hour, minute: Number(minutes) } : null
}

const beginsOne = (names: readonly string[], typed: string): number =>
  typed.length < 3 ? -1 : names.findIndex((name) => name.startsWith(typed))

/** How many days on a day is that is named by one or two words; null for no such day. */
const readDay = (
  first: string,
  second: string,
  now: number,
): { readonly days: number; readonly words: number } | null => {
  if (first === 'today') return { days: 0, words: 1 }
  if (first === 'tomorrow' || first === 'tmr') return { days: 1, words: 1 }
  if (first === 'weekend') return { days: daysUntil(now, 6), words: 1 }
  if (first === 'week') return { days: daysUntil(now, 1), words: 1 }
  const weekday = beginsOne(WEEKDAYS, first)
  if (weekday >= 0) return { days: daysUntil(now, weekday), words: 1 }
  const isDayFirst = /^\d{1,2}\.?$/.test(first)
  const month = beginsOne(MONTHS, isDayFirst ? second : first)
  const day = /^(\d{1,2})(?:\.|st|nd|rd|th)?$/.exec(isDayFirst ? first : second)?.[1]
  if (month === -1 || day === undefined) return null
  const today = new Date(now)
  const at = (year: number): Date => new Date(year, month, Number(day), 12)
  const noon = new Date(now).setHours(12, 0, 0, 0)
  const date = at(today.getFullYear()).getTime() < noon ? at(today.getFullYear() + 1) : at(today.getFullYear())
  if (date.getDate() !== Number(day)) return null
  return { days: Math.round((date.getTime() - noon) / (24 * HOUR_MS)), words: 2 }
}

/**
 * Reads a moment in words: `tomorrow 9:00`, `in 2 hours`, `3 days`, `mon 14:30`, `1 dec`, `2026-12-24 18:00`, `9pm`,
 * `tonight`. A day without a time is its morning; a time without a day is the next one of that name.
 * @returns milliseconds since the epoch, which may lie behind; null where the text names no moment
 */
export const readMoment = (typed: string, now: number): number | null => {
  const text = typed.trim().toLowerCase().replace(/\s+/g, ' ')
  const within = /^(?:in )?(\d{1,4}|an?) ?([a-z]+)$/.exec(text)
  const unit = UNITS.find(({ words }) => words.test(within?.[2] ?? ''))
  if (within !== null && unit !== undefined) {
    const count = Number(within[1])
    return unit.after(now, Number.isNaN(count) ? 1 : count)
  }
  const full = /^(\d{4})-(\d{2})-(\d{2})(?:[t ]\s*(.+))?$/.exec(text)
  if (full !== null) {
    const [, year, month, day, time] = full
    const clock = time === undefined ? { hour: MORNING, minute: 0 } : readClock(time)
    if (clock === null) return null
    const date = new Date(Number(year), Number(month) - 1, Number(day), clock.hour, clock.minute)
    return date.getDate() === Number(day) && date.getMonth() === Number(month) - 1 ? date.getTime() : null
  }
  const bare = readClock(text)
  if (bare !== null) {
    const today = dayAt(now, 0, bare.hour, bare.minute)
    return today > now ? today : dayAt(now, 1, bare.hour, bare.minute)
  }
  const words = text
    .replace('tonight', 'today night')
    .replace(/^(?:next|this|on) /, '')
    .split(/[ ,]+/)
  const named = PARTS_OF_DAY.has(words[0] ?? '') ? { days: 0, words: 0 } : readDay(words[0] ?? '', words[1] ?? '', now)
  if (named === null) return null
  const time = words
    .slice(named.words)
    .filter((word) => word !== 'at')
    .join(' ')
  const clock = time === '' ? { hour: MORNING, minute: 0 } : readClock(time)
  return clock === null ? null : dayAt(now, named.days, clock.hour, clock.minute)
}

/** A time that is offered, and what tells it from the others. */
export interface OfferedTime extends LaterChoice {
  readonly id: string
}

/** Hours of "later today", and after which hour it would be night. */
const LATER_HOURS = 3
const LATEST_LATER = 20

/**
 * Times that lie ahead, the earliest first, each once.
 * @param isSoon the nearest ones, as for a snooze; else days, as an answer takes
 */
export const offeredTimes = (now: number, isSoon: boolean): readonly OfferedTime[] => {
  const hour = new Date(now).getHours() + LATER_HOURS
  const soon: readonly OfferedTime[] = [
    ...(hour <= LATEST_LATER ? [{ id: 'later', name: 'Later today', at: dayAt(now, 0, Math.max(hour, MORNING)) }] : []),
    { id: 'tomorrow', name: 'Tomorrow', at: dayAt(now, 1, MORNING) },
    { id: 'weekend', name: 'This weekend', at: dayAt(now, daysUntil(now, 6), MORNING) },
    { id: 'next-week', name: 'Next week', at: dayAt(now, daysUntil(now, 1), MORNING) },
  ]
  const days: readonly OfferedTime[] = [
    { id: 'day', name: 'Tomorrow', at: daysOn(now, 1) },
    { id: 'days', name: 'In 3 days', at: daysOn(now, 3) },
    { id: 'week', name: 'In a week', at: daysOn(now, 7) },
    { id: 'weeks', name: 'In 2 weeks', at: daysOn(now, 14) },
  ]
  const times = isSoon ? soon : days
  return times
    .filter(({ at }, place) => times.findIndex((other) => other.at === at) === place)
    .toSorted((one, other) => one.at - other.at)
}
