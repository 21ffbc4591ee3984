import { describe, expect, it } from 'vitest'
import { computeBackOffMs } from '../../../../src/engine/timing/back-off.ts'

describe('back-off', () => {
  it('doubles after each failure, up to a minute', () => {
    expect([1, 2, 3, 4].map((attempt) => computeBackOffMs(attempt, 1))).toEqual([500, 1000, 2000, 4000])
    expect(computeBackOffMs(50, 1)).toBe(60_000)
  })

  it('randomizes half of the wait', () => {
    expect(computeBackOffMs(3, 0)).toBe(1000)
    expect(computeBackOffMs(3, 0.5)).toBe(1500)
  })
})
