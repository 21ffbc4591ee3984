import { expect, it, onTestFinished, vi } from 'vitest'
import { createLocalClock } from '../../../../src/engine/timing/clock.ts'

it('reads the time zone again after a minute, or when the offset changes', () => {
  onTestFinished(() => void vi.restoreAllMocks())
  let [now, timeZone, offset] = [Date.UTC(2026, 0, 1), 'Asia/Tokyo', -540]
  vi.spyOn(Date.prototype, 'getTimezoneOffset').mockImplementation(() => offset)
  const asked = vi
    .spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions')
    .mockImplementation(() => ({ timeZone }) as Intl.ResolvedDateTimeFormatOptions)
  const clock = createLocalClock(() => now)
  expect([clock(), clock()]).toEqual([
    { now, timeZone: 'Asia/Tokyo' },
    { now, timeZone: 'Asia/Tokyo' },
  ])
  expect(asked).toHaveBeenCalledTimes(1)
  ;[timeZone, offset] = ['America/New_York', 300]
  expect(clock()).toEqual({ now, timeZone })
  // A change to a zone with the same offset can't be noticed earlier.
  timeZone = 'America/Toronto'
  now += 59_999
  expect(clock().timeZone).toBe('America/New_York')
  now += 1
  expect(clock()).toEqual({ now, timeZone: 'America/Toronto' })
  expect(asked).toHaveBeenCalledTimes(3)
})
