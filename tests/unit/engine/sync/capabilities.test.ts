import { describe, expect, it } from 'vitest'
import { Capabilities } from '../../../../src/engine/platform/capabilities.ts'

const INBOX = 'inbox-1'
const ABILITY = 'list threads'

const withClock = () => {
  let now = 0
  const capabilities = new Capabilities(() => now)
  return {
    capabilities,
    pass: (milliseconds: number) => {
      now += milliseconds
    },
    /** Simulates a request answered "no such route". */
    refuse: () => {
      const askedAt = now
      now += 1
      capabilities.recordRefusal(ABILITY, askedAt, INBOX)
    },
  }
}

describe('platform capabilities', () => {
  it('aren’t decided by one stray response', () => {
    const { refuse, capabilities } = withClock()
    refuse()
    expect(capabilities.belief(ABILITY, INBOX)).toBe('unknown')
    expect(capabilities.shouldProbe(ABILITY, INBOX)).toBe(true)
  })

  it('aren’t decided by many responses to concurrent requests', () => {
    const { capabilities } = withClock()
    for (let count = 0; count < 20; count += 1) capabilities.recordRefusal(ABILITY, -1, INBOX)
    expect(capabilities.belief(ABILITY, INBOX)).toBe('unknown')
  })

  it('seem missing after two consecutive refusals, for that inbox alone', () => {
    const { pass, refuse, capabilities } = withClock()
    refuse()
    pass(1)
    refuse()
    expect(capabilities.belief(ABILITY, INBOX)).toBe('seems missing')
    expect(capabilities.shouldProbe(ABILITY, INBOX)).toBe(false)
    expect(capabilities.belief(ABILITY, 'inbox-2')).toBe('unknown')
  })

  it('take more refusals if they were there before', () => {
    const { pass, refuse, capabilities } = withClock()
    capabilities.recordSuccess(ABILITY, INBOX)
    const beliefs = [1, 2, 3, 4].map(() => {
      pass(1)
      refuse()
      return capabilities.belief(ABILITY, INBOX)
    })
    expect(beliefs).toEqual(['offered', 'offered', 'offered', 'seems missing'])
  })

  it('are probed again, soon at first and at least every ten minutes', () => {
    const { pass, refuse, capabilities } = withClock()
    refuse()
    pass(1)
    refuse()
    const waits = Array.from({ length: 12 }, () => {
      let waited = 0
      for (; !capabilities.shouldProbe(ABILITY, INBOX); waited += 500) pass(500)
      refuse()
      return waited
    })
    expect(waits[0]).toBeLessThanOrEqual(5_000)
    expect(waits[1]).toBeGreaterThan(waits[0] ?? 0)
    expect(Math.max(...waits)).toBe(600_000)
  })

  it('are known again with the first proof', () => {
    const { pass, refuse, capabilities } = withClock()
    for (let count = 0; count < 8; count += 1) {
      pass(1)
      refuse()
    }
    capabilities.recordSuccess(ABILITY, INBOX)
    expect(capabilities.belief(ABILITY, INBOX)).toBe('offered')
  })
})
