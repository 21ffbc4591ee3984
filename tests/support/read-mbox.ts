/**
 * A message of an mbox file, read as Thunderbird does (mailnews/local/src/nsParseMailbox.cpp and nsMsgUtils
 * `IsAFromSpaceLine`): any line starting with `From ` separates two messages; headers follow, up to an empty line;
 * `Status: R` marks a read message. Quoted lines lose one `>` (mboxrd).
 */
export interface MboxMessage {
  /** The line before the message, without `From `. */
  readonly separator: string
  readonly headers: ReadonlyMap<string, string>
  readonly isRead: boolean
  /** The message as exported: without the mailbox's headers, with CRLF. */
  readonly raw: Buffer
}

/** Headers that belong to the mailbox rather than the message, if they come first. */
const OF_MAILBOX = /^(?:Status|X-Gmail-Labels):/

const unfold = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text
      .replace(/\r?\n[ \t]+/g, ' ')
      .split(/\r?\n/)
      .flatMap((line) => {
        const colon = line.indexOf(':')
        return colon === -1 ? [] : [[line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const]
      })
      // The first header of a name wins.
      .toReversed(),
  )

export const readMbox = (file: Buffer): readonly MboxMessage[] => {
  const text = file.toString('latin1')
  const starts = [...text.matchAll(/^From .*$/gm)].map(({ index }) => index)
  if (text !== '' && starts[0] !== 0) throw new Error('The file does not begin with a message.')
  return starts.map((start, index) => {
    const lineEnd = text.indexOf('\n', start)
    const whole = text.slice(lineEnd + 1, starts[index + 1] ?? text.length)
    if (!whole.endsWith('\n\n') && whole !== '\n') throw new Error('A message does not end with an empty line.')
    const lines = whole.slice(0, -1).split('\n')
    let own = 0
    while (OF_MAILBOX.test(lines[own] ?? '') || (own > 0 && /^[ \t]/.test(lines[own] ?? ''))) own += 1
    const raw = lines
      .slice(own)
      .map((line) => line.replace(/^>(>*From )/, '$1'))
      .join('\r\n')
    const head = whole.slice(0, Math.max(0, whole.indexOf('\n\n')))
    const headers = unfold(head)
    return {
      separator: text.slice(start + 5, lineEnd),
      headers,
      isRead: headers.get('status')?.includes('R') === true,
      raw: Buffer.from(raw, 'latin1'),
    }
  })
}
