import { describe, expect, it } from 'vitest'
import { updateFreshness, toFreshness } from '../../src/shared/freshness.ts'

const NOW = Date.UTC(2026, 5, 1)
const MINUTE = 60_000

describe('list freshness', () => {
  it('is live for a minute while the platform is reachable', () => {
    expect(toFreshness(NOW - 1000, 'online', NOW).state).toBe('live')
    expect(toFreshness(NOW - MINUTE, 'online', NOW).state).toBe('cached')
    expect(toFreshness(NOW - 1000, 'offline', NOW).state).toBe('cached')
    expect(toFreshness(null, 'online', NOW).state).toBe('never')
  })

  it('isn’t live with a future time, after the clock was set back', () => {
    expect(toFreshness(NOW + MINUTE, 'online', NOW).state).toBe('cached')
  })

  it('ages after the read, and ends at once if the platform is unreachable', () => {
    const read = { state: 'live', at: NOW } as const
    expect(updateFreshness(read, null, 'online', NOW + 1000).state).toBe('live')
    expect(updateFreshness(read, null, 'online', NOW + 2 * MINUTE)).toEqual({ state: 'cached', at: NOW })
    expect(updateFreshness(read, null, 'offline', NOW + 1000)).toEqual({ state: 'cached', at: NOW })
  })

  it('is live again when the platform confirms the list unchanged', () => {
    const read = { state: 'cached', at: NOW - 5 * MINUTE } as const
    expect(updateFreshness(read, NOW - 1000, 'online', NOW)).toEqual({ state: 'live', at: NOW - 1000 })
    expect(updateFreshness({ state: 'never', at: null }, NOW, 'online', NOW).state).toBe('live')
  })

  it('depends on the current connection, not on the one at the time of the read', () => {
    const read = { state: 'cached', at: NOW - 1000 } as const
    expect(updateFreshness(read, null, 'offline', NOW).state).toBe('cached')
    expect(updateFreshness(read, null, 'online', NOW)).toEqual({ state: 'live', at: NOW - 1000 })
  })

  it('is never live if the inbox is gone', () => {
    const read = { state: 'live', at: NOW - 1000 } as const
    expect(updateFreshness(read, NOW, 'online', NOW, false)).toEqual({ state: 'cached', at: NOW })
  })

  it('isn’t live while checks of the list fail, and says why', () => {
    const failure = { code: 'platform_failed', message: 'The platform reported an error.' } as const
    const read = toFreshness(NOW, 'online', NOW)
    expect(updateFreshness(read, NOW, 'online', NOW, true, failure)).toEqual({ state: 'cached', at: NOW, failure })
  })
})
