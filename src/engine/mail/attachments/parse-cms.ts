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

export type CmsContent =
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
