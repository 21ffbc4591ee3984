import { MailParser, contentLocationOf } from 'linnet-mime/mail-parser'
import { normalizeMediaType } from '../../../shared/attachment-filename.ts'
import { type AttachmentPart, MAX_PART_DEPTH } from '../../sync/attachment-parts.ts'
import { isSignatureType, isSmimeType } from './smime-types.ts'
import type { Attachment } from 'postal-mime'
import { type AsnType, Constructed, fromBER, ObjectIdentifier, OctetString, Sequence } from 'asn1js'
import { inflateSync } from 'node:zlib'

/** Deeper than any program nests, and enough nodes for the largest mail in 1,000-byte chunks. */
const LIMITS = { maxDepth: 40, maxNodes: 100_000, maxContentLength: 64 * 1024 * 1024 } as const
/** Limit for decompressed bytes. */
const MAX_DECOMPRESSED_BYTES = 32 * 1024 * 1024

/** Content types (RFC 5652, 4 to 9; RFC 5083, 2; RFC 3274, 1.1). */
const SIGNED = '1.2.840.113549.1.7.2'
const COMPRESSED = '1.2.840.113549.1.9.16.1.9'
const ENCRYPTED: readonly string[] = [
  '1.2.840.113549.1.7.3',
  '1.2.840.113549.1.7.4',
  '1.2.840.113549.1.7.6',
  '1.2.840.113549.1.9.16.1.23',
]

type CmsContent =
  | { readonly kind: 'content'; readonly bytes: Uint8Array }
  | { readonly kind: 'encrypted' }
  | { readonly kind: 'none' }

const childrenOf = (block: AsnType | undefined): readonly AsnType[] =>
  block instanceof Constructed || block instanceof Sequence ? block.valueBlock.value : []

/** Chunks of an octet string, which may be nested. */
const chunksOf = (block: AsnType): readonly Uint8Array[] => {
  if (!(block instanceof OctetString)) return []
  return block.idBlock.isConstructed ? block.valueBlock.value.flatMap(chunksOf) : [block.valueBlock.valueHexView]
}

/** Content of EncapsulatedContentInfo (RFC 5652, 5.2); null for a detached signature. */
const encapsulatedContentOf = (info: AsnType | undefined): Uint8Array | null => {
  const [content] = childrenOf(childrenOf(info)[1])
  return content instanceof OctetString ? Buffer.concat(chunksOf(content)) : null
}

/** Reads a signed or compressed CMS message (S/MIME, RFC 8551), unverified. @throws Error if invalid or too large */
export const parseCms = (bytes: Uint8Array): CmsContent => {
  const { result, offset } = fromBER(bytes, { ...LIMITS, parseEmbedded: false })
  if (offset === -1) throw new Error('The data is not valid ASN.1.')
  const [type, wrapped] = childrenOf(result)
  if (!(type instanceof ObjectIdentifier)) throw new Error('The data is not a CMS message.')
  const id = type.getValue()
  if (ENCRYPTED.includes(id)) return { kind: 'encrypted' }
  const fields = childrenOf(childrenOf(wrapped)[0])
  if (id === SIGNED) {
    const content = encapsulatedContentOf(fields[2])
    return content === null ? { kind: 'none' } : { kind: 'content', bytes: content }
  }
  if (id === COMPRESSED) {
    const packed = encapsulatedContentOf(fields[2])
    if (packed === null) return { kind: 'none' }
    return { kind: 'content', bytes: inflateSync(packed, { maxOutputLength: MAX_DECOMPRESSED_BYTES }) }
  }
  return { kind: 'none' }
}

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
