/** Quotas of an account and their use (platform.md 2.4). */

/** Use of a quota. `limit` is null if the platform doesn't report one, or if there is none. */
export interface QuotaUsage {
  readonly used: number
  readonly limit: number | null
}

/** E-mails of a day or month as the platform counts them: each recipient of a sent e-mail, and each received e-mail. */
export interface EmailQuotaUsage extends QuotaUsage {
  /** Null if the platform doesn't split `used` into sent and received. */
  readonly sent: number | null
  readonly received: number | null
  /** When the count resets, milliseconds since the epoch; null if the platform doesn't report it. */
  readonly resetsAt: number | null
  /** When the platform reported `used`, milliseconds since the epoch. */
  readonly at: number
}

export interface UsageReport {
  readonly daily: EmailQuotaUsage | null
  readonly monthly: EmailQuotaUsage | null
  readonly contacts: QuotaUsage | null
  /** Number of requests allowed per duration, such as `1s`. */
  readonly rateLimit: { readonly limit: number; readonly duration: string } | null
  /** When the platform reported these values, milliseconds since the epoch. */
  readonly at: number
}

export interface KnownUsage {
  readonly usage: UsageReport | null
  /** False if the platform apparently doesn't report usage. */
  readonly isOffered: boolean
}

/** E-mails left in the period. Null if unknown, because there is no limit or the count has been reset since. */
export const countEmailsLeft = (emails: EmailQuotaUsage | null, now: number): number | null => {
  if (typeof emails?.limit !== 'number') return null
  if (emails.resetsAt !== null && emails.resetsAt <= now) return null
  return Math.max(0, emails.limit - emails.used)
}

/**
 * The period whose limit would be exceeded by a message to this many recipients; null if there is none, or if unknown.
 */
export const findExceededPeriod = (
  usage: UsageReport | null,
  recipients: number,
  now: number,
): { readonly period: 'day' | 'month'; readonly left: number; readonly at: number } | null => {
  const periods = [
    { period: 'day', emails: usage?.daily ?? null },
    { period: 'month', emails: usage?.monthly ?? null },
  ] as const
  for (const { period, emails } of periods) {
    const left = countEmailsLeft(emails, now)
    if (emails !== null && left !== null && recipients > left) return { period, left, at: emails.at }
  }
  return null
}
