/** The UI is English; the user's English locale decides between 14:05 and 2:05 PM, 3 May and May 3. */
const locale = (languages: readonly string[]): string =>
  languages.find((language) => /^en\b/i.test(language)) ?? 'en-GB'

export interface DateStyle {
  readonly locale: string
  /** IANA name; by default the system's. */
  readonly timeZone?: string
}

export const detectDateStyle = (): DateStyle => ({ locale: locale(navigator.languages) })

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Cached, as creating a formatter takes a hundred times as long as using it. */
const formatters = new Map<string, Intl.DateTimeFormat>()

const formatterOf = (locale: string, timeZone: string | undefined, options: Intl.DateTimeFormatOptions) => {
  const key = JSON.stringify([locale, timeZone, options])
  const known = formatters.get(key)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat(locale, { ...options, ...(timeZone === undefined ? {} : { timeZone }) })
  formatters.set(key, made)
  return made
}

const format = (at: number, { locale, timeZone }: DateStyle, options: Intl.DateTimeFormatOptions): string =>
  formatterOf(locale, timeZone, options).format(at)

const NUMERIC = { year: 'numeric', month: '2-digit', day: '2-digit' } as const

/** Calendar day since the epoch, and year. */
const dateParts = (at: number, { timeZone }: DateStyle): { readonly day: number; readonly year: number } => {
  if (timeZone === undefined) {
    const date = new Date(at)
    const year = date.getFullYear()
    return { day: Date.UTC(year, date.getMonth(), date.getDate()) / DAY, year }
  }
  const parts = formatterOf('en-CA', timeZone, NUMERIC).formatToParts(at)
  const part = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.find((each) => each.type === type)?.value)
  return { day: Date.UTC(part('year'), part('month') - 1, part('day')) / DAY, year: part('year') }
}

export const toDayOfMonth = (at: number, style: DateStyle): number => dateParts(at, style).day

/** Returns `14:05`. */
export const formatClock = (at: number, style: DateStyle): string =>
  format(at, style, { hour: 'numeric', minute: '2-digit' })

/** For a narrow column: today's time, the weekday for six days, then day and month, plus the year if not current. */
export const formatListDate = (at: number, now: number, style: DateStyle): string => {
  const then = dateParts(at, style)
  const today = dateParts(now, style)
  const age = today.day - then.day
  if (age === 0) return formatClock(at, style)
  if (age > 0 && age < 7) return format(at, style, { weekday: 'short' })
  if (then.year === today.year) return format(at, style, { day: 'numeric', month: 'short' })
  return format(at, style, { day: 'numeric', month: 'short', year: 'numeric' })
}

/** Name of the group of rows with this date: Today, Yesterday, a day of the last week, or a month. */
export const formatDateGroup = (at: number, now: number, style: DateStyle): string => {
  const then = dateParts(at, style)
  const today = dateParts(now, style)
  const age = today.day - then.day
  if (age <= 0) return 'Today'
  if (age === 1) return 'Yesterday'
  if (age < 7) return format(at, style, { weekday: 'long' })
  return format(at, style, { month: 'long', ...(then.year !== today.year && { year: 'numeric' }) })
}

export const formatFullDate = (at: number, style: DateStyle): string =>
  format(at, style, { dateStyle: 'full', timeStyle: 'short' })

/** A date within a few days: `Sun, 3 May, 14:05`. */
export const formatShortDateTime = (at: number, style: DateStyle): string =>
  format(at, style, { weekday: 'short', day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' })

/** Returns `3 May 2026`. */
export const formatDay = (at: number, style: DateStyle): string =>
  format(at, style, { day: 'numeric', month: 'long', year: 'numeric' })

/** Returns `14:05:09`. */
export const formatTimeWithSeconds = (at: number, style: DateStyle): string =>
  format(at, style, { timeStyle: 'medium' })

const ago = new Intl.RelativeTimeFormat('en')

/** Age as a phrase after a verb: `just now`, `4 minutes ago`; from one day on, `on 3 May, 14:05`. */
export const formatAgo = (at: number, now: number, style: DateStyle): string => {
  const age = now - at
  if (age < MINUTE) return 'just now'
  if (age < HOUR) return ago.format(-Math.floor(age / MINUTE), 'minute')
  if (age < DAY) return ago.format(-Math.floor(age / HOUR), 'hour')
  return `on ${format(at, style, { day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' })}`
}

/** Age in its largest unit: `5 min`, `3 h`, `2 d`. */
export const formatAge = (at: number, now: number): string => {
  const age = Math.max(0, now - at)
  if (age < HOUR) return `${Math.floor(age / MINUTE)} min`
  return age < DAY ? `${Math.floor(age / HOUR)} h` : `${Math.floor(age / DAY)} d`
}

/** Like `formatAgo`, but counts seconds in the first minute: for text redrawn each second. */
export const formatRecent = (at: number, now: number, style: DateStyle): string => {
  const seconds = Math.floor((now - at) / 1_000)
  // The clock that set this date may be ahead of the local one.
  return seconds >= 5 && seconds < 60 ? ago.format(-seconds, 'second') : formatAgo(at, now, style)
}

const LONG_DAY = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' } as const

/** A range without repetition: `Tuesday, 1 December 2026, 15:00–16:00`. @param to null for a single time */
export const formatTimeRange = (from: number, to: number | null, { locale, timeZone }: DateStyle): string => {
  const formatter = formatterOf(locale, timeZone, { ...LONG_DAY, hour: 'numeric', minute: '2-digit' })
  return to === null || to <= from ? formatter.format(from) : formatter.formatRange(from, to)
}

/** Whole UTC days with weekdays: `1 – 3 May 2026`. @param to the last day; null for one day */
export const formatDayRange = (from: number, to: number | null, { locale }: DateStyle): string => {
  const formatter = formatterOf(locale, 'UTC', LONG_DAY)
  return to === null || to <= from ? formatter.format(from) : formatter.formatRange(from, to)
}
