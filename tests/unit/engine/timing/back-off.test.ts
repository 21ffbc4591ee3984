import { describe, expect, it } from 'vitest'
import { backOff } from '../../../../src/engine/timing/back-off.ts'

describe('back-off', () => {
  it('doubles after each failure, up to a minute', () => {
    expect([1, 2, 3, 4].map((attempt) => backOff(attempt, 1))).toEqual([500, 1000, 2000, 4000])
    expect(backOff(50, 1)).toBe(60_000)
  })

  it('randomizes half of the wait', () => {
    expect(backOff(3, 0)).toBe(1000)
    expect(backOff(3, 0.5)).toBe(1500)
  })
})
