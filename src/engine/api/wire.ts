/**
 * What the platform sends, read leniently (platform facts 0.1): unknown fields are kept, a field of another type counts
 * as absent, an item without an ID is left out, and so is an element that is none, with all others kept. A list that is
 * no list is an error, never an empty list: what is gone is concluded from lists.
 */
import { z } from 'zod'
import { UnreadableAnswer } from './platform-problem.ts'

/** Text, also where it is written as a number. */
const id = z.union([z.string().min(1), z.number().transform(String)])
const text = z.string().nullable().optional().catch(undefined)
const flag = z.boolean().optional().catch(undefined)
const count = z.number().optional().catch(undefined)

/** The elements of an array that can be read. */
const each = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .array(z.unknown())
    .transform((items) =>
      items.flatMap((item): z.output<Schema>[] => {
        const parsed = schema.safeParse(item)
        return parsed.success ? [parsed.data] : []
      }),
    )
    .nullable()
    .optional()
    .catch(undefined)
/** Addresses; one alone is a list of one. */
const texts = z.union([z.string().transform((only) => [only]), each(z.string())]).catch(undefined)

const wireLabel = z.looseObject({ id, name: text, color: text })
export type WireLabel = z.infer<typeof wireLabel>

const wireInbox = z.looseObject({ id, name: text, email_address: text, unread: count })
export type WireInbox = z.infer<typeof wireInbox>

const threadState = {
  labels: each(wireLabel),
  read: flag,
  folder: z.string().optional().catch(undefined),
}

/** A thread of a list or a search (contract, "Thread"). */
const wireThread = z.looseObject({
  id,
  subject: text,
  from: text,
  to: texts,
  cc: texts,
  bcc: texts,
  email_count: count,
  /** What `email_count` was called before (platform facts 0.1). */
  message_count: count,
  has_attachment: flag,
  has_draft: flag,
  received_at: text,
  matched_email_id: text,
  ...threadState,
})
export type WireThread = z.infer<typeof wireThread>

/** What the platform says of a thread when it is retrieved or updated (platform facts 3.2, "Summary"). */
const wireThreadSummary = z.looseObject({ id, subject: text, ...threadState })
export type WireThreadSummary = z.infer<typeof wireThreadSummary>

/** What a person sees of an attachment is its name: one without an ID is shown, too. */
const wireAttachment = z.looseObject({ id: id.catch(''), filename: text, size: count.nullable(), content_type: text })

/** An e-mail of a thread (platform facts 3.4). */
const wireEmail = z.looseObject({
  id,
  direction: z.string().optional().catch(undefined),
  from: text,
  to: texts,
  cc: texts,
  bcc: texts,
  reply_to: texts,
  subject: text,
  message_id: text,
  html: text,
  text,
  attachments: each(wireAttachment),
  read: flag,
  received_at: text,
  /** Ours: what the platform would send is larger than Linnet fetches, and its bodies are not here. */
  too_large: flag,
  /** Ours: the names of bodies that the cache keeps apart, as they are large. */
  html_apart: text,
  text_apart: text,
})
export type WireEmail = z.infer<typeof wireEmail>

const wireContact = z.looseObject({
  id,
  email: text,
  first_name: text,
  last_name: text,
  created_at: text,
  unsubscribed: flag,
  properties: z.record(z.string(), z.unknown()).nullable().optional().catch(undefined),
})
export type WireContact = z.infer<typeof wireContact>

const wireTopic = z.looseObject({ id, name: text, description: text, subscription: text })
export type WireTopic = z.infer<typeof wireTopic>

/** A received e-mail, of the list or in whole (contract, "Received email"; platform facts 7). */
const wireReceivedEmail = z.looseObject({
  id,
  from: text,
  to: texts,
  cc: texts,
  bcc: texts,
  reply_to: texts,
  subject: text,
  message_id: text,
  created_at: text,
  html: text,
  text,
  headers: z.record(z.string(), z.unknown()).nullable().optional().catch(undefined),
  raw: z.looseObject({ download_url: z.string(), expires_at: text }).nullable().optional().catch(undefined),
  attachments: each(wireAttachment),
})
export type WireReceivedEmail = z.infer<typeof wireReceivedEmail>

/** A sent e-mail, of the list or in whole (platform facts 6). */
const wireSentEmail = z.looseObject({
  id,
  from: text,
  to: texts,
  cc: texts,
  bcc: texts,
  reply_to: texts,
  subject: text,
  message_id: text,
  created_at: text,
  last_event: text,
  scheduled_at: text,
  html: text,
  text,
})
export type WireSentEmail = z.infer<typeof wireSentEmail>

const isWebAddress = (url: string): boolean => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)

/** A link that a person gives away and opens: a page of the web, never a script or a file. */
const wireShareLink = z.looseObject({ id, url: z.string().refine(isWebAddress) })
export type WireShareLink = z.infer<typeof wireShareLink>

const envelope = z.looseObject({ data: z.array(z.unknown()), has_more: flag })

/** A page of a list. */
export interface WirePage<Item> {
  readonly items: readonly Item[]
  /** Whether another page follows. Where the platform does not say, a full page means yes. */
  readonly hasMore: boolean
  /** False where an item could not be read and was left out: what such a page does not show may well be there. */
  readonly isWhole: boolean
}

const readWith =
  <Schema extends z.ZodType>(schema: Schema) =>
  (body: unknown): z.output<Schema> => {
    const parsed = schema.safeParse(body)
    if (!parsed.success) throw new UnreadableAnswer()
    return parsed.data
  }

const readPageOf =
  <Schema extends z.ZodType>(schema: Schema) =>
  (body: unknown, limit: number): WirePage<z.output<Schema>> => {
    const { data, has_more } = readWith(envelope)(body)
    const items = data.flatMap((item) => {
      const parsed = schema.safeParse(item)
      return parsed.success ? [parsed.data] : []
    })
    return { items, hasMore: has_more ?? data.length >= limit, isWhole: items.length === data.length }
  }

/** What the beginning of a list tells of its first e-mail, whose bodies are too large; null where it does not name it. */
export const readTooLargeEmail = (beginning: unknown): WireEmail | null => {
  const parsed = envelope.safeParse(beginning)
  const email = wireEmail.safeParse(parsed.success ? parsed.data.data[0] : undefined)
  return email.success ? { ...email.data, html: null, text: null, too_large: true } : null
}

export const readInboxes = readPageOf(wireInbox)
export const readThreads = readPageOf(wireThread)
export const readEmails = readPageOf(wireEmail)
export const readContacts = readPageOf(wireContact)
export const readTopics = readPageOf(wireTopic)
export const readReceivedEmails = readPageOf(wireReceivedEmail)
export const readSentEmails = readPageOf(wireSentEmail)
export const readLabels = readPageOf(wireLabel)
export const readEmail = readWith(wireEmail)
export const readThreadSummary = readWith(wireThreadSummary)
export const readReceivedEmail = readWith(wireReceivedEmail)
export const readSentEmail = readWith(wireSentEmail)
export const readShareLink = readWith(wireShareLink)

/**
 * Reads what was kept of the platform's words as leniently as the words themselves.
 * @returns null where the text is no JSON, is something else, or is about another thing: it was damaged
 */
const readKeptWith =
  <Schema extends z.ZodType<{ readonly id: string }>>(schema: Schema) =>
  (text: string, expectedId: string): z.output<Schema> | null => {
    try {
      const { data } = schema.safeParse(JSON.parse(text))
      return data?.id === expectedId ? data : null
    } catch {
      return null
    }
  }

export const readKeptInbox = readKeptWith(wireInbox)
export const readKeptLabel = readKeptWith(wireLabel)
export const readKeptThread = readKeptWith(wireThread)
export const readKeptEmail = readKeptWith(wireEmail)
export const readKeptContact = readKeptWith(wireContact)
export const readKeptReceivedEmail = readKeptWith(wireReceivedEmail)
export const readKeptSentEmail = readKeptWith(wireSentEmail)

/** The topics of a contact as they were kept; null where the text was damaged. */
export const readKeptTopics = (text: string): readonly WireTopic[] | null => {
  try {
    return z.array(wireTopic).safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}
