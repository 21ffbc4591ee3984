import { describe, expect, it } from 'vitest'
import { COMMANDS } from '../../../src/cli/commands.ts'
import { Terminal } from '../../../src/cli/terminal.ts'
import { parseLaterTime, MAX_RESURFACE_DAYS, MAX_SCHEDULE_DAYS } from '../../../src/renderer/ui/later-times.ts'
import { resolveDateBound } from '../../../src/shared/search/date-bounds.ts'
import { parseSearch } from '../../../src/shared/search/parse-search.ts'
import { parseFutureTime } from '../../../src/shared/time-expressions.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'

const ZONES = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu'] as const

const inZone = (at: number, timeZone: string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(at)

/** Moment of a local time such as `2026-11-28 20:30`, which no clock change skips. */
const momentAt = (shown: string, timeZone: string): number => {
  const wanted = Date.parse(`${shown.replace(' ', 'T')}Z`)
  const offset = Date.parse(`${inZone(wanted, timeZone).replace(' ', 'T')}Z`) - wanted
  const at = wanted - offset
  // Near a clock change, the first guess is off by the change.
  return at - (Date.parse(`${inZone(at, timeZone).replace(' ', 'T')}Z`) - wanted)
}

/** A Saturday evening. */
const NOW = '2026-11-28 20:30'
const readAt = (typed: string, now: string, timeZone: string): string | null => {
  const at = parseFutureTime(typed, momentAt(now, timeZone), timeZone)
  return at === null ? null : inZone(at, timeZone)
}

/** Names of days, with their dates as of {@link NOW}. */
const DAYS: Readonly<Record<string, string>> = {
  tomorrow: '2026-11-29',
  tmrw: '2026-11-29',
  'day after tomorrow': '2026-11-30',
  monday: '2026-11-30',
  'next tue': '2026-12-01',
  'this wed': '2026-12-02',
  thurs: '2026-12-03',
  'coming friday': '2026-12-04',
  saturday: '2026-12-05',
  weekend: '2026-11-29',
  'this weekend': '2026-11-29',
  'next weekend': '2026-12-05',
  'next week': '2026-11-30',
  'next month': '2026-12-01',
  'end of month': '2026-11-30',
  eom: '2026-11-30',
  'end of next month': '2026-12-31',
  'end of the year': '2026-12-31',
  '1 dec': '2026-12-01',
  'dec 24th': '2026-12-24',
  '24. december': '2026-12-24',
  '24 dec 2026': '2026-12-24',
  'march 3rd': '2027-03-03',
  '1.12.2026': '2026-12-01',
  '1.12.26': '2026-12-01',
  '17.12.': '2026-12-17',
  '17/12/2026': '2026-12-17',
  '12/24': '2026-12-24',
  '2026-12-24': '2026-12-24',
  '2026/12/24': '2026-12-24',
  'feb 29': '2028-02-29',
  weds: '2026-12-02',
  'fri.': '2026-12-04',
  'friday next week': '2026-12-04',
  'next week fri': '2026-12-04',
  'thursday, 17 december 2026': '2026-12-17',
  'dec. 17 2026, thu': '2026-12-17',
  'the 17th': '2026-12-17',
  'first of december': '2026-12-01',
  '3rd of march': '2027-03-03',
  'jan 2027': '2027-01-01',
  'in two days': '2026-11-30',
  'in twenty days': '2026-12-18',
  '2 weeks': '2026-12-12',
}
const TIMES: Readonly<Record<string, string>> = {
  '9:00': '09:00',
  'at 17': '17:00',
  '9am': '09:00',
  '9 a.m.': '09:00',
  'at nine': '09:00',
  '9 o’clock': '09:00',
  '@ 9': '09:00',
  '9 pm': '21:00',
  '12am': '00:00',
  '8.15': '08:15',
  noon: '12:00',
  morning: '09:00',
  evening: '18:00',
}

describe('time in words', () => {
  it.each(ZONES)('is read with its day on either side, in %s', (timeZone) => {
    const now = momentAt(NOW, timeZone)
    for (const [day, date] of Object.entries(DAYS)) {
      // A duration keeps the time of day.
      const time = /^in |weeks$/.test(day) ? '20:30' : day.startsWith('e') ? '17:00' : '09:00'
      expect([day, readAt(day, NOW, timeZone)]).toEqual([day, `${date} ${time}`])
      for (const [time, shown] of Object.entries(TIMES)) {
        // A duration must come first.
        const orders = /^in |weeks$/.test(day) ? [`${day} ${time}`] : [`${day} ${time}`, `${time} ${day}`]
        for (const typed of orders) {
          expect([typed, readAt(typed, NOW, timeZone)]).toEqual([typed, `${date} ${shown}`])
          const isUndirected =
            /^(?:this we|mon|thurs$|sat|weekend|17\.12|12\/24$|feb|march|dec [^.]|1 dec|24\. |2 weeks)/.test(day) ||
            /^(?:weds|fri\.|the 17|first|3rd)/.test(day)
          if (isUndirected) continue
          const { filter, faults } = parseSearch(`after:"${typed}"`, { now, timeZone, labels: [] })
          expect([typed, faults]).toEqual([typed, []])
          const { since } = filter
          expect([typed, since === null ? null : inZone(resolveDateBound(since, { now, timeZone }), timeZone)]).toEqual(
            [typed, `${date} ${shown}`],
          )
        }
      }
    }
  })

  it.each([
    ['2h', '2026-11-28 22:30'],
    ['1h30m', '2026-11-28 22:00'],
    ['in 1 h 30 min', '2026-11-28 22:00'],
    ['an hour', '2026-11-28 21:30'],
    ['half an hour', '2026-11-28 21:00'],
    ['1.5 hours', '2026-11-28 22:00'],
    ['a couple of hours', '2026-11-28 22:30'],
    ['fifteen minutes', '2026-11-28 20:45'],
    ['tonight at nine', '2026-11-28 21:00'],
    ['in january', '2027-01-01 09:00'],
    ['24.12', '2026-12-24 09:00'],
    ['17.12 9:00', '2026-12-17 09:00'],
    ['8.10', '2026-11-29 08:10'],
    ['a week from monday', '2026-12-07 09:00'],
    ['two days from tomorrow 8:00', '2026-12-01 08:00'],
    ['in a fortnight', '2026-12-12 20:30'],
    ['tomorrow am', '2026-11-29 09:00'],
    ['monday pm', '2026-11-30 14:00'],
    ['at nine pm', '2026-11-28 21:00'],
    ['monday cob', null],
    ['today eod', '2026-11-28 17:00'],
    ['close of business', '2026-11-28 17:00'],
    ['28th', '2026-11-28 09:00'],
    ['31st', '2026-12-31 09:00'],
    ['27th', '2026-12-27 09:00'],
    ['in two days', '2026-11-30 20:30'],
    ['3 days from now', '2026-12-01 20:30'],
    ['a month', '2026-12-28 20:30'],
    ['tonight', '2026-11-28 21:00'],
    ['tomorrow evening 7', '2026-11-29 19:00'],
    ['7 tomorrow evening', '2026-11-29 19:00'],
    ['tonight 11', '2026-11-28 23:00'],
    ['today 23:15', '2026-11-28 23:15'],
    ['9pm', '2026-11-28 21:00'],
    ['9:30', '2026-11-29 09:30'],
    ['noon', '2026-11-29 12:00'],
    ['evening', '2026-11-29 18:00'],
    ['end of day tomorrow', null],
    ['end of next day', '2026-11-29 17:00'],
    ['eow', '2026-12-04 17:00'],
    ['28 nov 2027', '2027-11-28 09:00'],
    ['3days', '2026-12-01 20:30'],
    ['2hours', '2026-11-28 22:30'],
    ['in 10minutes', '2026-11-28 20:40'],
    ['2weeks', '2026-12-12 20:30'],
    ['6months', '2027-05-28 20:30'],
    ['1hour30minutes', '2026-11-28 22:00'],
    ['this night', '2026-11-28 21:00'],
    ['this evening 9', '2026-11-28 21:00'],
    ['tomorrow afternoon 12:30', '2026-11-29 12:30'],
    ['tomorrow evening 5', '2026-11-29 17:00'],
    ['9pm tomorrow night', '2026-11-29 21:00'],
    // Past times; the callers reject them.
    ['28 nov', '2026-11-28 09:00'],
    ['tonight 8', '2026-11-28 20:00'],
    ['yesterday', '2026-11-27 09:00'],
    ['this morning', '2026-11-28 09:00'],
    ['this afternoon', '2026-11-28 14:00'],
    ['this evening', '2026-11-28 18:00'],
    ['3 days ago', '2026-11-25 20:30'],
    ['last friday', '2026-11-27 09:00'],
  ])('%j is %s', (typed, moment) => {
    for (const timeZone of ZONES) expect([timeZone, readAt(typed, NOW, timeZone)]).toEqual([timeZone, moment])
  })

  it.each([
    ...['', ' ', 'soon', 'in the past', '31 feb', '2026-02-31', '25:00', '13pm', '0am', 'fri 9xm', 'in 0x3 days'],
    ...['99999 days', 'friday monday', '9 10', 'noon evening', 'noon 8', 'at', 'in 2 hours 9:00', '1/12/2026', '32.1.'],
    ...['tonight 1', 'tonight 0:30', 'tonight 12', 'evening 3', 'tomorrow evening 11am', 'afternoon 10', 'morning 3pm'],
    ...[
      'thu 18 dec 2026',
      'monday tomorrow',
      'friday 17th',
      '1.5 days',
      '1.25 hours',
      '32nd',
      '0th',
      `${'on '.repeat(40)}friday`,
      'next week monday friday',
      'next week tomorrow',
      'tomorrow next week',
      'next week next month',
    ],
    ...['this', 'this 9', '3dayz', 'last', 'next', 'end of', 'tuesday in 2 hours', '9:60', '1h 2h', 'fri\0day'],
  ])('rejects %j', (typed) => {
    for (const timeZone of ZONES) expect(readAt(typed, NOW, timeZone)).toBeNull()
  })

  it.each([
    ['a Saturday before nine', '2026-11-28 08:00', '2026-11-28 09:00'],
    ['a Saturday after nine', '2026-11-28 09:30', '2026-11-29 09:00'],
    ['a Sunday before nine', '2026-11-29 08:00', '2026-11-29 09:00'],
    ['a Sunday after nine', '2026-11-29 10:00', '2026-12-05 09:00'],
    ['a Wednesday', '2026-12-02 10:00', '2026-12-05 09:00'],
  ])('resolves “this weekend” to its next morning on %s', (_, now, moment) => {
    expect(readAt('this weekend', now, 'Europe/Berlin')).toBe(moment)
  })

  // The nights before clocks go forward and back.
  it.each([
    ['Europe/Berlin', '2026-03-28 12:00', '2026-10-24 12:00'],
    ['America/New_York', '2026-03-07 12:00', '2026-10-31 12:00'],
    ['Australia/Lord_Howe', '2026-10-03 12:00', '2026-04-04 12:00'],
    ['Asia/Kathmandu', '2026-03-28 12:00', '2026-10-24 12:00'],
  ] as const)('counts days by the calendar and hours by length over a clock change: %s', (zone, ...nights) => {
    for (const now of nights) {
      const at = momentAt(now, zone)
      const tomorrow = inZone(at + 24 * 60 * 60_000, zone).slice(0, 10)
      for (const typed of ['tomorrow', 'tomorrow 9:00', '9am', '1 day 9:00', tomorrow, `9:00 ${tomorrow}`]) {
        expect([typed, readAt(typed, now, zone)]).toEqual([typed, `${tomorrow} 09:00`])
      }
      expect(readAt('1 day', now, zone)).toBe(`${tomorrow} 12:00`)
      expect(parseFutureTime('24 hours', at, zone)).toBe(at + 24 * 60 * 60_000)
    }
  })

  it.each([
    ['last week', '2026-11-16', '2026-11-23'],
    ['this week', '2026-11-23', '2026-11-30'],
    ['week', '2026-11-23', '2026-11-30'],
    ['last month', '2026-10-01', '2026-11-01'],
    ['this month', '2026-11-01', '2026-12-01'],
    ['last year', '2025-01-01', '2026-01-01'],
    ['this year', '2026-01-01', '2027-01-01'],
    ['january', '2026-01-01', '2026-02-01'],
    ['last december', '2025-12-01', '2026-01-01'],
    ['march 2025', '2025-03-01', '2025-04-01'],
    ['1.12', '2025-12-01', '2025-12-02'],
    ['8.10', '2026-10-08', '2026-10-09'],
    ['friday last week', '2026-11-20', '2026-11-21'],
    ['the 17th', '2026-11-17', '2026-11-18'],
    ['29th', '2026-10-29', '2026-10-30'],
    ['this weekend', '2026-11-28', '2026-11-30'],
    ['weekend', '2026-11-28', '2026-11-30'],
    ['last weekend', '2026-11-21', '2026-11-23'],
    ['monday', '2026-11-23', '2026-11-24'],
  ])('covers all of %j in a search', (typed, from, to) => {
    const clock = { now: momentAt(NOW, 'Europe/Berlin'), timeZone: 'Europe/Berlin', labels: [] }
    const { since, until } = parseSearch(`on:"${typed}"`, clock).filter
    expect([since, until]).toEqual([
      { kind: 'day', day: from },
      { kind: 'day', day: to },
    ])
    expect(parseSearch(`after:"${typed}"`, clock).filter).toMatchObject({ since, until: null })
  })

  it.each([
    ['2026-12-02 10:00', '2026-11-28', '2026-11-28'],
    ['2026-11-29 10:00', '2026-11-28', '2026-11-21'],
  ])('includes a weekend in progress in a search, on %s', (now, current, last) => {
    const clock = { now: momentAt(now, 'Europe/Berlin'), timeZone: 'Europe/Berlin', labels: [] }
    expect(parseSearch('after:weekend', clock).filter.since).toEqual({ kind: 'day', day: current })
    expect(parseSearch('after:"last weekend"', clock).filter.since).toEqual({ kind: 'day', day: last })
  })

  it.each(['two days ago', '2 days', '3weeks', 'a month ago', '10minutes', '1h30m', 'half an hour'])(
    'keeps the search stable when %j is read again a moment later',
    (typed) => {
      const now = momentAt(NOW, 'Europe/Berlin')
      const read = (at: number) =>
        parseSearch(`after:"${typed}"`, { now: at, timeZone: 'Europe/Berlin', labels: [] }).filter
      expect(read(now).since).not.toBeNull()
      expect(read(now + 1_234)).toEqual(read(now))
    },
  )

  it('is read the same way in all fields', async () => {
    const now = Date.now()
    const run = async (name: string, option: string, typed: string): Promise<unknown> =>
      COMMANDS.find((each) => each.name === name)
        ?.run(['words', `--${option}`, typed, '--data', temporaryDirectory()], new Terminal(process))
        .then(String, (thrown: unknown) => (thrown as Error).message)
    for (const typed of ['3days', 'in 2hours', 'tomorrow evening 8', '9am tomorrow', 'end of next week']) {
      const at = parseFutureTime(typed, now)
      expect([typed, parseLaterTime(typed, now, MAX_RESURFACE_DAYS)]).toEqual([typed, { at }])
      expect([typed, parseLaterTime(typed, now, MAX_SCHEDULE_DAYS)]).toEqual([typed, { at }])
    }
    expect(await run('snooze', 'until', '3days')).not.toMatch(/takes a future time/)
    expect(await run('send', 'at', '3days')).not.toMatch(/takes a future time/)
    for (const typed of ['tonight 1', 'evening 3', '3 days ago', 'soon']) {
      expect(parseLaterTime(typed, now, MAX_RESURFACE_DAYS)).toHaveProperty('problem')
      expect(parseLaterTime(typed, now, MAX_SCHEDULE_DAYS)).toHaveProperty('problem')
      expect(await run('snooze', 'until', typed)).toMatch(/--until takes a future time/)
      expect(await run('send', 'at', typed)).toMatch(/--at takes a future time/)
    }
  })

  it('looks back in a search unless it names the future', () => {
    const timeZone = 'Europe/Berlin'
    const clock = { now: momentAt(NOW, timeZone), timeZone }
    const shown = (typed: string): string | null => {
      const { since } = parseSearch(`after:"${typed}"`, { ...clock, labels: [] }).filter
      return since === null ? null : inZone(resolveDateBound(since, clock), timeZone)
    }
    expect(
      ['monday', 'saturday', 'last friday', '1 dec', '28 nov', '17.12.', '2 days ago', 'two weeks', 'noon', '9pm'].map(
        shown,
      ),
    ).toEqual([
      ...['2026-11-23 00:00', '2026-11-28 00:00', '2026-11-27 00:00', '2025-12-01 00:00', '2026-11-28 00:00'],
      ...['2025-12-17 00:00', '2026-11-26 20:30', '2026-11-14 20:30', '2026-11-28 12:00', '2026-11-27 21:00'],
    ])
    expect(['next monday', 'in 2 days', 'tomorrow'].map(shown)).toEqual([
      ...['2026-11-30 00:00', '2026-11-30 20:30', '2026-11-29 00:00'],
    ])
  })
})
