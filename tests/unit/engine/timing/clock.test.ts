import { describe, expect, it } from 'vitest'
import { sleep, systemClock } from '../../../../src/engine/timing/clock.ts'
import { createThrottle } from '../../../../src/engine/timing/throttle.ts'
import { createSteppedClock } from '../../../support/stepped-clock.ts'

const never = new AbortController().signal

describe('a sleep', () => {
  it('ends on time, and not before', async () => {
    const clock = createSteppedClock()
    let isOver = false
    void sleep(clock, 500, never).then(() => {
      isOver = true
    })
    await clock.advance(499)
    expect(isOver).toBe(false)
    await clock.advance(1)
    expect(isOver).toBe(true)
  })

  it('ends with the signal’s reason, and leaves no timer', async () => {
    const ending = new AbortController()
    const cancelled: boolean[] = []
    const clock = { after: () => () => void cancelled.push(true) }
    const sleeping = sleep(clock, 500, ending.signal)
    ending.abort(new Error('Closed.'))
    await expect(sleeping).rejects.toThrow('Closed.')
    expect(cancelled).toEqual([true])
    await expect(sleep(clock, 500, ending.signal)).rejects.toThrow('Closed.')
    expect(cancelled).toEqual([true])
  })
})

describe('the system clock', () => {
  it('calls once after a time, unless cancelled', async () => {
    const before = systemClock.elapsed()
    let calls = 0
    const cancel = systemClock.after(1, () => (calls += 1))
    cancel()
    await new Promise<void>((resolve) => void systemClock.after(5, resolve))
    expect(calls).toBe(0)
    // Timers count whole milliseconds.
    expect(systemClock.elapsed() - before).toBeGreaterThan(3)
  })
})

describe('a throttled call', () => {
  it('runs a second later, once for all calls until then, and not after the signal', async () => {
    const clock = createSteppedClock()
    const ending = new AbortController()
    let calls = 0
    const call = createThrottle(() => (calls += 1), clock, ending.signal)
    call()
    call()
    await clock.advance(999)
    expect(calls).toBe(0)
    await clock.advance(1)
    expect(calls).toBe(1)
    call()
    ending.abort()
    call()
    await clock.advance(10_000)
    expect(calls).toBe(1)
  })
})
