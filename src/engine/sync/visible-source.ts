import { isUtf8 } from 'node:buffer'

/** Maximum bytes per response, so that none blocks a window. */
const CHUNK_BYTES = 256 * 1024
/** Distance from a piece's end within which a line break is searched for, in bytes. */
const LINE_BREAK_WINDOW_BYTES = 8 * 1024

const LF = 10
const CR = 13

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80

/** Cut position at or before `end`: after a nearby line break if there is one, otherwise between two characters. */
const cutBefore = (content: Uint8Array, start: number, end: number): number => {
  for (let at = end; at > Math.max(start, end - LINE_BREAK_WINDOW_BYTES); at -= 1) if (content[at - 1] === LF) return at
  let at = end
  // A UTF-8 character has at most four bytes; further continuation bytes are invalid.
  while (at > end - 3 && isContinuation(content[at])) at -= 1
  if (isContinuation(content[at])) at = end
  return content[at - 1] === CR && content[at] === LF ? at - 1 : at
}

/** Start of each piece, plus the end of the last one. */
export const findChunkOffsets = (content: Uint8Array): readonly number[] => {
  const cuts = [0]
  for (let at = 0; at < content.byteLength;) {
    const end = at + CHUNK_BYTES
    at = end >= content.byteLength ? content.byteLength : cutBefore(content, at, end)
    cuts.push(at)
  }
  return cuts
}

const CONTROL_PICTURES_START = 0x2400
const DELETE_PICTURE = '\u2421'

const symbolFor = (character: string): string => {
  const point = character.codePointAt(0) ?? 0
  if (point < 0x20) return String.fromCharCode(CONTROL_PICTURES_START + point)
  return point === 0x7f ? DELETE_PICTURE : `⟨U+${point.toString(16).toUpperCase().padStart(4, '0')}⟩`
}

/** Invisible characters and direction marks, stray line breaks, lone surrogates. */
const INVISIBLE_CHARACTERS = /(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu
/** Combining marks after the fourth in a row. No language uses such runs, which would cover nearby lines. */
const ACCENTS = /(?<=\p{M}{4})\p{M}+/gu

/** Makes every character visible, except for tabs and line feeds. */
export const toVisibleCharacters = (text: string): string =>
  text
    .replace(INVISIBLE_CHARACTERS, symbolFor)
    .replace(ACCENTS, (accents) => Array.from(accents, (accent) => symbolFor(accent)).join(''))

/** Length of the UTF-8 character at a position; 0 if none starts there. */
const characterLengthAt = (content: Uint8Array, at: number): number => {
  const first = content[at] ?? 0
  if (first < 0x80) return 1
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2
  return isUtf8(content.subarray(at, at + length)) && at + length <= content.byteLength ? length : 0
}

/** Decodes UTF-8; invalid bytes become `⟨0xE9⟩`. */
const decode = (bytes: Uint8Array): string => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (isUtf8(buffer)) return buffer.toString('utf8')
  const parts: string[] = []
  let begun = 0
  for (let at = 0; at < buffer.length;) {
    const length = characterLengthAt(buffer, at)
    if (length === 0) {
      parts.push(buffer.toString('utf8', begun, at), `⟨0x${buffer.toString('hex', at, at + 1).toUpperCase()}⟩`)
      begun = at + 1
    }
    at += length || 1
  }
  parts.push(buffer.toString('utf8', begun))
  return parts.join('')
}

export type LineEnding = '\r\n' | '\n' | '\r'

/** Line ending of the first line. A bare CR counts only if the source has no LF at all, as from old programs. */
export const detectLineEnding = (content: Uint8Array): LineEnding => {
  const lineFeed = content.indexOf(LF)
  if (lineFeed === -1) return content.includes(CR) ? '\r' : '\n'
  return content[lineFeed - 1] === CR ? '\r\n' : '\n'
}

/**
 * Makes every byte visible: control characters as `␀`, hidden characters as `⟨U+202E⟩`, invalid UTF-8 as `⟨0xE9⟩`, and
 * line endings unlike the usual one as `␍`.
 */
export const toVisibleSource = (content: Uint8Array, start: number, end: number, usual: LineEnding): string => {
  const text = decode(content.subarray(start, end)).replace(/\r\n|\r|\n/g, (lineEnd) => {
    if (lineEnd === usual) return '\n'
    return `${Array.from(lineEnd, symbolFor).join('')}\n`
  })
  return toVisibleCharacters(text)
}
