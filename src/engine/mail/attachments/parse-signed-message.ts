import { MailParser, contentLocationOf } from '../../../mime/mail-parser.ts'
import { normalizeMediaType } from '../../../shared/attachment-filename.ts'
import { type AttachmentPart, MAX_PART_DEPTH } from '../../sync/attachment-parts.ts'
import { parseCms } from './parse-cms.ts'
import { isSignatureType, isSmimeType } from './smime-types.ts'
import type { Attachment } from 'postal-mime'

const bytesOf = (content: ArrayBuffer | Uint8Array | string): Uint8Array =>
  typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content)

/** Converts a parsed attachment of the message itself, not of a nested message. */
export const toAttachmentPart = (attachment: Attachment): AttachmentPart => ({
  filename: attachment.filename,
  contentId: attachment.contentId ?? null,
  contentLocation: contentLocationOf(attachment),
  contentType: attachment.mimeType.toLowerCase(),
  isNested: false,
  bytes: bytesOf(attachment.content),
})

/** Nesting limit for signatures; RFC 2634 has three layers. */
const MAX_SIGNATURE_DEPTH = 5
/** Maximum characters of a body. */
const LONGEST_BODY = 2_000_000

export type SignedMessage =
  | {
      readonly kind: 'signed'
      readonly html: string | null
      readonly text: string | null
      readonly files: readonly AttachmentPart[]
    }
  | { readonly kind: 'encrypted'; readonly by: 'PGP' | 'S/MIME' }
  /** A detached signature, or certificates. */
  | { readonly kind: 'none' }

const truncateBody = (body: string | undefined): string | null => body?.slice(0, LONGEST_BODY) ?? null

/** Reads a signed or compressed S/MIME message with nested layers. @throws Error if damaged or nested too deeply */
export const parseSignedMessage = async (bytes: Uint8Array, wrapped = 1): Promise<SignedMessage> => {
  if (wrapped > MAX_SIGNATURE_DEPTH) throw new Error('The message has too many nested S/MIME layers.')
  const cms = parseCms(bytes)
  if (cms.kind === 'encrypted') return { kind: 'encrypted', by: 'S/MIME' }
  if (cms.kind !== 'content') return { kind: 'none' }
  const parser = new MailParser({ maxNestingDepth: MAX_PART_DEPTH, forceRfc822Attachments: true })
  const { html, text, attachments } = await parser.parse(cms.bytes)
  const parts = attachments.map(toAttachmentPart)
  const hasBody = [html, text].some((body) => (body ?? '').trim() !== '')
  const inner = hasBody ? undefined : parts.find(({ contentType }) => isSmimeType(contentType))
  if (inner !== undefined) return parseSignedMessage(inner.bytes, wrapped + 1)
  if (parts.some(({ contentType }) => contentType === 'application/pgp-encrypted')) {
    return { kind: 'encrypted', by: 'PGP' }
  }
  const files = parts.filter(({ contentType }) => !isSignatureType(normalizeMediaType(contentType)))
  return { kind: 'signed', html: truncateBody(html), text: truncateBody(text), files }
}
