import { z } from 'zod'

const id = z.string().min(1).max(512)

/**
 * How a message goes to the platform, frozen when it leaves: every try says the same, whatever the cache and the inbox
 * say by then.
 *
 * - `reply`, `forward`: by the platform's own calls, which keep the thread
 * - `draft`: the platform's draft is brought up to date and sent, which keeps the thread as well
 * - `email`: as a message of its own; with headers that name what it answers
 */
export const wayOfSending = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('reply'), inboxId: id, threadId: id, emailId: id }).strict(),
  z
    .object({
      kind: z.literal('forward'),
      inboxId: id,
      threadId: id,
      emailId: id,
      /** Files of the draft that are the original's: the platform sends these itself. */
      originalFiles: z.array(id).readonly(),
    })
    .strict(),
  z
    .object({ kind: z.literal('draft'), inboxId: id, answers: z.object({ threadId: id, emailId: id }).nullable() })
    .strict(),
  z
    .object({
      kind: z.literal('email'),
      from: z.object({ name: z.string().nullable(), address: z.string() }).strict(),
      headers: z.record(z.string(), z.string()),
    })
    .strict(),
])
export type WayOfSending = z.infer<typeof wayOfSending>

/** What of a draft says how it is sent, from the moment that a person has sent it. */
export const sending = z
  .object({
    /** The Idempotency-Key: on the disk before the first request. */
    key: id,
    archive: z.boolean(),
    /** What undoes that, once it was done: the thread comes back where the message does. */
    archivedBy: id.optional(),
    /** When the platform is to send it, milliseconds since the epoch; null for at once. */
    scheduledAt: z.number().nullable(),
    /** Null until it leaves this computer. */
    way: wayOfSending.nullable(),
    /** When a request with this key may first have been on its way; null where nothing has left this computer. */
    askedAt: z.number().nullable(),
    /** The e-mail's ID, once the platform has taken it. */
    emailId: id.nullable(),
    /** It was asked here that what is scheduled be cancelled; kept before the request, whose answer may be lost. */
    isCancelAsked: z.literal(true).optional(),
  })
  .strict()
export type Sending = z.infer<typeof sending>
