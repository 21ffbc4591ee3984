/**
 * The one budget of requests that an account has (house, "Data"; platform facts 1: ten a second and team, by default).
 * Everything that goes to the platform asks here first, in order of need.
 */

import { ProblemError } from '../../shared/result.ts'
import { LinePace } from './line-pace.ts'
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
/**
 * For how many milliseconds the line may be busy with what is on its way when sync, back-fill or keeping asks for more: on a thin one a
 * click shares it with no more than that.
 */
const BUSY_MS = 2_000
/** As many may be on their way on the thinnest line: new mail does not wait until a large message has left. */
const LEAST_IN_FLIGHT: Readonly<Record<Priority, number>> = { ...MAX_IN_FLIGHT, sync: 2, backfill: 1, keep: 1 }
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

export interface Permit {
  /** So many bytes of the answer's body have come; none when it begins. */
  readonly received: (bytes: number) => void
  /** The answer is here, or will never be. */
  readonly settle: (headers?: LimitHeaders) => void
}

/** Why the platform asked for a pause: its limit was met (429), or it is in trouble (503). */
export type PauseReason = 'limit' | 'trouble'

interface Waiting {
  readonly grant: () => void
  readonly refuse: (reason: Error) => void
}

/** Whether a class is spread evenly over the window, so that a person's click finds a place soon: sync, back-fill and keeping. */
const isEven = (priority: Priority): boolean => PRIORITIES.indexOf(priority) >= PRIORITIES.indexOf('sync')

/**
 * The places of the platform's window. One is free again one window after the *answer* came, not after the request went: the
 * platform counted the request at some time before it answered, so no window of its own, sliding or fixed, ever holds more than
 * the limit.
 *
 * The limit is the whole team's (platform facts 1): where an answer leaves less than Linnet itself has used, others use
 * the rest. As many places are left to them for some windows, and one to spare: right after a window of the platform's has
 * begun, no answer can tell of them.
 */
class LimitWindow {
  #limit = DEFAULT_LIMIT
  #windowMs = DEFAULT_WINDOW_MS
  #inFlight = 0
  /** When the places of answered requests become free, soonest first. */
  #freeAt: number[] = []
  /** Places that others of the team have taken, and until when. */
  #others = { places: 0, until: 0 }

  /** Between two requests that are spread evenly over the window, milliseconds. */
  get evenMs(): number {
    return this.#windowMs / this.#limit
  }

  take(): void {
    this.#inFlight += 1
  }

  /** A request was answered, or never will be. @param now milliseconds of the clock that only goes on */
  giveBack(now: number, headers: LimitHeaders): void {
    this.#inFlight -= 1
    this.#freeAt.push(now + this.#windowMs)
    this.#learn(now, headers)
  }

  forgetSpent(now: number): void {
    const spent = this.#freeAt.findIndex((time) => time > now)
    this.#freeAt = spent === -1 ? [] : spent === 0 ? this.#freeAt : this.#freeAt.slice(spent)
    // One place after the other is tried again: whether it is free, the next answers tell.
    if (this.#others.places > 0 && this.#others.until <= now) {
      this.#others = { places: this.#others.places - 1, until: now + OTHERS_LAST_WINDOWS * this.#windowMs }
    }
  }

  /**
   * When a request of a class may go that may not go earlier than a time: null that an answer must come first.
   * @param earliest now, or later
   * @param atOnce how many may be on their way with it
   */
  opensAt(priority: Priority, now: number, earliest: number, atOnce: number): number | null {
    const most = Math.max(1, Math.min(this.#limit - LEFT_FREE[priority], atOnce))
    if (this.#inFlight >= most) return null
    const others = this.#others
    const places = this.#limit - this.#inFlight - this.#freeAt.length
    const alone = this.#placeAt(priority, now, places, 0)
    if (alone === undefined) return null
    if (others.places === 0) return Math.max(earliest, alone)
    const beside = this.#placeAt(priority, now, places, others.places) ?? Infinity
    // What others have taken is free again when their window is over.
    return Math.max(earliest, Math.min(beside, Math.max(alone, others.until)))
  }

  /**
   * When a place is free. What is spread evenly takes one only where another one is free soon after it: places come back as
   * unevenly as they were taken, so that the burst of a start would come again each second for as long as a sync goes on,
   * and a click would wait from its end to the next.
   * @param places that are free, or how many are lacking @param others how many are left to others
   * @returns undefined where an answer must come first
   */
  #placeAt(priority: Priority, now: number, places: number, others: number): number | undefined {
    const free = places - others
    const at = (count: number): number | undefined => (count > 0 ? now : this.#freeAt[-count])
    const place = at(free)
    const shared = this.#limit - others
    // A limit of two has none to spare.
    if (place === undefined || !isEven(priority) || shared <= 2) return place
    const next = at(free - 1)
    return next === undefined ? undefined : Math.max(place, next - this.#windowMs / shared)
  }

  #learn(now: number, { limit, policy, remaining }: LimitHeaders): void {
    const told = Number(limit)
    if (Number.isInteger(told) && told > 0) this.#limit = told
    const seconds = Number(/;\s*w=(\d+)/.exec(policy ?? '')?.[1])
    if (seconds > 0) this.#windowMs = seconds * 1000
    const left = Number(remaining)
    if (remaining === undefined || !Number.isInteger(left) || left < 0) return
    this.forgetSpent(now)
    const own = this.#inFlight + this.#freeAt.length
    const taken = this.#limit - own - left
    // One to spare: what others send next is counted before it can be heard of.
    // Where nothing is left, they have taken at least as much.
    const places = Math.min(taken + (left === 0 ? 2 : 1), this.#limit - 1)
    if (taken > 0 && places >= this.#others.places) {
      this.#others = { places, until: now + OTHERS_LAST_WINDOWS * this.#windowMs }
    }
  }
}

/** The order in which requests go, and when. */
export class RequestBudget {
  readonly #clock: Pick<Clock, 'elapsed' | 'after'>
  readonly #onPause: (milliseconds: number) => void
  readonly #window = new LimitWindow()
  readonly #pace = new LinePace<Priority>()
  readonly #queues: Readonly<Record<Priority, Waiting[]>> = {
    action: [],
    screen: [],
    sync: [],
    backfill: [],
    keep: [],
  }
  /** How many of a more urgent class have gone since one of the class last did. */
  readonly #passed: Record<Priority, number> = { action: 0, screen: 0, sync: 0, backfill: 0, keep: 0 }
  #nextEvenAt = 0
  #pausedUntil = 0
  #pauseReason: PauseReason = 'limit'
  #cancelTimer: (() => void) | null = null
  #cancelPause: (() => void) | null = null

  /** @param onPause is told for how many milliseconds nothing is sent; 0 when that is over */
  constructor(
    clock: Pick<Clock, 'elapsed' | 'after'> = systemClock,
    onPause: (milliseconds: number) => void = () => undefined,
  ) {
    this.#clock = clock
    this.#onPause = onPause
  }

  /**
   * Waits for its turn. Rejects with the signal's reason when it is aborted, and a person's action with
   * `rate_limited` or `platform_failed` where the platform has asked for a pause of more than five seconds.
   */
  acquire(priority: Priority, signal: AbortSignal): Promise<Permit> {
    return new Promise((resolve, reject) => {
      const queue = this.#queues[priority]
      const waiting: Waiting = {
        grant: () => {
          signal.removeEventListener('abort', abandon)
          resolve(this.#permit(priority))
        },
        refuse: (reason) => {
          signal.removeEventListener('abort', abandon)
          reject(reason)
        },
      }
      function abandon(): void {
        const index = queue.indexOf(waiting)
        if (index !== -1) queue.splice(index, 1)
        reject(signal.reason as Error)
      }
      if (signal.aborted) {
        reject(signal.reason as Error)
        return
      }
      if (priority === 'action' && this.#pauseLeft() > PAUSE_OF_ACTION_MS) {
        reject(this.#pauseProblem())
        return
      }
      signal.addEventListener('abort', abandon, { once: true })
      queue.push(waiting)
      this.#pump()
    })
  }

  /** Nothing is sent for this many milliseconds: the platform said so, as its limit was met or as it is in trouble. */
  pause(milliseconds: number, reason: PauseReason = 'limit'): void {
    const until = this.#clock.elapsed() + milliseconds
    if (until <= this.#pausedUntil || milliseconds <= 0) return
    this.#pausedUntil = until
    this.#pauseReason = reason
    this.#onPause(milliseconds)
    this.#cancelPause?.()
    this.#cancelPause = this.#clock.after(milliseconds, () => this.#onPause(0))
    if (milliseconds > PAUSE_OF_ACTION_MS) {
      for (const { refuse } of this.#queues.action.splice(0)) refuse(this.#pauseProblem())
    }
    this.#pump()
  }

  /** Lets go what may go, and comes back when the next one may. */
  #pump(): void {
    this.#cancelTimer?.()
    this.#cancelTimer = null
    for (;;) {
      const now = this.#clock.elapsed()
      this.#window.forgetSpent(now)
      const waiting = this.#inOrder().flatMap((priority) => {
        const earliest = Math.max(now, this.#pausedUntil, isEven(priority) ? this.#nextEvenAt : 0)
        const at = this.#window.opensAt(priority, now, earliest, this.#atOnce(priority))
        return at === null ? [] : [{ priority, at }]
      })
      const ready = waiting.find(({ at }) => at <= now)
      if (ready === undefined) {
        const soonest = Math.min(...waiting.map(({ at }) => at))
        if (Number.isFinite(soonest)) this.#cancelTimer = this.#clock.after(soonest - now, () => this.#pump())
        return
      }
      this.#go(ready.priority, now)
    }
  }

  #go(priority: Priority, now: number): void {
    const { evenMs } = this.#window
    if (isEven(priority)) this.#nextEvenAt = Math.max(this.#nextEvenAt, now - evenMs) + evenMs
    this.#passed[priority] = 0
    for (const lower of PRIORITIES.slice(PRIORITIES.indexOf(priority) + 1)) {
      if (this.#queues[lower].length > 0) this.#passed[lower] += 1
    }
    this.#window.take()
    this.#queues[priority].shift()?.grant()
  }

  /** The classes that wait, the one that goes next first: in order of need, those that were passed too often before. */
  #inOrder(): readonly Priority[] {
    return PRIORITIES.filter((priority) => this.#queues[priority].length > 0).toSorted(
      (a, b) => Number(this.#isOverdue(b)) - Number(this.#isOverdue(a)),
    )
  }

  #isOverdue(priority: Priority): boolean {
    return this.#passed[priority] >= PASSED_AT_MOST
  }

  /** How many may be on their way with one more of a class: on a thin line few, unless the class was passed too often. */
  #atOnce(priority: Priority): number {
    if (this.#isOverdue(priority)) return MAX_IN_FLIGHT[priority]
    const inTime = Math.floor(this.#pace.answersWithin(BUSY_MS, priority))
    return Math.min(MAX_IN_FLIGHT[priority], Math.max(LEAST_IN_FLIGHT[priority], inTime))
  }

  #permit(priority: Priority): Permit {
    let isSettled = false
    /** Of the answer; null before it has begun. */
    let bytes: number | null = null
    return {
      received: (more) => {
        if (isSettled) return
        const now = this.#clock.elapsed()
        if (bytes === null) this.#pace.begin(now)
        bytes = (bytes ?? 0) + more
        this.#pace.receive(now, more)
      },
      settle: (headers = {}) => {
        if (isSettled) return
        isSettled = true
        const now = this.#clock.elapsed()
        if (bytes !== null) this.#pace.end(now, priority, bytes)
        this.#window.giveBack(now, headers)
        this.#pump()
      },
    }
  }

  #pauseLeft(): number {
    return this.#pausedUntil - this.#clock.elapsed()
  }

  #pauseProblem(): ProblemError {
    return new ProblemError(
      this.#pauseReason === 'limit'
        ? { code: 'rate_limited', message: waitingWords(this.#pauseLeft()) }
        : { code: 'platform_failed', message: troubleWords(this.#pauseLeft()) },
    )
  }
}
