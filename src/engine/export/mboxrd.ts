/**
 * mboxrd (https://www.loc.gov/preservation/digital/formats/fdd/fdd000385.shtml, RFC 4155 for the separator): LF ends
 * lines, and an empty line each message. `From ` at a line's start, quoted or not, is quoted once more: reversible.
 */
import { AT_ONCE } from './slices.ts'

const LF = 10
const CR = 13
const QUOTE = 62
const FROM = Buffer.from('From ')

/** Precedes a message in the file; the rest is the message itself. */
export interface MboxEnvelope {
  /** Who sent it: an address, perhaps with a name. */
  readonly from: string
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Null where the mail has no such state. */
  readonly isRead: boolean | null
  /** The folder and the labels, as Google's export names them. */
  readonly labels: readonly string[]
}

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const
/** The last time that has four digits of a year, and the first that mail programs take for one. */
const [FIRST, LAST] = [0, Date.UTC(9999, 11, 31)] as const

const two = (number: number): string => String(number).padStart(2, '0')

/** A time in UTC as C's `asctime` writes it, without the end of the line. @param at milliseconds since the epoch */
export const writeAsctime = (at: number): string => {
  const time = new Date(Number.isFinite(at) ? Math.min(LAST, Math.max(FIRST, at)) : FIRST)
  const clock = [time.getUTCHours(), time.getUTCMinutes(), time.getUTCSeconds()].map(two).join(':')
  const day = String(time.getUTCDate()).padStart(2, ' ')
  return `${DAYS[time.getUTCDay()] ?? ''} ${MONTHS[time.getUTCMonth()] ?? ''} ${day} ${clock} ${time.getUTCFullYear()}`
}

/** The bare address for the separator, which takes one word of ASCII. RFC 4155 has no word for none: this is the custom. */
const envelopeSender = (from: string): string => {
  const address = (/<([^<>]*)>\s*$/.exec(from)?.[1] ?? from).trim()
  return /^[!-~]{1,320}$/.test(address) ? address : 'MAILER-DAEMON'
}

const isPlain = (text: string): boolean => /^[ -~]*$/.test(text)
/** Bytes of UTF-8 of an encoded word (RFC 2047): it has 75 characters at most. */
const WORD_BYTES = 45

/** Encoded words for a text beyond ASCII, none of which cuts a character. */
const encodeWords = (text: string): readonly string[] => {
  const words: string[] = []
  let word = ''
  for (const sign of text) {
    if (Buffer.byteLength(word + sign) > WORD_BYTES) {
      words.push(word)
      word = ''
    }
    word += sign
  }
  return [...words, word].map((part) => `=?UTF-8?B?${Buffer.from(part).toString('base64')}?=`)
}

/** A value of a header, folded between its words (RFC 5322, 2.2.3). */
const fold = (words: readonly string[]): string => {
  let [text, column] = ['', 16]
  for (const [index, word] of words.entries()) {
    const breaks = index > 0 && column + word.length + 1 > 76
    text += `${index === 0 ? '' : breaks ? '\n ' : ' '}${word}`
    column = breaks ? word.length + 1 : column + word.length + 1
  }
  return text
}

/** `X-Gmail-Labels`: separated by commas, quoted if a name has one, as encoded words beyond ASCII. */
export const writeLabels = (labels: readonly string[]): string => {
  const names = labels
    .map((label) =>
      label
        .toWellFormed()
        .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
        .trim(),
    )
    .filter((label) => label !== '')
    .map((label) => (/[",]/.test(label) ? `"${label.replaceAll('"', "'")}"` : label))
  const text = names.join(',')
  return fold(isPlain(text) && !text.includes('=?') ? text.split(' ') : encodeWords(text))
}

const writeHead = ({ from, at, isRead, labels }: MboxEnvelope): string =>
  [
    `From ${envelopeSender(from)} ${writeAsctime(at)}`,
    // `R`: it was read; `O`: it is not new to the mailbox.
    ...(isRead === null ? [] : [`Status: ${isRead ? 'RO' : 'O'}`]),
    // Always a header: it tells a separator from a sentence.
    `X-Gmail-Labels: ${writeLabels(labels)}`,
    '',
  ].join('\n')

const isQuotedFrom = (message: Uint8Array, start: number): boolean => {
  let at = start
  while (message[at] === QUOTE) at += 1
  return FROM.every((byte, place) => message[at + place] === byte)
}

/** The lines of a message as the file has them, in pieces of about 256 KB. */
const quoteLines = function* (message: Uint8Array): Generator<Uint8Array> {
  let length = 0
  let at = 0
  // A quote is one byte more for a line of five bytes at least. Room for what is left is enough: most messages are small, and
  // the memory of each has to be found and given back.
  const makeRoom = (): Buffer => Buffer.allocUnsafe(Math.min(AT_ONCE, message.byteLength - at) * 2 + 2)
  let into = makeRoom()
  while (at < message.byteLength) {
    if (isQuotedFrom(message, at)) into[length++] = QUOTE
    // A line may be as long as the message: it goes piece by piece.
    const found = message.indexOf(LF, at)
    const end = found === -1 ? message.byteLength : found
    while (at < end) {
      const stop = Math.min(end, at + AT_ONCE)
      const isEnd = stop === end && found !== -1 && message[stop - 1] === CR
      const piece = message.subarray(at, isEnd ? stop - 1 : stop)
      into.set(piece, length)
      length += piece.byteLength
      at = stop
      if (length >= AT_ONCE - 1) {
        yield into.subarray(0, length)
        into = makeRoom()
        length = 0
      }
    }
    if (found !== -1) at = found + 1
    into[length++] = LF
    // Lines may be empty, one as the other.
    if (length >= AT_ONCE - 1) {
      yield into.subarray(0, length)
      into = makeRoom()
      length = 0
    }
  }
  yield into.subarray(0, length)
}

/** A message for an mbox file, in pieces. @param message as sent, with any line ends */
export const writeMboxMessage = function* (message: Uint8Array, envelope: MboxEnvelope): Generator<Uint8Array> {
  yield Buffer.from(writeHead(envelope), 'latin1')
  if (message.byteLength === 0) yield Buffer.of(LF)
  yield* quoteLines(message)
  yield Buffer.of(LF)
}
