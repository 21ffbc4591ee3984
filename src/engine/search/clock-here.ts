import type { Clock } from '../../shared/search/date-bounds.ts'

/** The time of this computer, in its time zone. */
export const clockHere = (): Clock => ({
  now: Date.now(),
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
})
