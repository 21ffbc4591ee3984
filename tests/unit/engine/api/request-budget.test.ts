import { describe, expect, it } from 'vitest'
import {
  createRequestBudget,
  type Clock,
  type Permit,
  type Priority,
} from '../../../../src/engine/api/request-budget.ts'

/** A clock that goes on when it is told to, running what is due on the way. */
const createTestClock = () => {
  let now = 0
  let timers: { at: number; callback: () => void }[] = []
  const clock: Clock = {
    now: () => now,
    after: (delay, callback) => {
      const timer = { at: now + delay, callback }
      timers.push(timer)
      return () => {
        timers = timers.filter((other) => other !== timer)
      }
    },
  }
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
  }
  return {
    clock,
    now: () => now,
    settle,
    advance: async (milliseconds: number): Promise<void> => {
      const end = now + milliseconds
      await settle()
      for (;;) {
        const next = timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0]
        if (next === undefined) break
        timers = timers.filter((timer) => timer !== next)
        now = next.at
        next.callback()
        await settle()
      }
      now = end
    },
  }
}

const never = new AbortController().signal

/** A platform that answers every request after `latency` and counts what it gets in each of its own windows. */
const createLoad = (latency: number, headers?: { limit: string; policy?: string }) => {
  const time = createTestClock()
  const budget = createRequestBudget(time.clock)
  const granted: { readonly at: number; readonly name: string }[] = []
  const ask = (priority: Priority, name: string = priority): void => {
    void budget.acquire(priority, never).then((permit: Permit) => {
      granted.push({ at: time.now(), name })
      time.clock.after(latency, () => permit.settle(headers))
    })
  }
  return { time, budget, granted, ask }
}

const mostInAnyWindow = (times: readonly number[], window: number): number =>
  Math.max(...times.map((start) => times.filter((at) => at >= start && at < start + window).length))

describe('the request budget', () => {
  it.each(['action', 'screen', 'sync', 'backfill'] as const)(
    'never lets more than ten %s requests into any second, and no fewer than it may over ten',
    async (priority) => {
      const { time, granted, ask } = createLoad(3)
      for (let count = 0; count < 200; count += 1) ask(priority)
      await time.advance(10_000)
      expect(
        mostInAnyWindow(
          granted.map(({ at }) => at),
          1000,
        ),
      ).toBeLessThanOrEqual(10)
      expect(granted.length).toBeGreaterThanOrEqual(98)
    },
  )

  it('holds for windows that the platform counts at either end of a slow network', async () => {
    const { time, granted, ask } = createLoad(170)
    for (let count = 0; count < 100; count += 1) ask('sync')
    await time.advance(8_000)
    const answered = granted.map(({ at }) => at + 170)
    expect(
      mostInAnyWindow(
        granted.map(({ at }) => at),
        1000,
      ),
    ).toBeLessThanOrEqual(10)
    expect(mostInAnyWindow(answered, 1000)).toBeLessThanOrEqual(10)
  })

  it('spreads sync evenly, so that a click in the middle of it waits for no more than a tenth of a second', async () => {
    const { time, granted, ask } = createLoad(3)
    for (let count = 0; count < 100; count += 1) ask('sync')
    await time.advance(2_345)
    ask('action')
    await time.advance(2_000)
    const action = granted.find(({ name }) => name === 'action')
    expect((action?.at ?? Infinity) - 2_345).toBeLessThanOrEqual(110)
  })

  it('serves in order of need', async () => {
    const { time, granted, ask } = createLoad(3, { limit: '1' })
    ask('sync', 'first')
    await time.advance(10)
    for (const priority of ['backfill', 'sync', 'screen', 'action'] as const) ask(priority)
    await time.advance(6_000)
    expect(granted.map(({ name }) => name)).toEqual(['first', 'action', 'screen', 'sync', 'backfill'])
  })

  it('starves nobody: back-fill is served under a constant stream of actions', async () => {
    const { time, granted, ask } = createLoad(3)
    ask('backfill')
    for (let second = 0; second < 20; second += 1) {
      for (let count = 0; count < 15; count += 1) ask('action')
      await time.advance(1_000)
    }
    expect(granted.some(({ name }) => name === 'backfill')).toBe(true)
  })

  it('learns the limit and the window from the answers', async () => {
    const { time, granted, ask } = createLoad(1, { limit: '100', policy: '100;w=2' })
    for (let count = 0; count < 500; count += 1) ask('screen')
    await time.advance(20_000)
    expect(
      mostInAnyWindow(
        granted.slice(10).map(({ at }) => at),
        2000,
      ),
    ).toBeLessThanOrEqual(100)
    expect(granted.length).toBe(500)
  })

  it('sends nothing while the platform has asked for a pause', async () => {
    const { time, budget, granted, ask } = createLoad(3)
    budget.pause(5_000)
    ask('action')
    await time.advance(4_999)
    expect(granted).toEqual([])
    await time.advance(2)
    expect(granted.length).toBe(1)
  })

  it('gives up the place of a request that nobody waits for any more', async () => {
    const { time, budget, granted, ask } = createLoad(3, { limit: '1' })
    ask('action')
    await time.advance(10)
    const leaving = new AbortController()
    const refused = budget.acquire('action', leaving.signal).catch((thrown: unknown) => thrown)
    ask('backfill')
    leaving.abort(new Error('left'))
    expect(await refused).toEqual(new Error('left'))
    await time.advance(2_000)
    expect(granted.map(({ name }) => name)).toEqual(['action', 'backfill'])
  })
})
