/** Times ahead that are offered and typed: for a snooze, a reminder, and a message that is sent later. */
import { readMoment } from '../../shared/time-words.ts'

interface OfferedTime {
  readonly id: string
  /** The day; the list shows its time beside it. */
  readonly name: string
  /** Milliseconds since the epoch. */
  readonly at: number
}

const DAY_MS = 24 * 60 * 60_000
/** The platform takes messages for the next 30 days (platform facts 6.1 name no bound; its own limits do). */
export const SEND_DAYS = 30
/** Nobody plans a snooze or a reminder further ahead. */
export const PLAN_DAYS = 366

/** Reads a typed time that must lie ahead. @returns the moment, milliseconds since the epoch, or why there is none */
export const parseLater = (
  typed: string,
  now: number,
  mostDays: number,
): { readonly at: number } | { readonly problem: string } => {
  const at = readMoment(typed, now)
  if (at === null) return { problem: 'Type a time such as “tomorrow 9:00”, “in 2 hours” or “2026-12-24 18:00”.' }
  if (at <= now) return { problem: 'This time has passed. Choose a later one.' }
  if (at <= now + mostDays * DAY_MS) return { at }
  const length = mostDays === PLAN_DAYS ? 'a year' : `${mostDays} days`
  return { problem: `The time can be up to ${length} ahead. Choose an earlier one.` }
}

/** A moment as {@link parseLater} reads it, to the minute. */
export const typedTime = (at: number): string =>
  new Date(at).toLocaleString('sv-SE', { dateStyle: 'short', timeStyle: 'short' })

/** The hour after which nothing more is offered for today. */
const LATEST_TODAY = 20

/** Future times, earliest first, each once. @param purpose a snooze has near ones, a reminder days, as answers take */
export const offeredTimes = (now: number, purpose: 'send' | 'snooze' | 'remind'): readonly OfferedTime[] => {
  const date = new Date(now)
  const inThreeHours = date.getHours() + 3
  const named: Readonly<Record<typeof purpose, readonly (readonly [name: string, words: string])[]>> = {
    send: [
      ['In 2 hours', 'in 2 hours'],
      ...(date.getHours() < 17 ? [['This evening', 'today 18:00'] as const] : []),
      ['Tomorrow', 'tomorrow'],
      ['Next Monday', 'monday'],
    ],
    snooze: [
      ...(inThreeHours <= LATEST_TODAY ? [['Later today', `today ${Math.max(inThreeHours, 9)}:00`] as const] : []),
      ['Tomorrow', 'tomorrow'],
      // This one ends on Sunday.
      [date.getDay() === 0 ? 'Next weekend' : 'This weekend', 'weekend'],
      ['Next week', 'next week'],
    ],
    remind: [
      ['Tomorrow', 'in 1 day'],
      ['In 3 days', 'in 3 days'],
      ['In a week', 'in a week'],
      ['In 2 weeks', 'in 2 weeks'],
    ],
  }
  const times = named[purpose].map(([name, words]) => ({ id: words, name, at: readMoment(words, now) ?? now }))
  return times
    .filter(({ at }, place) => at > now && times.findIndex((other) => other.at === at) === place)
    .toSorted((one, other) => one.at - other.at)
}
