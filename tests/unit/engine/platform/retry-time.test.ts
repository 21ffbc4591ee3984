import { describe, expect, it } from 'vitest'
import { parseRetryAfter } from '../../../../src/engine/platform/http-client.ts'

describe('retry-after', () => {
  const now = Date.parse('2026-05-01T10:00:00Z')
  it('is read as seconds and as a date', () => {
    expect(parseRetryAfter('2', now)).toBe(2000)
    expect(parseRetryAfter('Fri, 01 May 2026 10:00:03 GMT', now)).toBe(3000)
  })
  it('is never in the past or hours away', () => {
    expect(parseRetryAfter('Fri, 01 May 2026 09:00:00 GMT', now)).toBe(0)
    expect(parseRetryAfter('86400', now)).toBe(300_000)
  })
  it('is null if missing or nonsense', () => {
    expect(parseRetryAfter(undefined, now)).toBeNull()
    expect(parseRetryAfter('soon', now)).toBeNull()
  })
})
