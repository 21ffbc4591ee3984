import {
  AUTHENTICATION_RESULTS,
  type Attachment,
  type Authentication,
  type AuthenticationResult,
  type ReceivedEmailDetail,
  type SentEmailDetail,
} from '../../../shared/model.ts'
import { parsePlatformTime, toTime, writePlatformTime } from '../platform-time.ts'
import { wireReceivedEmail, wireSentEmail, WORDS, type WireReceivedEmail, type WireSentEmail } from '../wire.ts'
import { toContent } from './email-content.ts'
import { readKeptWith, readPageOf, readWith } from './read-answer.ts'
import type { Said } from './words.ts'

/** A received e-mail of the account: without bodies and headers where a list told it, with them where it was asked for. */
export interface FetchedReceivedEmail
  extends
    Omit<ReceivedEmailDetail, 'apart' | 'hasRaw' | 'onServer' | 'isTextLost' | 'withheld'>,
    Said<WireReceivedEmail> {
  /** Where the original file is; empty once the e-mail is kept. Null where the platform offers none. */
  readonly rawUrl: string | null
}

/** A sent e-mail of the account: without bodies where a list told it, with them where it was asked for. */
export interface FetchedSentEmail
  extends Omit<SentEmailDetail, 'apart' | 'onServer' | 'isTextLost' | 'withheld'>, Said<WireSentEmail> {
  readonly attachments: readonly Attachment[]
}

/** Where the words of a kept e-mail say its Message-ID: a path of SQLite's JSON functions. */
export const MESSAGE_ID_IN_WORDS = '$.message_id'

/** Lists in lists that a header's value is looked for in. */
const HEADER_LEVELS = 4

/** A header's value: text, or several of them where the header occurs more than once. */
const toHeaderValue = (value: unknown): string | null => {
  const texts = [value]
    .flat(HEADER_LEVELS)
    .filter((item) => typeof item === 'string' || typeof item === 'number' || typeof item === 'boolean')
  return texts.length === 0 ? null : texts.join(', ')
}

/** A word that the platform has added since says nothing that Linnet could vouch for. */
const toResult = (said: string | null | undefined): AuthenticationResult =>
  AUTHENTICATION_RESULTS.find((known) => known === said) ?? 'unknown'

const toAuthentication = ({ authentication }: WireReceivedEmail): Authentication | null => {
  if (!authentication) return null
  const { spf, dkim, dmarc } = authentication
  return { spf: toResult(spf), dkim: toResult(dkim), dmarc: toResult(dmarc) }
}

const toReceived = (wire: WireReceivedEmail): FetchedReceivedEmail => ({
  ...toContent(wire),
  createdAt: toTime(wire.created_at),
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

const toSent = (wire: WireSentEmail): FetchedSentEmail => ({
  ...toContent(wire),
  createdAt: toTime(wire.created_at),
  lastEvent: wire.last_event ?? null,
  scheduledAt: parsePlatformTime(wire.scheduled_at ?? ''),
  [WORDS]: wire,
})

export const readReceivedEmail = readWith(wireReceivedEmail, toReceived)
export const readReceivedEmails = readPageOf(wireReceivedEmail, toReceived)
export const readKeptReceivedEmail = readKeptWith(wireReceivedEmail, toReceived)
export const readSentEmail = readWith(wireSentEmail, toSent)
export const readSentEmails = readPageOf(wireSentEmail, toSent)
export const readKeptSentEmail = readKeptWith(wireSentEmail, toSent)

/** What can be said of an e-mail of which the words are lost. @param createdAt milliseconds since the epoch */
export const bareReceivedEmail = (id: string, createdAt: number): FetchedReceivedEmail =>
  toReceived({ id, created_at: writePlatformTime(createdAt) })
export const bareSentEmail = (id: string, createdAt: number): FetchedSentEmail =>
  toSent({ id, created_at: writePlatformTime(createdAt) })

/** A whole e-mail with what a list says of it later, that it was delivered: this is laid over it and takes nothing away. */
export const receivedWithNews = (whole: FetchedReceivedEmail, listed: FetchedReceivedEmail): FetchedReceivedEmail =>
  toReceived({ ...whole[WORDS], ...listed[WORDS] })
export const sentWithNews = (whole: FetchedSentEmail, listed: FetchedSentEmail): FetchedSentEmail =>
  toSent({ ...whole[WORDS], ...listed[WORDS] })

/** The same e-mail without the signed address, which runs out within the hour and is asked for anew: it has no place on a disk. */
export const withoutRawUrl = (email: FetchedReceivedEmail): FetchedReceivedEmail => {
  if (email.rawUrl === null || email.rawUrl === '') return email
  const { raw: _raw, ...rest } = email[WORDS]
  return toReceived({ ...rest, raw: { download_url: '' } })
}
