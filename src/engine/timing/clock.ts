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
export const sleep = (
  { after }: Pick<Clock, 'after'>,
  milliseconds: number,
  signal: AbortSignal,
  timer?: { readonly unref: boolean },
): Promise<void> =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted()
    let cancel = (): void => undefined
    const end = (): void => {
      cancel()
      reject(signal.reason as Error)
    }
    cancel = after(
      milliseconds,
      () => {
        signal.removeEventListener('abort', end)
        resolve()
      },
      timer,
    )
    signal.addEventListener('abort', end, { once: true })
  })
