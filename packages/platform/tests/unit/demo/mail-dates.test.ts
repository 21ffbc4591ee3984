import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { generateMessageDates, generateThreadDates, replaceDatePlaceholders } from '../../../src/demo/mail-dates.ts'
import { Random } from '../../../src/random.ts'

const now = new Date('2026-11-20T15:30:00Z')
const hour = 3_600_000
const day = 24 * hour

describe('demo mail dates', () => {
  it('compress a thread that would start too early, keeping its order and end', () => {
    const last = new Date(now.getTime() - 27 * day)
    const moments = generateMessageDates(now, last, [48, 48, 48], new Random('squeezed'))
    expect(moments.at(-1)).toEqual(last)
    expect(moments[0]?.getTime()).toBeGreaterThan(now.getTime() - 30 * day)
    expect(new Set(moments.map((moment) => moment.getTime())).size).toBe(4)
    expect(moments).toEqual(moments.toSorted((one, other) => one.getTime() - other.getTime()))
  })

  it('keep the requested gaps if they fit', () => {
    expect(generateMessageDates(now, now, [1.5, 24], new Random('asked'))).toEqual([
      new Date('2026-11-19T14:00:00Z'),
      new Date('2026-11-19T15:30:00Z'),
      now,
    ])
  })

  it('are newest first, never in the future or older than 27 days', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true }),
        fc.string(),
        (at, seed) => {
          const ages = generateThreadDates(at, 40, [5, 90], new Random(seed)).map(
            (moment) => at.getTime() - moment.getTime(),
          )
          expect(ages).toHaveLength(40)
          expect(ages).toEqual(ages.toSorted((one, other) => one - other))
          expect(ages[0]).toBe(5 * 60_000)
          expect(ages.at(-1)).toBeLessThanOrEqual(27 * day)
        },
      ),
      { numRuns: 30 },
    )
  })
})

describe('dates in demo texts', () => {
  it.each([
    ['{{date}} {{year}}', '20 November 2026'],
    ['{{date+11}}', '1 December'],
    ['{{iso-1}}', '2026-11-19'],
    ['{{weekday+2}}', 'Sunday'],
    ['{{workday+2}}', 'Tuesday'],
    ['{{workday-1}}', 'Thursday'],
    ['{{workdate+1}}', '23 November'],
    ['{{compactworkday+1}}', '20261123'],
    ['{{month+2}}', 'January'],
    ['{{year-11}}', '2025'],
    ['{{time-95}} UTC', '13:55 UTC'],
  ])('%s on a Friday afternoon is %s', (text, written) => {
    expect(replaceDatePlaceholders(text, now)).toBe(written)
  })

  it('fail for an unknown date', () => {
    expect(() => replaceDatePlaceholders('{{fortnight}}', now)).toThrow('fortnight')
  })
})
