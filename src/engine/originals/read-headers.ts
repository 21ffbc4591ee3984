import { decodeWords } from 'postal-mime'
import { readableHeaderLine } from '../../mime/header-lines.ts'
import type { SourceHeader } from '../../shared/attachments.ts'
import { lineEndOf, type LineEnd, visibleCharacters, visibleSource } from './visible-source.ts'

/** More headers than any real message has: each is drawn. */
const MOST_HEADERS = 1_000
/** Bytes of a header that are shown beside the others: the text of the message has all of it. */
const LONGEST_HEADER = 8 * 1024
/** Bytes that are looked through for headers. */
const MOST_BYTES = 16 * 1024 * 1024

const LF = 10
const CR = 13
const SPACE = 32
const TAB = 9
const COLON = 58
const MAILBOX_LINE = Buffer.from('From ')

/** A line of a message: where it begins, where it ends, and where the next one begins. */
interface Line {
  readonly start: number
  readonly end: number
  readonly next: number
}

const lineAt = (content: Uint8Array, start: number, usual: LineEnd): Line => {
  // Old programs end a line with a carriage return alone; elsewhere one is a character like others.
  const ends = usual === '\r' ? CR : LF
  const at = content.indexOf(ends, start)
  const stop = at === -1 ? content.byteLength : at
  const hasReturn = ends === LF && stop > start && content[stop - 1] === CR
  return { start, end: hasReturn ? stop - 1 : stop, next: at === -1 ? content.byteLength : stop + 1 }
}

const isFolded = (content: Uint8Array, { start, end }: Line): boolean =>
  start < end && (content[start] === SPACE || content[start] === TAB)

/** Where the name of a header ends; -1 in a line that begins none (RFC 5322, 2.2: no blanks in it, none of it empty). */
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
    const line = readableHeaderLine(Buffer.from(value.replace(/\s*\n\s*/g, ' ')), 'utf-8')
    return visibleCharacters(decodeWords(Buffer.from(line).toString())).replace(/\s+/g, ' ')
  } catch {
    // Words in an encoding that nobody knows are shown as they were written.
    return null
  }
}

const headerOf = (
  content: Uint8Array,
  { start, name, end }: { readonly start: number; readonly name: number; readonly end: number },
  usual: LineEnd,
): SourceHeader => {
  const colon = content.indexOf(COLON, name)
  const isCut = end - colon > LONGEST_HEADER
  const value = visibleSource(content, colon + 1, isCut ? colon + LONGEST_HEADER : end, usual).trim()
  return { name: visibleSource(content, start, name, usual), value, decoded: decodedOf(value), isCut }
}

/** Headers up to the first line that is none, whatever follows: at most 1,000, each cut at 8 KB. */
export const readHeaders = (
  content: Uint8Array,
): { readonly headers: readonly SourceHeader[]; readonly hasMore: boolean } => {
  const looked = content.subarray(0, MOST_BYTES)
  const headers: SourceHeader[] = []
  const usual = lineEndOf(looked)
  const readLine = (start: number): Line => lineAt(looked, start, usual)
  let line = readLine(0)
  // A mailbox file puts a line of its own before each message.
  if (MAILBOX_LINE.every((byte, at) => looked[at] === byte)) line = readLine(line.next)
  while (line.start < looked.byteLength) {
    const name = nameEnd(looked, line)
    if (name === -1) return { headers, hasMore: false }
    if (headers.length === MOST_HEADERS) return { headers, hasMore: true }
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
