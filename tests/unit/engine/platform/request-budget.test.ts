import { describe, expect, it } from 'vitest'
import type { ProblemError } from '../../../../src/shared/result.ts'
import {
  RequestBudget,
  type LimitHeaders,
  type Permit,
  type Priority,
} from '../../../../src/engine/platform/request-budget.ts'
import { createSteppedClock } from '../../../support/stepped-clock.ts'

const never = new AbortController().signal

/** A budget over a platform that answers every request after `latency` milliseconds. */
const createLoad = (latency: number, headers?: LimitHeaders | (() => LimitHeaders)) => {
  const time = createSteppedClock(0)
  const budget = new RequestBudget(time)
  const granted: { readonly at: number; readonly name: string }[] = []
  const ask = (priority: Priority, name: string = priority): void => {
    void budget.acquire(priority, never).then((permit: Permit) => {
      granted.push({ at: time.now(), name })
      time.after(latency, () => permit.settle(typeof headers === 'function' ? headers() : headers))
    })
  }
  return { time, budget, granted, ask }
}

const mostInAnyWindow = (times: readonly number[], window: number): number =>
  Math.max(...times.map((start) => times.filter((at) => at >= start && at < start + window).length))

describe('the request budget', () => {
  it.each(['action', 'screen', 'sync', 'backfill'] as const)(
    'allows at most ten %s requests in any second, and uses nearly all of them',
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

  it('respects windows the platform counts at either end of a slow network', async () => {
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

  it('spreads sync evenly, so that a click waits at most a tenth of a second', async () => {
    const { time, granted, ask } = createLoad(3)
    for (let count = 0; count < 100; count += 1) ask('sync')
    await time.advance(2_345)
    ask('action')
    await time.advance(2_000)
    const action = granted.find(({ name }) => name === 'action')
    expect((action?.at ?? Infinity) - 2_345).toBeLessThanOrEqual(110)
  })

  it('doesn’t repeat the startup burst each second, so clicks during sync stay quick', async () => {
    const { time, granted, ask } = createLoad(8)
    for (let count = 0; count < 8; count += 1) ask('screen')
    for (let count = 0; count < 300; count += 1) ask('sync')
    await time.advance(1_500)
    const clicks = Array.from({ length: 20 }, (_, click) => 1_500 + 430 * click)
    for (const [click, at] of clicks.entries()) {
      await time.advance(at - time.now())
      ask('action', `click ${click}`)
    }
    await time.advance(2_000)
    const waited = clicks.map(
      (at, click) => (granted.find(({ name }) => name === `click ${click}`)?.at ?? Infinity) - at,
    )
    expect(Math.max(...waited)).toBeLessThanOrEqual(110)
    // And none of the limit goes to waste.
    const inTenSeconds = granted.filter(({ at }) => at >= 1_500 && at < 9_500)
    expect(inTenSeconds.length).toBeGreaterThanOrEqual(78)
  })

  it('serves requests by priority', async () => {
    const { time, granted, ask } = createLoad(3, { 'ratelimit-limit': '1' })
    ask('sync', 'first')
    await time.advance(10)
    for (const priority of ['backfill', 'sync', 'screen', 'action'] as const) ask(priority)
    await time.advance(6_000)
    expect(granted.map(({ name }) => name)).toEqual(['first', 'action', 'screen', 'sync', 'backfill'])
  })

  it('serves back-fill under a constant stream of actions', async () => {
    const { time, granted, ask } = createLoad(3)
    ask('backfill')
    for (let second = 0; second < 20; second += 1) {
      for (let count = 0; count < 15; count += 1) ask('action')
      await time.advance(1_000)
    }
    expect(granted.some(({ name }) => name === 'backfill')).toBe(true)
  })

  it('learns the limit and the window from responses', async () => {
    const { time, granted, ask } = createLoad(1, { 'ratelimit-limit': '100', 'ratelimit-policy': '100;w=2' })
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

  it('sends nothing during a pause requested by the platform', async () => {
    const { time, budget, granted, ask } = createLoad(3)
    budget.pause(5_000)
    ask('action')
    await time.advance(4_999)
    expect(granted).toEqual([])
    await time.advance(2)
    expect(granted.length).toBe(1)
  })

  it('rejects a user action at once during a long pause, and reports the pause', async () => {
    const time = createSteppedClock(0)
    const told: number[] = []
    const budget = new RequestBudget(time, (milliseconds) => told.push(milliseconds))
    const refused = (priority: Priority): Promise<unknown> =>
      budget.acquire(priority, never).catch((thrown: unknown) => (thrown as ProblemError).problem)
    budget.pause(3_000)
    const queued = refused('action')
    budget.pause(240_000)
    expect(await queued).toEqual({ code: 'rate_limited', message: 'Too many requests; Linnet will wait 240 s.' })
    await time.advance(100_000)
    expect(await refused('action')).toMatchObject({ message: 'Too many requests; Linnet will wait 140 s.' })
    let isSynced = false
    void refused('sync').then(() => (isSynced = true))
    await time.advance(139_000)
    expect([isSynced, told]).toEqual([false, [3_000, 240_000]])
    await time.advance(2_000)
    expect([isSynced, told]).toEqual([true, [3_000, 240_000, 0]])
  })

  it.each(['screen', 'sync', 'backfill'] as const)(
    'keeps a slot for the user while %s requests hang',
    async (priority) => {
      const { time, granted, ask } = createLoad(60_000)
      for (let count = 0; count < 40; count += 1) ask(priority)
      await time.advance(5_000)
      ask('action')
      await time.advance(200)
      expect(granted.filter(({ name }) => name === 'action')).toHaveLength(1)
    },
  )

  it.each([1, 2, 5])('lets no body overtake a list, and starves none, at %i a second', async (limit) => {
    const { time, granted, ask } = createLoad(20, { 'ratelimit-limit': String(limit) })
    for (let count = 0; count < 200; count += 1) ask('backfill')
    for (let count = 0; count < 60; count += 1) ask('sync')
    await time.advance(120_000)
    const lists = granted.map(({ name }) => name).lastIndexOf('sync')
    const before = granted.slice(0, lists).filter(({ name }) => name === 'backfill').length
    expect(granted.filter(({ name }) => name === 'sync')).toHaveLength(60)
    expect(before).toBeGreaterThan(0)
    expect(before).toBeLessThanOrEqual(60 / 12 + limit)
  })

  it('shares the limit with other clients, with few rejections and little waste', async () => {
    const time = createSteppedClock(0)
    const budget = new RequestBudget(time)
    let used = 0
    const refused = { own: 0, others: 0 }
    const own: number[] = []
    const count = (who: 'own' | 'others'): LimitHeaders => {
      used += 1
      if (used > 10) refused[who] += 1
      return {
        'ratelimit-limit': '10',
        'ratelimit-policy': '10;w=1',
        'ratelimit-remaining': String(Math.max(0, 10 - used)),
      }
    }
    const everySecond = (): void => {
      used = 0
      time.after(1_000, everySecond)
    }
    const other = (): void => {
      count('others')
      time.after(200, other)
    }
    everySecond()
    other()
    const ask = (): void => {
      void budget.acquire('sync', never).then((permit) => {
        own.push(time.now())
        const headers = count('own')
        time.after(20, () => permit.settle(headers))
        ask()
      })
    }
    ask()
    await time.advance(60_000)
    expect(refused.own / own.length).toBeLessThan(0.01)
    expect((refused.own + refused.others) / (own.length + 300)).toBeLessThan(0.05)
    // Linnet has five requests a second left and keeps one in reserve.
    expect(own.length).toBeGreaterThan(60 * 3)
    expect(own.length).toBeLessThan(60 * 5.5)
  })

  it('releases the slot of an aborted request', async () => {
    const { time, budget, granted, ask } = createLoad(3, { 'ratelimit-limit': '1' })
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
