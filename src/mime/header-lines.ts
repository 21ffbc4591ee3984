/** Headers of old programs, rewritten so that a parser which knows UTF-8 and the web's charsets reads them as they were meant. */
import { isUtf8 } from 'node:buffer'
import { decodeText, isKnownCharset, isNamedUtf8, webLabel } from './charsets.ts'

const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')

/** An encoded word (RFC 2047, 2). */
const encodedWords = /=\?([^?\s]+)\?([qb])\?([^?]*)\?=/gi

/** How much of a message is looked through for the charset of its texts, bytes. */
const lookedThrough = 65_536

/**
 * The charset that a message most likely wrote the eight-bit letters of its headers in, where they are no UTF-8: that of
 * its first text, else Windows-1252.
 */
export function headerCharset(raw: Uint8Array): string {
  const named = /\bcharset\s*=\s*"?([\w.:+-]+)/i.exec(latin1(raw.subarray(0, lookedThrough)))?.[1] ?? ''
  return isKnownCharset(named) && !/^utf/i.test(named) ? named : 'windows-1252'
}

/**
 * A line of a header in UTF-8. Other bytes are read in `otherwise`; inside an encoded word they are of the charset that the
 * word names (RFC 2047 forbids them, and programs wrote them). Encoded words are rewritten in UTF-8.
 */
export function readableHeaderLine(line: Uint8Array, otherwise: string): Uint8Array {
  const isWell = isUtf8(line)
  const text = latin1(line)
  if (isWell && !text.includes('=?')) return line
  const outside = (part: string): string => {
    const bytes = Buffer.from(part, 'latin1')
    return isWell ? bytes.toString('utf8') : decodeText(bytes, otherwise)
  }
  let read = ''
  let end = 0
  for (const word of text.matchAll(encodedWords)) {
    const [whole, charset = '', encoding = '', encoded = ''] = word
    read += outside(text.slice(end, word.index)) + readableWord(charset, encoding.toUpperCase(), encoded)
    end = word.index + whole.length
  }
  return Buffer.from(read + outside(text.slice(end)))
}

/** @param encoded in Latin-1, a character a byte */
function readableWord(charset: string, encoding: string, encoded: string): string {
  // eslint-disable-next-line no-control-regex -- what is no ASCII
  const plain = encoded.replace(/[^\x00-\x7f]/g, (byte) =>
    encoding === 'B' ? '' : `=${byte.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  if (isNamedUtf8(charset)) return `=?utf-8?${encoding}?${plain}?=`
  const text = decodeText(encoding === 'B' ? Buffer.from(plain, 'base64') : unquoted(plain), charset)
  // A sign that begins in one word and ends in the next is whole to the parser, which joins words of one charset.
  const label = text.includes('\ufffd') ? webLabel(charset) : null
  if (label !== null) return `=?${label}?${encoding}?${plain}?=`
  return `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`
}

/** The `Q` encoding of RFC 2047, 4.2. */
function unquoted(encoded: string): Buffer {
  return percentDecoded(encoded.replaceAll('_', ' '), '=')
}

function percentDecoded(encoded: string, mark: '=' | '%'): Buffer {
  const pattern = new RegExp(`${mark}([\\da-f]{2})`, 'gi')
  const text = Buffer.from(encoded).toString('latin1')
  return Buffer.from(
    text.replace(pattern, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    'latin1',
  )
}

/** A parameter, or a section of one, that is percent-encoded: `filename*=cp850''…`, `filename*1*=…` (RFC 2231, 4). */
const encodedParameters = /\*(\d{1,4}\*)?(\s*=\s*"?)(?:([^'"*;=\s]*)'([^';]*)')?([^";\s']*)/g

/** A header with its percent-encoded parameters (RFC 2231) in UTF-8, as far as their charsets are known. */
export function readableParameters(header: string): string {
  let charset = ''
  const pieces: string[] = []
  let end = 0
  for (const found of header.matchAll(encodedParameters)) {
    const [whole, section = '', equals = '', named, language = '', value = ''] = found
    if (named !== undefined) charset = named
    if (!isKnownCharset(charset) || isNamedUtf8(charset)) continue
    const text = decodeText(percentDecoded(value, '%'), charset)
    // A sign that begins in one section and ends in the next is whole to the parser, which joins them.
    if (text.includes('\ufffd')) return header
    const start = named === undefined ? '' : `utf-8'${language}'`
    pieces.push(
      header.slice(end, found.index),
      `*${section}${equals}${start}${encodeURIComponent(text.toWellFormed())}`,
    )
    end = found.index + whole.length
  }
  return end === 0 ? header : [...pieces, header.slice(end)].join('')
}
