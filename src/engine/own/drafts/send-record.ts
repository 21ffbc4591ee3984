import { z } from 'zod'

const id = z.string().min(1).max(512)

/**
 * Send method of a message, fixed before the first request that sends it, so that retries repeat the same request,
 * however the cache changes.
 * - `reply`, `forward`: the platform's own calls, which keep the thread
 * - `draft`: updates and sends the platform's draft, which also keeps the thread
 * - `email`: a separate message, with headers that name the e-mail it answers
 */
export const sendMethodSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('reply'), inboxId: id, threadId: id, emailId: id }).strict(),
  z
    .object({
      kind: z.literal('forward'),
      inboxId: id,
      threadId: id,
      emailId: id,
      /** Draft files that belong to the original. The platform attaches these itself. */
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
export type SendMethod = z.infer<typeof sendMethodSchema>

export const sendRecordSchema = z
  .object({
    /** The Idempotency-Key, on disk before the first request. */
    key: id,
    archive: z.boolean(),
    /** ID of the archive change, if made. Undoing the send undoes it. */
    archivedBy: id.optional(),
    /** Time when the platform should send the message, milliseconds since the epoch; null for now. */
    scheduledAt: z.number().nullable(),
    /** Null until the first request that sends the message. */
    way: sendMethodSchema.nullable(),
    /** True while the message must be checked for an objection before it is sent. */
    asksFirst: z.literal(true).optional(),
    /** First time that a request with this key may have been in flight; null if never. */
    askedAt: z.number().nullable(),
  })
  .strict()
export type SendRecord = z.infer<typeof sendRecordSchema>
