import { toProblem } from '../../shared/result.ts'
import { isNotFound } from '../api/platform-problem.ts'
import type { Backlog, ThreadToRead } from '../store/backlog.ts'
import type { InboxRef } from '../store/inboxes.ts'
import { settleAll } from '../timing/settle-all.ts'
import { EmailsNotOffered, type ThreadSync } from './thread-sync.ts'
import type { Clock } from '../timing/clock.ts'

/** Bodies that are fetched at the same time. */
const BODIES_AT_ONCE = 8
/** A thread whose e-mails the platform fails to give so often is left alone for a while, or until it changes. */
const MAX_FAILURES = 3
const LEFT_ALONE_MS = 10 * 60_000
const PAGE = 64

/** Fetches the e-mails of threads, the newest first. */
export interface BodyFetcher {
  /**
   * Fetches until none is left.
   * @param fetched is told of each thread whose e-mails came
   * @throws what the first failure threw, once all that was on its way has ended
   */
  readonly fetchAll: (fetched: () => void) => Promise<void>
  /** There may be newer ones than those that are being fetched. */
  readonly restart: () => void
  /** Threads whose e-mails are still to be fetched, as far as the platform gives any. A read of kept counts. */
  readonly ahead: () => number
}

/** How far down an inbox's backlog the fetching has come. */
interface Place {
  buffer: readonly ThreadToRead[]
  below: ThreadToRead | null
  isAtEnd: boolean
}

const nameOf = ({ inboxKey, threadId }: ThreadToRead): string => `${inboxKey} ${threadId}`

/**
 * @param parts `inboxes` lists those that the platform has; `since` is the depth, milliseconds since the epoch
 */
export const createBodyFetcher = (parts: {
  readonly backlog: Backlog
  readonly threads: Pick<ThreadSync, 'emails' | 'emailsBelief' | 'mayOfferEmails'>
  readonly inboxes: () => readonly InboxRef[]
  readonly since: () => number
  readonly isPassing: (thrown: unknown) => boolean
  readonly clock: Clock
  readonly signal: AbortSignal
}): BodyFetcher => {
  const { backlog, threads, inboxes, since, isPassing, clock, signal } = parts
  const underWay = new Set<string>()
  /** By thread, for its latest activity only. */
  const failures = new Map<string, { readonly receivedAt: number; readonly count: number; readonly at: number }>()
  /** Those of them that failed so often that they are asked for more rarely. */
  const oftenFailed = new Set<string>()
  const places = new Map<number, Place>()

  const failureOf = (thread: ThreadToRead) => {
    const failure = failures.get(nameOf(thread))
    return failure?.receivedAt === thread.receivedAt ? failure : undefined
  }
  const isLeftAlone = (thread: ThreadToRead): boolean => {
    const failure = failureOf(thread)
    return failure !== undefined && failure.count >= MAX_FAILURES && clock.elapsed() - failure.at < LEFT_ALONE_MS
  }
  const noteFailure = (thread: ThreadToRead, count = (failureOf(thread)?.count ?? 0) + 1): void => {
    const name = nameOf(thread)
    failures.set(name, { receivedAt: thread.receivedAt, count, at: clock.elapsed() })
    if (count >= MAX_FAILURES) oftenFailed.add(name)
    else oftenFailed.delete(name)
  }
  const forgetFailure = (name: string): void => {
    failures.delete(name)
    oftenFailed.delete(name)
  }

  /** The next thread of an inbox, without taking it. */
  const peek = (inbox: InboxRef): ThreadToRead | undefined => {
    const place = places.get(inbox.key) ?? { buffer: [], below: null, isAtEnd: false }
    places.set(inbox.key, place)
    for (;;) {
      const index = place.buffer.findIndex((thread) => !underWay.has(nameOf(thread)) && !isLeftAlone(thread))
      if (index !== -1) {
        place.buffer = place.buffer.slice(index)
        return place.buffer[0]
      }
      if (place.isAtEnd) return undefined
      place.buffer = backlog.page(inbox.key, since(), place.below, PAGE)
      place.below = place.buffer.at(-1) ?? place.below
      place.isAtEnd = place.buffer.length < PAGE
    }
  }
  /** The newest one of several inboxes, taken from its place. */
  const take = (among: readonly InboxRef[]): ThreadToRead | undefined => {
    const next = among.reduce<ThreadToRead | undefined>((best, inbox) => {
      const thread = peek(inbox)
      return thread !== undefined && (best === undefined || thread.receivedAt > best.receivedAt) ? thread : best
    }, undefined)
    const place = next === undefined ? undefined : places.get(next.inboxKey)
    if (place !== undefined) place.buffer = place.buffer.slice(1)
    return next
  }

  const fetchOne = async (thread: ThreadToRead, fetched: () => void): Promise<void> => {
    const name = nameOf(thread)
    underWay.add(name)
    try {
      const isHere = await threads.emails({ key: thread.inboxKey, id: thread.inboxId }, thread.threadId, 'backfill')
      if (isHere) forgetFailure(name)
      else noteFailure(thread)
      fetched()
    } catch (thrown) {
      // What is gone is marked by now; what is not offered is asked for again when it is time to.
      if (thrown instanceof EmailsNotOffered || isNotFound(thrown)) return
      const { code } = toProblem(thrown)
      // What is refused for this thread is refused again: it holds up no other.
      if (code === 'refused') noteFailure(thread, MAX_FAILURES)
      else if (code !== 'unreachable' && isPassing(thrown)) noteFailure(thread)
      throw thrown
    } finally {
      underWay.delete(name)
    }
  }

  const fetchOn = async (among: () => readonly InboxRef[], fetched: () => void): Promise<void> => {
    for (let next = take(among()); next !== undefined && !signal.aborted; next = take(among()))
      await fetchOne(next, fetched)
  }

  const offering = (): readonly InboxRef[] => inboxes().filter((inbox) => threads.emailsBelief(inbox) === 'offered')
  /** Those of which it is not known whether they give e-mails, or no longer. */
  const doubtful = (): readonly InboxRef[] =>
    inboxes().filter((inbox) => threads.emailsBelief(inbox) !== 'offered' && threads.mayOfferEmails(inbox))

  return {
    fetchAll: async (fetched) => {
      places.clear()
      // One thread is enough to find out.
      await fetchOn(doubtful, fetched)
      await settleAll(Array.from({ length: BODIES_AT_ONCE }, () => fetchOn(offering, fetched)))
    },
    restart: () => places.clear(),
    ahead: () => {
      const counted = inboxes()
        .filter((inbox) => threads.emailsBelief(inbox) !== 'seems missing')
        .reduce((sum, { key }) => sum + backlog.count(key, since()), 0)
      return Math.max(0, counted - oftenFailed.size)
    },
  }
}
