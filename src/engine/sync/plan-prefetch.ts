import { PREFETCHED_LISTS, type EmailToPrefetch } from '../store/prefetch-queue.ts'

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

const isIn = ({ from, upTo }: TimeRange, time: number): boolean => time >= from && time < upTo

/**
 * Order for fetching mail: first mail about to be dropped, oldest first; then the rest within the chosen range, newest
 * first. At equal times, the account's own lists come before threads, so that threads find their files already stored.
 */
export const planPrefetch = (
  emails: readonly EmailToPrefetch[],
  { now, days }: { readonly now: number; readonly days: number | null },
): readonly EmailToPrefetch[] => {
  const since = prefetchStartTime(days, now)
  const urgent = getUrgentTimeRange(now)
  const once = [...new Map(emails.map((email) => [`${email.list} ${email.key}`, email])).values()]
  const byList = (a: EmailToPrefetch, b: EmailToPrefetch): number =>
    PREFETCHED_LISTS.indexOf(a.list) - PREFETCHED_LISTS.indexOf(b.list) || a.key - b.key
  const wanted = once.filter(({ at }) => at >= since)
  return [
    ...wanted.filter(({ at }) => isIn(urgent, at)).toSorted((a, b) => a.at - b.at || byList(a, b)),
    ...wanted.filter(({ at }) => !isIn(urgent, at)).toSorted((a, b) => b.at - a.at || byList(a, b)),
  ]
}
