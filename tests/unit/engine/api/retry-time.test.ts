import { describe, expect, it } from 'vitest'
import { backOff, parseRetryAfter } from '../../../../src/engine/api/retry-time.ts'

describe('backing off', () => {
  it('waits twice as long after each failure, at most a minute', () => {
    expect([1, 2, 3, 4].map((attempt) => backOff(attempt, 1))).toEqual([500, 1000, 2000, 4000])
    expect(backOff(50, 1)).toBe(60_000)
  })

  it('leaves half of the wait to chance', () => {
    expect(backOff(3, 0)).toBe(1000)
    expect(backOff(3, 0.5)).toBe(1500)
  })
})

describe('retry-after', () => {
  const now = Date.parse('2026-05-01T10:00:00Z')
  it('is read as seconds and as a date', () => {
    expect(parseRetryAfter('2', now)).toBe(2000)
    expect(parseRetryAfter('Fri, 01 May 2026 10:00:03 GMT', now)).toBe(3000)
  })
  it('never asks for the past or for hours', () => {
    expect(parseRetryAfter('Fri, 01 May 2026 09:00:00 GMT', now)).toBe(0)
    expect(parseRetryAfter('86400', now)).toBe(300_000)
  })
  it('says nothing where it is missing or nonsense', () => {
    expect(parseRetryAfter(undefined, now)).toBeNull()
    expect(parseRetryAfter('soon', now)).toBeNull()
  })
})
