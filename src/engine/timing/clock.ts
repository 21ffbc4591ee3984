/** The engine's only time and timers (ESLint), so that tests step them instead of sleeping. */
export interface Clock {
  /** Wall time, milliseconds since the epoch. */
  readonly now: () => number
  /** Milliseconds that never go back: for how long something has been, and what came before what. */
  readonly elapsed: () => number
  /** Calls once after milliseconds; the result cancels it. @param timer `unref`: the process may end before */
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

/** @throws the signal's reason where it is aborted, before or meanwhile */
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
