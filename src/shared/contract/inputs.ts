import { z } from 'zod'
import { EMAIL_LISTS } from '../email-query.ts'

export const emptyInputSchema = z.object({}).strict()
export const idSchema = z.string().min(1).max(512)
export const idListSchema = z.array(idSchema).min(1).max(10_000)
export const accountIdSchema = z.string().min(1).max(64)
export const apiKeySchema = z.string().trim().min(1).max(1024)
export const credentialsSchema = z
  .object({ baseUrl: z.string().trim().min(1).max(2048), apiKey: apiKeySchema })
  .strict()

export const directoryPathSchema = z.string().trim().min(1).max(4_096)

/** A window of a list: at most 200 rows, which is enough for a screen and few enough for one transaction. */
export const listWindowFields = { offset: z.int().min(0), limit: z.int().min(1).max(200) }

export const labelColorSchema = z
  .string()
  .regex(/^#[\da-f]{6}$/i)
  .transform((color) => color.toUpperCase())

/** The e-mail that owns a body, a file or a share link: an e-mail of a thread, or of an account-wide list. */
export const bodyOwnerSchema = z.discriminatedUnion('list', [
  z.object({ list: z.literal('threads'), inboxId: idSchema, threadId: idSchema, emailId: idSchema }).strict(),
  z.object({ list: z.enum(EMAIL_LISTS), emailId: idSchema }).strict(),
])
export type BodyOwner = z.infer<typeof bodyOwnerSchema>

/** The outcome of saving a file. A browser downloads it from `url`, once. */
export type SavedFile =
  | { readonly kind: 'saved'; readonly path: string }
  | { readonly kind: 'download'; readonly url: string }
  | { readonly kind: 'cancelled' }

/** Receipt for a local change; undo it with `changeId`. */
export interface ChangeReceipt {
  readonly changeId: string
}
