import type { Clock as LocalTime } from '../../shared/search/date-bounds.ts'

/** The engine's only source of time and timers (enforced by ESLint), so tests can step through them. */
export interface Clock {
  /** Wall time, milliseconds since the epoch. */
  readonly now: () => number
  /** Monotonic time in milliseconds, for durations and ordering. */
  readonly elapsed: () => number
  /**
   * Calls `callback` once after a delay; returns a function that cancels the timer. @param timer `unref`: don't keep
   * the process running
   */
  readonly after: (milliseconds: number, callback: () => void, timer?: { readonly unref: boolean }) => () => void
}

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after: (milliseconds, callback, { unref } = { unref: false }) => {
    const timer = setTimeout(callback, milliseconds)
    if (unref) timer.unref()
    return () => clearTimeout(timer)
  },
}

/** @throws the signal's reason once it aborts */
export const sleep = async (
  { after }: Pick<Clock, 'after'>,
  milliseconds: number,
  signal: AbortSignal,
  timer?: { readonly unref: boolean },
): Promise<void> => {
  signal.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<undefined>()
  const cancel = after(milliseconds, () => resolve(undefined), timer)
  const abandon = (): void => reject(signal.reason as Error)
  signal.addEventListener('abort', abandon, { once: true })
  try {
    await promise
  } finally {
    cancel()
    signal.removeEventListener('abort', abandon)
  }
}

/** Interval for reading the time zone again, in milliseconds. It changes when a laptop travels. */
const REFRESH_INTERVAL_MS = 60_000

/** Caches the time zone, since reading it takes longer than searching for a rare word. */
const createTimeZone = (): ((now: number) => string) => {
  let [timeZone, askedAt, offset] = ['', Number.NEGATIVE_INFINITY, 0]
  return (now) => {
    const offsetNow = new Date(now).getTimezoneOffset()
    if (offsetNow !== offset || Math.abs(now - askedAt) >= REFRESH_INTERVAL_MS) {
      ;[askedAt, offset] = [now, offsetNow]
      timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone
    }
    return timeZone
  }
}

/** @param now wall time, milliseconds since the epoch */
export const createLocalClock = (now: () => number = systemClock.now) => {
  const timeZoneAt = createTimeZone()
  return (): LocalTime => {
    const at = now()
    return { now: at, timeZone: timeZoneAt(at) }
  }
}
