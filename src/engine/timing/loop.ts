import type { Events } from '../../shared/contract.ts'
import type { Clock } from './clock.ts'

/** Maximum wait in milliseconds, because timers don't run while the computer sleeps. */
const LONGEST_WAIT_MS = 60 * 60_000

type LoopFailures =
  /** @returns the wait, as for `step` @param inARow consecutive failures, including this one */
  | { readonly failed: (thrown: unknown, inARow: number) => number | null }
  | { readonly report: (thrown: unknown) => void; readonly retryIn: number | null }

export type LoopSteps = LoopFailures & {
  /** @returns milliseconds until the next step; null to wait for `wake` */
  readonly step: () => Promise<number | null> | number | null
  readonly signal: AbortSignal
  readonly firstIn?: number
}

/**
 * Runs steps with waits between them until the signal aborts. Steps never overlap. A wake-up, or the limit of an hour,
 * starts the next step early, so each step must check what is due. A step may wake its own loop.
 */
export class Loop {
  readonly #clock: Pick<Clock, 'after'>
  readonly #timer: { readonly unref: boolean }
  #isWoken = false
  #endWait: (() => void) | null = null
  #running: Promise<void> = Promise.resolve()

  /** @param timer `unref`: a wait doesn't keep the process running */
  constructor(clock: Pick<Clock, 'after'>, timer = { unref: false }) {
    this.#clock = clock
    this.#timer = timer
  }

  /** Starts the first step synchronously, or after `firstIn` milliseconds. Call it once. */
  start(steps: LoopSteps): void {
    this.#running = this.#run(steps)
  }

  /** Starts the next step now, or right after the running one. Before the start, it replaces the first wait. */
  wake(): void {
    this.#isWoken = true
    this.#endWait?.()
  }

  /** Resolves once the signal has stopped the loop and the last step has finished. */
  ended(): Promise<void> {
    return this.#running
  }

  async #run(steps: LoopSteps): Promise<void> {
    const { step, signal, firstIn } = steps
    if (firstIn !== undefined) await this.#wait(firstIn, signal)
    const isOver = (): boolean => signal.aborted
    for (let inARow = 0; !isOver();) {
      let next: number | null
      // Earlier wake-ups are covered by this step.
      this.#isWoken = false
      try {
        next = await step()
        inARow = 0
      } catch (thrown) {
        if (isOver()) return
        inARow += 1
        if ('report' in steps) steps.report(thrown)
        next = 'report' in steps ? steps.retryIn : steps.failed(thrown, inARow)
      }
      await this.#wait(next, signal)
    }
  }

  async #wait(milliseconds: number | null, signal: AbortSignal): Promise<void> {
    if (this.#isWoken || signal.aborted) return
    const { promise, resolve } = Promise.withResolvers<undefined>()
    const end = (): void => resolve(undefined)
    const cancel =
      milliseconds === null
        ? null
        : this.#clock.after(Math.min(Math.max(milliseconds, 0), LONGEST_WAIT_MS), end, this.#timer)
    this.#endWait = end
    signal.addEventListener('abort', end, { once: true })
    await promise
    cancel?.()
    signal.removeEventListener('abort', end)
    this.#endWait = null
  }
}

export type EventListeners = { readonly [Name in keyof Events]?: (payload: Events[Name]) => void }

export interface EngineService {
  /** Called with each event, after the windows have received it. */
  readonly listeners?: EventListeners
  start?(): void
  /** Resolves once the account's abort signal has stopped the service. */
  ended?(): Promise<void>
}

export const notifyService = <Name extends keyof Events>(
  { listeners }: EngineService,
  { name, payload }: { readonly name: Name; readonly payload: Events[Name] },
): void => listeners?.[name]?.(payload)
