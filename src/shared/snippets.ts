/**
 * Words that are kept to be put into messages: the signature of each inbox, and canned replies. Nobody else has them: the
 * platform knows neither.
 */
import { z } from 'zod'

export const SNIPPET_LIMITS = {
  cannedReplies: 1_000,
  /** Characters of a canned reply's name. */
  name: 100,
  /** Characters of HTML: more than anybody writes, and no picture that is written out as letters. */
  html: 100_000,
  /** Characters of a file that is imported. */
  file: 20_000_000,
} as const

/** Clean HTML (docs/writing.md), in which placeholders stand. */
const html = z.string().max(SNIPPET_LIMITS.html)
const name = z.string().trim().min(1).max(SNIPPET_LIMITS.name)

export interface Signature {
  readonly inboxId: string
  /** Of the inbox; null where it is not in the account any more. */
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
  /** By their names. */
  readonly cannedReplies: readonly CannedReply[]
}

/** What goes out as a file and comes in: signatures by the address of their inbox, as an ID means nothing elsewhere. */
export const portableSnippets = z.object({
  signatures: z.array(z.object({ address: z.string().min(1).max(512), html })).max(1_000),
  cannedReplies: z.array(z.object({ name, html })).max(SNIPPET_LIMITS.cannedReplies),
})
export type PortableSnippets = z.infer<typeof portableSnippets>

export interface SnippetsImported {
  readonly cannedReplies: number
  readonly signatures: number
  /** Those that were here already, word for word. */
  readonly same: number
  /** Addresses whose signature was left out: no inbox has the address, or its inbox has another signature, which stays. */
  readonly leftOut: readonly string[]
}

const FORMAT = 'linnet-snippets'
const fileSchema = z.object({ format: z.literal(FORMAT), version: z.literal(1) }).extend(portableSnippets.shape)

/** The text of the file that signatures and canned replies are exported to. */
export const writeSnippets = ({ signatures, cannedReplies }: Snippets): string =>
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

/** Reads such a file. @returns null where it is none */
export const readSnippets = (text: string): PortableSnippets | null => {
  try {
    const read = fileSchema.safeParse(JSON.parse(text))
    if (!read.success) return null
    const { signatures, cannedReplies } = read.data
    return { signatures, cannedReplies }
  } catch {
    return null
  }
}
