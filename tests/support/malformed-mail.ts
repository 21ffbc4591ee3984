/** Messages as broken programs write them, with the text that can still be read. */

export interface MalformedMessage {
  readonly name: string
  /** As received, except for From, To, Subject and Message-ID, which `wholeOf` adds. */
  readonly raw: string | Buffer
  /** Text that must be visible; null if the message has none. */
  readonly shows: string | null
  /** Attachments that must be listed. */
  readonly names?: readonly string[]
  /** Set if some of the text can't be decoded. */
  readonly isDamaged?: true
}

const lines = (...all: readonly string[]): string => all.join('\r\n')

const nested = (depth: number): string => {
  const opened = Array.from({ length: depth }, (_, level) =>
    lines(`Content-Type: multipart/mixed; boundary="b${level}"`, '', `--b${level}`, ''),
  ).join('')
  return `${opened}Content-Type: text/plain\r\n\r\nAt the very bottom.\r\n`
}

/** Filler to make a part long: base64 of zeros. */
const padding = (megabytes: number): string => `${'A'.repeat(76)}\r\n`.repeat(Math.ceil((megabytes * 1_000_000) / 78))

export const MALFORMED_MESSAGES: readonly MalformedMessage[] = [
  {
    name: 'a boundary that never comes',
    raw: lines('Content-Type: multipart/mixed; boundary="never"', '', 'Words before no boundary.'),
    shows: 'Words before no boundary.',
  },
  {
    name: 'a multipart without a boundary',
    raw: lines('Content-Type: multipart/alternative', '', 'Words without any boundary.'),
    shows: 'Words without any boundary.',
  },
  {
    name: 'a boundary that is never closed',
    raw: lines(
      ...['Content-Type: multipart/mixed; boundary="open"', '', '--open'],
      ...['Content-Type: text/plain', '', 'The first part.', '--open'],
      ...['Content-Type: application/pdf; name="half.pdf"', 'Content-Transfer-Encoding: base64', '', 'JVBERi0xLjQ='],
    ),
    shows: 'The first part.',
    names: ['half.pdf'],
  },
  {
    name: 'parts without headers',
    raw: lines('Content-Type: multipart/mixed; boundary="bare"', '', '--bare', '', 'A bare part.', '--bare--'),
    shows: 'A bare part.',
  },
  {
    name: 'no blank line between headers and text',
    raw: lines('Content-Type: text/plain', 'This line is no header.', '', 'Below the headers.'),
    shows: 'Below the headers.',
  },
  {
    name: 'a charset that does not exist',
    raw: lines('Content-Type: text/plain; charset="x-none-such"', '', 'Plain words of an unknown charset.'),
    shows: 'Plain words of an unknown charset.',
  },
  {
    name: 'bytes of Windows-1252 that say they are UTF-8',
    raw: Buffer.from(lines('Content-Type: text/plain; charset=utf-8', '', 'Caf\u00e9 on the pier.'), 'latin1'),
    shows: 'on the pier.',
    isDamaged: true,
  },
  {
    name: 'UTF-8 that says it is ASCII',
    raw: Buffer.from(lines('Content-Type: text/plain; charset=us-ascii', '', 'Grüße vom Hafen.'), 'utf8'),
    shows: 'Hafen.',
  },
  {
    name: 'UTF-16 without a mark of its order',
    raw: Buffer.concat([
      Buffer.from(lines('Content-Type: text/plain; charset=utf-16le', 'Content-Transfer-Encoding: base64', '', '')),
      Buffer.from(Buffer.from('Two bytes each.', 'utf16le').toString('base64')),
    ]),
    shows: 'Two bytes each.',
  },
  {
    name: 'an encoding that does not exist',
    raw: lines('Content-Type: text/plain', 'Content-Transfer-Encoding: x-rot13', '', 'As it was written.'),
    shows: 'As it was written.',
  },
  {
    name: 'base64 that is none',
    raw: lines('Content-Type: text/html', 'Content-Transfer-Encoding: base64', '', '!!! not base64 at all ???'),
    shows: null,
  },
  {
    name: 'base64 that ends in the middle',
    raw: lines(
      ...['Content-Type: text/plain', 'Content-Transfer-Encoding: base64', ''],
      Buffer.from('The beginning is whole.').toString('base64').slice(0, -3),
    ),
    shows: 'The beginning is',
  },
  {
    name: 'quoted-printable that ends within a letter',
    raw: lines(
      ...['Content-Type: text/plain; charset=utf-8', 'Content-Transfer-Encoding: quoted-printable', ''],
      'Caf=C3=A9 and caf=C3',
    ),
    shows: 'Caf\u00e9 and caf\ufffd',
    isDamaged: true,
  },
  {
    name: 'quoted-printable with escapes that are none',
    raw: lines(
      ...['Content-Type: text/plain', 'Content-Transfer-Encoding: quoted-printable', ''],
      'Odd =ZZ escapes = and an end =',
    ),
    shows: 'escapes',
  },
  { name: 'nothing at all', raw: '', shows: null },
  { name: 'a type and no body', raw: lines('Content-Type: text/html', '', ''), shows: null },
  {
    name: 'HTML of zero bytes beside a text',
    raw: lines(
      ...['Content-Type: multipart/alternative; boundary="zero"', '', '--zero'],
      ...['Content-Type: text/plain', '', 'The text says it.', '--zero'],
      ...['Content-Type: text/html', '', '', '--zero--'],
    ),
    shows: 'The text says it.',
  },
  { name: 'parts nested 40 deep', raw: nested(40), shows: 'At the very bottom.' },
  { name: 'parts nested 100 deep', raw: nested(100), shows: 'At the very bottom.' },
  // Deeper than the platform's parser goes: only the headers are read.
  { name: 'parts nested 1,000 deep', raw: nested(1_000), shows: null },
  {
    name: 'an attachment without a name or type',
    raw: lines(
      ...['Content-Type: multipart/mixed; boundary="name"', '', '--name'],
      ...['Content-Type: text/plain', '', 'See what is with it.', '--name'],
      ...['Content-Disposition: attachment', '', 'x', '--name--'],
    ),
    shows: 'See what is with it.',
    names: ['attachment.txt'],
  },
  {
    name: 'a name that turns and lies',
    raw: lines(
      ...['Content-Type: multipart/mixed; boundary="lie"', '', '--lie'],
      ...['Content-Type: text/plain', '', 'The bill.', '--lie'],
      `Content-Disposition: attachment; filename*=utf-8''bill%E2%80%AEfdp.exe`,
      ...['Content-Type: application/pdf', '', 'MZ', '--lie--'],
    ),
    shows: 'The bill.',
    names: ['bill\ufffdfdp.exe'],
  },
  {
    name: 'a header of a megabyte',
    raw: lines(`X-Long: ${'a '.repeat(500_000)}`, 'Content-Type: text/plain', '', 'Below a long header.'),
    shows: 'Below a long header.',
  },
  {
    name: 'zero bytes in the text',
    raw: lines('Content-Type: text/plain', '', 'Before\u0000and after it.'),
    shows: 'and after it.',
  },
  {
    name: 'lines that end as old computers ended them',
    raw: 'Content-Type: text/plain\n\nWith line feeds alone.\n',
    shows: 'With line feeds alone.',
  },
]

/** Messages attached to messages attached to messages. */
const carried = (depth: number): string =>
  Array.from({ length: depth }, (_, level) =>
    lines(
      ...[`Subject: Letter ${level}`, `Content-Type: multipart/mixed; boundary="c${level}"`, '', `--c${level}`],
      ...['Content-Type: text/plain', '', `Letter ${level}.`, `--c${level}`, 'Content-Type: message/rfc822', '', ''],
    ),
  ).join('')

const plain = (charset: string, ...more: readonly string[]): readonly string[] => [
  `Content-Type: text/plain; charset=${charset}`,
  ...more,
  '',
]

/** More messages, checked only as the platform parses them: to a window they are like any other. */
export const MORE_MALFORMED_MESSAGES: readonly MalformedMessage[] = [
  {
    name: 'a boundary only at the end',
    raw: lines('Content-Type: multipart/mixed; boundary="end"', '', 'Before the only boundary.', '--end--'),
    shows: 'Before the only boundary.',
  },
  {
    name: 'a boundary with which another begins',
    raw: lines(
      ...['Content-Type: multipart/mixed; boundary="b"', '', '--b'],
      ...['Content-Type: multipart/alternative; boundary="b1"', '', '--b1'],
      ...['Content-Type: text/plain', '', 'Within the longer one.', '--b1--', '--b'],
      ...['Content-Type: application/pdf; name="after.pdf"', '', '%PDF', '--b--'],
    ),
    shows: 'Within the longer one.',
    names: ['after.pdf'],
  },
  {
    name: 'base64 with rubbish between',
    raw: lines(
      ...plain('utf-8', 'Content-Transfer-Encoding: base64'),
      Buffer.from('Words among rubbish.')
        .toString('base64')
        .replace(/(.{6})/g, '$1*!\r\n'),
    ),
    shows: 'Words among rubbish.',
  },
  {
    name: 'a charset with a quote too many',
    raw: lines(...plain('utf-8"'), 'Gr\u00fc\u00dfe.'),
    shows: 'Gr\u00fc\u00dfe.',
  },
  {
    name: 'UTF-8 in a charset that does not exist',
    raw: lines(...plain('x-unknown'), 'Gr\u00fc\u00dfe.'),
    shows: 'Gr\u00fc\u00dfe.',
  },
  {
    name: 'other bytes in a charset that does not exist',
    raw: Buffer.from(lines(...plain('unknown-8bit'), 'Gr\u00fc\u00dfe.'), 'latin1'),
    shows: 'Gr\u00fc\u00dfe.',
  },
  {
    name: 'ISO-2022-JP that breaks off',
    raw: lines(...plain('iso-2022-jp'), 'Ship: \x1b$BA%\x1b(B sails \x1b$BA'),
    shows: 'Ship: \u8239 sails',
    isDamaged: true,
  },
  {
    name: 'a header of a megabyte without a blank',
    raw: lines(`X-Long: ${'a'.repeat(1_000_000)}`, ...plain('utf-8'), 'Below the long word.'),
    shows: 'Below the long word.',
  },
  {
    name: '100,000 headers',
    raw: lines(...Array.from({ length: 100_000 }, (_, at) => `X-${at}: ${at}`), ...plain('utf-8'), 'Below them all.'),
    shows: 'Below them all.',
  },
  { name: 'letters that carry letters, 100 deep', raw: carried(100), shows: 'Letter 0.' },
  {
    name: 'a choice of 1,000 parts',
    raw: lines(
      ...['Content-Type: multipart/alternative; boundary="alt"', ''],
      ...Array.from({ length: 1000 }, (_, at) => lines('--alt', ...plain('utf-8'), `Part ${at}.`)),
      '--alt--',
    ),
    shows: 'Part 0.',
  },
  { name: 'a type that is none', raw: lines('Content-Type: words', '', 'Of no type.'), shows: 'Of no type.' },
  { name: 'a type that is empty', raw: lines('Content-Type:', '', 'Of an empty type.'), shows: 'Of an empty type.' },
  {
    name: 'an encoding of several parts at once',
    raw: lines(
      ...['Content-Type: multipart/mixed; boundary="whole"', 'Content-Transfer-Encoding: base64', '', '--whole'],
      ...[...plain('utf-8'), 'Not encoded.', '--whole--'],
    ),
    shows: 'Not encoded.',
  },
  {
    name: 'an attachment of nothing',
    raw: lines(
      ...['Content-Type: multipart/mixed; boundary="none"', '', '--none', ...plain('utf-8'), 'See it.', '--none'],
      ...['Content-Type: application/pdf; name="empty.pdf"', '', '--none--'],
    ),
    shows: 'See it.',
    names: ['empty.pdf'],
  },
]

/** About 36 MB, the most the platform accepts. */
export const LARGEST_MESSAGE: MalformedMessage = {
  name: 'an attachment of 36 MB',
  raw: lines(
    ...['Content-Type: multipart/mixed; boundary="large"', '', '--large'],
    ...['Content-Type: text/plain', '', 'Heavy luggage.', '--large'],
    ...['Content-Type: application/octet-stream; name="luggage.bin"', 'Content-Transfer-Encoding: base64', ''],
    `${padding(36)}--large--`,
  ),
  shows: 'Heavy luggage.',
  names: ['luggage.bin'],
}

export const wholeOf = ({ name, raw }: MalformedMessage, to: string): Buffer =>
  Buffer.concat([
    Buffer.from(
      lines(
        'From: Broken Program <program@broken.example>',
        `To: ${to}`,
        `Subject: Of ${name}`,
        `Message-ID: <${name.replace(/\W+/g, '-')}@broken.example>`,
        '',
      ),
    ),
    Buffer.from(raw),
  ])
