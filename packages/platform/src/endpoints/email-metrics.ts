import { z } from 'zod'
import { createValidationError } from '../http/api-error.ts'
import { formatIsoTimestamp } from '../http/dates.ts'
import { type Endpoint, defineEndpoint, respondOk } from '../http/endpoint.ts'
import { toStartTime, toEndTime, parseMoment } from '../search/moments.ts'
import type { Database } from '../storage/database.ts'
import { isoTime } from './shapes.ts'

const metrics = ['sent', 'delivered', 'received'] as const
const count = z.int()
/** SQL conditions: sent e-mails that left the platform, and those that were delivered. */
export const hasLeft =
  "direction = 'outbound' AND last_event NOT IN ('canceled', 'failed', 'queued', 'scheduled', 'suppressed')"
const hasArrived = "last_event IN ('clicked', 'complained', 'delivered', 'opened')"
const sixDays = 6 * 24 * 60 * 60 * 1000

export const emailMetricsEndpoints: readonly Endpoint[] = [
  defineEndpoint({
    method: 'GET',
    path: '/emails/metrics',
    summary: 'Count e-mails of a time range (totals only)',
    query: [
      { name: 'start_date', description: 'ISO 8601; default six days before `end_date`.' },
      { name: 'end_date', description: 'ISO 8601; default now.' },
    ],
    answers: {
      200: z.strictObject({
        object: z.literal('metrics'),
        start_date: isoTime,
        end_date: isoTime,
        metrics: z.array(z.enum(metrics)),
        dimensions: z.array(z.never()),
        granularity: z.literal('daily'),
        totals: z.strictObject({ sent: count, delivered: count, received: count }),
      }),
    },
    handle(request) {
      const { db, now } = request.platform
      const end = parseBound(request.query, 'end_date', toEndTime) ?? now()
      const start = parseBound(request.query, 'start_date', toStartTime) ?? end - sixDays
      return respondOk({
        object: 'metrics',
        start_date: formatIsoTimestamp(start),
        end_date: formatIsoTimestamp(end),
        metrics,
        dimensions: [],
        granularity: 'daily',
        totals: {
          sent: countEmails(db, hasLeft, start, end),
          delivered: countEmails(db, hasArrived, start, end),
          received: countEmails(db, "direction = 'inbound'", start, end),
        },
      })
    },
  }),
]

function parseBound(query: URLSearchParams, name: string, bound: typeof toStartTime): number | null {
  const text = query.get(name)
  if (text === null) return null
  const moment = parseMoment(text)
  if (!moment) throw createValidationError(`The \`${name}\` must be a valid ISO 8601 date.`)
  return bound(moment)
}

/** @param start milliseconds since 1970, inclusive like `end` */
export function countEmails(db: Database, condition: string, start: number, end: number): number {
  const row = db.get<{ n: number }>(
    `SELECT count(*) AS n FROM emails WHERE ${condition} AND received_at BETWEEN ? AND ?`,
    start,
    end,
  )
  return row?.n ?? 0
}
