import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  MAX_REQUEST_ROWS,
  groupAdjacentWindows,
  LIST_WINDOW_ROWS,
  selectWindowsAround,
  selectWindowsToEvict,
} from '../../../src/renderer/ui/windowed-list.svelte.ts'

describe('windows of a long list', () => {
  it('cover every visible row', () => {
    fc.assert(
      fc.property(fc.nat(100_000), fc.nat(60), fc.integer({ min: 1, max: 120_000 }), (first, length, total) => {
        const last = Math.min(first + length, total - 1)
        const windows = selectWindowsAround({ first, last }, total, 0)
        for (let row = first; row <= last; row += 1) expect(windows).toContain(Math.floor(row / LIST_WINDOW_ROWS))
      }),
    )
  })

  it('are few, even before the length is known', () => {
    expect(selectWindowsAround({ first: 0, last: 15 }, null, 8)).toEqual([0, 1])
    expect(selectWindowsAround({ first: 40_010, last: 40_015 }, 100_000, 8)).toEqual([2_000, 2_001])
    expect(selectWindowsAround({ first: 40_010, last: 40_015 }, 100_000, 50)).toEqual([
      1_998, 1_999, 2_000, 2_001, 2_002, 2_003,
    ])
  })

  it('stay within the list', () => {
    expect(selectWindowsAround({ first: 180, last: 230 }, 201, 8)).toEqual([8, 9, 10])
    expect(selectWindowsAround({ first: 0, last: 15 }, 0, 8)).toEqual([0])
  })

  it('are read in consecutive runs within the request limit', () => {
    expect(groupAdjacentWindows([])).toEqual([])
    expect(groupAdjacentWindows([0, 1, 4, 5, 6, 9])).toEqual([[0, 1], [4, 5, 6], [9]])
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(60)), (some) => {
        const windows = some.toSorted((one, other) => one - other)
        const runs = groupAdjacentWindows(windows)
        expect(runs.flat()).toEqual(windows)
        for (const run of runs) expect(run.length * LIST_WINDOW_ROWS).toBeLessThanOrEqual(MAX_REQUEST_ROWS)
      }),
    )
  })

  it('are dropped farthest first', () => {
    expect(selectWindowsToEvict([0, 1, 2, 2_000, 2_001], { first: 40_000, last: 40_040 }, 3)).toEqual([1, 0])
    expect(selectWindowsToEvict([0, 1], { first: 0, last: 40 }, 3)).toEqual([])
  })
})
