import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseDuration } from '../../../packages/platform/src/endpoints/share-links.ts'
import { MAX_SHARE_MS, parseShareDuration, formatShareDuration } from '../../../src/shared/share-duration.ts'

const HOUR = 3_600_000

/** Milliseconds as the platform reads them, or null if rejected. */
const platformReads = (text: string): number | null => {
  try {
    return parseDuration(text)
  } catch {
    return null
  }
}
const read = (text: string): number | null => {
  const duration = parseShareDuration(text)
  return 'milliseconds' in duration ? duration.milliseconds : null
}

const unit = fc.constantFrom(
  ...['s', 'sec', 'secs', 'second', 'seconds', 'm', 'min', 'mins', 'minute', 'minutes', 'h', 'hr', 'hrs', 'hour'],
  ...['hours', 'd', 'day', 'days', 'D', 'Hours', 'MIN', 'w', 'mo', 'hou', 'ms', '', 'x', 'ſ'],
)
const space = fc.constantFrom('', '', ' ', '  ', '\t', '\u00a0', ',', ' and ', '-')
const number = fc.oneof(
  fc.nat({ max: 60 }).map(String),
  fc.nat({ max: 172_801 }).map(String),
  fc.constantFrom('0', '00', '007', '1.5', '-1', '1e3', '999999999', '1234567890', '½', '١'),
)
const typed = fc
  .array(fc.tuple(space, number, space, unit, space), { maxLength: 4 })
  .map((parts) => parts.flat().join(''))

describe('share duration', () => {
  it('is parsed like the platform does, for any input', () => {
    fc.assert(
      fc.property(fc.oneof(typed, fc.string({ unit: 'grapheme', maxLength: 12 })), (text) => {
        expect(read(text)).toBe(platformReads(text))
      }),
      { numRuns: 3_000, seed: 7 },
    )
  })

  it.each([
    ['10m', HOUR / 6],
    ['2 hours', 2 * HOUR],
    ['1 day', 24 * HOUR],
    [' 1h 30m ', 1.5 * HOUR],
    ['1 hour 30 minutes', 1.5 * HOUR],
    ['1H30M', 1.5 * HOUR],
    ['48h', MAX_SHARE_MS],
    ['90 s', 90_000],
  ])('accepts %s', (text, milliseconds) => {
    expect(parseShareDuration(text)).toEqual({ milliseconds })
  })

  it.each([
    ['', 'nothing typed'],
    [' \t', 'nothing typed'],
    ['soon', 'no duration'],
    ['10', 'no duration'],
    ['0m', 'no duration'],
    ['1.5h', 'no duration'],
    ['-1h', 'no duration'],
    ['2 weeks', 'no duration'],
    ['1h and 5m', 'no duration'],
    ['49h', 'too long'],
    ['2 days 1s', 'too long'],
    ['999999999d', 'too long'],
  ] as const)('rejects "%s": %s', (text, fault) => {
    expect(parseShareDuration(text)).toEqual({ fault })
  })

  it('is sent as one equivalent number and unit', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: MAX_SHARE_MS / 1000 }), (seconds) => {
        const text = formatShareDuration(seconds * 1000)
        expect(text).toMatch(/^\d+[smh]$/)
        expect(parseDuration(text)).toBe(seconds * 1000)
      }),
      { seed: 7 },
    )
    expect([10 * 60_000, 24 * HOUR, 1.5 * HOUR, 90_000].map(formatShareDuration)).toEqual(['10m', '24h', '90m', '90s'])
  })
})
