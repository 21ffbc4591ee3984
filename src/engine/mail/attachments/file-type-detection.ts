import { HEAD_BYTES, detectDisplayKind } from './display-kind.ts'

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
