import { afterEach, describe, expect, it, vi } from 'vitest'
import { offeredTimes, readMoment } from '../../../src/shared/later-time.ts'

/** A Monday, ten o'clock on the clock of whoever runs this. */
const NOW = new Date(2026, 5, 1, 10, 0).getTime()
const at = (day: number, hour: number, minute = 0): number => new Date(2026, 5, day, hour, minute).getTime()

afterEach(() => {
  vi.unstubAllEnvs()
})

describe('a time that lies ahead', () => {
  it.each([
    ['fri 9am', at(5, 9)],
    ['3 days', at(4, 10)],
    ['2h', at(1, 12)],
    ['an hour', at(1, 11)],
    ['in a month', new Date(2026, 6, 1, 10).getTime()],
    ['next week', at(8, 9)],
    ['weekend', at(6, 9)],
    ['this weekend 11:00', at(6, 11)],
    ['tonight', at(1, 21)],
    ['tomorrow evening', at(2, 18)],
    ['noon', at(1, 12)],
    ['24 jun', at(24, 9)],
    ['june 24th 14:00', at(24, 14)],
    ['1 may', new Date(2027, 4, 1, 9).getTime()],
  ])('is read in words: %j', (typed, moment) => {
    expect(readMoment(typed, NOW)).toBe(moment)
  })

  it.each(['', 'soon', 'in the past', '31 feb', '2026-02-31', '25:00', 'fri 9xm', 'in 0x3 days', '99999 days'])(
    'is not read from %j',
    (typed) => {
      expect(readMoment(typed, NOW)).toBeNull()
    },
  )

  it.each([
    ['the clock is put forward', new Date(2026, 2, 28, 12), '2026-03-29T07:00:00.000Z'],
    ['the clock is put back', new Date(2026, 9, 24, 12), '2026-10-25T08:00:00.000Z'],
  ])('is nine by the person’s clock where %s in the night before', (_, noon, moment) => {
    vi.stubEnv('TZ', 'Europe/Berlin')
    const now = new Date(noon.getFullYear(), noon.getMonth(), noon.getDate(), 12).getTime()
    expect(new Date(readMoment('tomorrow', now) ?? 0).toISOString()).toBe(moment)
    expect(new Date(offeredTimes(now, true).find(({ id }) => id === 'tomorrow')?.at ?? 0).toISOString()).toBe(moment)
  })

  it('is offered in order, each once, and ahead', () => {
    for (let hour = 0; hour < 24 * 8; hour += 1) {
      const now = NOW + hour * 60 * 60_000
      const times = offeredTimes(now, true).map((time) => time.at)
      expect(times.every((time) => time > now)).toBe(true)
      expect(times).toEqual([...new Set(times)].toSorted((one, other) => one - other))
    }
  })
})
