import type { z } from 'zod'
import type { SentEmailDetail } from '../../../shared/model.ts'
import type { Attachment } from '../../../shared/attachments.ts'
import { formatRecipient } from '../../../shared/recipients.ts'
import type { Recipient } from '../../../shared/drafts.ts'
import { mergeContent, toEmailContent, wireContent } from './thread-emails.ts'
import type { OutgoingFile } from '../outgoing-body.ts'
import {
  toBodyFields,
  toCopyFields,
  parseSentId,
  type CopyRecipients,
  type OutgoingContent,
} from '../outgoing-message.ts'
import { apiPath } from '../api-path.ts'
import {
  createParser,
  wireText,
  RAW_PAYLOAD,
  parsePlatformTime,
  toTime,
  formatPlatformTime,
  type RawPayload,
} from '../parse-response.ts'
import type { CallOptions, PageOptions, Requests, IdempotentCallOptions } from '../requests.ts'

/** A listed or complete sent e-mail (platform.md 20.7). Attachments are optional; their names are searchable. */
const wireSentEmail = wireContent.extend({ created_at: wireText, last_event: wireText, scheduled_at: wireText })
type WireSentEmail = z.infer<typeof wireSentEmail>

/** A sent e-mail. E-mails from a list lack bodies. */
export interface FetchedSentEmail
  extends
    Omit<SentEmailDetail, 'apart' | 'failure' | 'onServer' | 'isTextLost' | 'withheld'>,
    RawPayload<WireSentEmail> {
  readonly attachments: readonly Attachment[]
}

const toSent = (wire: WireSentEmail): FetchedSentEmail => ({
  ...toEmailContent(wire),
  createdAt: toTime(wire.created_at),
  lastEvent: wire.last_event ?? null,
  scheduledAt: parsePlatformTime(wire.scheduled_at ?? ''),
  [RAW_PAYLOAD]: wire,
})

export const sentEmailParser = createParser(wireSentEmail, toSent)

/** Placeholder for an e-mail whose cached payload is lost. @param createdAt milliseconds since the epoch */
export const createPlaceholderSentEmail = (emailId: string, createdAt: number): FetchedSentEmail =>
  toSent({ id: emailId, created_at: formatPlatformTime(createdAt) })

export const mergeSentEmail = (known: FetchedSentEmail, later: FetchedSentEmail): FetchedSentEmail =>
  toSent(mergeContent(known[RAW_PAYLOAD], later[RAW_PAYLOAD]))

/** See platform.md 20.1. */
export interface OutgoingEmail extends OutgoingContent, CopyRecipients {
  readonly from: Recipient
  readonly to: readonly Recipient[]
  readonly headers: Readonly<Record<string, string>>
  /** Milliseconds since the epoch; null to send now. */
  readonly scheduledAt: number | null
}

const emailBody = ({ from, to, headers, scheduledAt, ...email }: OutgoingEmail): object => ({
  from: formatRecipient(from),
  to: to.map(formatRecipient),
  ...toCopyFields(email),
  subject: email.subject,
  ...toBodyFields(email),
  ...(Object.keys(headers).length > 0 && { headers }),
  ...(scheduledAt !== null && { scheduled_at: new Date(scheduledAt).toISOString() }),
})

export const createSentEmailCalls = (requests: Requests) => ({
  /** Newest first (platform.md 20.7). */
  listSentEmails: async (options: PageOptions) => requests.page(sentEmailParser.page, apiPath`/emails`, options),

  getSentEmail: async (emailId: string, options: CallOptions) =>
    sentEmailParser.one(await requests.get(apiPath`/emails/${emailId}`, options), emailId),

  /** Returns the ID of the sent e-mail (platform.md 20.1). */
  sendEmail: async (email: OutgoingEmail, files: readonly OutgoingFile[], options: IdempotentCallOptions) =>
    parseSentId(await requests.post(apiPath`/emails`, emailBody(email), options, files)),

  /** Only for scheduled e-mails (platform.md 20.8). @param scheduledAt milliseconds since the epoch */
  rescheduleEmail: async (emailId: string, scheduledAt: number, options: CallOptions): Promise<void> => {
    const body = { scheduled_at: new Date(scheduledAt).toISOString() }
    await requests.patch(apiPath`/emails/${emailId}`, body, options)
  },

  /** Only for scheduled e-mails (platform.md 20.8). */
  cancelEmail: async (emailId: string, options: CallOptions) =>
    requests.post(apiPath`/emails/${emailId}/cancel`, {}, options),
})
