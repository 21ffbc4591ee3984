import { describe, expect, it } from 'vitest'
import { laterChoices, parseLater, typedTime } from '../../../src/renderer/features/writing/send-later.ts'

/** A Monday, ten o'clock on the clock of whoever runs this. */
const NOW = new Date(2026, 5, 1, 10, 0).getTime()
const at = (day: number, hour: number, minute = 0): number => new Date(2026, 5, day, hour, minute).getTime()

describe('a time that is typed', () => {
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
  ])('%j is read', (typed, moment) => {
    expect(parseLater(typed, NOW)).toEqual({ at: moment })
  })

  it.each([at(2, 9), at(24, 18, 5), at(3, 0, 1)])('a moment that is written out is read as the same one', (moment) => {
    expect(parseLater(typedTime(moment), NOW)).toEqual({ at: moment })
  })

  it.each(['', 'soon', 'tomorrow 25:00', '13pm', '0am', 'in 2 moons', '2026-02-30', '2026-6-1', 'tuesday in 2 hours'])(
    '%j is none',
    (typed) => {
      expect(parseLater(typed, NOW)).toEqual({ problem: expect.stringContaining('Type a time') as string })
    },
  )

  it('has to come, and within thirty days', () => {
    expect(parseLater('today 9:00', NOW)).toEqual({ problem: expect.stringContaining('has passed') as string })
    expect(parseLater('2026-07-02', NOW)).toEqual({ problem: expect.stringContaining('30 days') as string })
    expect(parseLater('in 30 days', NOW)).toHaveProperty('at')
  })
})

describe('times that are offered', () => {
  it('lie ahead, each on its own', () => {
    const moments = laterChoices(NOW).map((choice) => choice.at)
    expect(moments).toEqual([at(1, 12), at(1, 18), at(2, 9), at(8, 9)])
  })

  it('have no evening that has begun', () => {
    expect(laterChoices(at(1, 17, 30)).map(({ name }) => name)).toEqual(['In 2 hours', 'Tomorrow', 'Next Monday'])
  })
})
