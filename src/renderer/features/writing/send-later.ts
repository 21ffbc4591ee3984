import { dayAt, daysUntil, readMoment, type LaterChoice } from '../../../shared/later-time.ts'

/** The platform takes messages for the next 30 days (platform facts 6.1 name no bound; its own limits do). */
const LATEST_DAYS = 30
const HOUR_MS = 60 * 60 * 1000

/** What is offered without typing. */
export const laterChoices = (now: number): readonly LaterChoice[] => [
  { name: 'In 2 hours', at: now + 2 * HOUR_MS },
  ...(new Date(now).getHours() < 17 ? [{ name: 'This evening', at: dayAt(now, 0, 18) }] : []),
  { name: 'Tomorrow', at: dayAt(now, 1, 9) },
  { name: 'Next Monday', at: dayAt(now, daysUntil(now, 1), 9) },
]

/**
 * Reads a time that a person types: `tomorrow 9:00`, `in 2 hours`, `mon 14:30`, `2026-12-24 18:00`, `9pm`.
 * @returns the moment, in milliseconds since the epoch, or why it is none
 */
export const parseLater = (typed: string, now: number): { readonly at: number } | { readonly problem: string } => {
  const at = readMoment(typed, now)
  if (at === null) return { problem: 'Type a time such as “tomorrow 9:00”, “in 2 hours” or “2026-12-24 18:00”.' }
  if (at <= now) return { problem: 'This time has passed. Choose a later one.' }
  if (at > now + LATEST_DAYS * 24 * HOUR_MS) {
    return { problem: 'You can schedule up to 30 days ahead. Choose an earlier time.' }
  }
  return { at }
}
