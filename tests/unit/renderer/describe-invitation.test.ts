import { describe, expect, it } from 'vitest'
import {
  describeEventKind,
  formatEventTime,
  describeInvitee,
  describeOrganizerMismatch,
  describeRecurrence,
} from '../../../src/renderer/features/reader/describe-invitation.ts'
import { hasPgpArmor } from '../../../src/renderer/features/reader/pgp-armor.ts'
import type { CalendarEvent, CalendarTime, Recurrence } from '../../../src/shared/parsed-attachment.ts'

const style = { locale: 'en-GB', timeZone: 'Europe/Berlin' }
const moment = (at: number | null, local: string, zone: string | null): CalendarTime => ({
  ...{ kind: 'moment', at, local, zone },
})
const EVENT: CalendarEvent = {
  ...{ title: null, start: null, end: null, recurrence: null, isOneOfSeries: false, place: null, description: null },
  ...{ organizer: null, invited: [], moreInvited: 0, isCancelled: false, isUpdate: false },
}
const EVERY: Recurrence = {
  ...{ unit: 'week', every: 1, weekdays: [], monthDays: [], count: null, until: null, isPartial: false },
}
/** Intl uses various spaces around its dashes. */
const plain = (words: string | undefined): string | undefined => words?.replace(/\s+/g, ' ')

describe('time of an event', () => {
  it('is the reader’s, with the organizer’s if different', () => {
    const start = moment(Date.UTC(2026, 11, 1, 14), '2026-12-01T09:00', 'America/New_York')
    const end = moment(Date.UTC(2026, 11, 1, 15), '2026-12-01T10:00', 'America/New_York')
    const time = formatEventTime({ start, end }, style)
    expect(plain(time?.own)).toMatch(/^Tuesday,? 1 December 2026(?: at|,) 15:00 ?– ?16:00$/)
    expect(plain(time?.theirs ?? '')).toMatch(/1 December 2026.* 09:00 ?– ?10:00 \(America\/New_York\)$/)
  })

  it.each([
    ['the same clock', moment(Date.UTC(2026, 11, 1, 14), '2026-12-01T15:00', 'Europe/Paris')],
    ['UTC', moment(Date.UTC(2026, 11, 1, 14), '2026-12-01T14:00', null)],
  ])('appears once for %s', (_, start) => {
    const time = formatEventTime({ start, end: null }, style)
    expect(plain(time?.own)).toMatch(/15:00$/)
    expect(time?.theirs).toBeNull()
  })

  it('is not converted from an unknown time zone', () => {
    const time = formatEventTime({ start: moment(null, '2026-12-01T09:00', 'Lunar Time'), end: null }, style)
    expect(plain(time?.own)).toMatch(/\b0?9:00$/)
    expect(time?.theirs).toContain('“Lunar Time”')
    expect(formatEventTime({ start: moment(null, '2026-12-01T09:00', null), end: null }, style)?.theirs).toBeNull()
  })

  it('is in whole days wherever the reader is', () => {
    const west = { locale: 'en-GB', timeZone: 'America/Los_Angeles' }
    const day = (date: string): CalendarTime => ({ kind: 'day', day: date })
    expect(plain(formatEventTime({ start: day('2026-05-01'), end: null }, west)?.own)).toMatch(/^Friday,? 1 May 2026$/)
    expect(plain(formatEventTime({ start: day('2026-05-01'), end: day('2026-05-03') }, west)?.own)).toMatch(
      /^Friday,? 1 ?(?:May )?– ?Sunday,? 3 May 2026$/,
    )
  })
})

describe('recurrence of an event', () => {
  it.each<readonly [Partial<Recurrence>, string]>([
    [{}, 'Every week'],
    [
      {
        every: 2,
        weekdays: [
          { day: 1, nth: null },
          { day: 3, nth: null },
        ],
      },
      'Every 2 weeks on Monday and Wednesday',
    ],
    [{ unit: 'month', weekdays: [{ day: 5, nth: -1 }] }, 'Every month on the last Friday'],
    [{ unit: 'month', weekdays: [{ day: 2, nth: 2 }] }, 'Every month on the 2nd Tuesday'],
    [{ unit: 'month', monthDays: [3, -1] }, 'Every month on the 3rd and the last day'],
    [{ unit: 'year', weekdays: [{ day: 1, nth: 2 }], month: 10 }, 'Every year on the 2nd Monday of October'],
    [{ unit: 'year', monthDays: [24, 25], month: 12 }, 'Every year on the 24th and the 25th of December'],
    [{ unit: 'day', count: 12 }, 'Every day, 12 times'],
    [{ unit: 'year', until: { kind: 'day', day: '2030-05-01' } }, 'Every year, until 1 May 2030'],
    [{ unit: 'year', weekdays: [{ day: 1, nth: null }], isPartial: true }, 'Every year, on a custom schedule'],
  ])('reads as text: %j', (rule, words) => {
    expect(describeRecurrence({ ...EVERY, ...rule }, style)).toBe(words)
  })
})

describe('weekdays of a series in another time zone', () => {
  const start = moment(Date.UTC(2026, 11, 3, 3), '2026-12-02T19:00', 'America/Los_Angeles')
  const berlin = { locale: 'en-GB', timeZone: 'Europe/Berlin' }

  it('are converted to the reader’s', () => {
    const rule = {
      ...EVERY,
      weekdays: [
        { day: 3, nth: null },
        { day: 6, nth: null },
      ],
    }
    expect(describeRecurrence(rule, berlin, start)).toBe('Every week on Thursday and Sunday')
    expect(describeRecurrence(rule, { ...berlin, timeZone: 'America/Denver' }, start)).toBe(
      'Every week on Wednesday and Saturday',
    )
  })

  it('are labelled as the organizer’s if they can’t be converted', () => {
    const rule = { ...EVERY, unit: 'month' as const, weekdays: [{ day: 3, nth: 1 }] }
    expect(describeRecurrence(rule, berlin, start)).toBe(
      'Every month on the first Wednesday (in the organizer’s time zone)',
    )
  })
})

describe('kind of invitation', () => {
  it.each<readonly [Parameters<typeof describeEventKind>[0], Partial<CalendarEvent>, string]>([
    ['request', {}, 'Invitation'],
    ['request', { isUpdate: true }, 'Updated invitation'],
    ['request', { isUpdate: true, isOneOfSeries: true }, 'One date changed'],
    ['cancel', { isCancelled: true }, 'Event cancelled'],
    ['cancel', { isCancelled: true, isOneOfSeries: true }, 'One date cancelled'],
    ['reply', {}, 'Reply to an invitation'],
    ['counter', {}, 'New time proposed'],
    ['publish', {}, 'Event'],
  ])('is named: %s %j', (method, event, kind) => {
    expect(describeEventKind(method, { ...EVENT, ...event })).toBe(kind)
  })
})

describe('participant of an invitation', () => {
  it.each([
    [
      { name: 'Nora Quill', address: 'nora@away.example' },
      { name: 'Nora Quill', address: 'nora@away.example' },
    ],
    [
      { name: 'boss@bank.example', address: 'thief@evil.example' },
      { name: 'thief@evil.example', address: null },
    ],
    [
      { name: null, address: 'nora@away.example' },
      { name: 'nora@away.example', address: null },
    ],
    [
      { name: 'Nora', address: null },
      { name: 'Nora', address: null },
    ],
    [
      { name: null, address: null },
      { name: 'Someone', address: null },
    ],
  ])('is named with their own address and no other: %j', (invited, words) => {
    expect(describeInvitee(invited)).toEqual(words)
  })
})

describe('organizer from another domain than the sender', () => {
  const REMARK = 'Sent from evil.example, not from the organizer’s domain.'
  it.each([
    ['request', 'nora@bank.example', 'Nora <nora@evil.example>', REMARK],
    ['cancel', 'nora@bank.example', 'nora@evil.example', REMARK],
    ['request', 'nora@bank.example', '"nora@bank.example" <x@evil.example>', REMARK],
    ['request', 'nora@bank.example', 'Calendar <no-reply@mail.bank.example>', ''],
    ['request', null, 'nora@evil.example', ''],
    // The organizer is the one who reads the reply.
    ['reply', 'nora@bank.example', 'ola@evil.example', ''],
  ] as const)('gets a warning: %s of %s from %s', (method, address, from, remark) => {
    expect(describeOrganizerMismatch(method, { name: 'Nora', address, answer: null }, from)).toBe(remark)
  })
})

describe('PGP-encrypted text', () => {
  const ARMOUR = '-----BEGIN PGP MESSAGE-----\r\n\r\nx\r\n-----END PGP MESSAGE-----'
  it.each([
    [ARMOUR, '', true],
    [`See below.\r\n${ARMOUR}`, '', true],
    [null, `<pre>${ARMOUR}</pre>`, true],
    [`> ${ARMOUR}`, '', false],
    ['Write -----BEGIN PGP MESSAGE----- first', '', false],
    ['-----BEGIN PGP SIGNED MESSAGE-----\nwords', '', false],
    [null, '', false],
  ])('is recognised by its armour: %j %j', (text, html, is) => {
    expect(hasPgpArmor(text, html)).toBe(is)
  })
})
