import { toProblem } from '../../shared/result.ts'
import { isNotFound } from '../platform/platform-problem.ts'
import type { Backlog, IncompleteThread } from '../store/backlog.ts'
import type { InboxRef } from '../store/inboxes.ts'
import { settleAll } from '../timing/settle-all.ts'
import { isTemporaryError } from './connection.ts'
import { EmailsUnsupportedError, type ThreadSync } from './thread-sync.ts'
import type { Clock } from '../timing/clock.ts'

const BODIES_AT_ONCE = 8
/** Number of failures after which a thread is skipped for a while, or until it changes. */
const MAX_FAILURES = 3
const SKIP_MS = 10 * 60_000

const nameOf = ({ inboxKey, threadId }: IncompleteThread): string => `${inboxKey} ${threadId}`

/** Failed fetches of a thread's e-mails since its latest activity, and the time of the last one. */
interface Failure {
  readonly receivedAt: number
  readonly count: number
  readonly at: number
}

interface BodyFetcherParts {
  readonly backlog: Pick<Backlog, 'page' | 'count'>
  readonly threads: Pick<ThreadSync, 'emails' | 'emailsBelief' | 'mayOfferEmails'>
  /** Inboxes that still exist on the platform. */
  readonly inboxes: () => readonly InboxRef[]
  /** Start of the period to fetch, in milliseconds since the epoch. */
  readonly since: () => number
  readonly clock: Clock
  readonly signal: AbortSignal
}

export class BodyFetcher {
  readonly #parts: BodyFetcherParts
  readonly #inFlight = new Set<string>()
  /** Failures by thread. Each is only valid for the thread's activity at that time. */
  readonly #failures = new Map<string, Failure>()
  /** Each inbox's last thread that was taken or skipped; those below it are next. */
  readonly #passed = new Map<number, IncompleteThread>()

  constructor(parts: BodyFetcherParts) {
    this.#parts = parts
  }

  /** Fetches until no thread is left. @throws the first error, after all fetches in flight have finished */
  async fetchAll(fetched: () => void): Promise<void> {
    const { threads } = this.#parts
    const isOffering = (inbox: InboxRef): boolean => threads.emailsBelief(inbox) === 'offered'
    this.#passed.clear()
    // If it is unknown whether the platform supports this for an inbox, fetch one thread first to find out.
    await this.#fetchMatching((inbox) => !isOffering(inbox) && threads.mayOfferEmails(inbox), fetched)
    await settleAll(Array.from({ length: BODIES_AT_ONCE }, () => this.#fetchMatching(isOffering, fetched)))
  }

  /** Makes the fetch start again at the newest threads, since new ones may have arrived. */
  restart(): void {
    this.#passed.clear()
  }

  /** Number of threads left to fetch in inboxes where the platform may support it. */
  ahead(): number {
    const { backlog, threads, inboxes, since } = this.#parts
    const counted = inboxes()
      .filter((inbox) => threads.emailsBelief(inbox) !== 'seems missing')
      .reduce((sum, { key }) => sum + backlog.count(key, since()), 0)
    const oftenFailed = [...this.#failures.values()].filter(({ count }) => count >= MAX_FAILURES)
    return Math.max(0, counted - oftenFailed.length)
  }

  async #fetchMatching(isMeant: (inbox: InboxRef) => boolean, fetched: () => void): Promise<void> {
    const { inboxes, signal } = this.#parts
    const take = (): IncompleteThread | undefined => this.#take(inboxes().filter(isMeant))
    for (let next = take(); next !== undefined && !signal.aborted; next = take()) await this.#fetchOne(next, fetched)
  }

  async #fetchOne(thread: IncompleteThread, fetched: () => void): Promise<void> {
    const inbox = { key: thread.inboxKey, id: thread.inboxId }
    const name = nameOf(thread)
    this.#inFlight.add(name)
    try {
      const isHere = await this.#parts.threads.emails(inbox, thread.threadId, 'backfill')
      if (isHere) this.#failures.delete(name)
      else this.#noteFailure(thread)
      fetched()
    } catch (thrown) {
      // Missing threads have been marked as such, and unsupported operations are probed again later.
      if (thrown instanceof EmailsUnsupportedError || isNotFound(thrown)) return
      const { code } = toProblem(thrown)
      // The refusal would repeat, so skip this thread to unblock the others.
      if (code === 'refused') this.#noteFailure(thread, MAX_FAILURES)
      else if (code !== 'unreachable' && isTemporaryError(thrown)) this.#noteFailure(thread)
      throw thrown
    } finally {
      this.#inFlight.delete(name)
    }
  }

  #take(among: readonly InboxRef[]): IncompleteThread | undefined {
    const [next] = among
      .flatMap((inbox) => this.#nextIn(inbox) ?? [])
      .toSorted((one, other) => other.receivedAt - one.receivedAt)
    if (next !== undefined) this.#passed.set(next.inboxKey, next)
    return next
  }

  #nextIn({ key }: InboxRef): IncompleteThread | undefined {
    const { backlog, since } = this.#parts
    for (;;) {
      const [thread] = backlog.page(key, since(), this.#passed.get(key) ?? null, 1)
      if (thread === undefined || (!this.#inFlight.has(nameOf(thread)) && !this.#isSkipped(thread))) return thread
      this.#passed.set(key, thread)
    }
  }

  #failureOf(thread: IncompleteThread): Failure | undefined {
    const failure = this.#failures.get(nameOf(thread))
    return failure?.receivedAt === thread.receivedAt ? failure : undefined
  }

  #isSkipped(thread: IncompleteThread): boolean {
    const failure = this.#failureOf(thread)
    if (failure === undefined || failure.count < MAX_FAILURES) return false
    return this.#parts.clock.elapsed() - failure.at < SKIP_MS
  }

  #noteFailure(thread: IncompleteThread, count = (this.#failureOf(thread)?.count ?? 0) + 1): void {
    const { receivedAt } = thread
    this.#failures.set(nameOf(thread), { receivedAt, count, at: this.#parts.clock.elapsed() })
  }
}
