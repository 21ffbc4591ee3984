import { z } from 'zod'
import type { Usage, Used, UsedEmails } from '../../shared/usage.ts'
import { path } from './path.ts'
import { parsePlatformTime } from './platform-time.ts'
import { readWith, text, RAW } from './read-response.ts'
import type { CallOptions, Requests } from './requests.ts'
import type { RawPayload } from './raw-payload.ts'

const amount = z.int().min(0).optional().catch(undefined)
const limit = z.int().min(0).nullable().optional().catch(undefined)

const wireUsed = z.looseObject({ used: amount, limit }).optional().catch(undefined)
const wireEmails = z
  .looseObject({ used: amount, limit, sent: amount, received: amount, resets_at: text })
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

const toUsed = (wire: z.output<typeof wireUsed>): Used | null =>
  wire?.used === undefined ? null : { used: wire.used, limit: wire.limit ?? null }

const toEmails = (wire: z.output<typeof wireEmails>, at: number): UsedEmails | null =>
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

export interface FetchedUsage extends Usage, RawPayload<z.output<typeof wireUsage>> {}

/** @param at request time, milliseconds since the epoch */
const readUsage = (at: number) =>
  readWith(wireUsage, (wire): FetchedUsage => ({
    daily: toEmails(wire.emails.daily, at),
    monthly: toEmails(wire.emails.monthly, at),
    contacts: toUsed(wire.contacts),
    rateLimit:
      wire.rate_limit === undefined ? null : { limit: wire.rate_limit.limit, duration: wire.rate_limit.duration },
    at,
    [RAW]: wire,
  }))

const kept = z.object({ at: z.int(), words: z.unknown() })

/** Serialises for `readStoredUsage`. */
export const textOfUsage = ({ at, [RAW]: words }: FetchedUsage): string => JSON.stringify({ at, words })

/** @returns null if the text is damaged */
export const readStoredUsage = (said: string): FetchedUsage | null => {
  try {
    const { at, words } = kept.parse(JSON.parse(said))
    return readUsage(at)(words)
  } catch {
    return null
  }
}

/** Sent e-mails from response headers (platform facts 1); null if absent. */
export interface UsedByHeaders {
  readonly daily: number | null
  readonly monthly: number | null
}

const readAmount = (header: string | undefined): number | null =>
  header !== undefined && /^\d{1,15}$/.test(header.trim()) ? Number(header) : null

export const readQuotaHeaders = (header: (name: string) => string | undefined): UsedByHeaders => ({
  daily: readAmount(header('x-resend-daily-quota')),
  monthly: readAmount(header('x-resend-monthly-quota')),
})

/** @param now wall time, milliseconds since the epoch */
export const usageCalls = (requests: Requests, now: () => number) => ({
  /** Platform facts 1, Usage endpoint. */
  getUsage: async (options: CallOptions): Promise<FetchedUsage> => {
    const at = now()
    return readUsage(at)(await requests.get(path`/usage`, options, { maxBytes: 64 * 1024 }))
  },
})
