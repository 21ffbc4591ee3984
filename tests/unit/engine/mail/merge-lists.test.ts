import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { splitWindow, mergeRows, type TimedList } from '../../../../src/engine/mail/unified-threads/merge-lists.ts'

interface Row {
  readonly name: string
  readonly receivedAt: number
}

const rowsOf = (times: readonly number[], list: number): readonly Row[] =>
  times.toSorted((one, other) => other - one).map((receivedAt, place) => ({ name: `${list}.${place}`, receivedAt }))

interface Seen {
  reached: number
  read: number
  counted: number
}

/** @param isFound true if rows are found only as they are requested */
const listOf = (rows: readonly Row[], isFound: boolean): TimedList & { readonly seen: Seen } => {
  const seen: Seen = { reached: isFound ? 0 : rows.length, read: 0, counted: 0 }
  const known = (): readonly Row[] => rows.slice(0, seen.reached)
  const countSince = (time: number): number => known().filter(({ receivedAt }) => receivedAt >= time).length
  return {
    seen,
    load: (wanted) => {
      if (isFound) seen.reached = Math.min(rows.length, Math.max(seen.reached, wanted))
      return seen.reached
    },
    countBetween: (from, before) => {
      seen.counted += 1
      return countSince(from) - countSince(before)
    },
    range: () => {
      const [first, last] = [known()[0], known().at(-1)]
      return first === undefined || last === undefined ? null : { newest: first.receivedAt, oldest: last.receivedAt }
    },
    times: ({ before, skip }, limit) => {
      const first = countSince(before) + skip
      const times = known()
        .slice(first, first + limit)
        .map(({ receivedAt }) => receivedAt)
      seen.read += times.length
      return times
    },
  }
}

const windowOf = (all: readonly (readonly Row[])[], lists: readonly TimedList[], offset: number, limit: number) => {
  const parts = splitWindow(lists, { offset, limit })
  return mergeRows(
    all.map((rows, at) => {
      const part = parts[at] ?? { offset: 0, place: { before: 0, skip: 0 }, rows: 0 }
      const above = rows.filter(({ receivedAt }) => receivedAt >= part.place.before).length
      // Both forms of a position agree.
      expect(part.offset).toBe(above + part.place.skip)
      return rows.slice(part.offset, part.offset + part.rows)
    }),
  )
}

/** Times shared by many rows, times close together, and times of any age. */
const time = fc.oneof(
  fc.constantFrom(0, 1, 1_700_000_000_000),
  fc.integer({ min: 1_700_000_000_000, max: 1_700_000_000_400 }),
  fc.integer({ min: -1e12, max: 8e12 }),
)
const allTimes = fc.array(fc.array(time, { size: 'max', maxLength: 600 }), { minLength: 1, maxLength: 6 })

describe('a window of several merged lists', () => {
  it('shows all their rows in one order', () => {
    const window = { offset: fc.nat(3_000), limit: fc.integer({ min: 1, max: 200 }) }
    fc.assert(
      fc.property(allTimes, fc.array(fc.boolean()), fc.record(window), (times, areFound, { offset, limit }) => {
        const all = times.map(rowsOf)
        const lists = all.map((rows, at) => listOf(rows, areFound[at] === true))
        expect(windowOf(all, lists, offset, limit)).toEqual(mergeRows(all).slice(offset, offset + limit))
      }),
      { numRuns: 150 },
    )
  })

  it('continues in the next window without gaps or duplicates', () => {
    fc.assert(
      fc.property(allTimes, fc.integer({ min: 50, max: 200 }), (times, limit) => {
        const all = times.map(rowsOf)
        const lists = all.map((rows) => listOf(rows, false))
        const whole = mergeRows(all)
        const pieces = Array.from({ length: Math.ceil(whole.length / limit) + 1 }, (_, page) =>
          windowOf(all, lists, page * limit, limit),
        )
        expect(pieces.flat()).toEqual(whole)
      }),
      { numRuns: 25 },
    )
  })

  it('reads only what it needs of a lazily found list, plus one row', () => {
    const times = (length: number, from: number): readonly number[] => Array.from({ length }, (_, at) => from + at)
    const busy = listOf(rowsOf(times(3_000, 10_000), 0), true)
    const quiet = listOf(rowsOf(times(3_000, 0), 1), true)
    expect(splitWindow([busy, quiet], { offset: 300, limit: 100 }).map(({ offset, rows }) => [offset, rows])).toEqual([
      [300, 100],
      [0, 0],
    ])
    expect(busy.seen.reached).toBe(401)
    expect(quiet.seen.reached).toBeLessThan(300)
    expect(quiet.seen.reached).toBeGreaterThan(0)
  })

  it('divides thousands of rows with the same time without reading them', () => {
    const rows = rowsOf(
      Array.from({ length: 20_000 }, () => 7),
      0,
    )
    const lists = [rows, rows, rows].map((each) => listOf(each, false))
    expect(splitWindow(lists, { offset: 30_000, limit: 50 }).map(({ offset, rows: taken }) => [offset, taken])).toEqual(
      [
        [20_000, 0],
        [10_000, 50],
        [0, 0],
      ],
    )
    for (const { seen } of lists) expect(seen.read).toBeLessThan(500)
  })

  it('continues below divided rows, in a list with many of the next ones', () => {
    const shared = Array.from({ length: 1_000 }, () => 9_000)
    const times = [
      [
        ...shared,
        ...Array.from({ length: 145 }, (_, at) => 8_000 - at),
        ...Array.from({ length: 500 }, (_, at) => 500 - at),
      ],
      [...shared, ...Array.from({ length: 500 }, (_, at) => 7_000 - at)],
      shared,
    ]
    const all = times.map(rowsOf)
    const lists = all.map((rows) => listOf(rows, false))
    for (const offset of [2_950, 3_000, 2_500]) {
      expect(windowOf(all, lists, offset, 200)).toEqual(mergeRows(all).slice(offset, offset + 200))
    }
  })

  it('counts a list a few times and reads a few hundred times of it, wherever it is', () => {
    const all = Array.from({ length: 5 }, (_, list) =>
      rowsOf(
        Array.from({ length: 4_000 }, (__, at) => at * (list + 1) ** 2 * 60_000),
        list,
      ),
    )
    for (const offset of [0, 100, 5_000, 10_000, 15_000, 19_900]) {
      const lists = all.map((rows) => listOf(rows, false))
      expect(windowOf(all, lists, offset, 100)).toEqual(mergeRows(all).slice(offset, offset + 100))
      for (const { seen } of lists) {
        expect(seen.counted).toBeLessThan(8)
        expect(seen.read).toBeLessThan(700)
      }
    }
  })
})
