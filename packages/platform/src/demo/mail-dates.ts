import type { Random } from '../random.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** Age of the oldest mail in days: the platform keeps mail for 30 days (platform.md 2.6). */
const maxAgeDays = 29.5

/** Likelihood of mail at a time (0 to 1): mostly working days from eight to six, a little at any time. */
const likelihood = (moment: Date): number => {
  const weekday = moment.getUTCDay()
  const hourOfDay = moment.getUTCHours()
  const dayWeight = weekday === 0 || weekday === 6 ? 0.2 : 1
  const hourWeight = hourOfDay >= 8 && hourOfDay < 18 ? 1 : hourOfDay >= 6 && hourOfDay < 22 ? 0.35 : 0.05
  return dayWeight * hourWeight
}

/**
 * Times of last activity, newest first. None is older than 27 days, so that earlier messages fit into the platform's 30
 * days. `recentMinutes`: ages of the newest ones, so the demo has mail from this morning even when it starts at night.
 */
export function generateThreadDates(
  now: Date,
  count: number,
  recentMinutes: readonly number[],
  random: Random,
): readonly Date[] {
  const recent = recentMinutes.slice(0, count).map((age) => new Date(now.getTime() - age * minute))
  const earliestAge = 9 * hour
  const older: Date[] = []
  while (older.length < count - recent.length) {
    const age = earliestAge + random.next() ** 1.25 * (27 * day - earliestAge)
    const moment = new Date(now.getTime() - age)
    if (random.chance(likelihood(moment))) older.push(moment)
  }
  return [...recent, ...older.sort((one, other) => other.getTime() - one.getTime())]
}

/** Hours until a reply: often the same day, sometimes the next, rarely at night. */
const randomGapHours = (answered: Date, random: Random): number => {
  const gaps = Array.from({ length: 6 }, () =>
    random.chance(0.25) ? 14 + random.next() * 12 : 0.3 + random.next() ** 2 * 7,
  )
  return gaps.find((gap) => likelihood(new Date(answered.getTime() - gap * hour)) >= 0.35) ?? gaps[0] ?? 1
}

/**
 * Dates of a thread's messages, oldest first, ending with `last`. `gapsInHours`: hours before each message but the
 * first; null picks a usual gap. A thread that would start before the mailbox does is compressed.
 */
export function generateMessageDates(
  now: Date,
  last: Date,
  gapsInHours: readonly (number | null)[],
  random: Random,
): readonly Date[] {
  const asked = gapsInHours.reduceRight<readonly Date[]>(
    (moments, gap) => {
      const answered = moments[0] ?? last
      return [new Date(answered.getTime() - (gap ?? randomGapHours(answered, random)) * hour), ...moments]
    },
    [last],
  )
  const length = last.getTime() - (asked[0] ?? last).getTime()
  const available = Math.max(last.getTime() - (now.getTime() - maxAgeDays * day), minute)
  const scale = length > available ? available / length : 1
  return asked.map((moment) => {
    const time = last.getTime() - (last.getTime() - moment.getTime()) * scale
    return new Date(Math.floor(time / 1000) * 1000)
  })
}

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const months = 'January February March April May June July August September October November December'.split(' ')

const addDays = (from: Date, days: number): Date => new Date(from.getTime() + days * day)

const addWorkdays = (from: Date, days: number): Date => {
  const step = days < 0 ? -1 : 1
  let [moment, left] = [from, Math.abs(days)]
  while (left > 0) {
    moment = addDays(moment, step)
    if (moment.getUTCDay() !== 0 && moment.getUTCDay() !== 6) left -= 1
  }
  return moment
}

const addMonths = (from: Date, by: number): Date =>
  new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + by, 1))

const phrases: Readonly<Record<string, (at: Date, shift: number) => string>> = {
  /** For example, 18 November. */
  date: (at, shift) => {
    const moment = addDays(at, shift)
    return `${moment.getUTCDate()} ${months[moment.getUTCMonth()] ?? ''}`
  },
  /** For example, 2026-11-18. */
  iso: (at, shift) => addDays(at, shift).toISOString().slice(0, 10),
  /** For example, 20261118, as in calendar files. */
  compact: (at, shift) => addDays(at, shift).toISOString().slice(0, 10).replaceAll('-', ''),
  weekday: (at, shift) => weekdays[addDays(at, shift).getUTCDay()] ?? '',
  workday: (at, shift) => weekdays[addWorkdays(at, shift).getUTCDay()] ?? '',
  /** The day after `shift` working days, for example 20261120. */
  compactworkday: (at, shift) => addWorkdays(at, shift).toISOString().slice(0, 10).replaceAll('-', ''),
  /** The day after `shift` working days, for example 20 November. */
  workdate: (at, shift) => {
    const moment = addWorkdays(at, shift)
    return `${moment.getUTCDate()} ${months[moment.getUTCMonth()] ?? ''}`
  },
  month: (at, shift) => months[addMonths(at, shift).getUTCMonth()] ?? '',
  year: (at, shift) => String(addMonths(at, shift).getUTCFullYear()),
  /** Time shifted by minutes, for example 14:05. */
  time: (at, shift) => new Date(at.getTime() + shift * minute).toISOString().slice(11, 16),
}

/**
 * Fills in dates relative to `at`, such as `{{weekday+3}}`, `{{date-1}}` or `{{time-20}}`. The demo's mail mentions
 * days, and they must be right whenever it starts.
 */
export function replaceDatePlaceholders(text: string, at: Date): string {
  return text.replaceAll(/\{\{([a-z]+)([+-]\d+)?\}\}/g, (_whole, name: string, shift: string | undefined) => {
    const phrase = phrases[name]
    if (phrase === undefined) throw new Error(`The demo mailbox knows no date called ${name}.`)
    return phrase(at, Number(shift ?? 0))
  })
}
