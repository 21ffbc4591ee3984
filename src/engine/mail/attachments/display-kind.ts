import type { Attachment, AttachmentDisplay } from '../../../shared/attachments.ts'
import { detectContentRiskOfBytes } from '../../../shared/attachment-risk.ts'
import { detectUtf16 } from '../../../shared/detect-utf16.ts'
import { parsePictureMetadata } from '../../store/picture-metadata.ts'

/** Leading bytes to inspect when identifying a file: other bytes may precede a PDF's header (ISO 32000, annex H). */
export const HEAD_BYTES = 4_096

/** One character per byte; the browsers' Latin-1 decoder maps some bytes differently. */
const ascii = (bytes: Uint8Array, from: number, to: number): string => String.fromCharCode(...bytes.subarray(from, to))

/** Maximum pixels of an image. Drawing more would take half a gigabyte, and no camera produces that many. */
const MAX_PIXELS = 128_000_000

const beginsPicture = (head: Uint8Array): boolean =>
  ['\u0089PNG\r\n', 'GIF8', '\u00ff\u00d8\u00ff'].some((begin) => ascii(head, 0, begin.length) === begin) ||
  ascii(head, 8, 12) === 'WEBP' ||
  /^ftypavi[fs]/.test(ascii(head, 4, 12))

/** Checks dimensions first: a few kilobytes may hold a huge image. Images that can't be measured aren't drawn. */
const pictureOf = (bytes: Uint8Array): AttachmentDisplay | null => {
  const facts = parsePictureMetadata(bytes)
  if (facts === null) return beginsPicture(bytes.subarray(0, HEAD_BYTES)) ? 'broken picture' : null
  return facts.width * facts.height > MAX_PIXELS ? 'huge picture' : facts.type
}

const TEXT_EXTENSIONS =
  /\.(?:txt|text|log|md|markdown|rst|csv|tsv|json|jsonl|ndjson|xml|ya?ml|toml|ini|conf|cfg|properties|diff|patch|eml|ics|vcf|srt|tex|bib|sql|html?|xhtml|svg|css|scss|[cm]?[jt]sx?|py|rb|php|pl|sh|bash|bat|cmd|ps1|vbs|c|h|cc|cpp|hpp|cs|java|kt|go|rs|swift|lua|r|m|asc|pem|crt|key|pub|sig|lst|nfo|readme)$/i
const TEXT_TYPES =
  /^(?:text\/|message\/|application\/(?:json|xml|javascript|x-sh|x-yaml|yaml|sql|pgp-signature|[\w.+-]+\+(?:xml|json))|image\/svg)/i

/** True if the bytes contain no binary control characters. */
const isText = (head: Uint8Array): boolean =>
  detectUtf16(head) !== null ||
  !head.some((byte) => byte < 0x20 && ![0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1b].includes(byte))

/** Determines the display kind from the content. Name and type matter only for what may be text. */
export const detectDisplayKind = (
  { filename, contentType }: Pick<Attachment, 'filename' | 'contentType'>,
  bytes: Uint8Array,
): AttachmentDisplay | null => {
  const head = bytes.subarray(0, HEAD_BYTES)
  const picture = pictureOf(bytes)
  if (picture !== null) return picture
  if (ascii(head, 0, 1_024).includes('%PDF-')) return 'pdf'
  if (detectContentRiskOfBytes(head) === 'program' || !isText(head)) return null
  const isCalledText = TEXT_EXTENSIONS.test(filename ?? '') || TEXT_TYPES.test(contentType ?? '')
  const hasNoCall =
    !/\.[^.]+$/.test(filename ?? '') && (contentType ?? 'application/octet-stream').startsWith('application/octet')
  return isCalledText || hasNoCall || detectContentRiskOfBytes(head) !== null ? 'text' : null
}

/** First lines that identify text types. */
const FIRST_LINES: readonly (readonly [type: string, line: RegExp])[] = [
  ['text/calendar', /^BEGIN:VCALENDAR\s/i],
  ['text/vcard', /^BEGIN:VCARD\s/i],
  ['message/delivery-status', /^(?:Reporting-MTA|Final-Recipient|Original-Envelope-Id):/i],
  ['message/rfc822', /^(?:Return-Path|Received|Delivered-To|MIME-Version|Message-ID):/i],
]

/** Guesses a file's type from its start. @returns null if unknown */
export const detectFileType = (bytes: Uint8Array): string | null => {
  const look = detectDisplayKind({ filename: null, contentType: null }, bytes)
  if (look === 'pdf') return 'application/pdf'
  if (look === 'text') {
    const text = new TextDecoder().decode(bytes.subarray(0, HEAD_BYTES)).trimStart()
    return FIRST_LINES.find(([, line]) => line.test(text))?.[0] ?? 'text/plain'
  }
  if (look?.startsWith('image/') === true) return look
  return bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4 ? 'application/zip' : null
}
