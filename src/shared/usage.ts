/** What an account has used of what its platform allows (platform facts 1, Quotas). */

/** How much is used of something, and how much may be; null where the platform does not say, or sets no limit. */
export interface Used {
  readonly used: number
  readonly limit: number | null
}

/** E-mails of a day or a month as the platform counts them: each recipient of a sent one, and each received one. */
export interface UsedEmails extends Used {
  /** Null where it is not known how `used` divides. */
  readonly sent: number | null
  readonly received: number | null
  /** When counting starts again, milliseconds since the epoch; null where the platform does not say. */
  readonly resetsAt: number | null
  /** When the platform said `used`, milliseconds since the epoch. */
  readonly at: number
}

export interface Usage {
  readonly daily: UsedEmails | null
  readonly monthly: UsedEmails | null
  readonly contacts: Used | null
  /** Requests, and in what time, such as `1s`. */
  readonly rateLimit: { readonly limit: number; readonly duration: string } | null
  /** When the platform said all of it, milliseconds since the epoch. */
  readonly at: number
}

/** What is known of it now, and how the last question for it went. */
export interface KnownUsage {
  readonly usage: Usage | null
  /** False where the platform does not seem to say. */
  readonly isOffered: boolean
}

/** How many e-mails are left; null where that is not known: there is no limit, or counting has started again since. */
export const emailsLeft = (emails: UsedEmails | null, now: number): number | null => {
  if (typeof emails?.limit !== 'number') return null
  if (emails.resetsAt !== null && emails.resetsAt <= now) return null
  return Math.max(0, emails.limit - emails.used)
}

/** The period that a message to so many recipients goes over; null where it fits, or that is not known. */
export const periodOver = (
  usage: Usage | null,
  recipients: number,
  now: number,
): { readonly period: 'day' | 'month'; readonly left: number; readonly at: number } | null => {
  const periods = [
    { period: 'day', emails: usage?.daily ?? null },
    { period: 'month', emails: usage?.monthly ?? null },
  ] as const
  for (const { period, emails } of periods) {
    const left = emailsLeft(emails, now)
    if (emails !== null && left !== null && recipients > left) return { period, left, at: emails.at }
  }
  return null
}
