/** Signatures of inboxes and canned replies. Stored locally only, because the platform has neither. */
import { z } from 'zod'

export const SNIPPET_LIMITS = {
  cannedReplies: 1_000,
  /** Maximum characters of a canned reply's name. */
  name: 100,
  /** Maximum characters of HTML: more than anybody writes, but too few for an inline picture. */
  html: 100_000,
  /** Maximum characters of an imported file. */
  file: 20_000_000,
} as const

/** Sanitised HTML with placeholders (docs/writing.md). */
const html = z.string().max(SNIPPET_LIMITS.html)
const name = z.string().trim().min(1).max(SNIPPET_LIMITS.name)

export interface Signature {
  readonly inboxId: string
  /** Null if the inbox no longer belongs to the account. */
  readonly address: string | null
  readonly html: string
}

export interface CannedReply {
  readonly id: string
  readonly name: string
  readonly html: string
}

export interface Snippets {
  readonly signatures: readonly Signature[]
  readonly cannedReplies: readonly CannedReply[]
}

/** Export format. Signatures are listed by their inbox's address, because IDs mean nothing in another account. */
export const portableSnippetsSchema = z.object({
  signatures: z.array(z.object({ address: z.string().min(1).max(512), html })).max(1_000),
  cannedReplies: z.array(z.object({ name, html })).max(SNIPPET_LIMITS.cannedReplies),
})
export type PortableSnippets = z.infer<typeof portableSnippetsSchema>

export interface SnippetImportResult {
  readonly cannedReplies: number
  readonly signatures: number
  /** Number of exact copies of existing snippets. */
  readonly same: number
  /**
   * Addresses whose signature was skipped, because no inbox has the address or its inbox already has another signature.
   */
  readonly leftOut: readonly string[]
}

const FORMAT = 'linnet-snippets'
const fileSchema = z.object({ format: z.literal(FORMAT), version: z.literal(1) }).extend(portableSnippetsSchema.shape)

export const serializeSnippets = ({ signatures, cannedReplies }: Snippets): string =>
  `${JSON.stringify(
    {
      format: FORMAT,
      version: 1,
      signatures: signatures.flatMap(({ address, html }) => (address === null ? [] : [{ address, html }])),
      cannedReplies: cannedReplies.map(({ name, html }) => ({ name, html })),
    },
    null,
    2,
  )}\n`

/** @returns null if the file isn't a snippet export */
export const parseSnippets = (text: string): PortableSnippets | null => {
  try {
    const read = fileSchema.safeParse(JSON.parse(text))
    if (!read.success) return null
    const { signatures, cannedReplies } = read.data
    return { signatures, cannedReplies }
  } catch {
    return null
  }
}
