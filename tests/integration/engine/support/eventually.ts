import { isIdle, testClock } from './test-time.ts'

/** Ends what never comes, and says nothing about speed: a machine may have ten other things to do. */
const DEADLINE_MS = 60_000
const LOOK_EVERY_MS = 20
/**
 * Where nothing is on its way for some looks, the time of the test is moved with each further one, so that nobody waits for a pause
 * or a back-off: by no more in all than a busy machine may take, and by less than a look for news is due.
 */
const IDLE_LOOKS = 3
const STEP_MS = 250
const MOST_PASSED_MS = 24_000

/**
 * Looks again and again until there is something to see.
 * @param moves what is other each time while things go on: the time begins anew with it, for a busy machine
 * @throws where there is nothing within a minute, with what was last seen
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
    idleLooks = passed < MOST_PASSED_MS && (await isIdle()) ? idleLooks + 1 : 0
    if (idleLooks > IDLE_LOOKS) {
      await testClock().advance(STEP_MS)
      passed += STEP_MS
    } else await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
}
