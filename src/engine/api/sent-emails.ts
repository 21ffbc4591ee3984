import type { z } from 'zod'
import type { SentEmailDetail } from '../../shared/model.ts'
import type { Attachment } from '../../shared/attachments.ts'
import { formatRecipient } from '../../shared/recipients.ts'
import type { Recipient } from '../../shared/writing.ts'
import { mergeContent, toContent, wireContent } from './email-content.ts'
import type { OutgoingFile } from './outgoing-body.ts'
import { bodiesOf, copiesOf, readSentId, type Copies, type OutgoingContent } from './outgoing-message.ts'
import { path } from './path.ts'
import { parsePlatformTime, toTime, writePlatformTime } from './platform-time.ts'
import { readStoredWith, readPageOf, readWith, text, RAW } from './read-response.ts'
import type { CallOptions, PageOptions, Requests, SendOptions } from './requests.ts'
import type { RawPayload } from './raw-payload.ts'

/** A listed or complete sent e-mail (platform facts 6). Attachments are optional; their names are searchable. */
const wireSentEmail = wireContent.extend({ created_at: text, last_event: text, scheduled_at: text })
type WireSentEmail = z.infer<typeof wireSentEmail>

/** A sent e-mail. E-mails from a list lack bodies. */
export interface FetchedSentEmail
  extends Omit<SentEmailDetail, 'apart' | 'onServer' | 'isTextLost' | 'withheld'>, RawPayload<WireSentEmail> {
  readonly attachments: readonly Attachment[]
}

const toSent = (wire: WireSentEmail): FetchedSentEmail => ({
  ...toContent(wire),
  createdAt: toTime(wire.created_at),
  lastEvent: wire.last_event ?? null,
  scheduledAt: parsePlatformTime(wire.scheduled_at ?? ''),
  [RAW]: wire,
})

export const readSentEmail = readWith(wireSentEmail, toSent)
const readSentEmails = readPageOf(wireSentEmail, toSent)
export const readStoredSentEmail = readStoredWith(wireSentEmail, toSent)

/** Placeholder for an e-mail whose cached payload is lost. @param createdAt milliseconds since the epoch */
export const bareSentEmail = (emailId: string, createdAt: number): FetchedSentEmail =>
  toSent({ id: emailId, created_at: writePlatformTime(createdAt) })

export const mergeSentEmail = (known: FetchedSentEmail, later: FetchedSentEmail): FetchedSentEmail =>
  toSent(mergeContent(known[RAW], later[RAW]))

/** See platform facts 6.1. */
export interface OutgoingEmail extends OutgoingContent, Copies {
  readonly from: Recipient
  readonly to: readonly Recipient[]
  readonly headers: Readonly<Record<string, string>>
  /** Milliseconds since the epoch; null to send now. */
  readonly scheduledAt: number | null
}

const emailBody = ({ from, to, headers, scheduledAt, ...email }: OutgoingEmail): object => ({
  from: formatRecipient(from),
  to: to.map(formatRecipient),
  ...copiesOf(email),
  subject: email.subject,
  ...bodiesOf(email),
  ...(Object.keys(headers).length > 0 && { headers }),
  ...(scheduledAt !== null && { scheduled_at: new Date(scheduledAt).toISOString() }),
})

export const sentEmailCalls = (requests: Requests) => ({
  /** Platform facts 6. Newest first. */
  listSentEmails: async (options: PageOptions) => requests.page(readSentEmails, path`/emails`, options),

  getSentEmail: async (emailId: string, options: CallOptions) =>
    readSentEmail(await requests.get(path`/emails/${emailId}`, options), emailId),

  /** Platform facts 6.1. Returns the ID of the sent e-mail. */
  sendEmail: async (email: OutgoingEmail, files: readonly OutgoingFile[], options: SendOptions) =>
    readSentId(await requests.send(path`/emails`, emailBody(email), files, options)),

  /** Platform facts 6. Only for scheduled e-mails. @param scheduledAt milliseconds since the epoch */
  rescheduleEmail: async (emailId: string, scheduledAt: number, options: CallOptions): Promise<void> => {
    const body = { scheduled_at: new Date(scheduledAt).toISOString() }
    await requests.patch(path`/emails/${emailId}`, body, options)
  },

  /** Platform facts 6. Only for scheduled e-mails. */
  cancelEmail: async (emailId: string, options: CallOptions): Promise<void> => {
    await requests.post(path`/emails/${emailId}/cancel`, {}, options)
  },
})
