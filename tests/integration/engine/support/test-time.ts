import { subscribe } from 'node:diagnostics_channel'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { createPushedClock, type SteppedClock } from '../../../support/stepped-clock.ts'

/** Requests of this process that have no answer yet. */
const underWay = new Set<unknown>()
const requestOf = (message: unknown): unknown => (message as { readonly request: unknown }).request
subscribe('undici:request:create', (message) => void underWay.add(requestOf(message)))
for (const end of ['undici:request:trailers', 'undici:request:error']) {
  subscribe(end, (message) => void underWay.delete(requestOf(message)))
}

/** An answer has brought about the next request by then. */
const QUIET_TURNS = 20
const QUIET_MS = 15

/** Whether no request is on its way, and none follows on the last one. */
const isQuiet = async (): Promise<boolean> => {
  const end = performance.now() + QUIET_MS
  for (let turn = 0; turn < QUIET_TURNS || performance.now() < end; turn += 1) {
    if (underWay.size > 0) return false
    await (turn < QUIET_TURNS ? nextTurn() : sleep(1))
  }
  return true
}
/** A request that is held up by a test is not waited for. */
const LONGEST_REQUEST_MS = 2_000
const quiet = async (): Promise<void> => {
  const end = performance.now() + LONGEST_REQUEST_MS
  while (!(await isQuiet()) && performance.now() < end) await sleep(5)
}

let current: SteppedClock | null = null
/** Whether an engine goes by it: those of other threads and processes have the real time. */
let isEngines = false
/**
 * The time of a test, for its engines and its platforms alike: the real one, moved forward where the test says so (`pass`) or
 * only waits (`eventually`).
 */
export const testClock = (): SteppedClock => {
  if (current !== null) return current
  onTestFinished(() => {
    current = null
    isEngines = false
  })
  current = createPushedClock()
  return current
}

/** The same for an engine in this process. */
export const engineClock = (): SteppedClock => {
  const clock = testClock()
  isEngines = true
  return clock
}

/** Moves the time of the test: what is due by then happens, and the requests of it have their answers. */
export const pass = async (milliseconds: number): Promise<void> => {
  await quiet()
  await testClock().advance(milliseconds)
  await quiet()
}

/** The same for a long time, as when the computer has slept: nothing is asked for again and again on the way. */
export const skip = async (milliseconds: number): Promise<void> => {
  await quiet()
  await testClock().skip(milliseconds)
  await quiet()
}

/** Whether everybody only waits: an engine of this process is open, and nothing is on its way over the network. */
export const isIdle = async (): Promise<boolean> => current !== null && isEngines && (await isQuiet())
