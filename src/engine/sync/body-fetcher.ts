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
const PAGE_SIZE = 64

/**
 * Cursor through an inbox's incomplete threads: `buffer` is the rest of the current page, and the next page starts
 * below `below`.
 */
interface BacklogPosition {
  buffer: readonly IncompleteThread[]
  below: IncompleteThread | null
  isAtEnd: boolean
}

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
  /** Threads that reached `MAX_FAILURES` and are retried less often. */
  readonly #oftenFailed = new Set<string>()
  readonly #positions = new Map<number, BacklogPosition>()

  constructor(parts: BodyFetcherParts) {
    this.#parts = parts
  }

  /** Fetches until no thread is left. @throws the first error, after all fetches in flight have finished */
  async fetchAll(fetched: () => void): Promise<void> {
    const { threads } = this.#parts
    const isOffering = (inbox: InboxRef): boolean => threads.emailsBelief(inbox) === 'offered'
    this.#positions.clear()
    // If it is unknown whether the platform supports this for an inbox, fetch one thread first to find out.
    await this.#fetchMatching((inbox) => !isOffering(inbox) && threads.mayOfferEmails(inbox), fetched)
    await settleAll(Array.from({ length: BODIES_AT_ONCE }, () => this.#fetchMatching(isOffering, fetched)))
  }

  /** Makes the fetch start again at the newest threads, since new ones may have arrived. */
  restart(): void {
    this.#positions.clear()
  }

  /** Number of threads left to fetch in inboxes where the platform may support it. */
  ahead(): number {
    const { backlog, threads, inboxes, since } = this.#parts
    const counted = inboxes()
      .filter((inbox) => threads.emailsBelief(inbox) !== 'seems missing')
      .reduce((sum, { key }) => sum + backlog.count(key, since()), 0)
    return Math.max(0, counted - this.#oftenFailed.size)
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
      if (isHere) this.#forgetFailure(name)
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
    const next = among.reduce<IncompleteThread | undefined>((best, inbox) => {
      const thread = this.#peek(inbox)
      return thread !== undefined && (best === undefined || thread.receivedAt > best.receivedAt) ? thread : best
    }, undefined)
    const place = next === undefined ? undefined : this.#positions.get(next.inboxKey)
    if (place !== undefined) place.buffer = place.buffer.slice(1)
    return next
  }

  #peek(inbox: InboxRef): IncompleteThread | undefined {
    const { backlog, since } = this.#parts
    const place = this.#positions.get(inbox.key) ?? { buffer: [], below: null, isAtEnd: false }
    this.#positions.set(inbox.key, place)
    for (;;) {
      const index = place.buffer.findIndex((thread) => !this.#inFlight.has(nameOf(thread)) && !this.#isSkipped(thread))
      if (index !== -1) {
        place.buffer = place.buffer.slice(index)
        return place.buffer[0]
      }
      if (place.isAtEnd) return undefined
      place.buffer = backlog.page(inbox.key, since(), place.below, PAGE_SIZE)
      place.below = place.buffer.at(-1) ?? place.below
      place.isAtEnd = place.buffer.length < PAGE_SIZE
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
    const name = nameOf(thread)
    this.#failures.set(name, { receivedAt: thread.receivedAt, count, at: this.#parts.clock.elapsed() })
    if (count >= MAX_FAILURES) this.#oftenFailed.add(name)
    else this.#oftenFailed.delete(name)
  }

  #forgetFailure(name: string): void {
    this.#failures.delete(name)
    this.#oftenFailed.delete(name)
  }
}
