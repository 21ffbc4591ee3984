/**
 * mboxrd (https://www.loc.gov/preservation/digital/formats/fdd/fdd000385.shtml; RFC 4155 for the separator): LF line
 * ends, an empty line after each message. `From ` or `>From ` at a line's start gets another `>`, which readers can
 * reverse.
 */
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

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const
/** First time that mail programs accept, and last with a four-digit year. */
const [FIRST, LAST] = [0, Date.UTC(9999, 11, 31)] as const

const two = (number: number): string => String(number).padStart(2, '0')

/** UTC time in C's `asctime` format, without a line end. @param at milliseconds since the epoch */
export const formatAsctime = (at: number): string => {
  const time = new Date(Number.isFinite(at) ? Math.min(LAST, Math.max(FIRST, at)) : FIRST)
  const clock = [time.getUTCHours(), time.getUTCMinutes(), time.getUTCSeconds()].map(two).join(':')
  const day = String(time.getUTCDate()).padStart(2, ' ')
  return `${DAYS[time.getUTCDay()] ?? ''} ${MONTHS[time.getUTCMonth()] ?? ''} ${day} ${clock} ${time.getUTCFullYear()}`
}

/** ASCII address for the separator. RFC 4155 defines none for a missing sender; this name is customary. */
const envelopeSender = (from: string): string => {
  const address = (/<([^<>]*)>\s*$/.exec(from)?.[1] ?? from).trim()
  return /^[!-~]{1,320}$/.test(address) ? address : 'MAILER-DAEMON'
}

const isPlain = (text: string): boolean => /^[ -~]*$/.test(text)
/** UTF-8 bytes per encoded word (RFC 2047), which has at most 75 characters. */
const WORD_BYTES = 45

/** Encodes non-ASCII text without splitting characters. */
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

/** Folds a header between words (RFC 5322, 2.2.3). */
const fold = (words: readonly string[]): string => {
  let [text, column] = ['', 16]
  for (const [index, word] of words.entries()) {
    const breaks = index > 0 && column + word.length + 1 > 76
    text += `${index === 0 ? '' : breaks ? '\n ' : ' '}${word}`
    column = breaks ? word.length + 1 : column + word.length + 1
  }
  return text
}

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
  return fold(isPlain(text) && !text.includes('=?') ? text.split(' ') : encodeWords(text))
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
