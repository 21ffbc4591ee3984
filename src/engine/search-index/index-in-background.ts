import { setImmediate as nextTurn } from 'node:timers/promises'
import type { SearchIndex } from './search-index.ts'
import { systemClock, type Clock } from '../timing/clock.ts'
import { Loop } from '../timing/loop.ts'

/** About a frame, so that requests are answered soon. Half of it would index a sixth less. */
export const STEP_MS = 16
/** Minimum interval between progress reports. */
const TELL_MS = 1_000
/** Once all is indexed, interval for checking whether the index must be rebuilt. */
const REST_MS = 20_000

/**
 * Indexes pending mail in short steps, each in its own turn of the event loop. The next start continues, and a damaged
 * index is rebuilt.
 * @param progressed called once a second and at the end, when more can be found
 * @param failed called with errors such as a full disk; indexing is retried later
 * @returns resolves once `signal` has stopped it
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
