/**
 * What the platform sends, field by field and leniently (platform facts 0.1): unknown fields are kept, a field of another
 * type counts as absent, and an element of a list that is none is left out, with all others kept. The wire's names end in
 * `api`: `answers` turns what they hold into the model's terms.
 */
import { z } from 'zod'

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

export const wireLabel = z.looseObject({ id, name: text, color: text })
export type WireLabel = z.infer<typeof wireLabel>

export const wireInbox = z.looseObject({ id, name: text, email_address: text, from_name: text, unread: count })
export type WireInbox = z.infer<typeof wireInbox>

const threadState = {
  labels: each(wireLabel),
  read: flag,
  folder: z.string().optional().catch(undefined),
}

/** A thread of a list or a search (contract, "Thread"). */
export const wireThread = z.looseObject({
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
export const wireThreadSummary = z.looseObject({ id, subject: text, ...threadState })
export type WireThreadSummary = z.infer<typeof wireThreadSummary>

/** What a person sees of an attachment is its name: one without an ID is shown, too. */
export const wireAttachment = z.looseObject({
  id: id.catch(''),
  filename: text,
  size: count.nullable(),
  content_type: text,
  content_id: text,
  /** Where its bytes are, for an hour (platform facts 7). */
  download_url: text,
})

export type WireAttachment = z.infer<typeof wireAttachment>

/** An e-mail of a thread (platform facts 3.4). */
export const wireEmail = z.looseObject({
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

export const wireContact = z.looseObject({
  id,
  email: text,
  first_name: text,
  last_name: text,
  created_at: text,
  unsubscribed: flag,
  properties: z.record(z.string(), z.unknown()).nullable().optional().catch(undefined),
})
export type WireContact = z.infer<typeof wireContact>

export const wireTopic = z.looseObject({ id, name: text, description: text, subscription: text })
export type WireTopic = z.infer<typeof wireTopic>

export const wireSegment = z.looseObject({ id, name: text })
export type WireSegment = z.infer<typeof wireSegment>

/** A received e-mail, of the list or in whole (contract, "Received email"; platform facts 7). */
export const wireReceivedEmail = z.looseObject({
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
  authentication: z.looseObject({ spf: text, dkim: text, dmarc: text }).nullable().optional().catch(undefined),
  raw: z.looseObject({ download_url: z.string(), expires_at: text }).nullable().optional().catch(undefined),
  attachments: each(wireAttachment),
})
export type WireReceivedEmail = z.infer<typeof wireReceivedEmail>

/** A sent e-mail, of the list or in whole (platform facts 6). */
export const wireSentEmail = z.looseObject({
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
  /** Not promised; where they come, their names are searched. */
  attachments: each(wireAttachment),
})
export type WireSentEmail = z.infer<typeof wireSentEmail>

/** A name before the host is read as the host by people, and left out by browsers. */
const isWebAddress = (url: string): boolean => {
  const parsed = URL.parse(url)
  return parsed !== null && /^https?:$/.test(parsed.protocol) && parsed.username === '' && parsed.password === ''
}

/** A link that a person gives away and opens: a page of the web, never a script or a file, as a browser reads it. */
export const wireShareLink = z.looseObject({
  id,
  url: z
    .string()
    .refine(isWebAddress)
    .transform((url) => new URL(url).href),
})

/** What was made: its ID alone. */
export const wireReference = z.looseObject({ id })

/** A list. Where it does not say whether more follows, a full page means yes. */
export const envelope = z.looseObject({ data: z.array(z.unknown()), has_more: flag })

/** The key under which the platform's words ride along with what was read from them. */
export const WORDS: unique symbol = Symbol('the words of the platform')

/** What was sent; of older platforms with the draft's ID, and the e-mail's beside it. */
export const wireSent = z.looseObject({ id, email_id: id.nullable().optional().catch(undefined) })

const maybeId = id.nullable().optional().catch(undefined)

/** A draft of the platform (platform facts 3.7); in a list with a `snippet` in place of its bodies. */
export const wireDraft = z.looseObject({
  id,
  to: texts.nullable(),
  cc: texts.nullable(),
  bcc: texts.nullable(),
  subject: text,
  html: text,
  text,
  snippet: text,
  thread_id: maybeId,
  reply_to_email_id: maybeId,
  email_id: maybeId,
  updated_at: text,
  attachments: each(z.looseObject({ id, filename: text, content_type: text, size: count })),
})
