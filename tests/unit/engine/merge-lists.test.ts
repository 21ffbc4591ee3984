import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutWindow, mergeRows, type TimedList } from '../../../src/engine/threads-across/merge-lists.ts'

interface Row {
  readonly name: string
  readonly receivedAt: number
}

/** Rows of a list by their times, named by the list and their place in it. */
const rowsOf = (times: readonly number[], list: number): readonly Row[] =>
  times.toSorted((one, other) => other - one).map((receivedAt, place) => ({ name: `${list}.${place}`, receivedAt }))

/** A list of which all rows are known. */
const kept = (rows: readonly Row[]): TimedList => ({
  reach: () => rows.length,
  countSince: (time) => rows.filter(({ receivedAt }) => receivedAt >= time).length,
})

/** A list of which so many rows are found as are asked for. */
const found = (rows: readonly Row[]): TimedList & { readonly reached: () => number } => {
  let reached = 0
  return {
    reach: (wanted) => {
      reached = Math.min(rows.length, Math.max(reached, wanted))
      return reached
    },
    countSince: (time) => rows.slice(0, reached).filter(({ receivedAt }) => receivedAt >= time).length,
    reached: () => reached,
  }
}

const windowOf = (all: readonly (readonly Row[])[], lists: readonly TimedList[], offset: number, limit: number) => {
  const cuts = cutWindow(lists, { offset, limit })
  return { cuts, rows: mergeRows(all.map((rows, at) => rows.slice(cuts[at]?.from, cuts[at]?.to))) }
}

/** A few times that many rows share, and others of their own; milliseconds of any age. */
const time = fc.oneof(fc.constantFrom(0, 1, 1_700_000_000_000), fc.integer({ min: -1e12, max: 8e12 }))
const allTimes = fc.array(fc.array(time, { maxLength: 130 }), { minLength: 1, maxLength: 7 })
const window = { offset: fc.nat(500), limit: fc.integer({ min: 1, max: 200 }) }

describe('A window of several lists as one', () => {
  it('is that of all their rows in one order', () => {
    fc.assert(
      fc.property(allTimes, fc.array(fc.boolean()), fc.record(window), (times, areFound, { offset, limit }) => {
        const all = times.map(rowsOf)
        const lists = all.map((rows, at) => (areFound[at] === true ? found(rows) : kept(rows)))
        const naive = mergeRows(all).slice(offset, offset + limit)
        expect(windowOf(all, lists, offset, limit).rows).toEqual(naive)
      }),
      { numRuns: 300 },
    )
  })

  it('is followed by the next one without a gap and without a double', () => {
    fc.assert(
      fc.property(allTimes, fc.integer({ min: 1, max: 60 }), (times, limit) => {
        const all = times.map(rowsOf)
        const whole = mergeRows(all)
        const pieces = Array.from({ length: Math.ceil(whole.length / limit) + 1 }, (_, page) =>
          windowOf(all, all.map(kept), page * limit, limit),
        )
        expect(pieces.flatMap(({ rows }) => rows)).toEqual(whole)
      }),
      { numRuns: 50 },
    )
  })

  it('takes no more of a list that is found by and by than the window needs, and a row to see that nothing comes above', () => {
    const busy = found(
      rowsOf(
        Array.from({ length: 5_000 }, (_, at) => 10_000 + at),
        0,
      ),
    )
    const quiet = found(
      rowsOf(
        Array.from({ length: 5_000 }, (_, at) => at),
        1,
      ),
    )
    const cuts = cutWindow([busy, quiet], { offset: 300, limit: 100 })
    expect(cuts).toEqual([
      { from: 300, to: 400 },
      { from: 0, to: 0 },
    ])
    expect(busy.reached()).toBe(401)
    expect(quiet.reached()).toBeLessThan(300)
    expect(quiet.reached()).toBeGreaterThan(0)
  })

  it('reads none of many thousand rows of one time to share them out', () => {
    const rows = rowsOf(
      Array.from({ length: 20_000 }, () => 7),
      0,
    )
    const lists = [rows, rows, rows].map((each) => kept(each))
    expect(cutWindow(lists, { offset: 30_000, limit: 50 })).toEqual([
      { from: 20_000, to: 20_000 },
      { from: 10_000, to: 10_050 },
      { from: 0, to: 0 },
    ])
  })
})
