/** Rewrites the headers of old mail clients for a parser that supports only UTF-8 and the web's charsets. */
import { isUtf8 } from 'node:buffer'
import { decodeText, isKnownCharset, isUtf8Charset, toMultibyteLabel } from './charsets.ts'

const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')

const encodedWords = /=\?([^?\s]+)\?([qb])\?([^?]*)\?=/gi

/** Bytes of a message searched for its text's charset. */
const maxSearchedBytes = 65_536

/** Likely charset of eight-bit headers that aren't UTF-8: that of the first text part, else Windows-1252. */
export function guessHeaderCharset(raw: Uint8Array): string {
  const named = /\bcharset\s*=\s*"?([\w.:+-]+)/i.exec(latin1(raw.subarray(0, maxSearchedBytes)))?.[1] ?? ''
  return isKnownCharset(named) && !/^utf/i.test(named) ? named : 'windows-1252'
}

/**
 * Converts a header line and its encoded words to UTF-8. Eight-bit bytes use `otherwise`; inside an encoded word, which
 * may not have them (RFC 2047), they use the word's charset.
 */
export function toUtf8HeaderLine(line: Uint8Array, otherwise: string): Uint8Array {
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

/** @param encoded in Latin-1, one character per byte */
function readableWord(charset: string, encoding: string, encoded: string): string {
  // eslint-disable-next-line no-control-regex -- matches non-ASCII
  const plain = encoded.replace(/[^\x00-\x7f]/g, (byte) =>
    encoding === 'B' ? '' : `=${byte.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  if (isUtf8Charset(charset)) return `=?utf-8?${encoding}?${plain}?=`
  const text = decodeText(encoding === 'B' ? Buffer.from(plain, 'base64') : decodeQEncoding(plain), charset)
  // A character may be split between two encoded words. The parser joins words of one charset, so keep it.
  const label = text.includes('\ufffd') ? toMultibyteLabel(charset) : null
  if (label !== null) return `=?${label}?${encoding}?${plain}?=`
  return `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`
}

function decodeQEncoding(encoded: string): Buffer {
  return decodeHexEscapes(encoded.replaceAll('_', ' '), '=')
}

function decodeHexEscapes(encoded: string, mark: '=' | '%'): Buffer {
  const pattern = new RegExp(`${mark}([\\da-f]{2})`, 'gi')
  const text = Buffer.from(encoded).toString('latin1')
  return Buffer.from(
    text.replace(pattern, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    'latin1',
  )
}

/** A percent-encoded parameter or a section of one: `filename*=cp850''…`, `filename*1*=…` (RFC 2231, 4). */
const encodedParameters = /\*(\d{1,4}\*)?(\s*=\s*"?)(?:([^'"*;=\s]*)'([^';]*)')?([^";\s']*)/g

/** Converts percent-encoded parameters (RFC 2231) to UTF-8 if their charset is known. */
export function toUtf8Parameters(header: string): string {
  let charset = ''
  const pieces: string[] = []
  let end = 0
  for (const found of header.matchAll(encodedParameters)) {
    const [whole, section = '', equals = '', named, language = '', value = ''] = found
    if (named !== undefined) charset = named
    if (!isKnownCharset(charset) || isUtf8Charset(charset)) continue
    const text = decodeText(decodeHexEscapes(value, '%'), charset)
    // A character may be split between two sections, which the parser joins. Leave it.
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
