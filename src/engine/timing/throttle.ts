import type { Clock } from './clock.ts'

/** A window reads its list again after each event: this often at most. */
const EVERY_MS = 1_000

/** @returns a function that does the work `everyMs` after it is called, once for all calls until then; never after the signal */
export const throttled = (
  work: () => void,
  clock: Pick<Clock, 'after'>,
  signal: AbortSignal,
  { everyMs = EVERY_MS, unref = false } = {},
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
