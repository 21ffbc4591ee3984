import { subscribe } from 'node:diagnostics_channel'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { createPushedClock, type SteppedClock } from '../../../support/stepped-clock.ts'

/** Requests of this process without a response. */
const underWay = new Set<unknown>()
const requestOf = (message: unknown): unknown => (message as { readonly request: unknown }).request
subscribe('undici:request:create', (message) => void underWay.add(requestOf(message)))
for (const end of ['undici:request:trailers', 'undici:request:error']) {
  subscribe(end, (message) => void underWay.delete(requestOf(message)))
}

/** Number of turns after which a response has led to the next request. */
const QUIET_TURNS = 20
const QUIET_MS = 15

/** True if no request is in flight or follows directly. */
const isQuiet = async (): Promise<boolean> => {
  const end = performance.now() + QUIET_MS
  for (let turn = 0; turn < QUIET_TURNS || performance.now() < end; turn += 1) {
    if (underWay.size > 0) return false
    await (turn < QUIET_TURNS ? nextTurn() : sleep(1))
  }
  return true
}
/** Maximum wait for a response in milliseconds, since a test may delay it. */
const LONGEST_REQUEST_MS = 2_000
const quiet = async (): Promise<void> => {
  const end = performance.now() + LONGEST_REQUEST_MS
  while (!(await isQuiet()) && performance.now() < end) await sleep(5)
}

let current: SteppedClock | null = null
/** True if an engine uses the clock. Engines in other threads and processes use real time. */
let isEngines = false
/** The clock of a test's engines and platforms: real time, moved forward by `advance` and by waiting in `eventually`. */
export const testClock = (): SteppedClock => {
  if (current !== null) return current
  onTestFinished(() => {
    current = null
    isEngines = false
  })
  current = createPushedClock()
  return current
}

export const engineClock = (): SteppedClock => {
  const clock = testClock()
  isEngines = true
  return clock
}

/** Advances the test clock, runs everything due by then, and waits for the responses. */
export const advance = async (milliseconds: number): Promise<void> => {
  await quiet()
  await testClock().advance(milliseconds)
  await quiet()
}

/** Advances the test clock by a long time, as if the computer had slept: nothing polls in between. */
export const skip = async (milliseconds: number): Promise<void> => {
  await quiet()
  await testClock().skip(milliseconds)
  await quiet()
}

/** True if an engine of this process is open and nothing is in flight, so everything is waiting for the clock. */
export const isIdle = async (): Promise<boolean> => current !== null && isEngines && (await isQuiet())
