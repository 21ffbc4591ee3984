import { describe, expect, it } from 'vitest'
import { RequestBudget, type Permit, type Priority } from '../../../../src/engine/platform/request-budget.ts'
import { createSteppedClock } from '../../../support/stepped-clock.ts'

const never = new AbortController().signal
const STEP_MS = 50
const THIN = 8
const FAST = 2_500
const BODY_BYTES = 30_000

/**
 * A platform behind a connection shared by all responses.
 * @param delayMs milliseconds until a response starts
 * @param isMeasured true if the budget learns how fast responses arrive
 */
const createLine = (bytesPerMs: number, delayMs = 600, isMeasured = true) => {
  const time = createSteppedClock(0)
  const budget = new RequestBudget(time)
  const line = { bytesPerMs }
  const coming = new Set<{ left: number; readonly permit: Permit; readonly name: Priority }>()
  const begun: Priority[] = []
  const ended: Priority[] = []
  const inFlight: number[] = []
  const begunAt: number[] = []
  const ask = (name: Priority, bytes = BODY_BYTES): void => {
    void budget.acquire(name, never).then((permit) => {
      begun.push(name)
      begunAt.push(time.now())
      inFlight.push(begun.length - ended.length)
      time.after(delayMs, () => {
        if (isMeasured) permit.received(0)
        coming.add({ left: bytes, permit, name })
      })
    })
  }
  const step = (): void => {
    const share = (line.bytesPerMs * STEP_MS) / coming.size
    for (const answer of coming) {
      const bytes = Math.min(share, answer.left)
      answer.left -= bytes
      if (isMeasured) answer.permit.received(bytes)
      if (answer.left > 0) continue
      coming.delete(answer)
      ended.push(answer.name)
      answer.permit.settle({ 'ratelimit-limit': '100' })
    }
    time.after(STEP_MS, step)
  }
  time.after(STEP_MS, step)
  const askMany = (name: Priority, count: number): void => {
    for (let asked = 0; asked < count; asked += 1) ask(name)
  }
  return { time, line, ask, askMany, begun, begunAt, ended, inFlight }
}

describe('a 64 kbit/s connection', () => {
  it('carries a click with at most one body, and starts none until it is answered', async () => {
    const { time, ask, askMany, begun, ended, inFlight } = createLine(THIN)
    askMany('backfill', 30)
    await time.advance(60_000)
    expect(inFlight.at(-1)).toBe(1)
    const before = { begun: begun.length, ended: ended.length }
    ask('action', 10_000)
    await time.advance(5_000)
    expect(ended).toContain('action')
    const meanwhile = ended.slice(before.ended, ended.indexOf('action'))
    expect(meanwhile.length).toBeLessThanOrEqual(1)
    expect(begun.slice(before.begun, before.begun + 1)).toEqual(['action'])
  })

  it('is measured by the first screen, before the first body is requested', async () => {
    const { time, askMany, ask, inFlight } = createLine(THIN)
    ask('sync', 20_000)
    await time.advance(4_000)
    inFlight.length = 0
    askMany('backfill', 5)
    await time.advance(60_000)
    expect(inFlight).toEqual([1, 1, 1, 1, 1])
  })

  it('delivers new mail while a large message is sent, but no bodies', async () => {
    const { time, ask, ended, begun } = createLine(THIN, 100)
    ask('sync', 20_000)
    await time.advance(4_000)
    // Models a large upload, which is answered only at the end.
    ask('action', 200_000)
    ask('backfill')
    ask('sync', 2_000)
    await time.advance(8_000)
    expect(ended).toEqual(['sync', 'sync'])
    expect(begun).not.toContain('backfill')
    await time.advance(30_000)
    expect(ended).toEqual(['sync', 'sync', 'action', 'backfill'])
  })

  it('delivers bodies under a constant stream of clicks', async () => {
    const { time, ask, ended } = createLine(THIN)
    ask('sync', 20_000)
    await time.advance(4_000)
    ask('backfill')
    for (let second = 0; second < 60; second += 1) {
      ask('action', 4_000)
      await time.advance(1_000)
    }
    expect(ended).toContain('backfill')
  })
})

describe('a fast connection', () => {
  it.each([
    ['with a short delay', FAST, 20],
    ['with a long one, as by satellite', FAST, 600],
  ])('starts requests at the same times as without measuring, %s', async (_kind, bytesPerMs, delayMs) => {
    const timesOf = async (isMeasured: boolean): Promise<readonly number[]> => {
      const { time, askMany, begunAt } = createLine(bytesPerMs, delayMs, isMeasured)
      askMany('sync', 20)
      askMany('backfill', 200)
      await time.advance(30_000)
      return begunAt
    }
    const times = await timesOf(true)
    expect(times).toHaveLength(220)
    expect(times).toEqual(await timesOf(false))
  })

  it('returns to full speed after having been slow', async () => {
    const { time, askMany, inFlight, line, ended } = createLine(THIN)
    askMany('backfill', 20)
    await time.advance(60_000)
    expect(inFlight.at(-1)).toBe(1)
    line.bytesPerMs = FAST
    askMany('backfill', 100)
    await time.advance(30_000)
    expect(ended.length).toBe(120)
    expect(Math.max(...inFlight.slice(40))).toBe(8)
  })
})
