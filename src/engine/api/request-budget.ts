/**
 * The one budget of requests that an account has (house, "Data"; platform facts 1: ten a second and team, by default).
 * Everything that goes to the platform asks here first, in order of need.
 */

/** In order of need: what a person just did, what is on screen, sync, back-fill. */
export type Priority = 'action' | 'screen' | 'sync' | 'backfill'

const RANK: Readonly<Record<Priority, number>> = { action: 0, screen: 1, sync: 2, backfill: 3 }
/** A request that has waited this long is as urgent as the class above it, so that no class can starve. */
const AGEING_MS = 5_000
/** Ten a second until the answers' headers say otherwise (platform facts 1). */
const DEFAULT_LIMIT = 10
const DEFAULT_WINDOW_MS = 1_000
/** More at once would only wait in the platform's own queue. */
const MAX_IN_FLIGHT = 8

export interface Clock {
  /** Milliseconds that never go back. */
  readonly now: () => number
  /** Calls once after a delay in milliseconds; returns what cancels it. */
  readonly after: (delay: number, callback: () => void) => () => void
}

const systemClock: Clock = {
  now: () => performance.now(),
  after: (delay, callback) => {
    const timer = setTimeout(callback, delay)
    return () => clearTimeout(timer)
  },
}

/** What an answer's headers say of the limit: `ratelimit-limit`, and `ratelimit-policy` such as `100;w=1`. */
export interface LimitHeaders {
  readonly limit?: string | undefined
  readonly policy?: string | undefined
}

/** The right to send one request. */
export interface Permit {
  /** The answer is here, or will never be. */
  readonly settle: (headers?: LimitHeaders) => void
}

export interface RequestBudget {
  /** Waits for its turn. Rejects with the signal's reason when it is aborted. */
  readonly acquire: (priority: Priority, signal: AbortSignal) => Promise<Permit>
  /** Nothing is sent for this many milliseconds: the platform said so. */
  readonly pause: (milliseconds: number) => void
}

interface Waiting {
  readonly rank: number
  readonly since: number
  readonly grant: () => void
}

/** The index of the request that goes next: the smallest rank, each five seconds of waiting counting as one rank. */
const mostUrgent = (queue: readonly Waiting[], now: number): number => {
  const urgency = ({ rank, since }: Waiting): number => rank - (now - since) / AGEING_MS
  return queue.reduce((best, waiting, index) => {
    const leader = queue[best]
    return leader !== undefined && urgency(waiting) < urgency(leader) ? index : best
  }, 0)
}

/**
 * A place in the window is free again one window after the *answer* came, not after the request went: the platform
 * counted the request at some time before it answered, so no window of its own, sliding or fixed, ever holds more than
 * the limit. Sync and back-fill are also spread evenly over the window, so that a person's click finds a place soon.
 */
export const createRequestBudget = (clock: Clock = systemClock): RequestBudget => {
  let limit = DEFAULT_LIMIT
  let windowMs = DEFAULT_WINDOW_MS
  let inFlight = 0
  let pausedUntil = 0
  let nextEvenAt = 0
  /** When the places of answered requests become free, soonest first. */
  let freeAt: number[] = []
  const queue: Waiting[] = []
  let cancelTimer: (() => void) | null = null

  const learn = ({ limit: limitHeader, policy }: LimitHeaders): void => {
    const told = Number(limitHeader)
    if (Number.isInteger(told) && told > 0) limit = told
    const seconds = Number(/;\s*w=(\d+)/.exec(policy ?? '')?.[1])
    if (seconds > 0) windowMs = seconds * 1000
  }

  /** When the most urgent request may go: now or earlier means at once, null that an answer must come first. */
  const opensAt = (evenly: boolean, now: number): number | null => {
    if (inFlight >= Math.min(limit, MAX_IN_FLIGHT)) return null
    const places = limit - inFlight - freeAt.length
    const placeAt = places > 0 ? now : freeAt[-places]
    if (placeAt === undefined) return null
    return Math.max(placeAt, pausedUntil, evenly ? nextEvenAt : 0)
  }

  const pump = (): void => {
    cancelTimer?.()
    cancelTimer = null
    for (;;) {
      const now = clock.now()
      const spent = freeAt.findIndex((time) => time > now)
      freeAt = spent === -1 ? [] : spent === 0 ? freeAt : freeAt.slice(spent)
      const index = mostUrgent(queue, now)
      const next = queue[index]
      if (next === undefined) return
      const evenly = next.rank >= RANK.sync
      const at = opensAt(evenly, now)
      if (at === null) return
      if (at > now) {
        cancelTimer = clock.after(at - now, pump)
        return
      }
      if (evenly) nextEvenAt = Math.max(nextEvenAt, now - windowMs / limit) + windowMs / limit
      queue.splice(index, 1)
      inFlight += 1
      next.grant()
    }
  }

  const permit = (): Permit => {
    let settled = false
    return {
      settle: (headers = {}) => {
        if (settled) return
        settled = true
        inFlight -= 1
        learn(headers)
        freeAt.push(clock.now() + windowMs)
        pump()
      },
    }
  }

  return {
    acquire: (priority, signal) =>
      new Promise((resolve, reject) => {
        const abandon = (): void => {
          const index = queue.indexOf(waiting)
          if (index !== -1) queue.splice(index, 1)
          reject(signal.reason as Error)
        }
        const waiting: Waiting = {
          rank: RANK[priority],
          since: clock.now(),
          grant: () => {
            signal.removeEventListener('abort', abandon)
            resolve(permit())
          },
        }
        if (signal.aborted) {
          reject(signal.reason as Error)
          return
        }
        signal.addEventListener('abort', abandon, { once: true })
        queue.push(waiting)
        pump()
      }),
    pause: (milliseconds) => {
      pausedUntil = Math.max(pausedUntil, clock.now() + milliseconds)
      pump()
    },
  }
}
