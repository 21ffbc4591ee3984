import type { Clock } from '../../shared/search/date-bounds.ts'
import { systemClock } from '../timing/clock.ts'

/**
 * Tells the time in this computer's time zone.
 * @param now wall time, milliseconds since the epoch
 */
export const clockHere =
  (now: () => number = systemClock.now) =>
  (): Clock => ({ now: now(), timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone })
