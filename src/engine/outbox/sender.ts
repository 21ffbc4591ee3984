import { backOff } from '../timing/back-off.ts'
import type { Clock } from '../timing/clock.ts'
import { Loop } from '../timing/loop.ts'
import { subjectKey, subjectOf, type Subject, type WaitingChange } from './change.ts'
import { WRITE_AGAIN_MS } from './outbox-file.ts'
import type { SubjectSender } from './subject-sender.ts'
import type { WaitingChanges } from './waiting-changes.ts'

/** Subjects sent concurrently. More would delay the user's next actions. */
const SUBJECTS_AT_ONCE = 4
/** Limit for subjects of large changes, so that individual changes can overtake them. */
const LARGE_AT_ONCE = 3
/** Back-offs that end within this time of each other, in milliseconds, are retried together. */
const LEAST_WAIT_MS = 10

interface SenderParts {
  readonly waiting: WaitingChanges
  readonly sendNext: SubjectSender['sendNext']
  /** True if the change isn't sent because its large change is being undone. */
  readonly isHeld: (change: WaitingChange) => boolean
  readonly failed: (thrown: unknown) => void
  readonly clock: Clock
}

/** Decides when each subject's changes are sent, and backs off after failures. */
export class Sender {
  readonly #parts: SenderParts
  readonly #loop: Loop
  readonly #busy = new Map<string, Promise<void>>()
  /** Subjects whose last attempt failed: number of failures, and end of the back-off. */
  readonly #resting = new Map<string, { readonly failures: number; readonly until: number }>()
  /** Shared back-off of all large changes: if one part fails, the others wait too. */
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

  /** Call when the platform is reachable again, to retry now. */
  nudge(): void {
    this.#largeRest = { failures: 0, until: 0 }
    for (const [key, { failures }] of this.#resting) this.#resting.set(key, { failures, until: 0 })
    this.#loop.wake()
  }

  /** True if changes of a subject are in flight. @param subject the subject's key */
  isBusy(subject: string): boolean {
    return this.#busy.has(subject)
  }

  async ended(): Promise<void> {
    await Promise.all([...this.#busy.values(), this.#loop.ended()])
  }

  /** Sends all changes that are ready. @returns milliseconds until the next back-off ends, or null */
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
      const [first] = waiting.sendableOf(changes?.values() ?? [])
      if (first === undefined || isHeld(first)) continue
      this.#busy.set(
        key,
        this.#run(subjectOf(first), signal)
          // Storing the outcome failed. On disk, the change is still marked for a look-up.
          .catch(() => this.#rest(key))
          .finally(() => {
            this.#busy.delete(key)
            this.#loop.wake()
          }),
      )
    }
  }

  async #run(subject: Subject, signal: AbortSignal): Promise<void> {
    const { waiting, sendNext, clock } = this.#parts
    const key = subjectKey(subject)
    const isLarge = (): boolean => !waiting.own.has(key)
    try {
      while (!signal.aborted && waiting.sendableOf(waiting.of(subject)).length > 0) {
        // A successful look-up doesn't mean that the platform accepts the change, so the back-off keeps growing.
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

  #rest(key: string): void {
    const failures = (this.#resting.get(key)?.failures ?? 0) + 1
    this.#resting.set(key, { failures, until: this.#parts.clock.elapsed() + backOff(failures, Math.random()) })
  }
}
