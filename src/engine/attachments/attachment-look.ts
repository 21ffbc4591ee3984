import type { Attachment, AttachmentLook } from '../../shared/model.ts'
import { riskOfBytes } from '../../shared/attachment-risk.ts'

/** Bytes at the beginning of a file that say what it is: a PDF may have others before it (ISO 32000, annex H). */
export const HEAD_BYTES = 4_096

/** A letter for each byte: what browsers call Latin-1 has others in the middle. */
const ascii = (bytes: Uint8Array, from: number, to: number): string => String.fromCharCode(...bytes.subarray(from, to))

const pictureOf = (head: Uint8Array): AttachmentLook | null => {
  if (ascii(head, 0, 8) === '\u0089PNG\r\n\u001a\n') return 'image/png'
  if (head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff) return 'image/jpeg'
  if (/^GIF8[79]a/.test(ascii(head, 0, 6))) return 'image/gif'
  if (ascii(head, 0, 4) === 'RIFF' && ascii(head, 8, 12) === 'WEBP') return 'image/webp'
  if (ascii(head, 4, 8) === 'ftyp' && /avi[fs]/.test(ascii(head, 8, 32))) return 'image/avif'
  // Two letters are few: a bitmap also says the size of its second header.
  if (ascii(head, 0, 2) === 'BM' && [12, 40, 52, 56, 64, 108, 124].includes(head[14] ?? 0)) return 'image/bmp'
  return null
}

const TEXT_ENDINGS =
  /\.(?:txt|text|log|md|markdown|rst|csv|tsv|json|jsonl|ndjson|xml|ya?ml|toml|ini|conf|cfg|properties|diff|patch|eml|ics|vcf|srt|tex|bib|sql|html?|xhtml|svg|css|scss|[cm]?[jt]sx?|py|rb|php|pl|sh|bash|bat|cmd|ps1|vbs|c|h|cc|cpp|hpp|cs|java|kt|go|rs|swift|lua|r|m|asc|pem|crt|key|pub|sig|lst|nfo|readme)$/i
const TEXT_TYPES =
  /^(?:text\/|message\/|application\/(?:json|xml|javascript|x-sh|x-yaml|yaml|sql|pgp-signature|[\w.+-]+\+(?:xml|json))|image\/svg)/i

const hasWideMark = (head: Uint8Array): boolean =>
  (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)

/** Whether these are words: no byte of them is one that text does not have. */
const isText = (head: Uint8Array): boolean =>
  hasWideMark(head) || !head.some((byte) => byte < 0x20 && ![0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1b].includes(byte))

/**
 * As what an attachment can be shown, by its first bytes; by its name and type only where these may be text.
 * @param head the first `HEAD_BYTES` bytes, or all where there are fewer
 */
export const lookOf = (
  { filename, contentType }: Pick<Attachment, 'filename' | 'contentType'>,
  head: Uint8Array,
): AttachmentLook | null => {
  const picture = pictureOf(head)
  if (picture !== null) return picture
  if (ascii(head, 0, 1_024).includes('%PDF-')) return 'pdf'
  if (riskOfBytes(head) === 'program' || !isText(head)) return null
  const isCalledText = TEXT_ENDINGS.test(filename ?? '') || TEXT_TYPES.test(contentType ?? '')
  const hasNoCall =
    !/\.[^.]+$/.test(filename ?? '') && (contentType ?? 'application/octet-stream').startsWith('application/octet')
  return isCalledText || hasNoCall || riskOfBytes(head) !== null ? 'text' : null
}
