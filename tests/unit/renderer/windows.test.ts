import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { WINDOW_SIZE, windowsAround, windowsToDrop } from '../../../src/renderer/ui/windows.ts'

describe('the windows of a long list', () => {
  it('hold every row that is on the screen', () => {
    fc.assert(
      fc.property(fc.nat(100_000), fc.nat(60), fc.integer({ min: 1, max: 120_000 }), (first, length, total) => {
        const last = Math.min(first + length, total - 1)
        const windows = windowsAround({ first, last }, total)
        for (let row = first; row <= last; row += 1) expect(windows).toContain(Math.floor(row / WINDOW_SIZE))
      }),
    )
  })

  it('are few, and begin at the first for a list that is not known yet', () => {
    expect(windowsAround({ first: 0, last: 50 }, 0)).toEqual([0])
    expect(windowsAround({ first: 40_010, last: 40_040 }, 100_000)).toEqual([399, 400])
  })

  it('do not reach beyond the end of the list', () => {
    expect(windowsAround({ first: 180, last: 230 }, 201)).toEqual([1, 2])
  })

  it('are let go of farthest first', () => {
    expect(windowsToDrop([0, 1, 2, 400, 401], { first: 40_000, last: 40_040 }, 3)).toEqual([1, 0])
    expect(windowsToDrop([0, 1], { first: 0, last: 40 }, 3)).toEqual([])
  })
})
