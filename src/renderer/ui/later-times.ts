/** Future times to offer and parse, for snoozes, reminders and scheduled messages. */
import { fromAbsolute, getLocalTimeZone, toCalendarDateTime } from '@internationalized/date'
import { parseFutureTime } from '../../shared/time-expressions.ts'

interface SuggestedTime {
  readonly id: string
  readonly name: string
  /** Milliseconds since the epoch. */
  readonly at: number
}

const DAY_MS = 24 * 60 * 60_000
/** Scheduled messages can be at most 30 days ahead (platform.md 20.4 gives no limit). */
export const MAX_SCHEDULE_DAYS = 30
/** Maximum days ahead for a snooze or a reminder: nobody plans further. */
export const MAX_RESURFACE_DAYS = 366

/** Parses a typed time in the future. @returns milliseconds since the epoch, or why the text is invalid */
export const parseLaterTime = (
  typed: string,
  now: number,
  maxDays: number,
): { readonly at: number } | { readonly problem: string } => {
  const at = parseFutureTime(typed, now)
  if (at === null) return { problem: 'Type a time such as “tomorrow 9:00”, “in 2 hours” or “2026-12-24 18:00”.' }
  if (at <= now) return { problem: 'This time has passed. Choose a later one.' }
  if (at <= now + maxDays * DAY_MS) return { at }
  const length = maxDays === MAX_RESURFACE_DAYS ? 'a year' : `${maxDays} days`
  return { problem: `The time can be up to ${length} ahead. Choose an earlier one.` }
}

/** A time as `parseLaterTime` reads it, such as `2026-12-24 18:00`, in the computer's time zone. */
export const formatTypedTime = (at: number): string =>
  toCalendarDateTime(fromAbsolute(at, getLocalTimeZone())).toString().slice(0, 16).replace('T', ' ')

const LATEST_TODAY = 20

/**
 * Future times, earliest first, without duplicates. @param purpose snoozes get near times; reminders get days, since
 * replies take that long
 */
export const suggestTimes = (now: number, purpose: 'send' | 'snooze' | 'remind'): readonly SuggestedTime[] => {
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
      // On Sunday, the current weekend is nearly over.
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
  const times = named[purpose].map(([name, words]) => ({ id: words, name, at: parseFutureTime(words, now) ?? now }))
  return times
    .filter(({ at }, place) => at > now && times.findIndex((other) => other.at === at) === place)
    .toSorted((one, other) => one.at - other.at)
}
