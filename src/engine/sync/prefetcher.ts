import type { StoredMailPause, StoredMailState } from '../../shared/stored-mail.ts'
import { toProblem, type Problem } from '../../shared/result.ts'
import { computeBackOffMs } from '../timing/back-off.ts'
import type { EmailToPrefetch, PrefetchQueueStore } from '../store/prefetch-queue.ts'
import type { PublicMembers } from '../store/watch-database.ts'
import { isCorruptionError, toStorageError } from '../store/storage-problem.ts'
import { settleAll } from '../timing/settle-all.ts'
import type { PrefetchChoices, PrefetchChoiceStore } from './prefetch-choices.ts'
import type { EmailPrefetcher } from './prefetch-email.ts'
import { prefetchStartTime, planPrefetch, getUrgentTimeRange } from './plan-prefetch.ts'
import type { StorageBudget } from './storage-budget.ts'
import { createThrottle } from '../timing/throttle.ts'
import { Loop, type EngineService, type EventListeners } from '../timing/loop.ts'
import type { AccountServices } from './account-services.ts'

const MINUTE_MS = 60_000
/** Number of e-mails stored concurrently, and number of e-mails per plan. New mail waits for the next plan. */
const CONCURRENCY = 4
const EMAILS_PER_PLAN = 16
/** Retry delays by number of consecutive failures. The last one, a day, repeats. */
const RETRY_DELAYS_MS: readonly number[] = [1, 10, 60, 360, 1440].map((minutes) => minutes * MINUTE_MS)
/** If this many different e-mails fail in a row, assume a platform outage and back off. */
const MANY_FAILURES = 3
/** Maximum time that other fetches go first; then storing mail has its own, smallest share of the request budget. */
const MAX_WAIT_MS = 5 * MINUTE_MS
const DISK_PROBLEM = 'keeping-paused'
const DAY_MS = 1440 * MINUTE_MS
/** Ranges, in days, whose storage size is estimated in the settings. Null means all mail. */
const ESTIMATED_DEPTHS: readonly (number | null)[] = [30, 90, 365, null]

class PauseError extends Error {
  readonly pause: StoredMailPause

  constructor(pause: StoredMailPause) {
    super(pause.message)
    this.pause = pause
  }
}

/** Reason to pause after a general failure; null if only this e-mail failed. */
const pauseForError = ({ code, message }: Problem): StoredMailPause | null => {
  if (code === 'storage_failed') {
    const words = 'Stored mail is kept. Linnet will continue when there is enough space.'
    return { why: 'disk', message: `Linnet has stopped storing mail on this computer. ${message} ${words}` }
  }
  if (code === 'unreachable') return { why: 'offline', message }
  return code.startsWith('key_') ? { why: 'key', message } : null
}

interface PrefetcherParts extends Pick<AccountServices, 'problems' | 'report' | 'clock' | 'signal'> {
  readonly rows: PublicMembers<PrefetchQueueStore>
  readonly choices: PrefetchChoiceStore
  readonly emails: Pick<EmailPrefetcher, 'prefetch'>
  readonly budget: Pick<StorageBudget, 'measure'>
  readonly isBusy: () => boolean
  readonly changed: () => void
  /** True to fetch nothing in the background in this run (docs/crashes.md). */
  readonly isSafe: boolean
}

/** Stores mail locally before the platform drops it. All other fetches have priority. */
export class Prefetcher implements Required<EngineService> {
  readonly listeners: EventListeners = {
    'emails.changed': () => this.#mailChanged(),
    'receivedEmails.changed': () => this.#mailChanged(),
    'sentEmails.changed': () => this.#mailChanged(),
    // Mail that the platform drops exists only locally from then on, which changes the counts.
    'threads.changed': () => this.#scheduleNotify(),
    // Only an offline pause ends early, once the platform is reachable. These events are frequent and must not shorten
    // other pauses.
    'sync.changed': ({ connection }) => {
      if (this.#pause === null || (this.#pause.why === 'offline' && connection === 'online')) this.#loop.wake()
    },
  }
  readonly #parts: PrefetcherParts
  readonly #loop: Loop
  readonly #scheduleNotify: () => void
  #pause: StoredMailPause | null = null
  #busySince: number | null = null
  #failuresInARow = 0

  constructor(parts: PrefetcherParts) {
    this.#parts = parts
    this.#loop = new Loop(parts.clock)
    this.#scheduleNotify = createThrottle(parts.changed, parts.clock, parts.signal)
  }

  state(): StoredMailState {
    const { rows, choices, clock } = this.#parts
    const { days, bytes: maxBytes } = choices.get()
    const counts = rows.count(prefetchStartTime(days, clock.now()))
    const fileBytes = rows.fileBytes()
    const bytesEach = counts.kept === 0 ? null : fileBytes / counts.kept
    const isFull = this.#pause === null && counts.withoutFiles > 0
    return {
      ...counts,
      days,
      maxBytes,
      fileBytes,
      bytes: fileBytes + rows.cacheBytes(),
      paused: isFull ? { why: 'room', message: 'The space you allowed is used up.' } : this.#pause,
      depths: ESTIMATED_DEPTHS.map((depth) => {
        const known = rows.countKnown(prefetchStartTime(depth, clock.now()))
        return { days: depth, emails: known, bytes: bytesEach === null ? null : Math.round(known * bytesEach) }
      }),
    }
  }

  /** @throws ProblemError `storage_failed` if the disk rejects the write */
  choose({ days, bytes }: { readonly [Choice in keyof PrefetchChoices]?: PrefetchChoices[Choice] | undefined }): void {
    const { rows, choices, changed } = this.#parts
    const before = choices.get().bytes
    choices.set({ ...(days !== undefined && { days }), ...(bytes !== undefined && { bytes }) })
    if (choices.get().bytes !== before) rows.lookAgain('no room')
    this.#loop.wake()
    changed()
  }

  #mailChanged(): void {
    this.#scheduleNotify()
    if (this.#pause === null) this.#loop.wake()
  }

  /** Call when the API key changed: the new key may have access to more. */
  keyChanged(): void {
    this.#parts.rows.lookAgain('partial')
    this.#loop.wake()
  }

  start(): void {
    const { isSafe, report, signal } = this.#parts
    if (isSafe) return
    this.#loop.start({
      step: () => this.#step(),
      failed: (thrown) => {
        if (thrown instanceof PauseError) {
          this.#setPause(thrown.pause)
          return thrown.pause.why === 'trouble' ? computeBackOffMs(this.#failuresInARow, Math.random()) : MINUTE_MS
        }
        report(thrown)
        return MINUTE_MS
      },
      signal,
    })
  }

  ended(): Promise<void> {
    return this.#loop.ended()
  }

  /** @returns milliseconds until the next step; null to wait for an event */
  async #step(): Promise<number | null> {
    const { rows, choices, budget, clock, signal } = this.#parts
    if (choices.get().bytes === 0) return null
    budget.measure()
    for (;;) {
      const wait = this.#waitForOthers()
      if (wait > 0) return wait
      const now = clock.now()
      const planned = planPrefetch(rows, { now, days: choices.get().days }, EMAILS_PER_PLAN)
      if (planned.length === 0 || signal.aborted) break
      await this.#prefetchAll(planned)
      this.#setPause(null)
    }
    this.#setPause(null)
    const due = rows.nextDue(prefetchStartTime(choices.get().days, clock.now()))
    return due === null || due <= clock.now() ? null : due - clock.now()
  }

  /** Remaining time that other fetches go first, in milliseconds; 0 if prefetching may start. */
  #waitForOthers(): number {
    const { rows, isBusy, clock } = this.#parts
    if (!isBusy()) {
      this.#busySince = null
      return 0
    }
    this.#busySince ??= clock.now()
    const isUrgent = rows.toDo({ ...getUrgentTimeRange(clock.now()), due: clock.now() }, 'oldest', 1).length > 0
    return isUrgent ? 0 : Math.max(0, this.#busySince + MAX_WAIT_MS - clock.now())
  }

  async #prefetchAll(planned: readonly EmailToPrefetch[]): Promise<void> {
    const { signal } = this.#parts
    const left = [...planned]
    const work = async (): Promise<void> => {
      for (let next = left.shift(); next !== undefined && !signal.aborted; next = left.shift()) {
        await this.#prefetchOne(next)
      }
    }
    const stopAll = (thrown: unknown): never => {
      left.length = 0
      throw thrown
    }
    await settleAll(Array.from({ length: CONCURRENCY }, () => work().catch(stopAll)))
  }

  /** @throws PauseError */
  async #prefetchOne(email: EmailToPrefetch): Promise<void> {
    const { rows, emails, clock, signal, report } = this.#parts
    try {
      const state = await emails.prefetch(email)
      rows.settle(email, state)
      this.#failuresInARow = 0
    } catch (thrown) {
      if (signal.aborted || isCorruptionError(thrown)) throw thrown
      const problem = toProblem(toStorageError(thrown))
      const pause = pauseForError(problem)
      if (pause !== null) throw new PauseError(pause)
      if (problem.code === 'internal') report(thrown)
      const failures = email.failures + 1
      rows.postpone(email, failures, clock.now() + (RETRY_DELAYS_MS[failures - 1] ?? DAY_MS))
      this.#failuresInARow += 1
      if (this.#failuresInARow >= MANY_FAILURES) throw new PauseError({ why: 'trouble', message: problem.message })
    } finally {
      this.#scheduleNotify()
    }
  }

  #setPause(next: StoredMailPause | null): void {
    const pause = this.#pause
    if (next?.why === pause?.why && next?.message === pause?.message) return
    const { problems } = this.#parts
    if (next?.why === 'disk') problems.raise({ id: DISK_PROBLEM, code: 'storage_failed', message: next.message })
    else if (pause?.why === 'disk') problems.clear(DISK_PROBLEM)
    this.#pause = next
    this.#scheduleNotify()
  }
}
