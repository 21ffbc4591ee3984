import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parsePlatformTime } from '../../../../src/engine/platform/parse-response.ts'

describe('a platform timestamp', () => {
  it.each([
    ['2026-05-01T10:00:00.000Z', '2026-05-01T10:00:00.000Z'],
    ['2025-11-30 20:41:40.84216+00', '2025-11-30T20:41:40.842Z'],
    ['2026-05-01 10:00:00.5-03:30', '2026-05-01T13:30:00.500Z'],
    ['2026-05-01T10:00:00+0200', '2026-05-01T08:00:00.000Z'],
    ['2026-05-01T10:00', '2026-05-01T10:00:00.000Z'],
    ['2026-05-01', '2026-05-01T00:00:00.000Z'],
  ])('is read in both formats: %s', (text, iso) => expect(parsePlatformTime(text)).toBe(Date.parse(iso)))

  it.each(['', 'yesterday', '2026-13-01T00:00:00Z', '1795223567000'])('is null if invalid: %j', (text) =>
    expect(parsePlatformTime(text)).toBeNull(),
  )

  it('round-trips for every moment', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('1970-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }),
        (date) => {
          const iso = date.toISOString()
          expect(parsePlatformTime(iso)).toBe(date.getTime())
          expect(parsePlatformTime(iso.replace('T', ' ').replace('Z', '123+00'))).toBe(date.getTime())
        },
      ),
    )
  })
})
