import { z } from 'zod'
import { formatIsoTimestamp } from '../http/dates.ts'
import { type Endpoint, defineEndpoint, respondOk } from '../http/endpoint.ts'
import type { Platform } from '../platform.ts'
import type { Database } from '../storage/database.ts'
import { countEmails, hasLeft } from './email-metrics.ts'
import { isoTime, text } from './shapes.ts'

const count = z.int()
const limit = z.int().nullable()
const period = z.strictObject({ used: count, limit, sent: count, received: count, resets_at: isoTime })
const used = z.strictObject({ used: count, limit })

/** Quotas of the free plan (platform.md 2.4). Reported, not enforced. */
const quotas = { daily: 100, monthly: 3000, contacts: 1000, automationRuns: 0 } as const

export const usageEndpoints: readonly Endpoint[] = [
  defineEndpoint({
    method: 'GET',
    path: '/usage',
    summary: 'What the account has used',
    answers: {
      200: z.strictObject({
        object: z.literal('usage'),
        emails: z.strictObject({ daily: period, monthly: period }),
        contacts: used,
        segments: used,
        broadcasts: used,
        ai_credits: z.strictObject({ used: count, limit, next_increase_at: isoTime.nullable() }),
        automation_runs: z.strictObject({ used: count, limit, resets_at: isoTime }),
        domains: used,
        rate_limit: z.strictObject({ limit: count, duration: text }),
      }),
    },
    handle({ platform }) {
      const { db, settings } = platform
      const { daily, monthly, nextMonth } = usedEmails(platform)
      return respondOk({
        object: 'usage',
        emails: { daily, monthly },
        contacts: { used: countRows(db, 'contacts'), limit: quotas.contacts },
        segments: { used: countRows(db, 'segments'), limit: null },
        broadcasts: { used: 0, limit: null },
        ai_credits: { used: 0, limit: null, next_increase_at: null },
        automation_runs: { used: 0, limit: quotas.automationRuns, resets_at: formatIsoTimestamp(nextMonth) },
        domains: { used: countRows(db, 'domains'), limit: null },
        rate_limit: { limit: settings.rateLimit ?? 1_000_000, duration: '1s' },
      })
    },
  }),
]

type Period = z.infer<typeof period>

function usedEmails(platform: Platform): { daily: Period; monthly: Period; nextMonth: number } {
  const today = new Date(platform.now())
  const [year, month, day] = [today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate()]
  const nextMonth = Date.UTC(year, month + 1, 1)
  return {
    daily: emailsBetween(platform, Date.UTC(year, month, day), Date.UTC(year, month, day + 1), quotas.daily),
    monthly: emailsBetween(platform, Date.UTC(year, month, 1), nextMonth, quotas.monthly),
    nextMonth,
  }
}

/** The amount used (platform.md 2.5). */
export function buildQuotaHeaders(platform: Platform): Readonly<Record<string, string>> {
  const { daily, monthly } = usedEmails(platform)
  return { 'x-resend-daily-quota': String(daily.used), 'x-resend-monthly-quota': String(monthly.used) }
}

/** Counts each recipient of a sent e-mail and each received e-mail (platform.md 2.4). */
function emailsBetween({ db }: Platform, start: number, end: number, quota: number): Period {
  const sent =
    db.get<{ n: number | null }>(
      `SELECT sum(json_array_length(recipients) + json_array_length(cc) + json_array_length(bcc)) AS n
       FROM emails WHERE ${hasLeft} AND received_at BETWEEN ? AND ?`,
      start,
      end - 1,
    )?.n ?? 0
  const received = countEmails(db, "direction = 'inbound'", start, end - 1)
  return { used: sent + received, limit: quota, sent, received, resets_at: formatIsoTimestamp(end) }
}

function countRows(db: Database, table: 'contacts' | 'segments' | 'domains'): number {
  return db.get<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)?.n ?? 0
}
