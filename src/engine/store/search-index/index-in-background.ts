import { setImmediate as nextTurn } from 'node:timers/promises'
import type { SearchIndex } from './search-index.ts'
import { systemClock, type Clock } from '../../timing/clock.ts'
import { Loop } from '../../timing/loop.ts'

/**
 * Time budget per step, in milliseconds: about a frame, so that requests don't wait long. Half of it would index a
 * sixth less.
 */
export const INDEX_STEP_MS = 16
/** Minimum interval between progress reports, in milliseconds. */
const PROGRESS_INTERVAL_MS = 1_000
/** Interval for checking whether the index must be rebuilt, in milliseconds, once everything is indexed. */
const IDLE_CHECK_INTERVAL_MS = 20_000

/**
 * Indexes pending mail in short steps, each in its own turn of the event loop. An interrupted run continues at the next
 * start, and a damaged index is rebuilt.
 * @param progressed called once a second and at the end, when more mail has become searchable
 * @param failed called with errors such as a full disk; indexing is retried later
 * @returns resolves after `signal` has stopped indexing
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
      while (!signal.aborted && index.indexSome(INDEX_STEP_MS)) {
        isUntold = true
        if (clock.elapsed() - toldAt > PROGRESS_INTERVAL_MS) tell()
        await nextTurn()
      }
    } finally {
      if (isUntold && !signal.aborted) tell()
    }
  }
  const loop = new Loop(clock, { unref: true })
  const step = (): Promise<number> => indexAll().then(() => IDLE_CHECK_INTERVAL_MS)
  loop.start({ step, report: failed, retryIn: IDLE_CHECK_INTERVAL_MS, signal })
  return loop.ended()
}
