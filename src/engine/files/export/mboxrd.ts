/**
 * mboxrd (https://www.loc.gov/preservation/digital/formats/fdd/fdd000385.shtml; RFC 4155 for the separator): LF line
 * ends, an empty line after each message. `From ` or `>From ` at a line's start gets another `>`, which readers can
 * reverse.
 */
import { encodeWord, foldLines } from 'nodemailer/lib/mime-funcs'

export interface MboxEnvelope {
  /** An address, optionally with a name. */
  readonly from: string
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Null if the e-mail has no read state. */
  readonly isRead: boolean | null
  /** Folder and labels as in Google's export. */
  readonly labels: readonly string[]
}

/** First time that mail programs accept, and last with a four-digit year. */
const [FIRST, LAST] = [0, Date.UTC(9999, 11, 31)] as const

/** UTC time in C's `asctime` format, without a line end. @param at milliseconds since the epoch */
export const formatAsctime = (at: number): string => {
  const time = new Date(Number.isFinite(at) ? Math.min(LAST, Math.max(FIRST, at)) : FIRST)
  const [, weekday, day, month, year, clock] = /^(\w+), 0?(\d+) (\w+) (\d+) (\S+)/.exec(time.toUTCString()) ?? []
  return `${weekday} ${month} ${day?.padStart(2)} ${clock} ${year}`
}

/** ASCII address for the separator. RFC 4155 defines none for a missing sender; this name is customary. */
const envelopeSender = (from: string): string => {
  const address = (/<([^<>]*)>\s*$/.exec(from)?.[1] ?? from).trim()
  return /^[!-~]{1,320}$/.test(address) ? address : 'MAILER-DAEMON'
}

/** Characters of a line, without the header's name. RFC 2047 allows encoded words of 75 characters. */
const LINE_LENGTH = 60

/** `X-Gmail-Labels`: comma-separated, quoted if a name has a comma, encoded words for non-ASCII. */
export const formatGmailLabels = (labels: readonly string[]): string => {
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
  const isPlain = /^[ -~]*$/.test(text) && !text.includes('=?')
  return foldLines(isPlain ? text : encodeWord(text, 'B', LINE_LENGTH), LINE_LENGTH).replaceAll('\r\n', '\n')
}

const formatHead = ({ from, at, isRead, labels }: MboxEnvelope): string =>
  [
    `From ${envelopeSender(from)} ${formatAsctime(at)}`,
    // `R`: read; `O`: not new to the mailbox.
    ...(isRead === null ? [] : [`Status: ${isRead ? 'RO' : 'O'}`]),
    // Write this header even without labels: a header in the next line tells a separator from a sentence that starts
    // with “From ”.
    `X-Gmail-Labels: ${formatGmailLabels(labels)}`,
    '',
  ].join('\n')

/** @param message the message as sent, with any line ends */
export const serializeMboxMessage = (message: Uint8Array, envelope: MboxEnvelope): Buffer => {
  // In Latin-1, each byte is a character.
  const text = Buffer.from(message).toString('latin1').replaceAll('\r\n', '\n')
  const quoted = text.replaceAll(/(^|\n)(?=>*From )/g, '$1>')
  return Buffer.from(`${formatHead(envelope)}${quoted}${quoted.endsWith('\n') ? '' : '\n'}\n`, 'latin1')
}
