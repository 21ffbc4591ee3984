import { MailParser } from '../../mime/mail-parser.ts'
import { knownType } from '../../shared/attachment-filename.ts'
import { type AttachmentPart, MAX_NESTED } from './attachment-parts.ts'
import { toAttachmentPart } from './part-of.ts'
import { readCms } from './read-cms.ts'
import { isSignatureType, isSmimeType } from './smime-types.ts'

/** Nesting limit for signatures; RFC 2634 has three layers. */
const MAX_WRAPPED = 5
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

const bodyOf = (body: string | undefined): string | null => body?.slice(0, LONGEST_BODY) ?? null

/** Reads a signed or compressed S/MIME message with nested layers. @throws Error if damaged or nested too deeply */
export const readSigned = async (bytes: Uint8Array, wrapped = 1): Promise<SignedMessage> => {
  if (wrapped > MAX_WRAPPED) throw new Error('The message has too many nested S/MIME layers.')
  const cms = readCms(bytes)
  if (cms.kind === 'encrypted') return { kind: 'encrypted', by: 'S/MIME' }
  if (cms.kind !== 'content') return { kind: 'none' }
  const parser = new MailParser({ maxNestingDepth: MAX_NESTED, forceRfc822Attachments: true })
  const { html, text, attachments } = await parser.parse(cms.bytes)
  const parts = attachments.map(toAttachmentPart)
  const hasBody = [html, text].some((body) => (body ?? '').trim() !== '')
  const inner = hasBody ? undefined : parts.find(({ contentType }) => isSmimeType(contentType))
  if (inner !== undefined) return readSigned(inner.bytes, wrapped + 1)
  if (parts.some(({ contentType }) => contentType === 'application/pgp-encrypted')) {
    return { kind: 'encrypted', by: 'PGP' }
  }
  const files = parts.filter(({ contentType }) => !isSignatureType(knownType(contentType)))
  return { kind: 'signed', html: bodyOf(html), text: bodyOf(text), files }
}
