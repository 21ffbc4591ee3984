import { setImmediate as nextTurn } from 'node:timers/promises'
import type { SearchIndex } from './search-index.ts'
import { sleep, systemClock, type Clock } from '../timing/clock.ts'

/** One step: about a frame, so that what a person asks meanwhile is answered soon. With half of it a sixth less is indexed. */
export const STEP_MS = 16
/** How often at most it is told that more can be found. */
const TELL_MS = 1_000
/** How often to look whether the index is to be made anew, once all is indexed. */
const REST_MS = 20_000

/**
 * Indexes what waits, step by step, each in a turn of the event loop of its own. Goes on where it was ended, and begins
 * again where the index turned out to be damaged.
 * @param progressed is told, now and then and at the end, that more can be found than before
 * @param failed is told what went wrong, such as a full disk; it is tried again later
 * @param signal ends it; the step under way is finished
 */
export const indexInBackground = async (
  index: Pick<SearchIndex, 'indexSome'>,
  progressed: () => void,
  failed: (thrown: unknown) => void,
  signal: AbortSignal,
  clock: Clock = systemClock,
): Promise<void> => {
  const step = (): boolean => {
    try {
      return index.indexSome(STEP_MS)
    } catch (thrown) {
      failed(thrown)
      return false
    }
  }
  let toldAt = clock.elapsed()
  let isUntold = false
  const tell = (): void => {
    isUntold = false
    toldAt = clock.elapsed()
    progressed()
  }
  while (!signal.aborted) {
    if (step()) {
      isUntold = true
      if (clock.elapsed() - toldAt > TELL_MS) tell()
      await nextTurn()
      continue
    }
    if (isUntold) tell()
    await sleep(clock, REST_MS, signal, { unref: true }).catch(() => undefined)
  }
}
