const dayMilliseconds = 24 * 60 * 60 * 1000
const timestamp =
  /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?:Z|([+-])(\d\d):?(\d\d)?)?)?$/i

export interface Moment {
  /** Milliseconds since 1970; for a date, the start of its UTC day. */
  readonly time: number
  readonly isDate: boolean
}

/**
 * Parses a date or a time, in UTC by default (platform.md 9.11). @returns `null` for anything else or a nonexistent day
 * or time
 */
export function parseMoment(text: string): Moment | null {
  const match = timestamp.exec(text)
  if (!match) return null
  const [, year, month, day, hour, minute, second, fraction, sign, offsetHours, offsetMinutes] = match
  // Date.UTC maps the years 0 to 99 to the twentieth century.
  const start = new Date(0).setUTCFullYear(Number(year), Number(month) - 1, Number(day))
  // 31 April would become 1 May.
  if (new Date(start).toISOString().slice(0, 10) !== `${year}-${month}-${day}`) return null
  if (hour === undefined) return { time: start, isDate: true }
  const clock = [Number(hour), Number(minute), Number(second ?? 0)] as const
  if (clock[0] > 23 || clock[1] > 59 || clock[2] > 59) return null
  if (Number(offsetHours ?? 0) > 23 || Number(offsetMinutes ?? 0) > 59) return null
  const offset = (Number(offsetHours ?? 0) * 60 + Number(offsetMinutes ?? 0)) * 60_000 * (sign === '-' ? -1 : 1)
  const milliseconds = Math.floor(Number(`0.${fraction ?? 0}`) * 1000)
  return { time: start + ((clock[0] * 60 + clock[1]) * 60 + clock[2]) * 1000 + milliseconds - offset, isDate: false }
}

/** See platform.md 9.11. */
export function toStartTime({ time }: Moment): number {
  return time
}

/** The end of the day for a date (platform.md 9.11). */
export function toEndTime({ time, isDate }: Moment): number {
  return isDate ? time + dayMilliseconds - 1 : time
}
