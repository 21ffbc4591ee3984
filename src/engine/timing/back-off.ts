const FIRST_MS = 500
const CAP_MS = 60_000

/**
 * Delay in milliseconds, at most a minute. Half is random, so that clients don't retry simultaneously.
 * @param attempt failed attempts, from 1 @param chance in [0, 1)
 */
export const computeBackOffMs = (attempt: number, chance: number): number => {
  const full = Math.min(CAP_MS, FIRST_MS * 2 ** Math.min(attempt - 1, 20))
  return Math.round(full / 2 + (full / 2) * chance)
}
