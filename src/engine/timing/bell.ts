import type { Clock } from './clock.ts'

/** Something to wait for: a while, or until someone rings. */
export interface Bell {
  readonly ring: () => void
  /**
   * Resolves at the next ring, after the time, or when the signal ends it. A ring while nobody waits is kept for the
   * next one.
   * @param milliseconds null waits for a ring alone
   */
  readonly wait: (milliseconds: number | null, signal: AbortSignal) => Promise<void>
}

export const createBell = (clock: Pick<Clock, 'after'>): Bell => {
  let rung = false
  let wake: (() => void) | null = null
  return {
    ring: () => {
      rung = true
      wake?.()
    },
    wait: (milliseconds, signal) =>
      new Promise((resolve) => {
        const end = (): void => {
          cancel?.()
          signal.removeEventListener('abort', end)
          wake = null
          rung = false
          resolve()
        }
        const cancel = milliseconds === null ? null : clock.after(milliseconds, end)
        if (rung || signal.aborted) {
          end()
          return
        }
        wake = end
        signal.addEventListener('abort', end, { once: true })
      }),
  }
}
