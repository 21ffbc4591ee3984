import iconv from 'iconv-lite'
import { describe, expect, test } from 'vitest'
import { parseHeaders } from '../../../../src/engine/sync/parse-headers.ts'
import { decodeAttachments, parseMessage } from '../../src/mail/parse-message.ts'

const message = (...parts: readonly (string | Buffer)[]) =>
  parseMessage(Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part))))
const lines = (...all: readonly string[]): string => `${all.join('\r\n')}\r\n`

/** The seven-bit form of a double-byte charset, which iconv-lite lacks. */
const sevenBit = (text: string, set: string, before: string, after: string): Buffer =>
  Buffer.concat([
    Buffer.from(before),
    Buffer.from(iconv.encode(text, set).map((byte) => byte & 0x7f)),
    Buffer.from(after),
  ])

/** Charset names as used in mail, text that needs them, and iconv-lite's name or the raw bytes. */
const charsets: readonly (readonly [name: string, words: string, writtenIn?: string | Buffer])[] = [
  ['utf-8', 'Grüße 船 🚢'],
  ['UTF8', 'Grüße 船', 'utf-8'],
  ['utf-7', 'Grüße', Buffer.from('Gr+APwA3w-e')],
  ['unicode-1-1-utf-7', 'Grüße', Buffer.from('Gr+APwA3w-e')],
  ['utf-16le', 'Grüße 船'],
  ['utf-16be', 'Grüße 船'],
  ['utf-16', 'Grüße aus dem Hafen', Buffer.from('\ufeffGrüße aus dem Hafen', 'utf16le').swap16()],
  ['utf-16', 'Grüße aus dem Hafen', Buffer.from('\ufeffGrüße aus dem Hafen', 'utf16le')],
  ['ucs-2', 'Grüße aus dem Hafen', Buffer.from('Grüße aus dem Hafen', 'utf16le').swap16()],
  ['utf-32be', 'Grüße'],
  ['iso-8859-1', 'Grüße “10 €”', 'windows-1252'],
  ['latin1', '10 €', 'windows-1252'],
  ['ISO8859_1', '10 €', 'windows-1252'],
  ['us-ascii', 'Grüße', Buffer.from('Grüße')],
  ['iso-8859-2', 'Žluťoučký'],
  ['iso-8859-5', 'Привет'],
  ['iso-8859-7', 'Γειά'],
  ['iso-8859-8-i', 'שלום', 'iso-8859-8'],
  ['iso-8859-15', '10 €'],
  ['iso-8859-16', 'Știri'],
  ['windows-1250', 'Žluťoučký'],
  ['win1251', 'Привет'],
  ['x-cp1252', '10 €', 'cp1252'],
  ['cp1256', 'مرحبا'],
  ['windows-1258', 'Đưng', 'windows-1258'],
  ['koi8-r', 'Привет'],
  ['KOI8-U', 'Їжак'],
  ['koi8-t', 'Ғафс'],
  ['cp437', 'Grüße'],
  ['IBM437', 'Grüße'],
  ['cp850', 'Grüße'],
  ['IBM850', 'Grüße'],
  ['x-cp-850', 'Grüße', 'cp850'],
  ['dos-850', 'Grüße', 'cp850'],
  ['csPC850Multilingual', 'Grüße'],
  ['cp852', 'Žluťoučký'],
  ['ibm858', '10 €'],
  ['cp866', 'Привет'],
  ['macintosh', 'Grüße'],
  ['x-mac-roman', 'Grüße', 'macroman'],
  ['MacCyrillic', 'Привет'],
  ['hp-roman8', 'Grüße'],
  ['viscii', 'Đường'],
  ['tis-620', 'สวัสดี'],
  ['armscii-8', 'Բարեւ', 'armscii8'],
  ['gb2312', '船在港口'],
  ['x-gbk', '船在港口', 'gbk'],
  ['cp936', '船在港口'],
  ['gb18030', '船在港口 €'],
  ['hz-gb-2312', '船在港口 ~', sevenBit('船在港口', 'gb2312', '~{', '~} ~~')],
  ['HZ', 'a 船', sevenBit('船', 'gb2312', 'a ~{', '~}')],
  ['iso-2022-cn', '船在港口', sevenBit('船在港口', 'gb2312', '\x1b$)A\x0e', '\x0f')],
  ['big5', '船在港口'],
  ['x-x-big5', '船在港口', 'big5'],
  ['cp950', '船在港口'],
  ['shift_jis', '船が港に'],
  ['x-sjis', '船が港に', 'shift_jis'],
  ['cp932', '船が港に ①'],
  ['Windows-31J', '船が港に', 'cp932'],
  ['euc-jp', '船が港に'],
  ['x-euc-jp', '船が港に', 'euc-jp'],
  ['iso-2022-jp', '船', Buffer.from('\x1b$BA%\x1b(B')],
  ['ISO-2022-JP-1', '船', Buffer.from('\x1b$BA%\x1b(B')],
  ['iso-2022-kr', '한글 ok', sevenBit('한글', 'euc-kr', '\x1b$)C\x0e', '\x0f ok')],
  ['csISO2022KR', '한글', sevenBit('한글', 'euc-kr', '\x1b$)C\x0e', '\x0f')],
  ['ks_c_5601-1987', '한글'],
  ['cp949', '똠방각하'],
  ['euc-kr', '한글'],
]

const hex = (bytes: Buffer, mark: '=' | '%'): string =>
  [...bytes].map((byte) => `${mark}${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')

describe('text in its declared charset', () => {
  test.each<readonly [name: string, words: string, writtenIn: string | Buffer]>(
    charsets.map(([name, words, writtenIn = name]) => [name, words, writtenIn]),
  )('%s: %s', async (name, words, writtenIn) => {
    const bytes = typeof writtenIn === 'string' ? iconv.encode(words, writtenIn) : writtenIn
    const body = async (encoding: string, content: string | Buffer): Promise<string | undefined> => {
      const head = lines(`Content-Type: text/plain; charset="${name}"`, `Content-Transfer-Encoding: ${encoding}`, '')
      return (await message(head, content)).text?.trim()
    }
    expect(await body('base64', bytes.toString('base64')), 'a body in base64').toBe(words)
    expect(await body('quoted-printable', hex(bytes, '=')), 'a body in quoted-printable').toBe(words)
    expect(await body('8bit', bytes), 'a body as it is').toBe(words)

    const inQ = `=?${name}?Q?${hex(bytes, '=')}?=`
    const inB = `=?${name}*de?B?${bytes.toString('base64')}?=`
    const { subject, from, attachments } = await message(
      lines(`Subject: ${inQ}`, `From: ${inB} <nora@away.example>`, 'Content-Type: multipart/mixed; boundary=b', ''),
      lines('--b', `Content-Disposition: attachment; filename*=${name}'de'${hex(bytes, '%')}`, '', 'x'),
      lines(
        `--b`,
        `Content-Disposition: attachment; filename*0*=${name}''${hex(bytes, '%')};`,
        ' filename*1=".pdf"',
        '',
        'x',
      ),
      lines('--b', `Content-Disposition: attachment; filename="${inQ}.txt"`, '', 'x', '--b--'),
    )
    expect([subject, from?.name], 'encoded words').toEqual([words, words])
    expect(attachments.map(({ filename }) => filename)).toEqual([words, `${words}.pdf`, `${words}.txt`])
    const [shown] = parseHeaders(Buffer.from(lines(`Subject: ${inB}`, ''))).headers
    expect(shown?.decoded, 'the source of the message').toBe(words)
  })

  test.each([
    ['in quotes of its own', `<meta charset='gb2312'>`],
    ['in http-equiv', '<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=gb2312">'],
    ['behind other elements', '<title>t</title><meta name=a content=b><meta charset=gb_2312-80 />'],
    ['in an XML declaration', '<?xml version="1.0" encoding="gb2312"?>'],
  ])('is read from HTML that declares it %s', async (_, named) => {
    for (const type of ['text/html', 'text/html; charset=us-ascii', 'text/html; charset=x-unknown']) {
      const { html } = await message(lines(`Content-Type: ${type}`, '', named), iconv.encode('<p>船在港口', 'gb2312'))
      expect(html, type).toContain('船在港口')
    }
    const other = await message(lines('Content-Type: text/html; charset=utf-8', '', named), Buffer.from('船'))
    expect(other.html, 'the head of the part is believed first').toContain('船')
  })

  test.each([
    ['UTF-8', Buffer.from('Grüße 船'), 'Grüße 船'],
    ['Windows-1252', iconv.encode('Grüße “10 €”', 'windows-1252'), 'Grüße “10 €”'],
    ['ISO-2022-JP', Buffer.from('\x1b$BA%\x1b(B'), '船'],
    ['UTF-16 with a mark', Buffer.from('\ufeffGrüße', 'utf16le'), 'Grüße'],
    ['UTF-8 with a mark', Buffer.from('\ufeffGrüße'), 'Grüße'],
  ])('is detected as %s if undeclared', async (_, bytes, words) => {
    expect((await message(lines('Content-Type: text/plain', ''), bytes)).text?.trim()).toBe(words)
    expect((await message(lines('Subject: none', ''), bytes)).text?.trim()).toBe(words)
  })

  test('sets the charset of raw eight-bit headers, with Windows-1252 as fallback', async () => {
    const subject = (words: string, charset: string): Buffer =>
      Buffer.concat([Buffer.from('Subject: '), iconv.encode(words, charset), Buffer.from('\r\n')])
    const of = async (words: string, charset: string, type: string) =>
      (await message(subject(words, charset), lines(`Content-Type: ${type}`, '', 'x'))).subject
    expect(await of('Привет', 'koi8-r', 'text/plain; charset=koi8-r')).toBe('Привет')
    expect(await of('Grüße', 'cp850', 'text/plain; charset="cp850"')).toBe('Grüße')
    expect(
      await of('船', 'gbk', 'multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/html; charset=gb2312'),
    ).toBe('船')
    expect(await of('10 €', 'windows-1252', 'text/plain; charset=utf-8')).toBe('10 €')
    expect(await of('Grüße', 'utf-8', 'text/plain; charset=koi8-r')).toBe('Grüße')
  })

  test('ignores names that aren’t mail charsets, such as base64 and hex', async () => {
    for (const name of ['base64', 'hex', 'binary', '', '""', "''", ';', 'toString', '__proto__']) {
      const { text } = await message(lines(`Content-Type: text/plain; charset=${name}`, '', 'Plain words'))
      expect(text?.trim(), name).toBe('Plain words')
    }
  })
})

describe('flowed text', () => {
  const read = async (parameters: string, ...text: readonly string[]) =>
    (await message(Buffer.from(lines(`Content-Type: text/plain; charset=utf-8; ${parameters}`, '', ...text)))).text

  test.each([
    ['lines', ['One ', 'two ', 'three.', 'Four.'], 'One two three.\nFour.\n'],
    [
      'quotes, each at its depth',
      ['> One ', '> two.', '>> Three ', '>> four.', 'Five.'],
      '> One two.\n>> Three four.\nFive.\n',
    ],
    ['a quote that goes on at another depth', ['> One ', '>> two ', 'three'], '> One\n>> two\nthree\n'],
    ['marks that blanks part', ['> > One ', '> > two'], '> > One > two\n'],
    ['stuffed lines', [' From here ', ' > no quote', '  indented'], 'From here > no quote\n indented\n'],
    ['a signature', ['One ', '-- ', 'Nora ', 'Quill'], 'One\n-- \nNora Quill\n'],
    ['a quoted signature', ['> One ', '> -- ', '> Nora'], '> One\n> -- \n> Nora\n'],
    ['empty lines', ['One', '', '>', '> ', '> Two'], 'One\n\n>\n>\n> Two\n'],
  ])('%s', async (_, written, joined) => {
    expect(await read('format=flowed', ...written)).toBe(joined)
  })

  test('drops trailing spaces with DelSp', async () => {
    expect(await read('Format=Flowed; DelSp=Yes', '> 船在 ', '> 港口', 'Two  ', 'words ', '')).toBe(
      '> 船在港口\nTwo words\n',
    )
  })

  test('leaves other text in its lines', async () => {
    expect(await read('format=fixed', '> One ', '> two')).toBe('> One \n> two\n')
  })
})

describe('other text types', () => {
  test('convert enriched text to HTML and plain text', async () => {
    const { text, html, attachments } = await message(
      lines(
        'Content-Type: text/enriched; charset=iso-8859-1',
        '',
        '<bold>Now</bold> is 1 << 2 & <italic>so',
        'on</italic>.',
      ),
      lines(
        '',
        '<color><param>red</param>Gr\xfc\xdfe</color> <unknown>x</unknown>',
        '<nofill>a',
        '  b</nofill>',
        '<script>alert(1)</script>',
      ),
    )
    expect(html).toBe('<b>Now</b> is 1 &lt; 2 &amp; <i>so on</i>.<br>Grüße x <pre>a\n  b</pre> alert(1) ')
    expect(text).toBe('Now is 1 < 2 & so on.\nGrüße x\na\nb\nalert(1)\n')
    expect(attachments).toEqual([])
  })

  test('convert richtext with its own commands', async () => {
    const { html } = await message(
      lines(
        'Content-Type: text/richtext',
        '',
        '<bold>One</bold><nl>two',
        'three <lt>b> <comment>not <bold>this</bold></comment>four',
      ),
    )
    expect(html).toBe('<b>One</b><br>two three &lt;b&gt; four ')
  })

  test.each(['text/markdown; charset=utf-8', 'text/x-anything', 'text/x-diff', 'text', 'words', ''])(
    'treat type "%s" as plain text',
    async (type) => {
      const alone = await message(lines(`Content-Type: ${type}`, '', '# Words *as* they are'))
      expect([alone.text, alone.html, alone.attachments]).toEqual(['# Words *as* they are\n', null, []])
      const part = await message(
        lines('Content-Type: multipart/mixed; boundary=b', '', '--b'),
        lines(`Content-Type: ${type}`, '', 'In a part', '--b--'),
      )
      expect([part.text?.trim(), part.attachments]).toEqual(['In a part', []])
    },
  )

  test.each([
    'Content-Type: text/x-patch; name="0001.patch"',
    'Content-Type: text/markdown\r\nContent-Disposition: inline; filename=readme.md',
    'Content-Type: text/enriched\r\nContent-Disposition: attachment',
    'Content-Type: text/calendar; method=REQUEST',
    'Content-Type: text/vcard',
    'Content-Type: text/csv',
    'Content-Type: text/rfc822-headers',
  ])('keep a file as a file: %s', async (head) => {
    const { text, attachments } = await message(
      lines('Content-Type: multipart/mixed; boundary=b', '', '--b', '', 'See it.', '--b', head, '', 'x', '--b--'),
    )
    expect(text?.trim()).toBe('See it.')
    expect(attachments).toHaveLength(1)
  })

  const calendar = iconv.encode('BEGIN:VCALENDAR\r\nSUMMARY:Café\r\n\t au port\nEND:VCALENDAR\r\n\r\n', 'latin1')

  test.each([
    ['base64', calendar.toString('base64')],
    // The parser normalises these line ends.
    ['quoted-printable', calendar.toString('latin1').replace('é', '=E9')],
    ['8bit', calendar.toString('latin1')],
  ])('keep a calendar’s bytes: %s', async (encoding, written) => {
    const head = `Content-Type: text/calendar; charset=iso-8859-1; method=REQUEST\r\nContent-Transfer-Encoding: ${encoding}`
    const raw = lines('Content-Type: multipart/mixed; boundary=b', '', '--b', head, '', written, '--b--')
    const [file = new Uint8Array()] = await decodeAttachments(Buffer.from(raw, 'latin1'))
    if (encoding === 'base64') expect(Buffer.from(file).equals(calendar)).toBe(true)
    const ended = (content: Uint8Array): string => Buffer.from(content).toString('latin1').replaceAll('\r\n', '\n')
    expect(ended(file).trimEnd()).toBe(ended(calendar).trimEnd())
  })

  const choice = (...parts: readonly (readonly [type: string, words: string])[]) =>
    message(
      lines('Content-Type: multipart/alternative; boundary=b', ''),
      ...parts.map(([type, words]) => lines('--b', `Content-Type: ${type}`, '', words)),
      lines('--b--'),
    )
  const plain = ['text/plain', 'Plain.'] as const
  const html = ['text/html', '<p>HTML.</p>'] as const

  test.each([
    [
      'AMP and watches',
      [plain, ['text/x-amp-html', '<p>AMP.'], html, ['text/watch-html', '<p>Watch.']],
      'Plain.',
      '<p>HTML.</p>',
    ],
    ['an unknown form', [plain, ['text/x-form', 'Form.'], html], 'Plain.', '<p>HTML.</p>'],
    ['markdown in place of plain text', [['text/markdown', '*Mark.*'], html], '*Mark.*', '<p>HTML.</p>'],
    ['markdown beside plain text', [plain, ['text/markdown', '*Mark.*']], 'Plain.', undefined],
    ['enriched text in place of HTML', [plain, ['text/enriched', '<bold>Rich.</bold>']], 'Plain.', '<b>Rich.</b>'],
    ['enriched text beside HTML', [plain, ['text/enriched', '<bold>Rich.</bold>'], html], 'Plain.', '<p>HTML.</p>'],
  ] as const)('read each alternative once and never as a file: %s', async (_, parts, text, shown) => {
    const read = await choice(...parts)
    expect([read.text?.trim(), read.html?.trim(), read.attachments]).toEqual([text, shown, []])
  })

  test('keep a calendar alternative as a file', async () => {
    expect((await choice(plain, html, ['text/calendar; method=REQUEST', 'BEGIN:VCALENDAR'])).attachments).toMatchObject(
      [{ contentType: 'text/calendar' }],
    )
  })
})

describe('uuencoded files', () => {
  const coded = ['begin 644 ship.txt', "25&AE('-H:7 G<R!P87!E<G,N", '`', 'end']
  const papers = "The ship's papers."

  test('are extracted from text, which keeps the rest', async () => {
    const raw = Buffer.from(lines('Subject: x', '', 'Here it is.', ...coded, 'Nora', ...coded))
    const { text, attachments } = await parseMessage(raw)
    expect(text).toBe('Here it is.\nNora\n')
    expect(attachments.map(({ filename, size }) => [filename, size])).toEqual([
      ['ship.txt', 18],
      ['ship.txt', 18],
    ])
    expect((await decodeAttachments(raw)).map((bytes) => Buffer.from(bytes).toString())).toEqual([papers, papers])
  })

  test.each(['x-uuencode', 'uuencode', 'X-UUE'])(
    'are decoded for a part with transfer encoding %s',
    async (encoding) => {
      const raw = Buffer.from(
        lines(
          'Content-Type: multipart/mixed; boundary=b',
          '',
          '--b',
          '',
          'See it.',
          '--b',
          'Content-Type: application/octet-stream',
        ) + lines(`Content-Transfer-Encoding: ${encoding}`, '', ...coded, '--b--'),
      )
      expect((await parseMessage(raw)).attachments).toMatchObject([{ filename: 'ship.txt', size: 18 }])
      expect((await decodeAttachments(raw)).map((bytes) => Buffer.from(bytes).toString())).toEqual([papers])
    },
  )

  test.each([
    ['is never closed', coded.slice(0, -1)],
    ['is only spoken of', ['begin 644 ways of saying it', 'and an', 'end']],
    ['has no rights', ['begin here', ...coded.slice(1)]],
  ])('exclude text that %s', async (_, written) => {
    const { text, attachments } = await message(lines('Subject: x', '', ...written))
    expect([text?.trim(), attachments]).toEqual([written.join('\n'), []])
  })
})

describe('parts with a wrong boundary', () => {
  test.each([
    ['names none', 'multipart/mixed'],
    ['names another', 'multipart/mixed; boundary="other"'],
    ['has a blank too many', 'multipart/mixed; boundary="b1 "'],
    ['has quotes of the wrong kind', "multipart/mixed;\r\n\tboundary='b1'"],
  ])('are found by the actual one if the header %s', async (_, type) => {
    const raw = Buffer.from(
      lines('Subject: x', `Content-Type: ${type}`, 'X-Last: 1', '', 'Made of parts.', '-- ', '--b1') +
        lines(
          'Content-Type: text/plain',
          '',
          'See it.',
          '--b1',
          'Content-Disposition: attachment; filename=a.txt',
          '',
          'A',
        ) +
        lines('--b1--'),
    )
    const { text, headers, attachments } = await parseMessage(raw)
    expect([text?.trim(), headers['x-last']]).toEqual(['See it.', '1'])
    expect(attachments).toMatchObject([{ filename: 'a.txt', size: 2 }])
    expect((await decodeAttachments(raw)).map((bytes) => Buffer.from(bytes).toString())).toEqual(['A\n'])
  })
})
