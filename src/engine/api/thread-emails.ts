import { z } from 'zod'
import type { Email } from '../../shared/model.ts'
import { formatRecipient } from '../../shared/recipients.ts'
import type { Recipient } from '../../shared/writing.ts'
import { mergeContent, toContent, wireContent } from './email-content.ts'
import type { OutgoingFile } from './outgoing-body.ts'
import { bodiesOf, copiesOf, readSentId, type Copies, type OutgoingContent } from './outgoing-message.ts'
import { path } from './path.ts'
import { toTime, writePlatformTime } from './platform-time.ts'
import { firstOfList, flag, readKeptWith, readPageOf, readWith, text, WORDS } from './read-answer.ts'
import type { CallOptions, PageOptions, Requests, SendOptions } from './requests.ts'
import type { Said } from './words.ts'

/** An e-mail of a thread (platform facts 3.4). */
const wireEmail = wireContent.extend({
  direction: z.string().optional().catch(undefined),
  read: flag,
  received_at: text,
  /** Ours: larger than Linnet fetches, so its bodies are not here. */
  too_large: flag,
  /** Ours: the names of large bodies, which the cache keeps apart. */
  html_apart: text,
  text_apart: text,
})
type WireEmail = z.infer<typeof wireEmail>

/** An e-mail of a thread, as the platform sends it and as it is kept. */
export interface FetchedEmail extends Omit<Email, 'threadId' | 'apart' | 'onServer'>, Said<WireEmail> {
  /** Larger than Linnet fetches: its bodies are only on the platform. */
  readonly isTooLarge: boolean
  /** The names of large bodies, which are kept in pieces; the bodies themselves are null then. */
  readonly apartNames: { readonly html: string | null; readonly text: string | null }
}

/** Fields that SQLite reads from a kept e-mail without parsing all of it: paths of its JSON functions. */
export const IN_EMAIL_WORDS = {
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
  apartNames: { html: wire.html_apart ?? null, text: wire.text_apart ?? null },
  [WORDS]: wire,
})

export const readEmail = readWith(wireEmail, toFetched)
export const readEmails = readPageOf(wireEmail, toFetched)
export const readKeptEmail = readKeptWith(wireEmail, toFetched)

/** The first e-mail of a list whose beginning is all there is, as its bodies are too large; null where that has no ID. */
export const readTooLargeEmail = (beginning: unknown): FetchedEmail | null => {
  const email = wireEmail.safeParse(firstOfList(beginning))
  return email.success ? toFetched({ ...email.data, html: null, text: null, too_large: true }) : null
}

/** An e-mail without a time of its own, given one. @param time milliseconds since the epoch; null where none is known */
export const atTime = (email: FetchedEmail, time: number | null): FetchedEmail =>
  time === null ? email : toFetched({ ...email[WORDS], received_at: writePlatformTime(time) })

const NO_BODIES = {
  html: undefined,
  text: undefined,
  html_apart: undefined,
  text_apart: undefined,
  too_large: undefined,
}

/** A known e-mail brought up to date by a later answer. All bodies are those of one of the two. */
export const emailWithNews = (known: FetchedEmail, later: FetchedEmail): FetchedEmail => {
  const hasBody = [later.html, later.text, later.apartNames.html, later.apartNames.text].some(
    (body) => body !== null && body !== '',
  )
  const before = hasBody || later.isTooLarge ? { ...known[WORDS], ...NO_BODIES } : known[WORDS]
  return toFetched(mergeContent(before, later[WORDS]))
}

/** The same e-mail without the bodies that are kept in pieces under these names. */
export const withBodiesKeptApart = (
  email: FetchedEmail,
  { html, text }: { readonly html?: string; readonly text?: string },
): FetchedEmail =>
  html === undefined && text === undefined
    ? email
    : toFetched({
        ...email[WORDS],
        ...(html === undefined ? {} : { html: null, html_apart: html }),
        ...(text === undefined ? {} : { text: null, text_apart: text }),
      })

/** An e-mail of a thread. */
export interface ThreadEmailRef {
  readonly inboxId: string
  readonly threadId: string
  readonly emailId: string
}

/** Platform facts 3.5: the platform itself decides on the recipients. */
export interface OutgoingReply extends OutgoingContent, Copies {}

/** Platform facts 3.6: the platform quotes the original below. `html` and `text` are null where nothing stands above it. */
export interface OutgoingForward extends Omit<OutgoingContent, 'text'>, Copies {
  readonly text: string | null
  readonly to: readonly Recipient[]
}

export const threadEmailCalls = (requests: Requests) => ({
  /**
   * Oldest first (platform facts 3.4). A page can be of any size: `maxBytes` is the most to fetch.
   * @throws AnswerTooLarge
   */
  listThreadEmails: async (
    inboxId: string,
    threadId: string,
    { maxBytes, ...options }: PageOptions & { readonly maxBytes: number },
  ) => requests.page(readEmails, path`/inboxes/${inboxId}/threads/${threadId}/emails`, options, { maxBytes }),

  /** By the e-mail's ID, or by a search's `matched_email_id`, which the answer does not repeat. */
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

  /** Platform facts 3.6: with the original and all of its attachments. Returns the ID of the sent e-mail. */
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
