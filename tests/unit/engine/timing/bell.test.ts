import { describe, expect, it } from 'vitest'
import { createBell } from '../../../../src/engine/timing/bell.ts'
import { createSteppedClock } from '../../../support/stepped-clock.ts'

const never = new AbortController().signal

describe('a bell', () => {
  it('wakes who waits for it, and who comes just after it', async () => {
    const bell = createBell(createSteppedClock())
    const waiting = bell.wait(null, never)
    bell.ring()
    await waiting
    bell.ring()
    await bell.wait(null, never)
  })

  it('rings once for each wait: a ring that was heard is over', async () => {
    const bell = createBell(createSteppedClock())
    bell.ring()
    await bell.wait(null, never)
    let isOver = false
    const ending = new AbortController()
    const waiting = bell.wait(null, ending.signal).then(() => {
      isOver = true
    })
    await Promise.resolve()
    expect(isOver).toBe(false)
    ending.abort()
    await waiting
  })

  it('ends after its time, and at once where the signal has ended already', async () => {
    const clock = createSteppedClock()
    const bell = createBell(clock)
    let isOver = false
    const waiting = bell.wait(1_000, never).then(() => {
      isOver = true
    })
    await clock.advance(999)
    expect(isOver).toBe(false)
    await clock.advance(1)
    await waiting
    await bell.wait(null, AbortSignal.abort())
  })
})
