import { describe, expect, it } from 'vitest'
import { Loop } from '../../../../src/engine/timing/loop.ts'
import { createSteppedClock } from '../../../support/stepped-clock.ts'

const MINUTE_MS = 60_000

/** A loop whose steps return the results of `next`, with the times they ran at. */
const looping = (
  next: (taken: number) => Promise<number | null> | number | null,
  failed: (thrown: unknown, inARow: number) => number | null = (thrown) => {
    throw thrown
  },
) => {
  const clock = createSteppedClock(0)
  const ending = new AbortController()
  const taken: number[] = []
  const loop = new Loop(clock)
  const start = (signal = ending.signal, firstIn?: number): void =>
    loop.start({
      step: () => {
        taken.push(clock.now())
        return next(taken.length)
      },
      failed,
      signal,
      ...(firstIn !== undefined && { firstIn }),
    })
  return { loop, start, clock, ending, taken }
}

describe('a loop', () => {
  it('takes its first step before start returns, and the next one when due', async () => {
    const { start, clock, taken } = looping(() => 1_000)
    start()
    expect(taken).toEqual([0])
    await clock.advance(999)
    expect(taken).toEqual([0])
    await clock.advance(1_001)
    expect(taken).toEqual([0, 1_000, 2_000])
  })

  it('waits before its first step if told to, unless it is woken', async () => {
    const { start, clock, ending, taken } = looping(() => null)
    start(ending.signal, 500)
    await clock.advance(499)
    expect(taken).toEqual([])
    await clock.advance(1)
    expect(taken).toEqual([500])

    const woken = looping(() => null)
    woken.start(woken.ending.signal, 500)
    woken.loop.wake()
    await woken.clock.advance(0)
    expect(woken.taken).toEqual([0])
  })

  it('rests until woken, and merges wake-ups during a wait', async () => {
    const { loop, start, clock, taken } = looping(() => null)
    start()
    await clock.advance(10 * MINUTE_MS)
    loop.wake()
    loop.wake()
    await clock.advance(10 * MINUTE_MS)
    expect(taken).toEqual([0, 10 * MINUTE_MS])
  })

  it('never takes two steps at once: a wake-up during one adds one after it', async () => {
    const gates: (() => void)[] = []
    const { loop, start, clock, taken } = looping(async () => {
      await new Promise<void>((open) => gates.push(open))
      return null
    })
    start()
    loop.wake()
    loop.wake()
    await clock.advance(5)
    expect(taken).toEqual([0])
    gates[0]?.()
    await clock.advance(5)
    expect(taken).toEqual([0, 5])
    gates[1]?.()
    await clock.advance(MINUTE_MS)
    expect(taken).toEqual([0, 5])
  })

  it('drops its timer when woken', async () => {
    const { loop, start, clock, taken } = looping((count) => (count === 1 ? 1_000 : null))
    start()
    await clock.advance(500)
    loop.wake()
    await clock.advance(MINUTE_MS)
    expect(taken).toEqual([0, 500])
  })

  it('counts consecutive failures, and waits accordingly', async () => {
    const failures: number[] = []
    const { start, clock, taken } = looping(
      (count) => {
        if (count === 3) return 10_000
        throw new Error('Failed.')
      },
      (_thrown, inARow) => {
        failures.push(inARow)
        return inARow * 1_000
      },
    )
    start()
    await clock.advance(13_000)
    expect(taken).toEqual([0, 1_000, 3_000, 13_000])
    expect(failures).toEqual([1, 2, 1])
  })

  it('checks again after an hour at most', async () => {
    const { start, clock, taken } = looping((count) => (count === 1 ? 90 * MINUTE_MS : null))
    start()
    await clock.advance(24 * 60 * MINUTE_MS)
    expect(taken).toEqual([0, 60 * MINUTE_MS])
  })

  it('ends with the signal: at once in a wait, or after the current step', async () => {
    const waiting = looping(() => null)
    waiting.start()
    await waiting.clock.advance(0)
    waiting.ending.abort()
    await waiting.loop.ended()

    const failures: unknown[] = []
    let fail = (): void => undefined
    const working = looping(
      () =>
        new Promise<never>((_, reject) => {
          fail = () => reject(new Error('Cut off.'))
        }),
      (thrown) => {
        failures.push(thrown)
        return null
      },
    )
    working.start()
    working.ending.abort()
    let isOver = false
    const ended = working.loop.ended().then(() => {
      isOver = true
    })
    await working.clock.advance(0)
    expect(isOver).toBe(false)
    fail()
    await ended
    // A step cut off by the shutdown hasn't failed.
    expect(failures).toEqual([])
    expect(working.taken).toEqual([0])

    const late = looping(() => null)
    late.start(AbortSignal.abort(), 500)
    await late.loop.ended()
    expect(late.taken).toEqual([])
  })
})
