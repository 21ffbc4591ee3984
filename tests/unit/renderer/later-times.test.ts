import { describe, expect, it } from 'vitest'
import { suggestTimes, parseLaterTime as parse, MAX_SCHEDULE_DAYS } from '../../../src/renderer/ui/later-times.ts'
import { parseFutureTime } from '../../../src/shared/time-expressions.ts'

/** A Monday at ten o'clock, local time. */
const NOW = new Date(2026, 5, 1, 10, 0).getTime()
const at = (day: number, hour: number, minute = 0): number => new Date(2026, 5, day, hour, minute).getTime()

const parseLater = (typed: string, now: number) => parse(typed, now, MAX_SCHEDULE_DAYS)

describe('typed time', () => {
  it.each([
    ['tomorrow 9:00', at(2, 9)],
    ['Tomorrow at 9am', at(2, 9)],
    ['tomorrow', at(2, 9)],
    ['today 17.30', at(1, 17, 30)],
    ['in 2 hours', at(1, 12)],
    ['in 45 min', at(1, 10, 45)],
    ['in 3 days', at(4, 10)],
    ['in 1 week', at(8, 10)],
    ['fri', at(5, 9)],
    ['next friday, 14:30', at(5, 14, 30)],
    ['monday 8:00', at(8, 8)],
    ['9pm', at(1, 21)],
    ['12 am', at(2, 0)],
    ['12pm', at(1, 12)],
    ['9:30', at(2, 9, 30)],
    ['2026-06-24', at(24, 9)],
    [' 2026-06-24   18:00 ', at(24, 18)],
    ['2026-06-24T18:05', at(24, 18, 5)],
  ])('is read from %j', (typed, moment) => {
    expect(parseLater(typed, NOW)).toEqual({ at: moment })
  })

  it.each(['', 'soon', 'tomorrow 25:00', '13pm', '0am', 'in 2 moons', '2026-02-30', 'tuesday in 2 hours'])(
    'is rejected: %j',
    (typed) => {
      expect(parseLater(typed, NOW)).toEqual({ problem: expect.stringContaining('Type a time') as string })
    },
  )

  it.each([
    ['in 1 day', '2026-03-28T10:00+01:00', '2026-03-29T10:00+02:00'],
    ['in 1 week', '2026-03-24T10:00+01:00', '2026-03-31T10:00+02:00'],
    ['in 24 hours', '2026-03-28T10:00+01:00', '2026-03-29T11:00+02:00'],
    ['in 1 day', '2026-10-24T10:00+02:00', '2026-10-25T10:00+01:00'],
    ['in 2 weeks', '2026-10-20T10:00+02:00', '2026-11-03T10:00+01:00'],
    ['in 24 hours', '2026-10-24T10:00+02:00', '2026-10-25T09:00+01:00'],
    ['in 90 min', '2026-10-25T02:30+02:00', '2026-10-25T03:00+01:00'],
  ])('counts days by the calendar and hours by length over a clock change: %j from %s', (typed, from, to) => {
    expect(parseFutureTime(typed, Date.parse(from), 'Europe/Berlin')).toBe(Date.parse(to))
  })

  it('must be in the next thirty days', () => {
    expect(parseLater('today 9:00', NOW)).toEqual({ problem: expect.stringContaining('has passed') as string })
    expect(parseLater('2026-07-02', NOW)).toEqual({ problem: expect.stringContaining('30 days ahead') as string })
    expect(parseLater('in 30 days', NOW)).toHaveProperty('at')
  })
})

describe('suggested times', () => {
  it('are ahead and distinct', () => {
    const moments = suggestTimes(NOW, 'send').map((choice) => choice.at)
    expect(moments).toEqual([at(1, 12), at(1, 18), at(2, 9), at(8, 9)])
  })

  it.each(['snooze', 'remind', 'send'] as const)(
    'are ahead, sorted and distinct at every hour of a week: %s',
    (purpose) => {
      for (let hour = 0; hour < 24 * 8; hour += 1) {
        const now = NOW + hour * 60 * 60_000
        const times = suggestTimes(now, purpose).map((time) => time.at)
        expect(times.every((time) => time > now)).toBe(true)
        expect(times).toEqual([...new Set(times)].toSorted((one, other) => one - other))
      }
    },
  )

  it('name the right weekend', () => {
    const weekendAt = (now: number) => suggestTimes(now, 'snooze').find(({ name }) => name.endsWith('weekend'))
    expect(weekendAt(at(4, 10))).toMatchObject({ name: 'This weekend', at: at(6, 9) })
    expect(weekendAt(at(6, 8))).toMatchObject({ name: 'This weekend', at: at(6, 9) })
    // Sunday is tomorrow.
    expect(weekendAt(at(6, 10))).toBeUndefined()
    expect(weekendAt(at(7, 10))).toMatchObject({ name: 'Next weekend', at: at(13, 9) })
  })

  it('skip an evening that has begun', () => {
    expect(suggestTimes(at(1, 17, 30), 'send').map(({ name }) => name)).toEqual([
      'In 2 hours',
      'Tomorrow',
      'Next Monday',
    ])
  })
})
