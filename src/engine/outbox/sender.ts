import { backOff } from '../timing/back-off.ts'
import type { Clock } from '../timing/clock.ts'
import { Loop } from '../timing/loop.ts'
import { subjectKey, subjectOf, type Subject, type WaitingChange } from './change.ts'
import { WRITE_AGAIN_MS } from './outbox-file.ts'
import type { SubjectSender } from './subject-sender.ts'
import type { WaitingChanges } from './waiting-changes.ts'

/** Subjects of which changes are sent at the same time. More would stand between a person's click and the platform. */
const SUBJECTS_AT_ONCE = 4
/** Those of them that may be part of large changes: what a person changes by itself goes past these. */
const LARGE_AT_ONCE = 3
/** Several that rest until about the same time are looked at once, in milliseconds. */
const LEAST_WAIT_MS = 10

interface SenderParts {
  readonly waiting: WaitingChanges
  readonly sendNext: SubjectSender['sendNext']
  /** Whether nothing is to be sent of a change, as it is being taken back. */
  readonly isHeld: (change: WaitingChange) => boolean
  readonly failed: (thrown: unknown) => void
  readonly clock: Clock
}

/** Decides of which subjects changes are sent now, and how long those that failed rest. */
export class Sender {
  readonly #parts: SenderParts
  readonly #loop: Loop
  readonly #busy = new Map<string, Promise<void>>()
  /** Subjects whose last attempt failed: how often, and until when they rest. */
  readonly #resting = new Map<string, { readonly failures: number; readonly until: number }>()
  /** Where a part of a large change fails, the others need not try at once: how often in a row, and until when they rest. */
  #largeRest = { failures: 0, until: 0 }

  constructor(parts: SenderParts) {
    this.#parts = parts
    this.#loop = new Loop(parts.clock)
  }

  start(signal: AbortSignal): void {
    const { failed } = this.#parts
    this.#loop.start({
      step: () => this.#sendReady(signal),
      failed: (thrown) => {
        failed(thrown)
        return WRITE_AGAIN_MS
      },
      signal,
    })
  }

  wake(): void {
    this.#loop.wake()
  }

  /** Tries again now: the platform can be reached. */
  nudge(): void {
    this.#largeRest = { failures: 0, until: 0 }
    for (const [key, { failures }] of this.#resting) this.#resting.set(key, { failures, until: 0 })
    this.#loop.wake()
  }

  /** Whether changes of a subject are on their way, by its key. */
  isBusy(subject: string): boolean {
    return this.#busy.has(subject)
  }

  async ended(): Promise<void> {
    await Promise.all([...this.#busy.values(), this.#loop.ended()])
  }

  /** Sends what can be sent. @returns milliseconds until something has rested; null for never */
  #sendReady(signal: AbortSignal): number | null {
    const { waiting, clock } = this.#parts
    const now = clock.elapsed()
    this.#sendOf(waiting.own, SUBJECTS_AT_ONCE, now, signal)
    if (this.#largeRest.until <= now) this.#sendOf(waiting.ofLarge, LARGE_AT_ONCE, now, signal)
    const soonest = Math.min(
      ...[...this.#resting].flatMap(([key, { until }]) => (waiting.byKey(key) === undefined ? [] : [until])),
      waiting.ofLarge.size > 0 && this.#largeRest.until > now ? this.#largeRest.until : Infinity,
    )
    return Number.isFinite(soonest) ? Math.max(soonest - now, LEAST_WAIT_MS) : null
  }

  #sendOf(subjects: ReadonlySet<string>, most: number, now: number, signal: AbortSignal): void {
    const { waiting, isHeld } = this.#parts
    for (const key of subjects) {
      if (this.#busy.size >= most) return
      if (waiting.isBlocked(key) || this.#busy.has(key) || (this.#resting.get(key)?.until ?? 0) > now) continue
      const changes = waiting.byKey(key)
      const [only] = changes?.size === 1 ? changes.values() : []
      if (only !== undefined && isHeld(only)) continue
      const [first] = waiting.readyOf(changes?.values() ?? [])
      if (first === undefined || isHeld(first)) continue
      this.#busy.set(
        key,
        this.#run(subjectOf(first), signal)
          // The outcome could not be written: what is on the disk still says that it has to be looked into.
          .catch(() => this.#rest(key))
          .finally(() => {
            this.#busy.delete(key)
            this.#loop.wake()
          }),
      )
    }
  }

  /** Sends all that can be sent of a subject. */
  async #run(subject: Subject, signal: AbortSignal): Promise<void> {
    const { waiting, sendNext, clock } = this.#parts
    const key = subjectKey(subject)
    const isLarge = (): boolean => !waiting.own.has(key)
    try {
      while (!signal.aborted && waiting.readyOf(waiting.of(subject)).length > 0) {
        // That the platform can be asked does not mean that it takes the change: the next rest is longer all the same.
        if ((await sendNext(subject, signal)) === 'looked into') continue
        this.#resting.delete(key)
        if (isLarge()) this.#largeRest = { failures: 0, until: 0 }
      }
      if (waiting.byKey(key) === undefined) this.#resting.delete(key)
    } catch {
      if (signal.aborted) return
      this.#rest(key)
      if (!isLarge()) return
      const failures = this.#largeRest.failures + 1
      this.#largeRest = { failures, until: clock.elapsed() + backOff(failures, Math.random()) }
    }
  }

  /** Leaves a subject alone for a while, longer after each failure. */
  #rest(key: string): void {
    const failures = (this.#resting.get(key)?.failures ?? 0) + 1
    this.#resting.set(key, { failures, until: this.#parts.clock.elapsed() + backOff(failures, Math.random()) })
  }
}
