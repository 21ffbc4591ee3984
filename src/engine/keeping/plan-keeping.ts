import { KEPT_LISTS, type EmailToKeep } from '../store/keeping-rows.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** The platform keeps mail for so long (platform facts 1, Retention), and may drop it at any moment after. */
const DROPPED_AFTER_DAYS = 30
/** Mail that has fewer days left than this goes before what is newer. */
const URGENT_DAYS = 5

/** A span of time, milliseconds since the epoch: `from` is in it, `upTo` is not. */
export interface Span {
  readonly from: number
  readonly upTo: number
}

/**
 * When mail came in that the platform is about to drop. What is a day older than that has outlived it: that platform
 * keeps mail for longer, and it waits for its turn among the others.
 */
export const urgentSpan = (now: number): Span => ({
  from: now - (DROPPED_AFTER_DAYS + 1) * DAY_MS,
  upTo: now - (DROPPED_AFTER_DAYS - URGENT_DAYS) * DAY_MS,
})

/** From when on mail is kept, milliseconds since the epoch. @param days back; null for all */
export const keptSince = (days: number | null, now: number): number =>
  days === null ? Number.MIN_SAFE_INTEGER : now - days * DAY_MS

const isIn = ({ from, upTo }: Span, time: number): boolean => time >= from && time < upTo

/**
 * The order in which e-mails are kept: first those that the platform is about to drop, the oldest of them first, then all
 * others, the newest first; of those with one time the account's own lists before threads, whose files then are here.
 * Nothing that is older than the chosen depth, and nothing twice.
 */
export const planKeeping = (
  emails: readonly EmailToKeep[],
  { now, days }: { readonly now: number; readonly days: number | null },
): readonly EmailToKeep[] => {
  const since = keptSince(days, now)
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
