/**
 * The one budget of requests that an account has (house, "Data"; platform facts 1: ten a second and team, by default).
 * Everything that goes to the platform asks here first, in order of need.
 */

import { ProblemError } from '../../shared/result.ts'
import { troubleWords, waitingWords } from './platform-problem.ts'
import { systemClock, type Clock } from '../timing/clock.ts'

/** In order of need: what a person just did, what is on screen, sync, back-fill, what is kept before it is dropped. */
export type Priority = 'action' | 'screen' | 'sync' | 'backfill' | 'keep'

const PRIORITIES: readonly Priority[] = ['action', 'screen', 'sync', 'backfill', 'keep']
/** A class that waits goes next after so many of the classes above it, so that none starves and none overtakes. */
const PASSED_AT_MOST = 16
/** Ten a second until the answers' headers say otherwise (platform facts 1). */
const DEFAULT_LIMIT = 10
const DEFAULT_WINDOW_MS = 1_000
/**
 * How many requests are on their way when one more of a class may go: more at once would only wait in the platform's own
 * queue, and requests that hang must leave a way for the next click.
 */
const MAX_IN_FLIGHT: Readonly<Record<Priority, number>> = { action: 12, screen: 10, sync: 8, backfill: 8, keep: 4 }
/** How many of the limit's places a class leaves to those above it. */
const LEFT_FREE: Readonly<Record<Priority, number>> = { action: 0, screen: 1, sync: 2, backfill: 2, keep: 3 }
/** How many windows a place of others is left to them after the last answer that told of it. */
const OTHERS_LAST_WINDOWS = 3
/** A person is told of a longer pause at once, instead of waiting for it without a word. */
const PAUSE_OF_ACTION_MS = 5_000

/**
 * What an answer's headers say of the limit: `ratelimit-limit`, `ratelimit-policy` such as `100;w=1`, and how many
 * requests the whole team has left in the platform's window (`ratelimit-remaining`).
 */
export interface LimitHeaders {
  readonly limit?: string | undefined
  readonly policy?: string | undefined
  readonly remaining?: string | undefined
}

/** The right to send one request. */
export interface Permit {
  /** The answer is here, or will never be. */
  readonly settle: (headers?: LimitHeaders) => void
}

/** Why the platform asked for a pause: its limit was met (429), or it is in trouble (503). */
export type PauseReason = 'limit' | 'trouble'

export interface RequestBudget {
  /**
   * Waits for its turn. Rejects with the signal's reason when it is aborted, and a person's action with
   * `rate_limited` or `platform_failed` where the platform has asked for a pause of more than five seconds.
   */
  readonly acquire: (priority: Priority, signal: AbortSignal) => Promise<Permit>
  /** Nothing is sent for this many milliseconds: the platform said so, as its limit was met or as it is in trouble. */
  readonly pause: (milliseconds: number, reason?: PauseReason) => void
}

interface Waiting {
  readonly grant: () => void
  readonly refuse: (reason: Error) => void
}

/**
 * A place in the window is free again one window after the *answer* came, not after the request went: the platform
 * counted the request at some time before it answered, so no window of its own, sliding or fixed, ever holds more than
 * the limit. Sync, back-fill and keeping are also spread evenly over the window, so that a person's click finds a place soon.
 *
 * The limit is the whole team's (platform facts 1): where an answer leaves less than Linnet itself has used, others use
 * the rest. As many places are left to them for some windows, and one to spare: right after a window of the platform's has
 * begun, no answer can tell of them.
 * @param onPause is told for how many milliseconds nothing is sent; 0 when that is over
 */
export const createRequestBudget = (
  clock: Pick<Clock, 'elapsed' | 'after'> = systemClock,
  onPause: (milliseconds: number) => void = () => undefined,
): RequestBudget => {
  let limit = DEFAULT_LIMIT
  let windowMs = DEFAULT_WINDOW_MS
  let inFlight = 0
  let pausedUntil = 0
  let pauseReason: PauseReason = 'limit'
  let nextEvenAt = 0
  /** When the places of answered requests become free, soonest first. */
  let freeAt: number[] = []
  /** Places that others of the team have taken, and until when. */
  let others = { places: 0, until: 0 }
  const queues: Readonly<Record<Priority, Waiting[]>> = { action: [], screen: [], sync: [], backfill: [], keep: [] }
  /** How many of a more urgent class have gone since one of the class last did. */
  const passed: Record<Priority, number> = { action: 0, screen: 0, sync: 0, backfill: 0, keep: 0 }
  let cancelTimer: (() => void) | null = null
  let cancelPause: (() => void) | null = null

  const forgetSpent = (now: number): void => {
    const spent = freeAt.findIndex((time) => time > now)
    freeAt = spent === -1 ? [] : spent === 0 ? freeAt : freeAt.slice(spent)
    // One place after the other is tried again: whether it is free, the next answers tell.
    if (others.places > 0 && others.until <= now) {
      others = { places: others.places - 1, until: now + OTHERS_LAST_WINDOWS * windowMs }
    }
  }

  const learn = ({ limit: limitHeader, policy, remaining }: LimitHeaders): void => {
    const told = Number(limitHeader)
    if (Number.isInteger(told) && told > 0) limit = told
    const seconds = Number(/;\s*w=(\d+)/.exec(policy ?? '')?.[1])
    if (seconds > 0) windowMs = seconds * 1000
    const left = Number(remaining)
    if (remaining === undefined || !Number.isInteger(left) || left < 0) return
    const now = clock.elapsed()
    forgetSpent(now)
    const own = inFlight + freeAt.length
    const taken = limit - own - left
    // One to spare: what others send next is counted before it can be heard of.
    // Where nothing is left, they have taken at least as much.
    const places = Math.min(taken + (left === 0 ? 2 : 1), limit - 1)
    if (taken > 0 && places >= others.places) others = { places, until: now + OTHERS_LAST_WINDOWS * windowMs }
  }

  /** When a request of a class may go: now or earlier means at once, null that an answer must come first. */
  const opensAt = (priority: Priority, now: number): number | null => {
    if (inFlight >= Math.max(1, Math.min(limit - LEFT_FREE[priority], MAX_IN_FLIGHT[priority]))) return null
    const isEven = PRIORITIES.indexOf(priority) >= PRIORITIES.indexOf('sync')
    const earliest = Math.max(now, pausedUntil, isEven ? nextEvenAt : 0)
    const placeAt = (places: number): number | undefined => (places > 0 ? now : freeAt[-places])
    const places = limit - inFlight - freeAt.length
    const beside = others.places > 0 ? placeAt(places - others.places) : placeAt(places)
    const alone = placeAt(places)
    if (alone === undefined) return null
    // What others have taken is free again when their window is over.
    return Math.max(earliest, others.places > 0 ? Math.min(beside ?? Infinity, Math.max(alone, others.until)) : alone)
  }

  /** The classes that wait, the one that goes next first: in order of need, those that were passed too often before. */
  const inOrder = (): readonly Priority[] =>
    PRIORITIES.filter((priority) => queues[priority].length > 0).toSorted(
      (a, b) => Number(passed[b] >= PASSED_AT_MOST) - Number(passed[a] >= PASSED_AT_MOST),
    )

  const pump = (): void => {
    cancelTimer?.()
    cancelTimer = null
    for (;;) {
      const now = clock.elapsed()
      forgetSpent(now)
      const waiting = inOrder().flatMap((priority) => {
        const at = opensAt(priority, now)
        return at === null ? [] : [{ priority, at }]
      })
      const ready = waiting.find(({ at }) => at <= now)
      if (ready === undefined) {
        const soonest = Math.min(...waiting.map(({ at }) => at))
        if (Number.isFinite(soonest)) cancelTimer = clock.after(soonest - now, pump)
        return
      }
      const { priority } = ready
      const rank = PRIORITIES.indexOf(priority)
      if (rank >= PRIORITIES.indexOf('sync')) {
        nextEvenAt = Math.max(nextEvenAt, now - windowMs / limit) + windowMs / limit
      }
      passed[priority] = 0
      for (const lower of PRIORITIES.slice(rank + 1)) if (queues[lower].length > 0) passed[lower] += 1
      inFlight += 1
      queues[priority].shift()?.grant()
    }
  }

  const permit = (): Permit => {
    let settled = false
    return {
      settle: (headers = {}) => {
        if (settled) return
        settled = true
        inFlight -= 1
        freeAt.push(clock.elapsed() + windowMs)
        learn(headers)
        pump()
      },
    }
  }

  const pauseLeft = (): number => pausedUntil - clock.elapsed()
  const asked = (): ProblemError =>
    new ProblemError(
      pauseReason === 'limit'
        ? { code: 'rate_limited', message: waitingWords(pauseLeft()) }
        : { code: 'platform_failed', message: troubleWords(pauseLeft()) },
    )

  return {
    acquire: (priority, signal) =>
      new Promise((resolve, reject) => {
        const queue = queues[priority]
        const abandon = (): void => {
          const index = queue.indexOf(waiting)
          if (index !== -1) queue.splice(index, 1)
          reject(signal.reason as Error)
        }
        const waiting: Waiting = {
          grant: () => {
            signal.removeEventListener('abort', abandon)
            resolve(permit())
          },
          refuse: (reason) => {
            signal.removeEventListener('abort', abandon)
            reject(reason)
          },
        }
        if (signal.aborted) {
          reject(signal.reason as Error)
          return
        }
        if (priority === 'action' && pauseLeft() > PAUSE_OF_ACTION_MS) {
          reject(asked())
          return
        }
        signal.addEventListener('abort', abandon, { once: true })
        queue.push(waiting)
        pump()
      }),
    pause: (milliseconds, reason = 'limit') => {
      const until = clock.elapsed() + milliseconds
      if (until <= pausedUntil || milliseconds <= 0) return
      pausedUntil = until
      pauseReason = reason
      onPause(milliseconds)
      cancelPause?.()
      cancelPause = clock.after(milliseconds, () => onPause(0))
      if (milliseconds > PAUSE_OF_ACTION_MS) {
        for (const { refuse } of queues.action.splice(0)) refuse(asked())
      }
      pump()
    },
  }
}
