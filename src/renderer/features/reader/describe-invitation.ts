import { parseAddress } from '../../../shared/address.ts'
import type {
  InvitationResponse,
  CalendarEvent,
  CalendarTime,
  Invitation,
  Invitee,
  Recurrence,
} from '../../../shared/parsed-attachment.ts'
import { toVisibleText } from '../../../shared/visible-text.ts'
import { domainOf, haveOneOwner } from '../../ui/domain.ts'
import { toDayOfMonth, type DateStyle, formatDay, formatDayRange, formatTimeRange } from '../../ui/format-date.ts'
import { formatList } from '../../ui/format-list.ts'
import { formatNumber } from '../../ui/format-quantity.ts'

const KINDS: Readonly<Record<Invitation['method'], string>> = {
  publish: 'Event',
  cancel: 'Event cancelled',
  reply: 'Reply to an invitation',
  counter: 'New time proposed',
  declinecounter: 'Proposed time declined',
  refresh: 'Request for the latest invitation',
  add: 'Dates added',
  request: 'Invitation',
}
export const describeEventKind = (
  method: Invitation['method'],
  { isCancelled, isOneOfSeries, isUpdate }: CalendarEvent,
): string => {
  if (isCancelled) return isOneOfSeries ? 'One date cancelled' : 'Event cancelled'
  if (method !== 'request') return KINDS[method]
  if (isOneOfSeries) return isUpdate ? 'One date changed' : 'Invitation to one date in a series'
  return isUpdate ? 'Updated invitation' : KINDS.request
}

export const RESPONSES: Readonly<Record<InvitationResponse, string>> = {
  accepted: 'accepted',
  declined: 'declined',
  tentative: 'may come',
  delegated: 'is sending someone else',
}

/** Omits a name that is itself a different address, since names are unchecked. Null if the name is the address. */
export const describeInvitee = ({
  name,
  address,
}: Pick<Invitee, 'name' | 'address'>): { readonly name: string; readonly address: string | null } => {
  const [said, at] = [toVisibleText(name ?? ''), toVisibleText(address ?? '')]
  if (said === '' || said === at || (said.includes('@') && at !== '')) return { name: at || 'Someone', address: null }
  return { name: said, address: at || null }
}

/** Warning for an invitation from a domain other than the organizer's, or an empty string. */
export const describeOrganizerMismatch = (method: Invitation['method'], { address }: Invitee, from: string): string => {
  const sender = domainOf(parseAddress(from).address)
  if (!['request', 'add', 'cancel'].includes(method) || address === null) return ''
  return haveOneOwner(domainOf(address), sender) ? '' : `Sent from ${sender}, not from the organizer’s domain.`
}

/** Local time taken as UTC. */
const asUtc = (local: string): number => Date.parse(`${local}Z`)

export interface EventTime {
  /** In the user's time zone, or in the organizer's if that zone is unknown. */
  readonly own: string
  /** In the organizer's zone if different, a remark if the zone is unknown, or null. */
  readonly theirs: string | null
}

/** @returns null without a time */
export const formatEventTime = (
  { start, end }: Pick<CalendarEvent, 'start' | 'end'>,
  style: DateStyle,
): EventTime | null => {
  if (start === null) return null
  if (start.kind === 'day') {
    const last = end?.kind === 'day' ? Date.parse(end.day) : null
    return { own: formatDayRange(Date.parse(start.day), last, style), theirs: null }
  }
  const until = end?.kind === 'moment' ? end : null
  const onTheirClock = formatTimeRange(asUtc(start.local), until === null ? null : asUtc(until.local), {
    ...style,
    timeZone: 'UTC',
  })
  const zone = start.zone === null ? '' : toVisibleText(start.zone)
  if (start.at === null) {
    return {
      own: onTheirClock,
      theirs: zone === '' ? null : `Linnet doesn’t know the time zone “${zone}”, so the time shown is the organizer’s.`,
    }
  }
  const own = formatTimeRange(start.at, until?.at ?? null, style)
  return { own, theirs: zone === '' || own === onTheirClock ? null : `${onTheirClock} (${zone})` }
}

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const MONTH = new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' })
const ordinals = new Intl.PluralRules('en', { type: 'ordinal' })
const ENDINGS: Readonly<Record<string, string>> = { one: 'st', two: 'nd', few: 'rd' }

/** `first`, `2nd`, `last`, `2nd to last`. */
const describeNth = (nth: number): string => {
  if (nth === -1) return 'last'
  const number = Math.abs(nth)
  const ordinal = number === 1 ? 'first' : `${number}${ENDINGS[ordinals.select(number)] ?? 'th'}`
  return nth < 0 ? `${ordinal} to last` : ordinal
}

const dayOf = (time: CalendarTime, style: DateStyle): string => {
  if (time.kind === 'day') return formatDay(Date.parse(time.day), { ...style, timeZone: 'UTC' })
  return time.at === null ? formatDay(asUtc(time.local), { ...style, timeZone: 'UTC' }) : formatDay(time.at, style)
}

/** Days between the user's date of an event and the organizer's: -1, 0 or 1. */
const dayShift = (start: CalendarTime | null, style: DateStyle): number => {
  if (start?.kind !== 'moment' || start.at === null) return 0
  return toDayOfMonth(start.at, style) - toDayOfMonth(asUtc(start.local), { ...style, timeZone: 'UTC' })
}

/**
 * `Every 2 weeks on Monday and Friday, until 3 May 2026`. Weekdays are the user's. Days of a month can't be converted
 * between zones, so they are labelled as the organizer's.
 * @param start of the event
 */
export const describeRecurrence = (
  { unit, every, weekdays, monthDays, month, count, until, isPartial }: Recurrence,
  style: DateStyle,
  start: CalendarTime | null = null,
): string => {
  const pace = every === 1 ? `Every ${unit}` : `Every ${formatNumber(every)} ${unit}s`
  // Omitted parts would make the days wrong.
  if (isPartial) return `${pace}, on a custom schedule`
  const shift = dayShift(start, style)
  const isTheirs = shift !== 0 && (monthDays.length > 0 || weekdays.some(({ nth }) => nth !== null))
  const days = weekdays.flatMap(({ day, nth }) => {
    const name = WEEKDAYS[(day + (isTheirs ? 0 : shift) + 7) % 7]
    return name === undefined ? [] : [nth === null ? name : `the ${describeNth(nth)} ${name}`]
  })
  const dates = monthDays.map((date) => `the ${describeNth(date)}${date < 0 ? ' day' : ''}`)
  const of = month === undefined ? '' : ` of ${MONTH.format(Date.UTC(2000, month - 1))}`
  const on = [...days, ...dates].length === 0 ? '' : ` on ${formatList([...days, ...dates])}${of}`
  const end = until !== null ? `, until ${dayOf(until, style)}` : count === null ? '' : `, ${formatNumber(count)} times`
  return `${pace}${on}${isTheirs ? ' (in the organizer’s time zone)' : ''}${end}`
}
