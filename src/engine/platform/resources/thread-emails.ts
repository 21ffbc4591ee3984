import { z } from 'zod'
import type { Email } from '../../../shared/model.ts'
import { formatRecipient } from '../../../shared/recipients.ts'
import type { Recipient } from '../../../shared/drafts.ts'
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
  getFirstListItem,
  wireFlag,
  createParser,
  wireText,
  RAW_PAYLOAD,
  wireListOf,
  wireId,
  wireTexts,
  toTime,
  formatPlatformTime,
  type RawPayload,
} from '../parse-response.ts'
import type { CallOptions, PageOptions, Requests, IdempotentCallOptions } from '../requests.ts'
import { toAttachments, wireAttachment } from './attachments.ts'

/** Fields shared by e-mails of threads and of the account's lists. */
export const wireContent = z.looseObject({
  id: wireId,
  from: wireText,
  to: wireTexts,
  cc: wireTexts,
  bcc: wireTexts,
  reply_to: wireTexts,
  subject: wireText,
  message_id: wireText,
  html: wireText,
  text: wireText,
  attachments: wireListOf(wireAttachment),
})

type WireContent = z.infer<typeof wireContent>

/** The only fields that change after creation. */
const MUTABLE_FIELDS: readonly string[] = ['last_event', 'scheduled_at', 'raw']
const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

/** Merges a later response. An immutable field keeps its earlier value if it is empty in the later response. */
export const mergeContent = <Wire extends WireContent>(before: Wire, after: Wire): Wire => ({
  ...before,
  ...Object.fromEntries(
    Object.entries(after).filter(([name, value]) => MUTABLE_FIELDS.includes(name) || !isEmpty(value)),
  ),
})

type Content = Pick<
  Email,
  'id' | 'from' | 'to' | 'cc' | 'bcc' | 'replyTo' | 'subject' | 'messageId' | 'html' | 'text' | 'attachments'
>

export const toEmailContent = (wire: WireContent): Content => ({
  id: wire.id,
  from: wire.from ?? '',
  to: wire.to ?? [],
  cc: wire.cc ?? [],
  bcc: wire.bcc ?? [],
  replyTo: wire.reply_to ?? [],
  subject: wire.subject ?? null,
  messageId: wire.message_id ?? null,
  html: wire.html ?? null,
  text: wire.text ?? null,
  attachments: toAttachments(wire.attachments),
})

/** See platform.md 12.1. */
/** A body stored apart from its e-mail: its length in characters, and the CRC-32 of its text. */
const largeBody = z.object({ length: z.number(), checksum: z.number() }).nullish().catch(null)
export type LargeBody = NonNullable<z.infer<typeof largeBody>>

const wireEmail = wireContent.extend({
  direction: z.string().optional().catch(undefined),
  read: wireFlag,
  received_at: wireText,
  /** Linnet's own field: true if the e-mail is too large to fetch, so it has no bodies. */
  too_large: wireFlag,
  /** Linnet's own fields: large bodies stored separately. */
  large_html: largeBody,
  large_text: largeBody,
})
type WireEmail = z.infer<typeof wireEmail>

/** A thread's e-mail, as sent by the platform and as stored. */
export interface FetchedEmail extends Omit<Email, 'threadId' | 'apart' | 'onServer'>, RawPayload<WireEmail> {
  /** Too large to fetch: only the platform has its bodies. */
  readonly isTooLarge: boolean
  /** Large bodies stored separately; the bodies themselves may then be null. */
  readonly largeBodies: { readonly html: LargeBody | null; readonly text: LargeBody | null }
}

/** SQLite JSON paths of fields read without parsing the complete payload. */
export const EMAIL_PATHS = {
  from: '$.from',
  subject: '$.subject',
  read: '$.read',
  direction: '$.direction',
} as const

const toFetched = (wire: WireEmail): FetchedEmail => ({
  ...toEmailContent(wire),
  direction: wire.direction === 'outbound' ? 'outbound' : 'inbound',
  read: wire.read ?? true,
  receivedAt: toTime(wire.received_at),
  isTooLarge: wire.too_large === true,
  largeBodies: { html: wire.large_html ?? null, text: wire.large_text ?? null },
  [RAW_PAYLOAD]: wire,
})

export const emailParser = createParser(wireEmail, toFetched)

/** Reads the first e-mail of a truncated list, whose bodies are too large. Null without an ID. */
export const parseOversizedEmail = (beginning: unknown): FetchedEmail | null => {
  const email = wireEmail.safeParse(getFirstListItem(beginning))
  return email.success ? toFetched({ ...email.data, html: null, text: null, too_large: true }) : null
}

/** Sets the time of an e-mail that lacks one. @param time milliseconds since the epoch, or null */
export const withFallbackTime = (email: FetchedEmail, time: number | null): FetchedEmail =>
  time === null ? email : toFetched({ ...email[RAW_PAYLOAD], received_at: formatPlatformTime(time) })

const NO_BODIES = {
  html: undefined,
  text: undefined,
  large_html: undefined,
  large_text: undefined,
  too_large: undefined,
}

/** Merges a later response. The HTML and the text always come from the same response. */
export const mergeEmail = (known: FetchedEmail, later: FetchedEmail): FetchedEmail => {
  const hasBody = [later.html, later.text, later.largeBodies.html, later.largeBodies.text].some(
    (body) => body !== null && body !== '',
  )
  const before = hasBody || later.isTooLarge ? { ...known[RAW_PAYLOAD], ...NO_BODIES } : known[RAW_PAYLOAD]
  return toFetched(mergeContent(before, later[RAW_PAYLOAD]))
}

/** Replaces bodies that are stored separately. */
export const withLargeBodies = (
  email: FetchedEmail,
  bodies: readonly (LargeBody & { readonly name: 'html' | 'text' })[],
): FetchedEmail =>
  bodies.length === 0
    ? email
    : toFetched({
        ...email[RAW_PAYLOAD],
        ...Object.fromEntries(
          bodies.flatMap(({ name, ...body }) => [
            [name, null],
            [`large_${name}`, body],
          ]),
        ),
      })

export interface ThreadEmailRef {
  readonly inboxId: string
  readonly threadId: string
  readonly emailId: string
}

/** The platform picks the recipients (platform.md 13.2). */
export interface OutgoingReply extends OutgoingContent, CopyRecipients {}

/** The platform appends the original (platform.md 13.8). `html` and `text` are null if the user adds no message. */
export interface OutgoingForward extends Omit<OutgoingContent, 'text'>, CopyRecipients {
  readonly text: string | null
  readonly to: readonly Recipient[]
}

export const createThreadEmailCalls = (requests: Requests) => ({
  /**
   * Oldest first (platform.md 12.2). Pages can be of any size; `maxBytes` limits them. @throws ResponseTooLargeError
   */
  listThreadEmails: async (
    inboxId: string,
    threadId: string,
    { maxBytes, ...options }: PageOptions & { readonly maxBytes: number },
  ) => requests.page(emailParser.page, apiPath`/inboxes/${inboxId}/threads/${threadId}/emails`, options, { maxBytes }),

  /** @param emailId an e-mail's ID, or a search's `matched_email_id`, which the response doesn't repeat */
  getThreadEmail: async (inboxId: string, threadId: string, emailId: string, options: CallOptions) =>
    emailParser.one(await requests.get(apiPath`/inboxes/${inboxId}/threads/${threadId}/emails/${emailId}`, options)),

  /** Returns the ID of the sent e-mail (platform.md 13.1). */
  reply: async (
    { inboxId, threadId, emailId }: ThreadEmailRef,
    reply: OutgoingReply,
    files: readonly OutgoingFile[],
    options: IdempotentCallOptions,
  ) => {
    const body = { subject: reply.subject, ...toCopyFields(reply), ...toBodyFields(reply) }
    const to = apiPath`/inboxes/${inboxId}/threads/${threadId}/emails/${emailId}/reply`
    return parseSentId(await requests.post(to, body, options, files))
  },

  /** Includes the original and its attachments (platform.md 13.7). Returns the ID of the sent e-mail. */
  forward: async (
    { inboxId, threadId, emailId }: ThreadEmailRef,
    forward: OutgoingForward,
    files: readonly OutgoingFile[],
    options: IdempotentCallOptions,
  ) => {
    const { to, subject } = forward
    const body = { to: to.map(formatRecipient), ...toCopyFields(forward), subject, ...toBodyFields(forward) }
    const original = apiPath`/inboxes/${inboxId}/threads/${threadId}/emails/${emailId}/forward`
    return parseSentId(await requests.post(original, body, options, files))
  },
})
