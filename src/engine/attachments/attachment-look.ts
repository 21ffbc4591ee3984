import type { Attachment, AttachmentLook } from '../../shared/attachments.ts'
import { riskOfBytes } from '../../shared/attachment-risk.ts'
import { wideCharsetOf } from '../../shared/wide-text.ts'
import { readPicture } from '../contents/read-picture.ts'

/** Bytes at the beginning of a file that say what it is: a PDF may have others before it (ISO 32000, annex H). */
export const HEAD_BYTES = 4_096

/** A letter for each byte: what browsers call Latin-1 has others in the middle. */
const ascii = (bytes: Uint8Array, from: number, to: number): string => String.fromCharCode(...bytes.subarray(from, to))

/** Points of a picture: a larger one would take half a gigabyte to be drawn, and none that anyone took has as many. */
const MOST_POINTS = 128_000_000

/** Whether the first bytes are those of a picture, whatever comes behind them. */
const beginsPicture = (head: Uint8Array): boolean =>
  ['\u0089PNG\r\n', 'GIF8', '\u00ff\u00d8\u00ff'].some((begin) => ascii(head, 0, begin.length) === begin) ||
  ascii(head, 8, 12) === 'WEBP' ||
  /^ftypavi[fs]/.test(ascii(head, 4, 12))

/**
 * A picture by how large it will be when it is drawn, which its bytes say before anything is: a file of some kilobytes may
 * hold a wall of points. What cannot be measured is not drawn.
 */
const pictureOf = (bytes: Uint8Array): AttachmentLook | null => {
  const facts = readPicture(bytes)
  if (facts === null) return beginsPicture(bytes.subarray(0, HEAD_BYTES)) ? 'broken picture' : null
  return facts.width * facts.height > MOST_POINTS ? 'huge picture' : facts.type
}

const TEXT_ENDINGS =
  /\.(?:txt|text|log|md|markdown|rst|csv|tsv|json|jsonl|ndjson|xml|ya?ml|toml|ini|conf|cfg|properties|diff|patch|eml|ics|vcf|srt|tex|bib|sql|html?|xhtml|svg|css|scss|[cm]?[jt]sx?|py|rb|php|pl|sh|bash|bat|cmd|ps1|vbs|c|h|cc|cpp|hpp|cs|java|kt|go|rs|swift|lua|r|m|asc|pem|crt|key|pub|sig|lst|nfo|readme)$/i
const TEXT_TYPES =
  /^(?:text\/|message\/|application\/(?:json|xml|javascript|x-sh|x-yaml|yaml|sql|pgp-signature|[\w.+-]+\+(?:xml|json))|image\/svg)/i

/** Whether these are words: no byte of them is one that text does not have. */
const isText = (head: Uint8Array): boolean =>
  wideCharsetOf(head) !== null ||
  !head.some((byte) => byte < 0x20 && ![0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1b].includes(byte))

/**
 * As what an attachment can be shown, by its bytes; by its name and type only where these may be text.
 */
export const lookOf = (
  { filename, contentType }: Pick<Attachment, 'filename' | 'contentType'>,
  bytes: Uint8Array,
): AttachmentLook | null => {
  const head = bytes.subarray(0, HEAD_BYTES)
  const picture = pictureOf(bytes)
  if (picture !== null) return picture
  if (ascii(head, 0, 1_024).includes('%PDF-')) return 'pdf'
  if (riskOfBytes(head) === 'program' || !isText(head)) return null
  const isCalledText = TEXT_ENDINGS.test(filename ?? '') || TEXT_TYPES.test(contentType ?? '')
  const hasNoCall =
    !/\.[^.]+$/.test(filename ?? '') && (contentType ?? 'application/octet-stream').startsWith('application/octet')
  return isCalledText || hasNoCall || riskOfBytes(head) !== null ? 'text' : null
}
