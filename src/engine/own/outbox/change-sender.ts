import { computeBackOffMs } from '../../timing/back-off.ts'
import type { Clock } from '../../timing/clock.ts'
import { Loop } from '../../timing/loop.ts'
import { parseSubjectKey, subjectKey, type ChangeSubject } from './change.ts'
import { WRITE_RETRY_MS } from './outbox-file.ts'
import type { SubjectSender } from './subject-sender.ts'
import type { WaitingChanges } from './waiting-changes.ts'

/** Subjects sent concurrently. More would delay the user's next actions. */
const SUBJECTS_AT_ONCE = 4
/** Limit for subjects of large changes, so that individual changes can overtake them. */
const LARGE_AT_ONCE = 3
/** Shared back-off of all large changes: if one subject fails, the others wait too. No subject has this key. */
const LARGE = ''
/** Back-offs that end within this time of each other, in milliseconds, are retried together. */
const MIN_WAIT_MS = 10

interface SenderParts {
  readonly waiting: WaitingChanges
  readonly sendNext: SubjectSender['sendNext']
  readonly failed: (thrown: unknown) => void
  readonly clock: Clock
}

/** Decides when each subject's changes are sent, and backs off after failures. */
export class ChangeSender {
  readonly #parts: SenderParts
  readonly #loop: Loop
  readonly #busy = new Map<string, Promise<void>>()
  /** Subjects whose last attempt failed, and `LARGE`: number of failures, and end of the back-off. */
  readonly #backOffs = new Map<string, { readonly failures: number; readonly until: number }>()

  constructor(parts: SenderParts) {
    this.#parts = parts
    this.#loop = new Loop(parts.clock)
  }

  start(signal: AbortSignal): void {
    const { failed } = this.#parts
    this.#loop.start({ step: () => this.#sendReady(signal), report: failed, retryIn: WRITE_RETRY_MS, signal })
  }

  /** Sends in the next turn of the event loop, so that the user's action is answered first. */
  wake(): void {
    setImmediate(() => this.#loop.wake())
  }

  /** Call when the platform is reachable again, to retry now. */
  nudge(): void {
    this.#backOffs.delete(LARGE)
    for (const [key, { failures }] of this.#backOffs) this.#backOffs.set(key, { failures, until: 0 })
    this.#loop.wake()
  }

  /** True if changes of a subject are in flight. */
  isBusy(subject: ChangeSubject): boolean {
    return this.#busy.has(subjectKey(subject))
  }

  async ended(): Promise<void> {
    await Promise.all([...this.#busy.values(), this.#loop.ended()])
  }

  /** Sends all changes that are ready. @returns milliseconds until the next back-off ends, or null */
  #sendReady(signal: AbortSignal): number | null {
    const { waiting, clock } = this.#parts
    const now = clock.elapsed()
    this.#sendUpTo(waiting.individual, SUBJECTS_AT_ONCE, now, signal)
    if (!this.#isBackingOff(LARGE, now)) this.#sendUpTo(waiting.ofLarge, LARGE_AT_ONCE, now, signal)
    const isWaiting = (key: string): boolean =>
      key === LARGE
        ? waiting.ofLarge.size > 0 && this.#isBackingOff(key, now)
        : waiting.of(parseSubjectKey(key)).length > 0
    const soonest = Math.min(...[...this.#backOffs].flatMap(([key, { until }]) => (isWaiting(key) ? [until] : [])))
    return Number.isFinite(soonest) ? Math.max(soonest - now, MIN_WAIT_MS) : null
  }

  #sendUpTo(subjects: WaitingChanges['individual'], most: number, now: number, signal: AbortSignal): void {
    for (const { subject, changes } of subjects) {
      if (this.#busy.size >= most) return
      const key = subjectKey(subject)
      if (this.#busy.has(key) || this.#isBackingOff(key, now)) continue
      if (this.#parts.waiting.sendableOf(changes).length === 0) continue
      this.#busy.set(
        key,
        this.#run(subject, signal)
          // Storing the outcome failed. On disk, the change is still marked for a look-up.
          .catch(() => this.#startBackOff(key))
          .finally(() => {
            this.#busy.delete(key)
            this.#loop.wake()
          }),
      )
    }
  }

  async #run(subject: ChangeSubject, signal: AbortSignal): Promise<void> {
    const { waiting, sendNext } = this.#parts
    const key = subjectKey(subject)
    const isLarge = (): boolean => waiting.of(subject).every(({ large }) => large !== undefined)
    try {
      while (!signal.aborted && waiting.sendableOf(waiting.of(subject)).length > 0) {
        // A successful look-up doesn't mean that the platform accepts the change, so the back-off keeps growing.
        if ((await sendNext(subject, signal)) === 'looked into') continue
        this.#backOffs.delete(key)
        if (isLarge()) this.#backOffs.delete(LARGE)
      }
      if (waiting.of(subject).length === 0) this.#backOffs.delete(key)
    } catch {
      if (signal.aborted) return
      this.#startBackOff(key)
      if (isLarge()) this.#startBackOff(LARGE)
    }
  }

  #isBackingOff(key: string, now: number): boolean {
    return (this.#backOffs.get(key)?.until ?? 0) > now
  }

  #startBackOff(key: string): void {
    const failures = (this.#backOffs.get(key)?.failures ?? 0) + 1
    this.#backOffs.set(key, {
      failures,
      until: this.#parts.clock.elapsed() + computeBackOffMs(failures, Math.random()),
    })
  }
}
