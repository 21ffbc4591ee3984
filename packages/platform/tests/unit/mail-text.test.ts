import fc from 'fast-check'
import PostalMime from 'postal-mime'
import { describe, expect, test } from 'vitest'
import { parseDuration } from '../../src/endpoints/share-links.ts'
import { parseScheduledAt } from '../../src/endpoints/sent-emails.ts'
import { parseCsv } from '../../src/endpoints/csv.ts'
import { RateLimiter } from '../../src/http/rate-limiter.ts'
import { formatMailbox, isAddress, toMailboxKey, parseMailbox } from '../../src/mail/addresses.ts'
import { escapeHtml, htmlToText } from '../../src/mail/html-text.ts'
import { MALFORMED_MESSAGES, MORE_MALFORMED_MESSAGES, wholeOf } from '../../../../tests/support/malformed-mail.ts'
import { decodeAttachments, replaceCidImages, parseMessage } from '../../src/mail/parse-message.ts'
import { toBaseSubject, toForwardSubject, isReplySubject, toReplySubject } from '../../src/mail/subjects.ts'

describe('malformed message', () => {
  const all = [...MALFORMED_MESSAGES, ...MORE_MALFORMED_MESSAGES]
  test.each(all.map((message) => [message.name, message] as const))(
    'is decoded as far as possible, with marks for the rest: %s',
    async (_, message) => {
      const { subject, text, html, attachments } = await parseMessage(wholeOf(message, 'desk@linnet.example'))
      expect(subject).toBe(`Of ${message.name}`)
      const said = `${text ?? ''}${html ?? ''}`
      expect(said).toContain(message.shows ?? '')
      if (message.shows !== null) expect(said.includes('\ufffd')).toBe(message.isDamaged ?? false)
      expect(attachments.length).toBeGreaterThanOrEqual(message.names?.length ?? 0)
    },
  )
})

test('decodes an unencoded file byte for byte like postal-mime', async () => {
  const line = fc.uint8Array({ maxLength: 6 }).map((bytes) => Buffer.from(bytes))
  const end = fc.constantFrom('\n', '\r\n', '', '\r', '\n--b\n\n', '\n--b--\n')
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(line, end)), async (lines) => {
      const head = 'Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: application/x-own; name=own\n'
      const body = lines.flatMap(([bytes, ending]) => [bytes, Buffer.from(ending)])
      const raw = Buffer.concat([Buffer.from(`${head}Content-Transfer-Encoding: 8bit\n\n`), ...body])
      const { attachments } = await PostalMime.parse(raw)
      const [own] = await decodeAttachments(raw)
      expect(own).toEqual(new Uint8Array((attachments[0]?.content ?? new ArrayBuffer(0)) as ArrayBuffer))
    }),
  )
})

describe('addresses', () => {
  test.each([
    ['a@example.com', { name: '', address: 'a@example.com' }],
    ['Ann Lee <a@example.com>', { name: 'Ann Lee', address: 'a@example.com' }],
    ['"Lee, Ann" <a@example.com>', { name: 'Lee, Ann', address: 'a@example.com' }],
    ['<a@example.com>', { name: '', address: 'a@example.com' }],
  ])('parse %s', (text, mailbox) => {
    expect(parseMailbox(text)).toEqual(mailbox)
  })

  test.each(['', 'nobody', 'a@', '@b', 'a b@example.com', 'a@example.com, b@example.com', 'a@@b', 'Ann <>'])(
    'reject %j as a single address',
    (text) => {
      expect(parseMailbox(text)).toBeNull()
    },
  )

  test('round-trip through formatting and parsing', () => {
    const name = fc
      .string({
        unit: fc.constantFrom(
          'a',
          'b',
          ' ',
          ',',
          '"',
          '\\',
          '(',
          ')',
          '<',
          '>',
          '@',
          ';',
          ':',
          '.',
          'é',
          'ß',
          '中',
          '[',
          ']',
        ),
        maxLength: 12,
      })
      .map((text) => text.replace(/\s+/g, ' ').trim())
    fc.assert(
      fc.property(name, (text) => {
        expect(parseMailbox(formatMailbox({ name: text, address: 'a@example.com' }))).toEqual({
          name: text,
          address: 'a@example.com',
        })
      }),
    )
  })

  test('ignore case and sub-address when comparing mailboxes', () => {
    expect(toMailboxKey('Desk+Orders@Example.com')).toBe('desk@example.com')
    expect(isAddress(`${'x'.repeat(65)}@example.com`)).toBe(false)
  })
})

describe('subjects', () => {
  test.each([
    ['Re: Plans', 'plans'],
    ['RE: re[2]: Fwd:  Plans ', 'plans'],
    ['AW: Plans', 'plans'],
    ['回复：计划', '计划'],
    ['Reply to all', 'reply to all'],
    [null, ''],
  ])('have a base: %j becomes %j', (subject, base) => {
    expect(toBaseSubject(subject)).toBe(base)
  })

  test('get a prefix only once', () => {
    expect([toReplySubject('Plans'), toReplySubject('re: Plans'), toReplySubject(null)]).toEqual([
      'Re: Plans',
      're: Plans',
      'Re:',
    ])
    expect([toForwardSubject('Plans'), toForwardSubject('FWD: Plans')]).toEqual(['Fwd: Plans', 'FWD: Plans'])
    expect([isReplySubject('SV: x'), isReplySubject('Fwd: x'), isReplySubject('Results')]).toEqual([true, false, false])
  })
})

describe('HTML', () => {
  test.each([
    ['<p>One</p><p>Two</p>', 'One\nTwo'],
    ['W<b>or</b>d', 'Word'],
    ['a&nbsp;&amp;&#233;&#x4E2D;&unknown;', 'a &é中&unknown;'],
    ['&valueOf;&toString;', '&valueOf;&toString;'],
    ['<head><title>t</title></head><style>p{}</style><script>x</script>shown<!-- not -->', 'shown'],
    ['a<br>b', 'a\nb'],
    ['1 < 2', '1 < 2'],
    ['<!--[if mso]>hidden<![endif]--><!--[if !mso]><!-->shown<!--<![endif]-->', 'shown'],
    ['<STYLE>p{}</Style\n>İ<TITLE>t</TITLE>x', 'İ\nx'],
    ['<a-card>a</a-card>b<abbr>c</abbr><!-- -->d', 'a\nbcd'],
    ['<!-- never closed <i>unseen</i>', ''],
    ['<script>never closed <i>unseen</i>', ''],
    ['seen<br', 'seen'],
    ['sesi&oacute;n &Scaron;koda &hearts; &notin; &copy 2026 &AMP;', 'sesión Škoda ♥ ∉ © 2026 &'],
    ['&#0;&#x110000;', '\ufffd\ufffd'],
    ['<p title="t">a <img alt="b"> c</p>', 'a\nc'],
    ['<noscript>a<noscript>b</noscript>c</noscript>d', 'd'],
    ['<textarea>1 &lt; 2</textarea><iframe>not</iframe>', '1 < 2'],
  ])('reads %j as %j', (html, text) => {
    expect(htmlToText(html)).toBe(text)
  })

  test('round-trips escaped text', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('<', '>', '&', '"', "'", 'a', 'b', ';', '#') }), (text) => {
        expect(htmlToText(escapeHtml(text))).toBe(text)
      }),
    )
  })

  test('inlines only known images', () => {
    const html = '<img src="cid:a%40b"><img src=\'cid:gone\'><p>cid:a@b</p>'
    expect(replaceCidImages(html, (id) => (id === 'a@b' ? 'data:x' : undefined))).toBe(
      '<img src="data:x"><img src=\'cid:gone\'><p>data:x</p>',
    )
  })
})

describe('messages', () => {
  const parse = (...lines: readonly string[]) => parseMessage(Buffer.from(lines.join('\r\n')))

  test('list references nearest first, without repeats', async () => {
    const { references, messageId } = await parse(
      'Message-ID: <m@x>',
      'In-Reply-To: <c@x>',
      'References: <a@x> <b@x>\r\n <c@x>',
      '',
      'x',
    )
    expect([messageId, references]).toEqual(['<m@x>', ['<c@x>', '<b@x>', '<a@x>']])
  })

  test.each(['Thu, 1 Jan 19100 00:00:00 +0000', 'never', '+200000-01-01T00:00:00Z', '-000001-01-01T00:00:00Z'])(
    'ignore a Date header without a valid four-digit year: %s',
    async (date) => {
      expect((await parse(`Date: ${date}`, '', 'x')).date).toBeNull()
    },
  )

  test('join repeated headers, flatten groups, and have a null subject if missing', async () => {
    const message = await parse('X-A: 1', 'To: Team: a@x.example, b@x.example;', 'X-A: 2', 'Date: never', '', 'x')
    expect(message).toMatchObject({ subject: null, date: null, from: null })
    expect(message.headers['x-a']).toBe('1, 2')
    expect(message.to.map(({ address }) => address)).toEqual(['a@x.example', 'b@x.example'])
  })

  const inLatin1 = (...lines: readonly string[]) => parseMessage(Buffer.from(lines.join('\r\n'), 'latin1'))

  test.each([
    ['bytes that are not UTF-8 are Windows-1252', 'Caf\xe9 \x80', 'Café €'],
    ['inside an encoded word they are of its charset', '=?koi8-r?Q?\xf0\xd2\xc9?= \xe9', 'При é'],
    ['inside one in base64 they are nothing', '=?iso-8859-1?B?Q2Fm\xe96Q==?=', 'Café'],
    ['UTF-7 in encoded words is read', '=?UTF-7?Q?Caf+AOk-_+-?= =?unicode-1-1-utf-7?B?K0FPay0=?=', 'Café +é'],
    ['UTF-8 stays UTF-8', Buffer.from('Café').toString('latin1'), 'Café'],
  ])('decode headers: %s', async (_rule, written, read) => {
    expect((await inLatin1(`Subject: ${written}`, '', 'x')).subject).toBe(read)
  })

  test('decode UTF-7 text but leave attached files alone', async () => {
    const message = await parse(
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      'Content-Type: text/plain; charset=UTF-7',
      '',
      'Hi Mom +Jjo--+ACE- 1 + 1 +2D3cTQ-',
      '--b',
      'Content-Type: text/plain; charset=UTF-7; name=a.txt',
      'Content-Disposition: attachment',
      '',
      '+ACE-',
      '--b--',
    )
    expect(message.text?.trim()).toBe('Hi Mom ☺-! 1 + 1 👍')
    // Includes the line break before the boundary, as the parser returns it; `!` alone would be two bytes.
    expect(message.attachments).toMatchObject([{ filename: 'a.txt', size: 6 }])
  })

  test('combine plain and HTML parts into both bodies', async () => {
    const message = await parse(
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      '',
      'a < b',
      '--b',
      'Content-Type: text/html',
      '',
      '<p>sesi&oacute;n</p>',
      '--b--',
    )
    expect(message.text).toMatch(/^a < b\s+sesión\s*$/)
    expect(message.html).toMatch(/a &lt; b.*<p>sesi&oacute;n<\/p>/s)
  })

  test.each([
    ['pete(his (own) account)@silly.example', '', 'pete@silly.example'],
    ['Pete(A nice \\) chap) <pete(his account)@silly.test(his host)>', 'Pete', 'pete@silly.test'],
    ['ann@example.com (Ann (from work) Lee)', 'Ann from work Lee', 'ann@example.com'],
    ['"Lee (Ann)" <ann@example.com>', 'Lee (Ann)', 'ann@example.com'],
    ['Ann (never closed <ann@example.com>', null, null],
  ])('strip comments from addresses: %s', async (written, name, address) => {
    const { from } = await parse(`From: ${written}`, '', 'x')
    if (name === null) expect(from?.address ?? '').not.toMatch(/[()]/)
    else expect(from).toEqual({ name, address })
  })

  test('parse any bytes without throwing', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), async (bytes) => {
        expect(Array.isArray((await parseMessage(bytes)).attachments)).toBe(true)
      }),
    )
  })

  test.each([
    ['multipart/mixed', 'names no boundary'],
    ['multipart/alternative; boundary="other"', 'has another boundary than it names'],
  ])('show text as is if a %s message %s', async (type) => {
    const message = await parse('Subject: Broken', `Content-Type: ${type}`, '', '--b', '', 'Read me.', '--b--')
    expect(message.subject).toBe('Broken')
    expect(message.text).toContain('Read me.')
  })

  test('fall back to the first headers beyond the parser’s limits', async () => {
    const nested = Array.from(
      { length: 300 },
      (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n--b${n}`,
    ).join('\r\n')
    expect(await parse('Subject: Deep', 'From: a@x.example', nested)).toMatchObject({
      subject: 'Deep',
      from: { address: 'a@x.example' },
    })
  })
})

describe('durations and times', () => {
  test.each([
    ['10m', 600_000],
    ['2 hours', 7_200_000],
    ['1 day', 86_400_000],
    ['1h 30m', 5_400_000],
    ['1 hour 30 minutes', 5_400_000],
    ['45s', 45_000],
    ['48h', 172_800_000],
  ])('%s', (text, milliseconds) => {
    expect(parseDuration(text)).toBe(milliseconds)
  })

  test.each(['', ' ', '10', 'm', '-1h', '1 fortnight', '0m', '1h and more', '49h', '3 days'])(
    'reject %j as a link duration',
    (text) => {
      expect(() => parseDuration(text)).toThrow()
    },
  )

  test.each([
    ['in 1 min', 60_000],
    ['in an hour', 3_600_000],
    ['In 2 days', 172_800_000],
    ['1970-01-01T00:00:05Z', 5000],
  ])('parse an e-mail schedule: %j', (text, time) => {
    expect(parseScheduledAt(text, 0)).toBe(time)
  })
})

describe('CSV', () => {
  test.each([
    [
      'a,b\n1,2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a,b\r\n"x, ""y""",\r\n\r\n',
      [
        ['a', 'b'],
        ['x, "y"', ''],
      ],
    ],
    ['\ufeffa\n"two\nlines"', [['a'], ['two\nlines']]],
    ['', []],
  ])('%j', (text, rows) => {
    expect(parseCsv(text)).toEqual(rows)
  })
})

describe('rate limiter', () => {
  test('never allows more than the limit in a second', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5 }),
        fc.array(fc.integer({ min: 0, max: 700 }), { maxLength: 40 }),
        (limit, pauses) => {
          let now = 0
          const limiter = new RateLimiter(limit, () => now)
          const allowed: number[] = []
          let windowStart = 0
          for (const pause of pauses) {
            now += pause
            if (now - windowStart >= 1000) {
              windowStart = now
              allowed.length = 0
            }
            if (limiter.take().allowed) allowed.push(now)
            expect(allowed.length).toBeLessThanOrEqual(limit)
          }
        },
      ),
    )
  })
})
