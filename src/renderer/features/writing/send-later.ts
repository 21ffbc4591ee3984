/** A time at which the platform is to send a message, in words. */
export interface LaterChoice {
  /** The day; the time of it stands beside. */
  readonly name: string
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** The platform takes messages for the next 30 days (platform facts 6.1 name no bound; its own limits do). */
const LATEST_DAYS = 30
const HOUR_MS = 60 * 60 * 1000

/** A day from now on at an hour of the person's own clock: days are not all 24 hours long. */
const dayAt = (now: number, days: number, hour: number, minute = 0): number => {
  const date = new Date(now)
  date.setDate(date.getDate() + days)
  date.setHours(hour, minute, 0, 0)
  return date.getTime()
}

const daysUntil = (now: number, weekday: number): number => (weekday - new Date(now).getDay() + 7) % 7 || 7

/** What is offered without typing. */
export const laterChoices = (now: number): readonly LaterChoice[] => [
  { name: 'In 2 hours', at: now + 2 * HOUR_MS },
  ...(new Date(now).getHours() < 17 ? [{ name: 'This evening', at: dayAt(now, 0, 18) }] : []),
  { name: 'Tomorrow', at: dayAt(now, 1, 9) },
  { name: 'Next Monday', at: dayAt(now, daysUntil(now, 1), 9) },
]

const twoDigits = (value: number): string => String(value).padStart(2, '0')

/** A moment as a person would type it for {@link parseLater}, to the minute. */
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

/** Minutes and hours are lengths; days and weeks are the calendar's. */
const UNITS: readonly { readonly words: RegExp; readonly after: (now: number, count: number) => number }[] = [
  { words: /^(?:m|min|mins|minutes?)$/, after: (now, count) => now + count * 60_000 },
  { words: /^(?:h|hrs?|hours?)$/, after: (now, count) => now + count * HOUR_MS },
  { words: /^(?:d|days?)$/, after: daysOn },
  { words: /^(?:w|weeks?)$/, after: (now, count) => daysOn(now, 7 * count) },
]
const WEEKDAYS: readonly string[] = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']

const readClock = (text: string): { readonly hour: number; readonly minute: number } | null => {
  const match = /^(\d{1,2})(?:[:.](\d{2}))?\s*(am|pm)?$/.exec(text)
  if (match === null) return null
  const [, hours = '', minutes = '0', half] = match
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half === 'pm' ? 12 : 0)
  const isHour = half === undefined ? Number(hours) < 24 : Number(hours) >= 1 && Number(hours) <= 12
  return isHour && Number(minutes) < 60 ? { hour, minute: Number(minutes) } : null
}

/** The moment that a text names; null where it names none. */
const readMoment = (text: string, now: number): number | null => {
  const within = /^in\s+(\d{1,4})\s*([a-z]+)$/.exec(text)
  if (within !== null) {
    const unit = UNITS.find(({ words }) => words.test(within[2] ?? ''))
    return unit?.after(now, Number(within[1])) ?? null
  }
  const full = /^(\d{4})-(\d{2})-(\d{2})(?:[t ]\s*(.+))?$/.exec(text)
  if (full !== null) {
    const [, year, month, day, time] = full
    const clock = time === undefined ? { hour: 9, minute: 0 } : readClock(time)
    if (clock === null) return null
    const date = new Date(Number(year), Number(month) - 1, Number(day), clock.hour, clock.minute)
    return date.getDate() === Number(day) && date.getMonth() === Number(month) - 1 ? date.getTime() : null
  }
  const [first = '', ...rest] = text.replace(/^next\s+/, '').split(/[\s,]+/)
  const time = rest.filter((word) => word !== 'at').join(' ')
  const clock = time === '' ? { hour: 9, minute: 0 } : readClock(time)
  const weekday = first.length < 3 ? -1 : WEEKDAYS.findIndex((name) => name.startsWith(first))
  if (clock !== null && first === 'today') return dayAt(now, 0, clock.hour, clock.minute)
  if (clock !== null && first === 'tomorrow') return dayAt(now, 1, clock.hour, clock.minute)
  if (clock !== null && weekday >= 0) return dayAt(now, daysUntil(now, weekday), clock.hour, clock.minute)
  const bare = readClock(text)
  if (bare === null) return null
  const today = dayAt(now, 0, bare.hour, bare.minute)
  return today > now ? today : dayAt(now, 1, bare.hour, bare.minute)
}

/**
 * Reads a time that a person types: `tomorrow 9:00`, `in 2 hours`, `mon 14:30`, `2026-12-24 18:00`, `9pm`.
 * @returns the moment, in milliseconds since the epoch, or why it is none
 */
export const parseLater = (typed: string, now: number): { readonly at: number } | { readonly problem: string } => {
  const text = typed.trim().toLowerCase().replace(/\s+/g, ' ')
  const at = readMoment(text, now)
  if (at === null) return { problem: 'Type a time such as “tomorrow 9:00”, “in 2 hours” or “2026-12-24 18:00”.' }
  if (at <= now) return { problem: 'This time has passed. Choose a later one.' }
  if (at > now + LATEST_DAYS * 24 * HOUR_MS) {
    return { problem: 'You can schedule up to 30 days ahead. Choose an earlier time.' }
  }
  return { at }
}
