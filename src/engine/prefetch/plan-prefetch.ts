import { KEPT_LISTS, type EmailToKeep } from '../store/archive-queue.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** Retention in days (platform facts 1, Retention). Mail may be dropped at any moment after. */
const DROPPED_AFTER_DAYS = 30
/** Mail with fewer days left than this is fetched before newer mail. */
const URGENT_DAYS = 5

/** In milliseconds since the epoch: `from` inclusive, `upTo` exclusive. */
export interface Span {
  readonly from: number
  readonly upTo: number
}

/** Mail about to be dropped. A day past the limit it is not urgent: this platform evidently keeps mail longer. */
export const urgentSpan = (now: number): Span => ({
  from: now - (DROPPED_AFTER_DAYS + 1) * DAY_MS,
  upTo: now - (DROPPED_AFTER_DAYS - URGENT_DAYS) * DAY_MS,
})

/** Start of the stored range, in milliseconds since the epoch. @param days back; null for all */
export const prefetchSince = (days: number | null, now: number): number =>
  days === null ? Number.MIN_SAFE_INTEGER : now - days * DAY_MS

const isIn = ({ from, upTo }: Span, time: number): boolean => time >= from && time < upTo

/**
 * Mail about to be dropped, oldest first; then the rest within the chosen depth, newest first. For equal times, the
 * account's own lists come before threads, which then find the files stored.
 */
export const planPrefetch = (
  emails: readonly EmailToKeep[],
  { now, days }: { readonly now: number; readonly days: number | null },
): readonly EmailToKeep[] => {
  const since = prefetchSince(days, now)
  const urgent = urgentSpan(now)
  const once = [...new Map(emails.map((email) => [`${email.list} ${email.key}`, email])).values()]
  const byList = (a: EmailToKeep, b: EmailToKeep): number =>
    KEPT_LISTS.indexOf(a.list) - KEPT_LISTS.indexOf(b.list) || a.key - b.key
  const wanted = once.filter(({ at }) => at >= since)
  return [
    ...wanted.filter(({ at }) => isIn(urgent, at)).toSorted((a, b) => a.at - b.at || byList(a, b)),
    ...wanted.filter(({ at }) => !isIn(urgent, at)).toSorted((a, b) => b.at - a.at || byList(a, b)),
  ]
}
