import { setImmediate as nextTurn } from 'node:timers/promises'
import { STORED_SEARCH_LIMITS } from '../../../shared/model.ts'
import type { ThreadFilter } from '../../../shared/thread-query.ts'
import { sleep, type Clock } from '../../timing/clock.ts'
import { Loop } from '../../timing/loop.ts'
import type { StoredSearch } from './search-store.ts'

/** Threads counted in the first step. Later steps adapt to `TURN_MS`. */
const FIRST_STEP = 200
const MAX_STEP = 3_200
/** Time budget per turn of the event loop: half a frame. After less than half of it, the next step is larger. */
const TURN_MS = 8
/** Delay after a change, in milliseconds, so that related changes are counted together. */
const SETTLE_MS = 250
/** Idle time per unit of counting time. Counting thus uses at most a twentieth of the engine's thread. */
const IDLE_RATIO = 19
/** Time limit for one search. If exceeded, it isn't counted again until relative dates are next updated. */
const MAX_MS = 250
/** Interval for recounting searches with dates, in milliseconds, since relative dates move on. */
const DATE_RECOUNT_INTERVAL_MS = 10 * 60_000

/** A search to count: a saved search, or a tab, which covers only the inbox folder. */
export interface CountedSearch extends Pick<StoredSearch, 'id' | 'inboxId' | 'text'> {
  readonly isOfTab?: true
}

type Cursor = number | null

export interface UnreadCountDependencies {
  readonly counted: () => readonly CountedSearch[]
  /** Filter of a search; null if its text is invalid or asks for read threads. */
  readonly filterOf: (search: CountedSearch) => ThreadFilter | null
  /** Scans up to `threads` local threads and counts matches; `next` is null at the end. */
  readonly countSome: (
    inboxId: string,
    filter: ThreadFilter,
    from: Cursor,
    threads: number,
  ) => { readonly count: number; readonly next: Cursor }
  readonly changed: () => void
  readonly failed: (thrown: unknown) => void
  readonly clock: Pick<Clock, 'after' | 'elapsed'>
  readonly signal: AbortSignal
}

export class UnreadCounts {
  readonly #ports: UnreadCountDependencies
  readonly #counts = new Map<string, number | null>()
  readonly #stale = new Set<string>()
  readonly #costly = new Set<string>()
  readonly #counting: Loop
  readonly #dateLoop: Loop
  #isWatched = false

  constructor(ports: UnreadCountDependencies) {
    this.#ports = ports
    this.#counting = new Loop(ports.clock, { unref: true })
    this.#dateLoop = new Loop(ports.clock, { unref: true })
  }

  /** Unread count, at most `STORED_SEARCH_LIMITS.unread` + 1; null if unknown. The first call starts counting. */
  of(searchId: string): number | null {
    if (!this.#isWatched) {
      this.#isWatched = true
      this.searchesChanged()
      this.#start()
    }
    return this.#counts.get(searchId) ?? null
  }

  /** Call when threads or labels of an inbox have changed; null for all inboxes. */
  mailChanged(inboxId: string | null): void {
    if (!this.#isWatched) return
    this.#markStale((search) => !this.#costly.has(search.id) && (inboxId === null || search.inboxId === inboxId))
  }

  searchesChanged(): void {
    const ids = new Set(this.#ports.counted().map(({ id }) => id))
    for (const each of [this.#counts, this.#stale, this.#costly]) {
      for (const id of [...each.keys()]) if (!ids.has(id)) each.delete(id)
    }
    this.#markStale(({ id }) => !this.#counts.has(id))
  }

  ended(): Promise<void> {
    return this.#counting.ended()
  }

  #start(): void {
    const { failed, signal } = this.#ports
    this.#counting.start({
      step: async () => {
        if (this.#stale.size === 0) return null
        await this.#pause(SETTLE_MS)
        // Changes that arrive during the pause are counted after another `SETTLE_MS`.
        await this.#pause(Math.max(0, (await this.#countStale()) * IDLE_RATIO - SETTLE_MS))
        return null
      },
      ...{ report: failed, retryIn: 0 },
      signal,
    })
    this.#dateLoop.start({
      firstIn: DATE_RECOUNT_INTERVAL_MS,
      step: () => {
        this.#markStale((search) => this.#costly.delete(search.id) || this.#hasDates(search))
        return DATE_RECOUNT_INTERVAL_MS
      },
      ...{ report: failed, retryIn: DATE_RECOUNT_INTERVAL_MS },
      signal,
    })
  }

  #pause(milliseconds: number): Promise<void> {
    return sleep(this.#ports.clock, milliseconds, this.#ports.signal, { unref: true })
  }

  #hasDates(search: CountedSearch): boolean {
    const filter = this.#ports.filterOf(search)
    return filter !== null && (filter.since !== null || filter.until !== null)
  }

  #markStale(which: (search: CountedSearch) => boolean): void {
    for (const search of this.#ports.counted()) if (which(search)) this.#stale.add(search.id)
    if (this.#stale.size > 0) this.#counting.wake()
  }

  /** Counts all searches whose count is out of date. @returns the time spent, in milliseconds */
  async #countStale(): Promise<number> {
    const { counted, changed, signal } = this.#ports
    const isOver = (): boolean => signal.aborted
    let total = 0
    for (const search of counted()) {
      if (isOver()) return total
      if (!this.#stale.delete(search.id)) continue
      const { unread, cost } = await this.#count(search)
      total += cost
      if (isOver() || this.#counts.get(search.id) === unread) continue
      this.#counts.set(search.id, unread)
      changed()
    }
    return total
  }

  /** Yields to the event loop after each step. @returns the time spent, in milliseconds, as `cost` */
  async #count(search: CountedSearch): Promise<{ readonly unread: number | null; readonly cost: number }> {
    const { filterOf, countSome, clock, signal } = this.#ports
    const filter = filterOf(search)
    const most = STORED_SEARCH_LIMITS.unread + 1
    let [unread, cost, threads] = [0, 0, FIRST_STEP]
    if (filter === null) return { unread: null, cost }
    for (let from: Cursor = null; unread < most;) {
      const startedAt = clock.elapsed()
      const step = countSome(search.inboxId, filter, from, threads)
      const spent = clock.elapsed() - startedAt
      cost += spent
      unread += step.count
      if (step.next === null) break
      if (spent < TURN_MS / 2) threads = Math.min(2 * threads, MAX_STEP)
      else if (spent > TURN_MS) threads = Math.max(1, Math.floor((threads * TURN_MS) / spent / 2))
      if (cost > MAX_MS) {
        this.#costly.add(search.id)
        return { unread: null, cost }
      }
      from = step.next
      await nextTurn()
      if (signal.aborted) break
    }
    return { unread: Math.min(unread, most), cost }
  }
}
