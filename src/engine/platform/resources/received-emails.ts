import { z } from 'zod'
import {
  AUTHENTICATION_RESULTS,
  type Authentication,
  type AuthenticationResult,
} from '../../../shared/authentication.ts'
import type { ReceivedEmailDetail } from '../../../shared/model.ts'
import { mergeContent, toEmailContent, wireContent } from './thread-emails.ts'
import { apiPath } from '../api-path.ts'
import {
  createParser,
  wireText,
  wireTexts,
  RAW_PAYLOAD,
  toTime,
  formatPlatformTime,
  type RawPayload,
} from '../parse-response.ts'
import type { CallOptions, PageOptions, Requests } from '../requests.ts'

/** A listed or complete received e-mail (platform.md 21.3). */
const wireReceivedEmail = wireContent.extend({
  created_at: wireText,
  received_for: wireTexts,
  headers: z.record(z.string(), z.unknown()).nullable().optional().catch(undefined),
  authentication: z
    .looseObject({ spf: wireText, dkim: wireText, dmarc: wireText })
    .nullable()
    .optional()
    .catch(undefined),
  raw: z.looseObject({ download_url: z.string(), expires_at: wireText }).nullable().optional().catch(undefined),
})
type WireReceivedEmail = z.infer<typeof wireReceivedEmail>

/** A received e-mail. E-mails from a list lack bodies and headers. */
export interface FetchedReceivedEmail
  extends
    Omit<ReceivedEmailDetail, 'apart' | 'hasRaw' | 'onServer' | 'isTextLost' | 'withheld'>,
    RawPayload<WireReceivedEmail> {
  /** Signed URL of the original; empty in the cache, null if the platform offers none. */
  readonly rawUrl: string | null
}

/** Limits for recipient addresses, and characters each: more than any mail server accepts. */
const MAX_ADDRESSES = 100
const MAX_ADDRESS_LENGTH = 400

/** Levels of nested lists that are searched for a header's value. */
const HEADER_LEVELS = 4

/** Joins the values of a repeated header. */
const toHeaderValue = (value: unknown): string | null => {
  const values = [value]
    .flat(HEADER_LEVELS)
    .filter((item) => typeof item === 'string' || typeof item === 'number' || typeof item === 'boolean')
  return values.length === 0 ? null : values.join(', ')
}

/** Unrecognized results become `unknown`: Linnet can't vouch for them. */
const toResult = (result: string | null | undefined): AuthenticationResult =>
  AUTHENTICATION_RESULTS.find((known) => known === result) ?? 'unknown'

const toAuthentication = ({ authentication }: WireReceivedEmail): Authentication | null => {
  if (!authentication) return null
  const { spf, dkim, dmarc } = authentication
  return { spf: toResult(spf), dkim: toResult(dkim), dmarc: toResult(dmarc) }
}

const toReceived = (wire: WireReceivedEmail): FetchedReceivedEmail => ({
  ...toEmailContent(wire),
  createdAt: toTime(wire.created_at),
  receivedFor: (wire.received_for ?? [])
    .filter((address) => address.length <= MAX_ADDRESS_LENGTH)
    .slice(0, MAX_ADDRESSES),
  headers: Object.fromEntries(
    Object.entries(wire.headers ?? {}).flatMap(([name, value]) => {
      const shown = toHeaderValue(value)
      return shown === null ? [] : [[name, shown]]
    }),
  ),
  authentication: toAuthentication(wire),
  rawUrl: wire.raw?.download_url ?? null,
  [RAW_PAYLOAD]: wire,
})

export const receivedEmailParser = createParser(wireReceivedEmail, toReceived)

/** Placeholder for an e-mail whose cached payload is lost. @param createdAt milliseconds since the epoch */
export const createPlaceholderReceivedEmail = (emailId: string, createdAt: number): FetchedReceivedEmail =>
  toReceived({ id: emailId, created_at: formatPlatformTime(createdAt) })

/** Merges a later response; fields that it omits stay. */
export const mergeReceivedEmail = (known: FetchedReceivedEmail, later: FetchedReceivedEmail): FetchedReceivedEmail =>
  toReceived(mergeContent(known[RAW_PAYLOAD], later[RAW_PAYLOAD]))

/** Drops the signed URL of the original before storing: it expires within the hour. */
export const withoutRawUrl = (email: FetchedReceivedEmail): FetchedReceivedEmail => {
  if (email.rawUrl === null || email.rawUrl === '') return email
  const { raw: _raw, ...rest } = email[RAW_PAYLOAD]
  return toReceived({ ...rest, raw: { download_url: '' } })
}

export const createReceivedEmailCalls = (requests: Requests) => ({
  /** Newest first (platform.md 21.2). */
  listReceivedEmails: async (options: PageOptions) =>
    requests.page(receivedEmailParser.page, apiPath`/emails/receiving`, options),

  /** See platform.md 21.3. `cid` keeps images out of the HTML; they are fetched when shown (platform.md 21.7). */
  getReceivedEmail: async (emailId: string, options: CallOptions) =>
    receivedEmailParser.one(
      await requests.get(apiPath`/emails/receiving/${emailId}`, options, { query: { html_format: 'cid' } }),
      emailId,
    ),
})
