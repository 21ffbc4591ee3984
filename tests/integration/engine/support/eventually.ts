import { isIdle, testClock } from './test-time.ts'

/** Only stops tests that never finish. It isn't a speed limit, since the machine may be busy. */
const DEADLINE_MS = 60_000
const LOOK_EVERY_MS = 20
/**
 * After this many looks without network activity, each further one advances the test clock by a step, so tests don't
 * wait for pauses or back-off. The total covers delays on a busy machine, but is less than the polling interval.
 */
const IDLE_LOOKS = 3
const STEP_MS = 250
const MAX_PASSED_MS = 24_000

/**
 * Polls until a condition holds.
 * @param moves a value that changes while work progresses; each change restarts the deadline, for busy machines
 * @throws after a minute, with the last value
 */
export const eventually = async <Value>(
  look: () => Promise<Value> | Value,
  isThere: (value: Value) => boolean,
  deadline = DEADLINE_MS,
  moves: (value: Value) => string | null = () => null,
): Promise<Value> => {
  let end = performance.now() + deadline
  let before: string | null = null
  let passed = 0
  let idleLooks = 0
  for (;;) {
    const value = await look()
    if (isThere(value)) return value
    const now = moves(value)
    if (now !== before) end = performance.now() + deadline
    before = now
    if (performance.now() > end) throw new Error(`Still ${JSON.stringify(value)}.`)
    idleLooks = passed < MAX_PASSED_MS && (await isIdle()) ? idleLooks + 1 : 0
    if (idleLooks > IDLE_LOOKS) {
      await testClock().advance(STEP_MS)
      passed += STEP_MS
    } else await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
}
