/** What programs of the time before UTF-8 put into messages, read as they meant it. */
import { isUtf8 } from 'node:buffer'

/** A superset of Latin-1 and the guess of every browser for text that does not say what it is in. */
const windows1252 = new TextDecoder('windows-1252')

/**
 * A line of a header in UTF-8. One that holds other bytes is read as Windows-1252; inside an encoded word such bytes are
 * of the charset that the word names (RFC 2047 forbids them, and programs wrote them). Encoded words in UTF-7, which
 * decoders for the web do not know, are rewritten in UTF-8.
 */
export function readableHeaderLine(line: Uint8Array): Uint8Array {
  const isWell = isUtf8(line)
  const text = Buffer.from(line.buffer, line.byteOffset, line.byteLength).toString('latin1')
  if (isWell && !/=\?(?:unicode-1-1-)?utf-?7[?*]/i.test(text)) return line
  const outside = (part: string): string =>
    isWell ? Buffer.from(part, 'latin1').toString('utf8') : windows1252.decode(Buffer.from(part, 'latin1'))
  let read = ''
  let end = 0
  for (const word of text.matchAll(/=\?([^?\s]+)\?([qb])\?([^?]*)\?=/gi)) {
    const [whole, charset = '', encoding = '', encoded = ''] = word
    read += outside(text.slice(end, word.index)) + readableWord(whole, charset, encoding, encoded)
    end = word.index + whole.length
  }
  return Buffer.from(read + outside(text.slice(end)))
}

/** @param encoded in Latin-1, a character a byte */
function readableWord(whole: string, charset: string, encoding: string, encoded: string): string {
  if (isUtf7(charset)) {
    const bytes = encoding.toLowerCase() === 'b' ? Buffer.from(encoded, 'base64').toString('latin1') : unquoted(encoded)
    return `=?utf-8?B?${Buffer.from(decodeUtf7(bytes)).toString('base64')}?=`
  }
  // eslint-disable-next-line no-control-regex -- what is no ASCII
  return whole.replace(/[^\x00-\x7f]/g, (byte) =>
    encoding.toLowerCase() === 'b' ? '' : `=${byte.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/** The `Q` encoding of RFC 2047, 4.2, a character a byte. */
function unquoted(encoded: string): string {
  return encoded
    .replaceAll('_', ' ')
    .replace(/=([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
}

/** Whether it names UTF-7, which the web's decoders do not know. An encoded word may add a language (RFC 2231, 5). */
export function isUtf7(charset: string): boolean {
  return /^\s*(?:x-)?(?:unicode-1-1-)?utf-?7\s*(?:\*|$)/i.test(charset)
}

/** Whether it is the name of no charset that decoders for the web know; UTF-7 is none of those either. */
export function isUnknownCharset(charset: string): boolean {
  if (isUtf7(charset)) return false
  try {
    new TextDecoder(charset.trim())
    return false
  } catch {
    return true
  }
}

/** Decodes UTF-7 (RFC 2152): between `+` and what is no base64, UTF-16 in base64; `+-` is a plus sign. */
export function decodeUtf7(text: string): string {
  return text.replace(/\+([A-Za-z\d+/]*)-?/g, (_, encoded: string) =>
    encoded === '' ? '+' : utf16(Buffer.from(encoded, 'base64')),
  )
}

/** @param bytes big-endian; a last odd one is padding */
function utf16(bytes: Buffer): string {
  return Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 2)))
    .swap16()
    .toString('utf16le')
}
