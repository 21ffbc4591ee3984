import { fromAbsolute, parseDateTime, toZoned } from '@internationalized/date'
import ICAL from 'ical.js'
import { findIana } from 'windows-iana'
import { z } from 'zod'
import { decodePercent } from '../../../shared/decode-percent.ts'
import {
  type InvitationResponse,
  type CalendarEvent,
  type CalendarTime,
  INVITATION_METHODS,
  type Invitation,
  type Invitee,
  type Recurrence,
} from '../../../shared/parsed-attachment.ts'
import { detectUtf16 } from '../../../shared/detect-utf16.ts'

/** Limits: lines, shown events and people, and characters. */
const MAX_LINES = 20_000
const MAX_EVENTS = 5
const MAX_INVITED = 100
const MAX_LENGTH = { line: 300, place: 1_000, description: 8_000 } as const
/** Maximum clock changes and dates in a VTIMEZONE; real time zones have fewer. */
const MAX_CHANGES = 400

const DAY_MS = 24 * 60 * 60_000

const jCalProperty = z.tuple([z.string(), z.record(z.string(), z.unknown()), z.string()], z.unknown())
type JCalProperty = z.infer<typeof jCalProperty>
/** A jCal component (RFC 7265, 3.3): name, properties, subcomponents. */
type JCalComponent = readonly [string, readonly JCalProperty[], readonly JCalComponent[]]
const jCalComponent: z.ZodType<JCalComponent> = z.lazy(() =>
  z.tuple([z.string(), z.array(jCalProperty), z.array(jCalComponent)]),
)
const jCal = z.union([jCalComponent.transform((one) => [one]), z.array(jCalComponent)])

const propertiesNamed = ([, properties]: JCalComponent, name: string): readonly JCalProperty[] =>
  properties.filter(([own]) => own === name)
const firstProperty = (component: JCalComponent, name: string): JCalProperty | undefined =>
  propertiesNamed(component, name)[0]
const valueOf = (property: JCalProperty | undefined): string | null => {
  const value = property?.[3]
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null
}
const parameterOf = (property: JCalProperty | undefined, name: string): string | null => {
  const value = property?.[1][name]
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null
}
const textOf = (component: JCalComponent, name: string, longest: number): string | null => {
  const text = valueOf(firstProperty(component, name))?.trim().slice(0, longest) ?? ''
  return text === '' ? null : text
}

const FOLD = /(?:\r\n?|\n)[ \t]/g
/** Unfold bytes, since folding may split a character (RFC 5545, 3.1). */
const unfold = (bytes: Uint8Array): Uint8Array =>
  Buffer.from(Buffer.from(bytes).toString('latin1').replace(FOLD, ''), 'latin1')

/** Declared type of a date property. Some programs omit it or get it wrong. */
const DECLARED_TYPE = /^((?:DTSTART|DTEND|RECURRENCE-ID)(?:;[^:;]*)*?);VALUE=DATE(?:-TIME)?(?=[:;])/i
const BARE_DATE = /^((?:DTSTART|DTEND|RECURRENCE-ID)(?:;[^:;]*)*):(\d{8})[ \t]*$/i

/** Decodes a calendar in any charset and drops lines that aren't properties. */
const decodeCalendar = (bytes: Uint8Array): string => {
  const wide = detectUtf16(bytes)
  const whole = wide === null ? unfold(bytes) : bytes
  const decode = (charset: string, fatal: boolean): string => new TextDecoder(charset, { fatal }).decode(whole)
  const read = (): string => {
    try {
      return decode(wide ?? 'utf-8', true)
    } catch {
      return decode(wide ?? 'windows-1252', false)
    }
  }
  const lines = read()
    .replace(FOLD, '')
    .split(/\r\n?|\n/)
    .filter((line) => /^[\w-]+[;:]/.test(line))
    .map((line) => line.replace(DECLARED_TYPE, '$1').replace(BARE_DATE, '$1;VALUE=DATE:$2'))
  if (lines.length > MAX_LINES) throw new Error('The calendar has too many lines.')
  return lines.join('\r\n')
}

/** IANA name of a vendor-prefixed (`/mozilla.org/20050126_1/Europe/Berlin`) or Windows (CLDR) time zone. */
const ianaName = (zone: string): string | null => {
  const name =
    /(?:^|\/)((?:[A-Z][A-Za-z_-]+\/)?[A-Z][A-Za-z_-]+\/[A-Z][A-Za-z0-9_+-]+)$/.exec(zone)?.[1] ??
    findIana(zone)[0] ??
    zone
  try {
    // Otherwise offsets such as `+01:00` would pass.
    if (!/^[A-Z]/i.test(name)) return null
    new Intl.DateTimeFormat('en', { timeZone: name })
    return name
  } catch {
    return null
  }
}

const yearly = z
  .object({ freq: z.literal('YEARLY'), bysecond: z.undefined(), byminute: z.undefined(), byhour: z.undefined() })
  .partial({ bysecond: true, byminute: true, byhour: true })

/** Real zones change yearly; other rules may be built to expand endlessly. */
const hasBoundedChanges = ([, , changes]: JCalComponent): boolean => {
  const dates = changes.reduce((sum, change) => sum + propertiesNamed(change, 'rdate').length, changes.length)
  return (
    dates <= MAX_CHANGES &&
    changes.every((change) => propertiesNamed(change, 'rrule').every(([, , , rule]) => yearly.safeParse(rule).success))
  )
}

type Zones = ReadonlyMap<string, JCalComponent>

const DATE = /^(\d{4})-(\d\d)-(\d\d)$/
const DATE_TIME = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(Z?)$/

/** IANA name of a zone; null if there is none, or the file defines a zone without a place, such as `EST`. */
const ianaZoneOf = (zone: string, zones: Zones): string | null => {
  const name = ianaName(zone)
  return zones.has(zone) && name?.includes('/') !== true ? null : name
}

/** Converts local time to milliseconds since the epoch; null for an unknown zone. */
const toTimestamp = (local: string, zone: string, zones: Zones): number | null => {
  const place = ianaZoneOf(zone, zones)
  if (place !== null) return toZoned(parseDateTime(local), place).toDate().getTime()
  const component = zones.get(zone)
  if (component === undefined || !hasBoundedChanges(component)) return null
  const at = Date.parse(`${local}Z`)
  const date = new Date(at)
  const offset = new ICAL.Timezone({ component: new ICAL.Component(component), tzid: zone }).utcOffset({
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
  })
  return Number.isFinite(offset) ? at - offset * 1_000 : null
}

/** @returns null for an invalid time */
const timeOf = (value: unknown, zone: string | null, zones: Zones): CalendarTime | null => {
  if (typeof value !== 'string') return null
  const isReal = (text: string, year: string | undefined): boolean =>
    Number.isFinite(Date.parse(text)) && Number(year) >= 1900 && Number(year) <= 2200
  const date = DATE.exec(value)
  if (date !== null) return isReal(`${value}T00:00:00Z`, date[1]) ? { kind: 'day', day: value } : null
  const time = DATE_TIME.exec(value)
  if (time === null) return null
  const local = value.replace('Z', '')
  if (!isReal(`${local}Z`, time[1])) return null
  const short = local.slice(0, 16)
  if (time[7] === 'Z') return { kind: 'moment', at: Date.parse(value), local: short, zone: null }
  if (zone === null) return { kind: 'moment', at: null, local: short, zone: null }
  return {
    kind: 'moment',
    at: toTimestamp(local, zone, zones),
    local: short,
    zone: (ianaName(zone) ?? zone).slice(0, MAX_LENGTH.line),
  }
}

const DURATION = /^\+?P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/

/** In milliseconds. Days follow the local clock across time changes; time is exact (RFC 5545, 3.3.6). */
interface Duration {
  readonly days: number
  readonly time: number
}

/** @returns null for a missing, invalid or negative duration */
const durationOf = (value: string | null): Duration | null => {
  const parts = DURATION.exec(value ?? '')
  if (parts === null) return null
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = parts
    .slice(1)
    .map((part: string | undefined) => Number(part ?? 0))
  return { days: (weeks * 7 + days) * DAY_MS, time: ((hours * 60 + minutes) * 60 + seconds) * 1_000 }
}

/** Adds milliseconds to a local time and drops the seconds. */
const addToLocalTime = (local: string, by: number): string =>
  new Date(Date.parse(`${local}Z`) + by).toISOString().slice(0, 16)

const dayAt = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** Last day before an exclusive end (RFC 5545, 3.6.1). */
const lastDay = (start: string, end: number): CalendarTime | null => {
  const last = end - DAY_MS
  return last > Date.parse(start) && last < Date.parse('2201-01-01') ? { kind: 'day', day: dayAt(last) } : null
}

type Moment = Extract<CalendarTime, { readonly kind: 'moment' }>

/** A later moment in the start's zone, whose offset may change in between. */
const shiftMoment = (start: Moment, from: number, at: number, zones: Zones): Moment => {
  const zone = start.zone ?? 'UTC'
  const place = ianaZoneOf(zone, zones)
  if (place !== null) return { ...start, at, local: fromAbsolute(at, place).toString().slice(0, 16) }
  const local = addToLocalTime(start.local, at - from)
  return { ...start, at, local: addToLocalTime(local, at - (toTimestamp(local, zone, zones) ?? at)) }
}

const endOf = (event: JCalComponent, start: CalendarTime | null, zones: Zones): CalendarTime | null => {
  if (start === null) return null
  const property = firstProperty(event, 'dtend')
  const zone = parameterOf(property, 'tzid') ?? (start.kind === 'moment' ? start.zone : null)
  const said = timeOf(property?.[3], zone, zones)
  if (said?.kind === 'day') return start.kind === 'day' ? lastDay(start.day, Date.parse(said.day)) : null
  if (said !== null) {
    if (start.kind === 'day') return null
    if (start.at !== null && said.at !== null)
      return said.at > start.at ? shiftMoment(start, start.at, said.at, zones) : null
    return said.zone === start.zone && said.local !== start.local ? said : null
  }
  const duration = durationOf(valueOf(firstProperty(event, 'duration')))
  if (duration === null) return null
  const { days, time } = duration
  if (days + time === 0 || days + time > 1_000 * DAY_MS) return null
  if (start.kind === 'day') return lastDay(start.day, Date.parse(start.day) + days + time)
  const local = addToLocalTime(start.local, days)
  const atDay = start.at === null ? null : toTimestamp(local, start.zone ?? 'UTC', zones)
  if (atDay === null) return { ...start, at: null, local: addToLocalTime(local, time) }
  return shiftMoment({ ...start, local }, atDay, atDay + time, zones)
}

/** Accepts jCal's single values as lists. */
const listOf = <Item extends z.ZodType>(item: Item) =>
  z.union([z.array(item), item.transform((one) => [one])]).optional()
const recurrenceParts = z.looseObject({
  freq: z.string(),
  interval: z.coerce.number().int().min(1).max(10_000).optional(),
  count: z.coerce.number().int().min(1).optional(),
  until: z.string().optional(),
  byday: listOf(z.string()),
  bymonthday: listOf(z.coerce.number().int()),
  bymonth: listOf(z.coerce.number().int()),
})
const KNOWN_PARTS: ReadonlySet<string> = new Set([...Object.keys(recurrenceParts.shape), 'wkst'])
const UNITS: Readonly<Record<string, Recurrence['unit']>> = {
  DAILY: 'day',
  WEEKLY: 'week',
  MONTHLY: 'month',
  YEARLY: 'year',
}
const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']

const recurrenceOf = (event: JCalComponent, start: CalendarTime | null, zones: Zones): Recurrence | null => {
  const rules = propertiesNamed(event, 'rrule')
  const value = rules[0]?.[3]
  const parts = recurrenceParts.safeParse(value)
  const unit = parts.success ? UNITS[parts.data.freq] : undefined
  if (!parts.success || unit === undefined) return null
  const { interval = 1, count = null, until, byday = [], bymonthday = [], bymonth = [] } = parts.data
  const weekdays = byday.flatMap((written) => {
    const [, nth = '', name = ''] = /^([+-]?\d{1,2})?([A-Z]{2})$/.exec(written) ?? []
    const day = WEEKDAYS.indexOf(name)
    return day === -1 ? [] : [{ day, nth: nth === '' ? null : Number(nth) }]
  })
  const [, startMonth, startDay] = (start?.kind === 'day' ? start.day : (start?.local ?? '')).split(/[-T]/).map(Number)
  // Microsoft Exchange repeats the start's month and day in yearly rules.
  const isOwnDay =
    byday.length === 0 &&
    bymonth.every((each) => each === startMonth) &&
    bymonthday.every((day) => day === startDay && bymonth.length > 0)
  const hasDays = byday.length + bymonthday.length > 0 && weekdays.every(({ nth }) => nth !== null)
  const month = unit === 'year' && !isOwnDay && hasDays && bymonth.length === 1 ? bymonth[0] : undefined
  const isPartial =
    rules.length > 1 ||
    (byday.length > 0 && bymonthday.length > 0) ||
    (unit === 'year' ? !isOwnDay && month === undefined : bymonth.length > 0) ||
    ['rdate', 'exdate'].some((name) => firstProperty(event, name) !== undefined) ||
    Object.keys(parts.data).some((part) => !KNOWN_PARTS.has(part))
  return {
    ...{ unit, every: interval, count, isPartial },
    weekdays: weekdays.slice(0, 7),
    monthDays: unit === 'year' && isOwnDay ? [] : bymonthday.slice(0, 31),
    ...(month !== undefined && { month }),
    until: timeOf(until, null, zones),
  }
}

const ANSWERS: Readonly<Record<string, InvitationResponse>> = {
  ACCEPTED: 'accepted',
  DECLINED: 'declined',
  TENTATIVE: 'tentative',
  DELEGATED: 'delegated',
}

const invitedOf = (property: JCalProperty): Invitee => {
  const address = decodePercent((valueOf(property) ?? '').replace(/^mailto:/i, '').trim()).slice(0, MAX_LENGTH.line)
  return {
    name: parameterOf(property, 'cn')?.slice(0, MAX_LENGTH.line) ?? null,
    address: address.includes('@') ? address : (parameterOf(property, 'email')?.slice(0, MAX_LENGTH.line) ?? null),
    answer: ANSWERS[(parameterOf(property, 'partstat') ?? '').toUpperCase()] ?? null,
  }
}

const eventOf = (event: JCalComponent, method: Invitation['method'], zones: Zones): CalendarEvent => {
  const begin = firstProperty(event, 'dtstart')
  const start = timeOf(begin?.[3], parameterOf(begin, 'tzid'), zones)
  const organizer = firstProperty(event, 'organizer')
  const attendees = propertiesNamed(event, 'attendee')
  return {
    title: textOf(event, 'summary', MAX_LENGTH.line),
    start,
    end: endOf(event, start, zones),
    recurrence: recurrenceOf(event, start, zones),
    isOneOfSeries: firstProperty(event, 'recurrence-id') !== undefined,
    place: textOf(event, 'location', MAX_LENGTH.place),
    description: textOf(event, 'description', MAX_LENGTH.description),
    organizer: organizer === undefined ? null : invitedOf(organizer),
    invited: attendees.slice(0, MAX_INVITED).map(invitedOf),
    moreInvited: Math.max(0, attendees.length - MAX_INVITED),
    isCancelled: method === 'cancel' || valueOf(firstProperty(event, 'status'))?.toUpperCase() === 'CANCELLED',
    isUpdate: method === 'request' && Number(valueOf(firstProperty(event, 'sequence')) ?? 0) > 0,
  }
}

/** Reads a calendar (RFC 5545, 5546) without expanding recurrences; null without events. @throws Error if invalid */
export const parseInvitation = (bytes: Uint8Array): Invitation | null => {
  const calendars = jCal.parse(ICAL.parse(decodeCalendar(bytes))).filter(([name]) => name === 'vcalendar')
  if (calendars.length === 0) throw new Error('The file contains no calendar.')
  const said = calendars
    .map((calendar) => valueOf(firstProperty(calendar, 'method'))?.toLowerCase())
    .find((each) => each !== undefined)
  const method = INVITATION_METHODS.find((known) => known === said) ?? 'publish'
  const inCalendars = (kind: string): readonly JCalComponent[] =>
    calendars.flatMap(([, , components]) => components.filter(([name]) => name === kind))
  const zones: Zones = new Map(
    inCalendars('vtimezone').map((zone) => [valueOf(firstProperty(zone, 'tzid')) ?? '', zone] as const),
  )
  const events = inCalendars('vevent')
  if (events.length === 0) return null
  return {
    method,
    events: events.slice(0, MAX_EVENTS).map((event) => eventOf(event, method, zones)),
    moreEvents: Math.max(0, events.length - MAX_EVENTS),
  }
}
