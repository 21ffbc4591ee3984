import type { Clock } from '../../shared/search/date-bounds.ts'
import { systemClock } from './clock.ts'

/** Interval for reading the time zone again, in milliseconds. It changes when a laptop travels. */
const REFRESH_INTERVAL_MS = 60_000

/** Caches the time zone, since reading it takes longer than searching for a rare word. */
const createTimeZone = (): ((now: number) => string) => {
  let [timeZone, askedAt, offset] = ['', Number.NEGATIVE_INFINITY, 0]
  return (now) => {
    const offsetNow = new Date(now).getTimezoneOffset()
    if (offsetNow !== offset || Math.abs(now - askedAt) >= REFRESH_INTERVAL_MS) {
      ;[askedAt, offset] = [now, offsetNow]
      timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone
    }
    return timeZone
  }
}

/** @param now wall time, milliseconds since the epoch */
export const createLocalClock = (now: () => number = systemClock.now) => {
  const timeZoneAt = createTimeZone()
  return (): Clock => {
    const at = now()
    return { now: at, timeZone: timeZoneAt(at) }
  }
}
