/**
 * Parses a Retry-After header: seconds or a date (platform.md 2.3). @returns milliseconds, at most five minutes, or
 * null
 */
export const parseRetryAfter = (header: string | undefined, now: number): number | null => {
  if (header === undefined) return null
  const seconds = Number(header)
  const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - now
  return Number.isNaN(wait) ? null : Math.min(Math.max(wait, 0), 300_000)
}
