import type { Clock } from './clock.ts'

/** At most this long between two steps: timers do not count the time in which the computer sleeps. */
const LONGEST_WAIT_MS = 60 * 60_000

export interface Steps {
  /** @returns milliseconds until the next step; null to wait for `wake` alone */
  readonly step: () => Promise<number | null> | number | null
  /** Called when a step throws before the signal; returns as a step does. @param inARow failed ones, with this one */
  readonly failed: (thrown: unknown, inARow: number) => number | null
  readonly signal: AbortSignal
  readonly firstIn?: number
}

/**
 * Background work: a step, a wait, the next step, until a signal ends it. Steps never overlap. A wake-up, or a wait of
 * over an hour, brings the next step early: it checks what is due. A step may wake its own loop, so steps come with
 * `start`.
 */
export class Loop {
  readonly #clock: Pick<Clock, 'after'>
  readonly #timer: { readonly unref: boolean }
  #isWoken = false
  #endWait: (() => void) | null = null
  #running: Promise<void> = Promise.resolve()

  /** @param timer `unref`: the process may end during a wait */
  constructor(clock: Pick<Clock, 'after'>, timer = { unref: false }) {
    this.#clock = clock
    this.#timer = timer
  }

  /** Begin the first step before this returns, or after `firstIn` milliseconds. Call it once. */
  start(steps: Steps): void {
    this.#running = this.#run(steps)
  }

  /** Take the next step now; one that is under way is followed by another. Before the start, it replaces the first wait. */
  wake(): void {
    this.#isWoken = true
    this.#endWait?.()
  }

  /** Resolves once the signal has ended the loop and the last step is over. */
  ended(): Promise<void> {
    return this.#running
  }

  async #run({ step, failed, signal, firstIn }: Steps): Promise<void> {
    if (firstIn !== undefined) await this.#wait(firstIn, signal)
    const isOver = (): boolean => signal.aborted
    for (let inARow = 0; !isOver();) {
      let next: number | null
      // Every wake-up until here wanted this step.
      this.#isWoken = false
      try {
        next = await step()
        inARow = 0
      } catch (thrown) {
        if (isOver()) return
        inARow += 1
        next = failed(thrown, inARow)
      }
      await this.#wait(next, signal)
    }
  }

  #wait(milliseconds: number | null, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      let cancel = (): void => undefined
      const end = (): void => {
        cancel()
        signal.removeEventListener('abort', end)
        this.#endWait = null
        resolve()
      }
      if (this.#isWoken || signal.aborted) {
        resolve()
        return
      }
      if (milliseconds !== null) {
        cancel = this.#clock.after(Math.min(Math.max(milliseconds, 0), LONGEST_WAIT_MS), end, this.#timer)
      }
      this.#endWait = end
      signal.addEventListener('abort', end, { once: true })
    })
  }
}
