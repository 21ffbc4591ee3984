import type { Clock } from './clock.ts'

/** How often a window is told at most of what comes by the thousand: it reads its list again each time. */
const EVERY_MS = 1_000

/** @returns what calls `tell` a second later, once for all calls until then */
export const throttled = (tell: () => void, clock: Pick<Clock, 'after'>, signal: AbortSignal): (() => void) => {
  let cancel: (() => void) | null = null
  signal.addEventListener('abort', () => cancel?.())
  return () => {
    if (signal.aborted) return
    cancel ??= clock.after(EVERY_MS, () => {
      cancel = null
      tell()
    })
  }
}
