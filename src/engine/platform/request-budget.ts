/**
 * The account's request budget (platform.md 2.1: ten a second per team by default). Every request to the platform waits
 * here first, in order of priority.
 */

import { ProblemError } from '../../shared/result.ts'
import { describePlatformError, describeRateLimit } from './platform-problem.ts'
import { systemClock, type Clock } from '../timing/clock.ts'

/** Bytes over which the throughput is averaged: more than arrive while the engine is briefly blocked. */
const REMEMBERED_BYTES = 256 * 1024
/** Weight of the latest response in the average size. */
const LATEST = 1 / 4

/** Total throughput of all concurrent responses, and their usual size. */
class Throughput {
  #bytes = 0
  /** Milliseconds during which at least one response was arriving. */
  #busyMs = 0
  #lastAt = 0
  #inFlight = 0
  /** Usual response size in bytes. */
  readonly #usual = new Map<Priority, number>()

  /** @param now milliseconds of the monotonic clock */
  begin(now: number): void {
    this.#advanceTo(now)
    this.#inFlight += 1
  }

  receive(now: number, bytes: number): void {
    this.#advanceTo(now)
    this.#bytes += bytes
    if (this.#bytes <= REMEMBERED_BYTES) return
    this.#bytes /= 2
    this.#busyMs /= 2
  }

  /** @param bytes size of the complete response */
  end(now: number, priority: Priority, bytes: number): void {
    this.#advanceTo(now)
    this.#inFlight -= 1
    const usual = this.#usual.get(priority) ?? bytes
    this.#usual.set(priority, usual + (bytes - usual) * LATEST)
  }

  /** Number of responses of this priority that fit into the given time; Infinity until something has been measured. */
  responsesWithin(milliseconds: number, priority: Priority): number {
    // Assume the largest size until one of this priority has been seen.
    const usual = this.#usual.get(priority) ?? Math.max(0, ...this.#usual.values())
    return usual === 0 || this.#busyMs === 0 ? Infinity : ((this.#bytes / this.#busyMs) * milliseconds) / usual
  }

  #advanceTo(now: number): void {
    if (this.#inFlight > 0) this.#busyMs += now - this.#lastAt
    this.#lastAt = now
  }
}

/** Most urgent first: the user's action, the screen, sync, back-fill, and storing mail before the platform drops it. */
export type Priority = 'action' | 'screen' | 'sync' | 'backfill' | 'prefetch'

const PRIORITIES: readonly Priority[] = ['action', 'screen', 'sync', 'backfill', 'prefetch']
/** A waiting class goes next after this many more urgent requests, so none starves. */
const MAX_SKIPS = 16
/** Default until response headers say otherwise (platform.md 2.1). */
const DEFAULT_LIMIT = 10
const DEFAULT_WINDOW_MS = 1_000
/**
 * Another request of a class starts only while fewer than this many are in flight. More would only queue, and hanging
 * requests must leave room for a click.
 */
const MAX_IN_FLIGHT: Readonly<Record<Priority, number>> = { action: 12, screen: 10, sync: 8, backfill: 8, prefetch: 4 }
/** Milliseconds by which sync, back-fill and prefetching may delay a click on a slow connection. */
const MAX_CLICK_DELAY_MS = 2_000
/** Minimum in flight even on the slowest connection, so a large message doesn't block new mail. */
const MIN_IN_FLIGHT: Readonly<Record<Priority, number>> = { ...MAX_IN_FLIGHT, sync: 2, backfill: 1, prefetch: 1 }
/** Slots in the rate-limit window that a class leaves free for more urgent classes. */
const RESERVED_SLOTS: Readonly<Record<Priority, number>> = { action: 0, screen: 1, sync: 2, backfill: 2, prefetch: 3 }
/** Number of rate-limit windows that a slot stays reserved after teammates' last known use. */
const RESERVATION_WINDOWS = 3
/** In longer pauses, the user's actions fail at once instead of waiting. */
const MAX_ACTION_PAUSE_MS = 5_000

/**
 * A response's headers: `ratelimit-limit`, `ratelimit-policy` such as `100;w=1`, and `ratelimit-remaining`, which is
 * the whole team's.
 */
export type LimitHeaders = Readonly<Record<string, string | undefined>>

export interface Permit {
  /** Called with each chunk's size; 0 when the response starts. */
  readonly received: (bytes: number) => void
  /** Call when the response is complete or has failed. */
  readonly settle: (headers?: LimitHeaders) => void
}

/** The rate limit was hit (429), or the platform has trouble (503). */
export type PauseReason = 'limit' | 'trouble'

/** Sync, back-fill and prefetching are spread evenly over the window, so a click soon finds a slot. */
const isPaced = (priority: Priority): boolean => PRIORITIES.indexOf(priority) >= PRIORITIES.indexOf('sync')

/**
 * Slots in the platform's rate-limit window. A slot frees up one window after the *response*: the platform counted the
 * request before it, so neither a sliding nor a fixed window can exceed the limit. The team shares the limit
 * (platform.md 2.1). Used slots that a response shows beyond Linnet's own are teammates'. That number, plus one, stays
 * reserved for some windows, because responses right after a window starts can't show them.
 */
class LimitWindow {
  #limit = DEFAULT_LIMIT
  #windowMs = DEFAULT_WINDOW_MS
  #inFlight = 0
  /** When each slot frees up, soonest first. */
  #freeAt: number[] = []
  /** Slots used by teammates, and until when. */
  #teammates = { places: 0, until: 0 }

  /** Milliseconds between evenly spread requests. */
  get evenMs(): number {
    return this.#windowMs / this.#limit
  }

  take(): void {
    this.#inFlight += 1
  }

  /** Call after a response or failure. @param now milliseconds of the monotonic clock */
  release(now: number, headers: LimitHeaders): void {
    this.#inFlight -= 1
    this.#freeAt.push(now + this.#windowMs)
    this.#applyHeaders(now, headers)
  }

  forgetSpent(now: number): void {
    const spent = this.#freeAt.findIndex((time) => time > now)
    this.#freeAt = spent === -1 ? [] : spent === 0 ? this.#freeAt : this.#freeAt.slice(spent)
    // Retry one reserved slot at a time; the next responses tell whether it is free.
    if (this.#teammates.places > 0 && this.#teammates.until <= now) {
      this.#teammates = { places: this.#teammates.places - 1, until: now + RESERVATION_WINDOWS * this.#windowMs }
    }
  }

  /**
   * Earliest time at which a request may start; null if a response must come first. @param atOnce maximum requests in
   * flight, including this one
   */
  opensAt(priority: Priority, now: number, earliest: number, atOnce: number): number | null {
    const most = Math.max(1, Math.min(this.#limit - RESERVED_SLOTS[priority], atOnce))
    if (this.#inFlight >= most) return null
    const teammates = this.#teammates
    const places = this.#limit - this.#inFlight - this.#freeAt.length
    const alone = this.#slotAvailableAt(priority, now, places, 0)
    if (alone === undefined) return null
    if (teammates.places === 0) return Math.max(earliest, alone)
    const beside = this.#slotAvailableAt(priority, now, places, teammates.places) ?? Infinity
    // Teammates' slots become free when their reservation ends.
    return Math.max(earliest, Math.min(beside, Math.max(alone, teammates.until)))
  }

  /**
   * Time at which a slot is free. Evenly spread requests take a slot only if the next one frees up soon after.
   * Otherwise the burst at start-up would repeat every second of a sync, and a click would wait between bursts.
   * @param places number of free slots, negative if too many are taken @returns undefined if a response must come
   * first
   */
  #slotAvailableAt(priority: Priority, now: number, places: number, teammates: number): number | undefined {
    const free = places - teammates
    const at = (count: number): number | undefined => (count > 0 ? now : this.#freeAt[-count])
    const place = at(free)
    const shared = this.#limit - teammates
    // With a limit of two, there is no slot to reserve.
    if (place === undefined || !isPaced(priority) || shared <= 2) return place
    const next = at(free - 1)
    return next === undefined ? undefined : Math.max(place, next - this.#windowMs / shared)
  }

  #applyHeaders(now: number, headers: LimitHeaders): void {
    const told = Number(headers['ratelimit-limit'])
    if (Number.isInteger(told) && told > 0) this.#limit = told
    const seconds = Number(/;\s*w=(\d+)/.exec(headers['ratelimit-policy'] ?? '')?.[1])
    if (seconds > 0) this.#windowMs = seconds * 1000
    const left = Number(headers['ratelimit-remaining'] ?? Number.NaN)
    if (!Number.isInteger(left) || left < 0) return
    this.forgetSpent(now)
    const own = this.#inFlight + this.#freeAt.length
    const taken = this.#limit - own - left
    // One extra for requests that no response shows yet. If nothing is left, teammates have used at least that much.
    const places = Math.min(taken + (left === 0 ? 2 : 1), this.#limit - 1)
    if (taken > 0 && places >= this.#teammates.places) {
      this.#teammates = { places, until: now + RESERVATION_WINDOWS * this.#windowMs }
    }
  }
}

export class RequestBudget {
  readonly #clock: Pick<Clock, 'elapsed' | 'after'>
  readonly #onPause: (milliseconds: number) => void
  readonly #window = new LimitWindow()
  readonly #throughput = new Throughput()
  readonly #queues: Readonly<Record<Priority, PromiseWithResolvers<Permit>[]>> = {
    action: [],
    screen: [],
    sync: [],
    backfill: [],
    prefetch: [],
  }
  /** More urgent requests sent since the class's last one. */
  readonly #skips: Record<Priority, number> = { action: 0, screen: 0, sync: 0, backfill: 0, prefetch: 0 }
  #nextEvenAt = 0
  #pausedUntil = 0
  #pauseReason: PauseReason = 'limit'
  #cancelTimer: (() => void) | null = null
  #cancelPause: (() => void) | null = null

  /** @param onPause called with the pause in milliseconds, and with 0 when it ends */
  constructor(
    clock: Pick<Clock, 'elapsed' | 'after'> = systemClock,
    onPause: (milliseconds: number) => void = () => undefined,
  ) {
    this.#clock = clock
    this.#onPause = onPause
  }

  /**
   * Waits for a turn. Rejects with the signal's reason. In a long pause, actions reject with `rate_limited` or
   * `platform_failed`.
   */
  async acquire(priority: Priority, signal: AbortSignal): Promise<Permit> {
    signal.throwIfAborted()
    if (priority === 'action' && this.#pauseLeft() > MAX_ACTION_PAUSE_MS) throw this.#pauseProblem()
    const queue = this.#queues[priority]
    const waiting = Promise.withResolvers<Permit>()
    const abandon = (): void => {
      const index = queue.indexOf(waiting)
      if (index !== -1) queue.splice(index, 1)
      waiting.reject(signal.reason)
    }
    signal.addEventListener('abort', abandon, { once: true })
    queue.push(waiting)
    this.#pump()
    try {
      return await waiting.promise
    } finally {
      signal.removeEventListener('abort', abandon)
    }
  }

  /** Sends nothing for this many milliseconds, as requested by the platform. */
  pause(milliseconds: number, reason: PauseReason = 'limit'): void {
    const until = this.#clock.elapsed() + milliseconds
    if (until <= this.#pausedUntil || milliseconds <= 0) return
    this.#pausedUntil = until
    this.#pauseReason = reason
    this.#onPause(milliseconds)
    this.#cancelPause?.()
    this.#cancelPause = this.#clock.after(milliseconds, () => this.#onPause(0))
    if (milliseconds > MAX_ACTION_PAUSE_MS) {
      for (const { reject } of this.#queues.action.splice(0)) reject(this.#pauseProblem())
    }
    this.#pump()
  }

  /** Starts the requests that may start now, and sets a timer for the next one. */
  #pump(): void {
    this.#cancelTimer?.()
    this.#cancelTimer = null
    for (;;) {
      const now = this.#clock.elapsed()
      this.#window.forgetSpent(now)
      const waiting = this.#waitingByUrgency().flatMap((priority) => {
        const earliest = Math.max(now, this.#pausedUntil, isPaced(priority) ? this.#nextEvenAt : 0)
        const at = this.#window.opensAt(priority, now, earliest, this.#maxInFlight(priority))
        return at === null ? [] : [{ priority, at }]
      })
      const ready = waiting.find(({ at }) => at <= now)
      if (ready === undefined) {
        const soonest = Math.min(...waiting.map(({ at }) => at))
        if (Number.isFinite(soonest)) this.#cancelTimer = this.#clock.after(soonest - now, () => this.#pump())
        return
      }
      this.#grantNext(ready.priority, now)
    }
  }

  #grantNext(priority: Priority, now: number): void {
    const { evenMs } = this.#window
    if (isPaced(priority)) this.#nextEvenAt = Math.max(this.#nextEvenAt, now - evenMs) + evenMs
    this.#skips[priority] = 0
    for (const lower of PRIORITIES.slice(PRIORITIES.indexOf(priority) + 1)) {
      if (this.#queues[lower].length > 0) this.#skips[lower] += 1
    }
    this.#window.take()
    this.#queues[priority].shift()?.resolve(this.#permit(priority))
  }

  /** Waiting classes: overdue ones first, then by priority. */
  #waitingByUrgency(): readonly Priority[] {
    return PRIORITIES.filter((priority) => this.#queues[priority].length > 0).toSorted(
      (a, b) => Number(this.#isOverdue(b)) - Number(this.#isOverdue(a)),
    )
  }

  #isOverdue(priority: Priority): boolean {
    return this.#skips[priority] >= MAX_SKIPS
  }

  /** The class's `MAX_IN_FLIGHT`, or less on a slow connection unless the class is overdue. */
  #maxInFlight(priority: Priority): number {
    if (this.#isOverdue(priority)) return MAX_IN_FLIGHT[priority]
    const inTime = Math.floor(this.#throughput.responsesWithin(MAX_CLICK_DELAY_MS, priority))
    return Math.min(MAX_IN_FLIGHT[priority], Math.max(MIN_IN_FLIGHT[priority], inTime))
  }

  #permit(priority: Priority): Permit {
    let isSettled = false
    /** Response size; null before it starts. */
    let bytes: number | null = null
    return {
      received: (more) => {
        if (isSettled) return
        const now = this.#clock.elapsed()
        if (bytes === null) this.#throughput.begin(now)
        bytes = (bytes ?? 0) + more
        this.#throughput.receive(now, more)
      },
      settle: (headers = {}) => {
        if (isSettled) return
        isSettled = true
        const now = this.#clock.elapsed()
        if (bytes !== null) this.#throughput.end(now, priority, bytes)
        this.#window.release(now, headers)
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
        ? { code: 'rate_limited', message: describeRateLimit(this.#pauseLeft()) }
        : { code: 'platform_failed', message: describePlatformError(this.#pauseLeft()) },
    )
  }
}
