import { setImmediate as nextTurn } from 'node:timers/promises'
import type { SearchIndex } from './search-index.ts'
import { systemClock, type Clock } from '../timing/clock.ts'
import { Loop } from '../timing/loop.ts'

/** About a frame, so that what a person asks for meanwhile is answered soon. Half of it would index a sixth less. */
export const STEP_MS = 16
/** Tell at most this often that more can be found. */
const TELL_MS = 1_000
/** Once all is indexed, check this often whether the index is to be made anew. */
const REST_MS = 20_000

/**
 * Index what waits in short steps, each in a turn of the event loop of its own. An end leaves the rest to the next start,
 * and an index that turned out to be damaged is made anew.
 * @param progressed more can be found than before; called once a second while it goes on, and at the end
 * @param failed what went wrong, such as a full disk; indexing is tried again later
 * @param signal ends it after the step under way
 * @returns what resolves once it has ended
 */
export const indexInBackground = (
  index: Pick<SearchIndex, 'indexSome'>,
  progressed: () => void,
  failed: (thrown: unknown) => void,
  signal: AbortSignal,
  clock: Clock = systemClock,
): Promise<void> => {
  let toldAt = clock.elapsed()
  let isUntold = false
  const tell = (): void => {
    isUntold = false
    toldAt = clock.elapsed()
    progressed()
  }
  const indexAll = async (): Promise<void> => {
    try {
      while (!signal.aborted && index.indexSome(STEP_MS)) {
        isUntold = true
        if (clock.elapsed() - toldAt > TELL_MS) tell()
        await nextTurn()
      }
    } finally {
      if (isUntold && !signal.aborted) tell()
    }
  }
  const loop = new Loop(clock, { unref: true })
  loop.start({
    step: async () => {
      await indexAll()
      return REST_MS
    },
    failed: (thrown) => {
      failed(thrown)
      return REST_MS
    },
    signal,
  })
  return loop.ended()
}
