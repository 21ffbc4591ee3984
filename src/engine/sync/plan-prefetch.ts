import type { EmailToPrefetch, PrefetchQueueStore } from '../store/prefetch-queue.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** The platform's retention in days (platform.md 2.6). It may drop older mail at any moment. */
const DROPPED_AFTER_DAYS = 30
/** Mail that the platform will drop within this many days is fetched before newer mail. */
const URGENT_DAYS = 5

/** In milliseconds since the epoch: `from` inclusive, `upTo` exclusive. */
export interface TimeRange {
  readonly from: number
  readonly upTo: number
}

/** Mail about to be dropped. Mail a day past the limit isn't urgent: this platform evidently keeps it longer. */
export const getUrgentTimeRange = (now: number): TimeRange => ({
  from: now - (DROPPED_AFTER_DAYS + 1) * DAY_MS,
  upTo: now - (DROPPED_AFTER_DAYS - URGENT_DAYS) * DAY_MS,
})

/** Start of the range to store, in milliseconds since the epoch. @param days number of days back; null for all */
export const prefetchStartTime = (days: number | null, now: number): number =>
  days === null ? Number.MIN_SAFE_INTEGER : now - days * DAY_MS

/**
 * Next e-mails to fetch: first mail about to be dropped, oldest first; then the rest within the chosen range, newest
 * first. At equal times, the account's own lists come before threads, so that threads find their files already stored.
 */
export const planPrefetch = (
  rows: Pick<PrefetchQueueStore, 'toDo'>,
  { now, days }: { readonly now: number; readonly days: number | null },
  limit: number,
): readonly EmailToPrefetch[] => {
  const from = prefetchStartTime(days, now)
  const urgent = getUrgentTimeRange(now)
  const soon = { from: Math.max(urgent.from, from), upTo: urgent.upTo, due: now }
  const all = { from, upTo: Number.MAX_SAFE_INTEGER, due: now }
  const others = rows.toDo(all, 'newest', limit).filter(({ at }) => at < urgent.from || at >= urgent.upTo)
  return [...rows.toDo(soon, 'oldest', limit), ...others].slice(0, limit)
}
