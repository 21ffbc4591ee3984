const FIRST_MS = 500
const CAP_MS = 60_000

/**
 * Milliseconds to wait: doubled each time, at most a minute, half of it random so that clients do not return at once.
 * @param attempt failed attempts, from 1 @param chance in [0, 1)
 */
export const backOff = (attempt: number, chance: number): number => {
  const full = Math.min(CAP_MS, FIRST_MS * 2 ** Math.min(attempt - 1, 20))
  return Math.round(full / 2 + (full / 2) * chance)
}
