import { describe, expect, it } from 'vitest'
import { freshnessNow, freshnessOf } from '../../src/shared/freshness.ts'

const NOW = Date.UTC(2026, 5, 1)
const MINUTE = 60_000

describe('how fresh a list is', () => {
  it('is live for a minute, while the platform can be reached', () => {
    expect(freshnessOf(NOW - 1000, 'online', NOW).state).toBe('live')
    expect(freshnessOf(NOW - MINUTE, 'online', NOW).state).toBe('cached')
    expect(freshnessOf(NOW - 1000, 'offline', NOW).state).toBe('cached')
    expect(freshnessOf(null, 'online', NOW).state).toBe('never')
  })

  it('is not live by a time in the future, after the clock was put back', () => {
    expect(freshnessOf(NOW + MINUTE, 'online', NOW).state).toBe('cached')
  })

  it('ages after it was read, and ends at once where the platform cannot be reached', () => {
    const read = { state: 'live', at: NOW } as const
    expect(freshnessNow(read, null, 'online', NOW + 1000).state).toBe('live')
    expect(freshnessNow(read, null, 'online', NOW + 2 * MINUTE)).toEqual({ state: 'cached', at: NOW })
    expect(freshnessNow(read, null, 'offline', NOW + 1000)).toEqual({ state: 'cached', at: NOW })
  })

  it('is live again where the platform confirms the list without a change', () => {
    const read = { state: 'cached', at: NOW - 5 * MINUTE } as const
    expect(freshnessNow(read, NOW - 1000, 'online', NOW)).toEqual({ state: 'live', at: NOW - 1000 })
    expect(freshnessNow({ state: 'never', at: null }, NOW, 'online', NOW).state).toBe('live')
  })

  it('is not remembered from when it was read: what was read offline is live again with the connection', () => {
    const read = { state: 'cached', at: NOW - 1000 } as const
    expect(freshnessNow(read, null, 'offline', NOW).state).toBe('cached')
    expect(freshnessNow(read, null, 'online', NOW)).toEqual({ state: 'live', at: NOW - 1000 })
  })

  it('is never live where the inbox is gone', () => {
    const read = { state: 'live', at: NOW - 1000 } as const
    expect(freshnessNow(read, NOW, 'online', NOW, false)).toEqual({ state: 'cached', at: NOW })
  })

  it('is not live while looks at the list fail, and says why (P2)', () => {
    const failure = { code: 'platform_failed', message: 'The platform reported an error.' } as const
    const read = freshnessOf(NOW, 'online', NOW)
    expect(freshnessNow(read, NOW, 'online', NOW, true, failure)).toEqual({ state: 'cached', at: NOW, failure })
  })
})
