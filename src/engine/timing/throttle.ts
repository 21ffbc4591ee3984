import type { Clock } from './clock.ts'

/** Limits how often windows reload their lists, as each event causes a reload. */
const MIN_INTERVAL_MS = 1_000

/** Schedules the work in `everyMs`; further calls until then are merged. Never runs after an abort. */
export const createThrottle = (
  work: () => void,
  clock: Pick<Clock, 'after'>,
  signal: AbortSignal,
  { everyMs = MIN_INTERVAL_MS, unref = false } = {},
): (() => void) => {
  let cancel: (() => void) | null = null
  signal.addEventListener('abort', () => cancel?.())
  return () => {
    if (signal.aborted) return
    cancel ??= clock.after(
      everyMs,
      () => {
        cancel = null
        work()
      },
      { unref },
    )
  }
}
