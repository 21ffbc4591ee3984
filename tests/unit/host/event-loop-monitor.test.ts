import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createEventLoopMonitor } from '../../../src/host/event-loop-monitor.ts'

const lines: string[] = []
let now = 0
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  lines.length = 0
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** Advances the clock, then runs due timers, as after a turn of this length. */
const block = (milliseconds: number): void => {
  now += milliseconds
  vi.advanceTimersByTime(milliseconds)
}
const watch = createEventLoopMonitor((level, line) => lines.push(`${level} ${line}`))

it.each([
  ['is not logged up to 100 ms', 150, []],
  ['is logged once, however many calls wait', 152, ['warn host: blocked for 102 ms']],
])('a turn %s', async (_title, milliseconds, logged) => {
  const answers = [Promise.withResolvers<null>(), Promise.withResolvers<null>()]
  const calls = answers.map(({ promise }) => watch(() => promise))
  block(milliseconds)
  expect(lines).toEqual(logged)
  for (const { resolve } of answers) resolve(null)
  await Promise.all(calls)
  vi.runAllTimers()
})

it('keeps watching while a call is in flight, and sets no timer afterwards', async () => {
  const { promise, resolve } = Promise.withResolvers<null>()
  const slow = watch(() => promise)
  await watch(() => Promise.resolve())
  block(50)
  expect(vi.getTimerCount()).toBe(1)
  block(200)
  expect(lines).toEqual(['warn host: blocked for 150 ms'])

  resolve(null)
  await slow
  block(50)
  expect(vi.getTimerCount()).toBe(0)
  await expect(watch(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused')
  block(50)
  expect(vi.getTimerCount()).toBe(0)
})
