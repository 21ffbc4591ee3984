import type { Clock } from '../../shared/search/date-bounds.ts'
import { systemClock } from '../timing/clock.ts'

/** A computer that is carried somewhere else is in another time zone. */
const ASKED_AGAIN_MS = 60_000

/** Asking for the time zone takes longer than a search for a rare word. */
const createTimeZone = (): ((now: number) => string) => {
  let [timeZone, askedAt, offset] = ['', Number.NEGATIVE_INFINITY, 0]
  return (now) => {
    const offsetNow = new Date(now).getTimezoneOffset()
    if (offsetNow !== offset || Math.abs(now - askedAt) >= ASKED_AGAIN_MS) {
      ;[askedAt, offset] = [now, offsetNow]
      timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone
    }
    return timeZone
  }
}

/**
 * Tells the time in this computer's time zone.
 * @param now wall time, milliseconds since the epoch
 */
export const clockHere = (now: () => number = systemClock.now) => {
  const timeZoneAt = createTimeZone()
  return (): Clock => {
    const at = now()
    return { now: at, timeZone: timeZoneAt(at) }
  }
}
