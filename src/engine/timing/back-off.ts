const FIRST_MS = 500
const CAP_MS = 60_000

/**
 * How long to wait before trying again: twice as long each time, at most a minute, with half of it left to chance so
 * that many clients do not come back at once.
 * @param attempt how many attempts have failed, from 1
 * @param chance in [0, 1)
 * @returns milliseconds
 */
export const backOff = (attempt: number, chance: number): number => {
  const full = Math.min(CAP_MS, FIRST_MS * 2 ** Math.min(attempt - 1, 20))
  return Math.round(full / 2 + (full / 2) * chance)
}
