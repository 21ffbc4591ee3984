import { setImmediate as nextTurn } from 'node:timers/promises'
import { SEARCH_KEEPING } from '../../shared/model.ts'
import type { ThreadFilter } from '../../shared/thread-query.ts'
import { sleep, type Clock } from '../timing/clock.ts'
import { Loop } from '../timing/loop.ts'
import type { KeptSearch } from './kept-searches.ts'

/** Threads that are gone through in the first turn of the event loop; later ones take as many as they are fit for. */
const FIRST_STEP = 200
const LONGEST_STEP = 3_200
/** What a turn may cost, in milliseconds: half of a frame. One that costs less than half of that is followed by a longer one. */
const TURN_MS = 8
/** How long to wait after a change, in milliseconds: what comes with it is counted at once. */
const SETTLE_MS = 250
/** For one part of time that goes into counting, so many parts go into anything else: a twentieth of the thread at most. */
const REST = 19
/** What one search may cost, in milliseconds; what costs more is not counted until its dates have moved on. */
const MOST_MS = 250
/** How often searches with dates are counted anew, as the days that they speak of move on. */
const DATES_MOVE_MS = 10 * 60_000

/** Where counting goes on. */
type Cursor = number | null

export interface CountPorts {
  readonly saved: () => readonly KeptSearch[]
  /** What is to be counted of a search; null where there is nothing to count: its text has a fault, or asks for read threads. */
  readonly filterOf: (search: KeptSearch) => ThreadFilter | null
  /** Goes through so many threads on this computer and counts those that match; `next` is null at the end. */
  readonly countSome: (
    inboxId: string,
    filter: ThreadFilter,
    from: Cursor,
    threads: number,
  ) => { readonly count: number; readonly next: Cursor }
  /** One of the numbers is another. */
  readonly changed: () => void
  readonly failed: (thrown: unknown) => void
  readonly clock: Pick<Clock, 'after'>
  readonly signal: AbortSignal
}

/** How many unread threads each saved search finds: counted a while after something has changed, if anyone looks. */
export interface UnreadCounts {
  /** Up to one more than `SEARCH_KEEPING.unread`; null for what is not known. From the first call on they are counted. */
  readonly of: (searchId: string) => number | null
  /** Threads or labels of an inbox, or of all of them, are others than before. */
  readonly touch: (inboxId: string | null) => void
  /** A search is new, or not there any more. */
  readonly follow: () => void
  /** Resolves when `signal` has ended the counting. */
  readonly ended: () => Promise<void>
}

export const createUnreadCounts = (ports: CountPorts): UnreadCounts => {
  const { saved, countSome, signal } = ports
  const counts = new Map<string, number | null>()
  const stale = new Set<string>()
  /** Searches that cost too much. */
  const costly = new Set<string>()
  let isWatched = false
  const counting = new Loop(ports.clock, { unref: true })
  const dates = new Loop(ports.clock, { unref: true })

  const isOver = (): boolean => signal.aborted
  const hasDates = (search: KeptSearch): boolean => {
    const filter = ports.filterOf(search)
    return filter !== null && (filter.since !== null || filter.until !== null)
  }

  /** Takes a turn of the event loop for each step. @returns what it cost, in milliseconds */
  const count = async (search: KeptSearch): Promise<{ readonly unread: number | null; readonly cost: number }> => {
    const filter = ports.filterOf(search)
    const most = SEARCH_KEEPING.unread + 1
    let [unread, cost, threads] = [0, 0, FIRST_STEP]
    if (filter === null) return { unread: null, cost }
    for (let from: Cursor = null; unread < most;) {
      const startedAt = performance.now()
      const step = countSome(search.inboxId, filter, from, threads)
      const spent = performance.now() - startedAt
      cost += spent
      unread += step.count
      if (step.next === null) break
      if (spent < TURN_MS / 2) threads = Math.min(2 * threads, LONGEST_STEP)
      else if (spent > TURN_MS) threads = Math.max(1, Math.floor((threads * TURN_MS) / spent / 2))
      if (cost > MOST_MS) {
        costly.add(search.id)
        return { unread: null, cost }
      }
      from = step.next
      await nextTurn()
      if (isOver()) break
    }
    return { unread: Math.min(unread, most), cost }
  }

  const countStale = async (): Promise<number> => {
    let total = 0
    for (const search of saved()) {
      if (isOver()) return total
      if (!stale.delete(search.id)) continue
      const { unread, cost } = await count(search)
      total += cost
      if (isOver() || counts.get(search.id) === unread) continue
      counts.set(search.id, unread)
      ports.changed()
    }
    return total
  }

  const markStale = (which: (search: KeptSearch) => boolean): void => {
    for (const search of saved()) if (which(search)) stale.add(search.id)
    if (stale.size > 0) counting.wake()
  }

  const follow = (): void => {
    const ids = new Set(saved().map(({ id }) => id))
    for (const each of [counts, stale, costly]) for (const id of [...each.keys()]) if (!ids.has(id)) each.delete(id)
    markStale(({ id }) => !counts.has(id))
  }

  const pause = (milliseconds: number): Promise<void> => sleep(ports.clock, milliseconds, signal, { unref: true })
  const start = (): void => {
    counting.start({
      step: async () => {
        if (stale.size === 0) return null
        await pause(SETTLE_MS)
        // Whatever comes meanwhile waits as well, and settles before it is counted.
        await pause(Math.max(0, (await countStale()) * REST - SETTLE_MS))
        return null
      },
      failed: (thrown) => {
        ports.failed(thrown)
        return 0
      },
      signal,
    })
    dates.start({
      firstIn: DATES_MOVE_MS,
      step: () => {
        markStale((search) => costly.delete(search.id) || hasDates(search))
        return DATES_MOVE_MS
      },
      failed: (thrown) => {
        ports.failed(thrown)
        return DATES_MOVE_MS
      },
      signal,
    })
  }

  return {
    of: (searchId) => {
      if (!isWatched) {
        isWatched = true
        follow()
        start()
      }
      return counts.get(searchId) ?? null
    },
    touch: (inboxId) => {
      if (isWatched) markStale((search) => !costly.has(search.id) && (inboxId === null || search.inboxId === inboxId))
    },
    follow,
    ended: () => counting.ended(),
  }
}
