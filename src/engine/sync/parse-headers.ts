import { decodeWords } from 'postal-mime'
import { toUtf8HeaderLine } from 'linnet-mime/header-lines'
import type { SourceHeader } from '../../shared/attachments.ts'
import { detectLineEnding, type LineEnding, toVisibleCharacters, toVisibleSource } from './visible-source.ts'

/** Maximum headers shown, far more than in any real message. Each one is rendered. */
const MAX_HEADERS = 1_000
/** Maximum bytes shown of a header; the source view has the full text. */
const MAX_HEADER_BYTES = 8 * 1024
/** Maximum bytes scanned for headers. */
const MAX_BYTES = 16 * 1024 * 1024

const LF = 10
const CR = 13
const SPACE = 32
const TAB = 9
const COLON = 58
const MAILBOX_LINE = Buffer.from('From ')

interface Line {
  readonly start: number
  readonly end: number
  readonly next: number
}

const lineAt = (content: Uint8Array, start: number, usual: LineEnding): Line => {
  // If the source has only bare CRs, as from old programs, they end lines. Otherwise a CR is an ordinary character.
  const ends = usual === '\r' ? CR : LF
  const at = content.indexOf(ends, start)
  const stop = at === -1 ? content.byteLength : at
  const hasReturn = ends === LF && stop > start && content[stop - 1] === CR
  return { start, end: hasReturn ? stop - 1 : stop, next: at === -1 ? content.byteLength : stop + 1 }
}

const isFolded = (content: Uint8Array, { start, end }: Line): boolean =>
  start < end && (content[start] === SPACE || content[start] === TAB)

/** End of the header's name (RFC 5322, 2.2: non-empty, no blanks), or -1 if the line doesn't start a header. */
const nameEnd = (content: Uint8Array, { start, end }: Line): number => {
  let at = start
  while (at < end && (content[at] ?? 0) > SPACE && content[at] !== COLON && content[at] !== 0x7f) at += 1
  const name = at
  // Some programs put blanks before the colon.
  while (at < end && (content[at] === SPACE || content[at] === TAB)) at += 1
  return name > start && at < end && content[at] === COLON ? name : -1
}

const ENCODED = /=\?[^?\s]+\?[bq]\?[^?]*\?=/i

const decodedOf = (value: string): string | null => {
  if (!ENCODED.test(value)) return null
  try {
    const line = toUtf8HeaderLine(Buffer.from(value.replace(/\s*\n\s*/g, ' ')), 'utf-8')
    return toVisibleCharacters(decodeWords(Buffer.from(line).toString())).replace(/\s+/g, ' ')
  } catch {
    // Unknown encoding: show the words as written.
    return null
  }
}

const headerOf = (
  content: Uint8Array,
  { start, name, end }: { readonly start: number; readonly name: number; readonly end: number },
  usual: LineEnding,
): SourceHeader => {
  const colon = content.indexOf(COLON, name)
  const isCut = end - colon > MAX_HEADER_BYTES
  const value = toVisibleSource(content, colon + 1, isCut ? colon + MAX_HEADER_BYTES : end, usual).trim()
  return { name: toVisibleSource(content, start, name, usual), value, decoded: decodedOf(value), isCut }
}

/** Reads headers up to the first line that isn't one: at most 1,000, each cut at 8 KB. */
export const parseHeaders = (
  content: Uint8Array,
): { readonly headers: readonly SourceHeader[]; readonly hasMore: boolean } => {
  const looked = content.subarray(0, MAX_BYTES)
  const headers: SourceHeader[] = []
  const usual = detectLineEnding(looked)
  const readLine = (start: number): Line => lineAt(looked, start, usual)
  let line = readLine(0)
  // In mbox format, a `From ` line precedes each message.
  if (MAILBOX_LINE.every((byte, at) => looked[at] === byte)) line = readLine(line.next)
  while (line.start < looked.byteLength) {
    const name = nameEnd(looked, line)
    if (name === -1) return { headers, hasMore: false }
    if (headers.length === MAX_HEADERS) return { headers, hasMore: true }
    let last = line
    let next = readLine(line.next)
    while (last.next < looked.byteLength && isFolded(looked, next)) {
      last = next
      next = readLine(next.next)
    }
    headers.push(headerOf(looked, { start: line.start, name, end: last.end }, usual))
    line = next
  }
  return { headers, hasMore: content.byteLength > looked.byteLength }
}
