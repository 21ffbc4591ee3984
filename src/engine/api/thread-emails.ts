import { z } from 'zod'
import type { Email } from '../../shared/model.ts'
import { formatRecipient } from '../../shared/recipients.ts'
import type { Recipient } from '../../shared/writing.ts'
import { mergeContent, toContent, wireContent } from './email-content.ts'
import type { OutgoingFile } from './outgoing-body.ts'
import { bodiesOf, copiesOf, readSentId, type Copies, type OutgoingContent } from './outgoing-message.ts'
import { path } from './path.ts'
import { toTime, writePlatformTime } from './platform-time.ts'
import { firstOfList, flag, readStoredWith, readPageOf, readWith, text, RAW } from './read-response.ts'
import type { CallOptions, PageOptions, Requests, SendOptions } from './requests.ts'
import type { RawPayload } from './raw-payload.ts'

/** See platform facts 3.4. */
const wireEmail = wireContent.extend({
  direction: z.string().optional().catch(undefined),
  read: flag,
  received_at: text,
  /** Linnet's own field: true if the e-mail is too large to fetch, so it has no bodies. */
  too_large: flag,
  /** Linnet's own fields: names of large bodies stored separately. */
  html_apart: text,
  text_apart: text,
})
type WireEmail = z.infer<typeof wireEmail>

/** A thread's e-mail, as sent by the platform and as stored. */
export interface FetchedEmail extends Omit<Email, 'threadId' | 'apart' | 'onServer'>, RawPayload<WireEmail> {
  /** Too large to fetch: only the platform has its bodies. */
  readonly isTooLarge: boolean
  /** Names of large bodies stored in pieces; the bodies themselves are then null. */
  readonly bodyPieceNames: { readonly html: string | null; readonly text: string | null }
}

/** SQLite JSON paths of fields read without parsing the complete payload. */
export const EMAIL_PATHS = {
  from: '$.from',
  subject: '$.subject',
  read: '$.read',
  direction: '$.direction',
} as const

const toFetched = (wire: WireEmail): FetchedEmail => ({
  ...toContent(wire),
  direction: wire.direction === 'outbound' ? 'outbound' : 'inbound',
  read: wire.read ?? true,
  receivedAt: toTime(wire.received_at),
  isTooLarge: wire.too_large === true,
  bodyPieceNames: { html: wire.html_apart ?? null, text: wire.text_apart ?? null },
  [RAW]: wire,
})

export const readEmail = readWith(wireEmail, toFetched)
export const readEmails = readPageOf(wireEmail, toFetched)
export const readStoredEmail = readStoredWith(wireEmail, toFetched)

/** Reads the first e-mail of a truncated list, whose bodies are too large. Null without an ID. */
export const readTooLargeEmail = (beginning: unknown): FetchedEmail | null => {
  const email = wireEmail.safeParse(firstOfList(beginning))
  return email.success ? toFetched({ ...email.data, html: null, text: null, too_large: true }) : null
}

/** Sets the time of an e-mail that lacks one. @param time milliseconds since the epoch, or null */
export const atTime = (email: FetchedEmail, time: number | null): FetchedEmail =>
  time === null ? email : toFetched({ ...email[RAW], received_at: writePlatformTime(time) })

const NO_BODIES = {
  html: undefined,
  text: undefined,
  html_apart: undefined,
  text_apart: undefined,
  too_large: undefined,
}

/** Merges a later response. The HTML and the text always come from the same response. */
export const mergeEmail = (known: FetchedEmail, later: FetchedEmail): FetchedEmail => {
  const hasBody = [later.html, later.text, later.bodyPieceNames.html, later.bodyPieceNames.text].some(
    (body) => body !== null && body !== '',
  )
  const before = hasBody || later.isTooLarge ? { ...known[RAW], ...NO_BODIES } : known[RAW]
  return toFetched(mergeContent(before, later[RAW]))
}

/** Replaces bodies with the names of their stored pieces. */
export const withBodyPieceNames = (
  email: FetchedEmail,
  { html, text }: { readonly html?: string; readonly text?: string },
): FetchedEmail =>
  html === undefined && text === undefined
    ? email
    : toFetched({
        ...email[RAW],
        ...(html === undefined ? {} : { html: null, html_apart: html }),
        ...(text === undefined ? {} : { text: null, text_apart: text }),
      })

export interface ThreadEmailRef {
  readonly inboxId: string
  readonly threadId: string
  readonly emailId: string
}

/** Platform facts 3.5. The platform picks the recipients. */
export interface OutgoingReply extends OutgoingContent, Copies {}

/** Platform facts 3.6. The platform appends the original. `html` and `text` are null if the user adds no message. */
export interface OutgoingForward extends Omit<OutgoingContent, 'text'>, Copies {
  readonly text: string | null
  readonly to: readonly Recipient[]
}

export const threadEmailCalls = (requests: Requests) => ({
  /** Oldest first (platform facts 3.4). Pages can be of any size; `maxBytes` limits them. @throws ResponseTooLarge */
  listThreadEmails: async (
    inboxId: string,
    threadId: string,
    { maxBytes, ...options }: PageOptions & { readonly maxBytes: number },
  ) => requests.page(readEmails, path`/inboxes/${inboxId}/threads/${threadId}/emails`, options, { maxBytes }),

  /** @param emailId an e-mail's ID, or a search's `matched_email_id`, which the response doesn't repeat */
  getThreadEmail: async (inboxId: string, threadId: string, emailId: string, options: CallOptions) =>
    readEmail(await requests.get(path`/inboxes/${inboxId}/threads/${threadId}/emails/${emailId}`, options)),

  /** Platform facts 3.5. Returns the ID of the sent e-mail. */
  reply: async (
    { inboxId, threadId, emailId }: ThreadEmailRef,
    reply: OutgoingReply,
    files: readonly OutgoingFile[],
    options: SendOptions,
  ) => {
    const body = { subject: reply.subject, ...copiesOf(reply), ...bodiesOf(reply) }
    const to = path`/inboxes/${inboxId}/threads/${threadId}/emails/${emailId}/reply`
    return readSentId(await requests.send(to, body, files, options))
  },

  /** Platform facts 3.6. Includes the original and its attachments. Returns the ID of the sent e-mail. */
  forward: async (
    { inboxId, threadId, emailId }: ThreadEmailRef,
    forward: OutgoingForward,
    files: readonly OutgoingFile[],
    options: SendOptions,
  ) => {
    const { to, subject } = forward
    const body = { to: to.map(formatRecipient), ...copiesOf(forward), subject, ...bodiesOf(forward) }
    const original = path`/inboxes/${inboxId}/threads/${threadId}/emails/${emailId}/forward`
    return readSentId(await requests.send(original, body, files, options))
  },
})
