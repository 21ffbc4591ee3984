import { z } from 'zod'
import type { UsageReport, QuotaUsage, EmailQuotaUsage } from '../../../shared/usage.ts'
import { apiPath } from '../api-path.ts'
import { createParser, wireText, RAW_PAYLOAD, parsePlatformTime, type RawPayload } from '../parse-response.ts'
import type { CallOptions, Requests } from '../requests.ts'

const amount = z.int().min(0).optional().catch(undefined)
const limit = z.int().min(0).nullable().optional().catch(undefined)

const wireUsed = z.looseObject({ used: amount, limit }).optional().catch(undefined)
const wireEmails = z
  .looseObject({ used: amount, limit, sent: amount, received: amount, resets_at: wireText })
  .optional()
  .catch(undefined)

const wireUsage = z.looseObject({
  object: z.literal('usage').optional(),
  emails: z.looseObject({ daily: wireEmails, monthly: wireEmails }),
  contacts: wireUsed,
  rate_limit: z
    .looseObject({ limit: z.int().min(1), duration: z.string().min(1).max(20) })
    .optional()
    .catch(undefined),
})

const toUsed = (wire: z.output<typeof wireUsed>): QuotaUsage | null =>
  wire?.used === undefined ? null : { used: wire.used, limit: wire.limit ?? null }

const toEmails = (wire: z.output<typeof wireEmails>, at: number): EmailQuotaUsage | null =>
  wire?.used === undefined
    ? null
    : {
        used: wire.used,
        limit: wire.limit ?? null,
        sent: wire.sent ?? null,
        received: wire.received ?? null,
        resetsAt: parsePlatformTime(wire.resets_at ?? ''),
        at,
      }

export interface FetchedUsage extends UsageReport, RawPayload<z.output<typeof wireUsage>> {}

/** @param at request time, milliseconds since the epoch */
const createUsageParser = (at: number) =>
  createParser(wireUsage, (wire): FetchedUsage => ({
    daily: toEmails(wire.emails.daily, at),
    monthly: toEmails(wire.emails.monthly, at),
    contacts: toUsed(wire.contacts),
    rateLimit:
      wire.rate_limit === undefined ? null : { limit: wire.rate_limit.limit, duration: wire.rate_limit.duration },
    at,
    [RAW_PAYLOAD]: wire,
  })).one

const storedSchema = z.object({ at: z.int(), words: z.unknown() })

/** Serialises for `parseStoredUsage`. */
export const serializeUsage = ({ at, [RAW_PAYLOAD]: words }: FetchedUsage): string => JSON.stringify({ at, words })

/** @returns null if the text is damaged */
export const parseStoredUsage = (said: string): FetchedUsage | null => {
  try {
    const { at, words } = storedSchema.parse(JSON.parse(said))
    return createUsageParser(at)(words)
  } catch {
    return null
  }
}

/** Sent e-mails from response headers (platform.md 2.5); null if absent. */
export interface QuotaHeaders {
  readonly daily: number | null
  readonly monthly: number | null
}

const parseAmount = (header: string | undefined): number | null =>
  header !== undefined && /^\d{1,15}$/.test(header.trim()) ? Number(header) : null

export const parseQuotaHeaders = (headers: Readonly<Record<string, string | undefined>>): QuotaHeaders => ({
  daily: parseAmount(headers['x-resend-daily-quota']),
  monthly: parseAmount(headers['x-resend-monthly-quota']),
})

/** @param now wall time, milliseconds since the epoch */
export const createUsageCalls = (requests: Requests, now: () => number) => ({
  /** See platform.md 2.7. */
  getUsage: async (options: CallOptions): Promise<FetchedUsage> => {
    const at = now()
    return createUsageParser(at)(await requests.get(apiPath`/usage`, options, { maxBytes: 64 * 1024 }))
  },
})
