import { z } from 'zod'
import { AUTHENTICATION_RESULTS, type Authentication, type AuthenticationResult } from '../../shared/authentication.ts'
import type { ReceivedEmailDetail } from '../../shared/model.ts'
import { mergeContent, toContent, wireContent } from './email-content.ts'
import { path } from './path.ts'
import { toTime, writePlatformTime } from './platform-time.ts'
import { readKeptWith, readPageOf, readWith, text, texts, WORDS } from './read-answer.ts'
import type { CallOptions, PageOptions, Requests } from './requests.ts'
import type { Said } from './words.ts'

/** A received e-mail, of the list or in whole (contract, "Received email"; platform facts 7). */
const wireReceivedEmail = wireContent.extend({
  created_at: text,
  received_for: texts,
  headers: z.record(z.string(), z.unknown()).nullable().optional().catch(undefined),
  authentication: z.looseObject({ spf: text, dkim: text, dmarc: text }).nullable().optional().catch(undefined),
  raw: z.looseObject({ download_url: z.string(), expires_at: text }).nullable().optional().catch(undefined),
})
type WireReceivedEmail = z.infer<typeof wireReceivedEmail>

/** A received e-mail of the account: from a list without bodies and headers, retrieved alone with them. */
export interface FetchedReceivedEmail
  extends
    Omit<ReceivedEmailDetail, 'apart' | 'hasRaw' | 'onServer' | 'isTextLost' | 'withheld'>,
    Said<WireReceivedEmail> {
  /** Where the original file is; empty once the e-mail is kept. Null where the platform offers none. */
  readonly rawUrl: string | null
}

/** Addresses that an e-mail was received for, and characters of each: more than any mail server takes. */
const MOST_ADDRESSES = 100
const LONGEST_ADDRESS = 400

/** How deep lists within lists are searched for a header's value. */
const HEADER_LEVELS = 4

/** A header's value: text, or several where the header occurs more than once. */
const toHeaderValue = (value: unknown): string | null => {
  const values = [value]
    .flat(HEADER_LEVELS)
    .filter((item) => typeof item === 'string' || typeof item === 'number' || typeof item === 'boolean')
  return values.length === 0 ? null : values.join(', ')
}

/** A result that the platform has added since says nothing that Linnet could vouch for. */
const toResult = (result: string | null | undefined): AuthenticationResult =>
  AUTHENTICATION_RESULTS.find((known) => known === result) ?? 'unknown'

const toAuthentication = ({ authentication }: WireReceivedEmail): Authentication | null => {
  if (!authentication) return null
  const { spf, dkim, dmarc } = authentication
  return { spf: toResult(spf), dkim: toResult(dkim), dmarc: toResult(dmarc) }
}

const toReceived = (wire: WireReceivedEmail): FetchedReceivedEmail => ({
  ...toContent(wire),
  createdAt: toTime(wire.created_at),
  receivedFor: (wire.received_for ?? [])
    .filter((address) => address.length <= LONGEST_ADDRESS)
    .slice(0, MOST_ADDRESSES),
  headers: Object.fromEntries(
    Object.entries(wire.headers ?? {}).flatMap(([name, value]) => {
      const shown = toHeaderValue(value)
      return shown === null ? [] : [[name, shown]]
    }),
  ),
  authentication: toAuthentication(wire),
  rawUrl: wire.raw?.download_url ?? null,
  [WORDS]: wire,
})

export const readReceivedEmail = readWith(wireReceivedEmail, toReceived)
export const readReceivedEmails = readPageOf(wireReceivedEmail, toReceived)
export const readKeptReceivedEmail = readKeptWith(wireReceivedEmail, toReceived)

/** An e-mail whose kept answer is lost. @param createdAt milliseconds since the epoch */
export const bareReceivedEmail = (emailId: string, createdAt: number): FetchedReceivedEmail =>
  toReceived({ id: emailId, created_at: writePlatformTime(createdAt) })

/** A known e-mail brought up to date by a later answer, which takes nothing away that it leaves out. */
export const receivedWithNews = (known: FetchedReceivedEmail, later: FetchedReceivedEmail): FetchedReceivedEmail =>
  toReceived(mergeContent(known[WORDS], later[WORDS]))

/** The same e-mail without the signed address of its original: it runs out within the hour, so it is not stored. */
export const withoutRawUrl = (email: FetchedReceivedEmail): FetchedReceivedEmail => {
  if (email.rawUrl === null || email.rawUrl === '') return email
  const { raw: _raw, ...rest } = email[WORDS]
  return toReceived({ ...rest, raw: { download_url: '' } })
}

export const receivedEmailCalls = (requests: Requests) => ({
  /** Platform facts 7, newest first. */
  listReceivedEmails: async (options: PageOptions) =>
    requests.page(readReceivedEmails, path`/emails/receiving`, options),

  /** Contract, 6. `cid` keeps its pictures out of the HTML, to be fetched where they are shown (platform facts 7). */
  getReceivedEmail: async (emailId: string, options: CallOptions) =>
    readReceivedEmail(
      await requests.get(path`/emails/receiving/${emailId}`, options, { query: { html_format: 'cid' } }),
      emailId,
    ),
})
