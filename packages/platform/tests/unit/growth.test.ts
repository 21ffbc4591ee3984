import { describe, expect, test } from 'vitest'
import { parseCsv } from '../../src/endpoints/csv.ts'
import { toMailboxKey, parseMailboxes, removeAddressComments, expandAddressGroups } from '../../src/mail/addresses.ts'
import { htmlToText } from '../../src/mail/html-text.ts'
import { replaceCidImages, parseMessage, extractImageContentIds } from '../../src/mail/parse-message.ts'
import { toBaseSubject, toForwardSubject, isReplySubject, toReplySubject } from '../../src/mail/subjects.ts'
import { buildIndexText } from '../../src/search/word-index.ts'
import { sanitizeHtml } from '../../src/page/sanitize-html.ts'
import { filled, findExcessiveGrowth } from '../../../../tests/support/growth.ts'

/** Hostile text: the repeated piece, then the end and the start. */
type Shape = readonly [piece: string, end?: string, start?: string]
const made = ([piece, end = '', start = '']: Shape, length: number): string => start + filled(piece, length) + end

const htmlShapes: readonly Shape[] = [
  ['<'],
  ['</'],
  ['<b>'],
  ['<div>'],
  ['</div>'],
  ['<div><p>'],
  ['<b>', filled('</i>', 2 ** 18)],
  ['<!--'],
  ['<!-- -->'],
  ['<!'],
  ['<?'],
  ['<![CDATA['],
  ['<script>'],
  ['<script', '>'],
  ['<style>x</style'],
  ['<template>'],
  ['<noscript>x</noscript>'],
  ['<textarea>'],
  ['<title>'],
  ['<a href="'],
  ['<a href='],
  ['<a href=x', '>'],
  ['<a ', '>'],
  ["<a href='"],
  ['<li>    '],
  ['<br'],
  ['<body '],
  ['a="" ', '>', '<p '],
  ['"', '>', '<p x="'],
  ['&'],
  ['&#'],
  ['&#x1F600'],
  ['&amp'],
  ['&NotEqualTild'],
  ['&amp;amp;'],
  [' ', 'x'],
  ['\n', 'x'],
  [' \n', 'x'],
  ['\r\n', 'x'],
  ['\u00a0', 'x'],
  ['url('],
  ['cid:'],
  ['<img src="cid:a">'],
  ['(', ''],
  ['[', ''],
  ['{', ''],
  [':', ''],
  ['>', ''],
  ['> > ', ''],
  ['\u0000', ''],
]
const textShapes: readonly Shape[] = [
  ['a'],
  ['a '],
  ['a.'],
  ['我'],
  ['👍🏽'],
  ['\u0301'],
  ['\u0301\u0316'],
  ['\u0316\u0301', '', 'e'],
  ['e\u0301\u0316\u0327'],
  ['\u1100\u1161\u11a8'],
  ['\ufdfa'],
  ['\u200d'],
  ['\ud800'],
  [' ', 'x'],
  ['-'],
  ['"'],
]
const subjectShapes: readonly Shape[] = [
  [' ', 'x', 'Re'],
  ['\t', 'x', 'Re'],
  ['\u3000', 'x', 'Fwd'],
  [' ', 'x', 'Re[1]'],
  ['1', 'x', 'Re['],
  ['Re:'],
  ['Re: '],
  ['Re'],
  ['Re [2] : '],
  ['Re[2'],
  [' Re '],
  ['回复：'],
  ['i'],
  ['i:'],
  [' ', 'x'],
  [' x'],
]
const addressShapes: readonly Shape[] = [
  ['('],
  [')'],
  ['()'],
  ['(a)'],
  ['(\\'],
  ['a(b)@'],
  ['<'],
  ['<>'],
  ['<a@b>'],
  ['a@b,'],
  ['a@'],
  ['@'],
  ['"'],
  ['"a" '],
  ['\\'],
  [','],
  [';'],
  [':'],
  ['a:'],
  ['a:b;'],
  [' ', 'x'],
  ['a ', '<a@b>'],
  ['=?'],
  ['=?utf-8?Q?a?='],
  ['=?utf-8?Q?a?= '],
  ['=?utf-8?B?YQ=='],
  ['=?utf-7?Q?+AOk-?= '],
  ['ü', '', 'a@'],
  ['ü.', '', 'a@'],
  ['xn--', '', 'a@'],
]

const holds = (shapes: readonly Shape[], read: (text: string) => unknown): void => {
  test.each(shapes)('%j %j %j', { timeout: 120_000 }, async (...shape) => {
    expect(
      await findExcessiveGrowth((length) => {
        const text = made(shape as unknown as Shape, length)
        return () => read(text)
      }),
    ).toBeNull()
  })
}

const bytes = (...lines: readonly string[]): Buffer => Buffer.from(lines.join('\r\n'))
const withHtml = (html: string): Buffer =>
  bytes(
    'Subject: x',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    'Content-Type: text/plain',
    '',
    'Hello',
    '--b',
    'Content-Type: text/html; charset=utf-8',
    '',
    html,
    '--b--',
    '',
  )

describe('doubling the text takes at most 2.5 times as long', () => {
  describe('text of HTML', () => holds(htmlShapes, htmlToText))
  describe('HTML for the page', () => holds(htmlShapes, sanitizeHtml))
  describe('images in HTML', () => {
    holds(htmlShapes, (html) => [extractImageContentIds(html), replaceCidImages(html, () => 'data:,')])
  })
  describe('message with HTML and text parts', () => {
    holds(
      htmlShapes.filter(([piece]) => /^<(?:[ab!]|\/|li|script)|^&|^\s/.test(piece)),
      (html) => parseMessage(withHtml(html)),
    )
  })
  describe('search words', () => holds(textShapes, (text) => buildIndexText([text])))
  describe('subjects', () => {
    holds(subjectShapes, (text) => [
      toBaseSubject(text),
      isReplySubject(text),
      toReplySubject(text),
      toForwardSubject(text),
    ])
  })
  describe('addresses', () => {
    holds(addressShapes, (text) => [
      removeAddressComments(text),
      expandAddressGroups(text),
      parseMailboxes(text),
      toMailboxKey(text),
    ])
  })
  describe('message headers', () => {
    holds([...addressShapes, ...subjectShapes], (text) =>
      parseMessage(
        bytes(
          `From: ${text}`,
          `To: ${text}`,
          `Subject: ${text}`,
          `References: ${text}`,
          `Date: ${text}`,
          `Received: x;${text}`,
          '',
          'x',
        ),
      ),
    )
  })
  describe('part headers', () => {
    holds(
      [
        ['; a=b'],
        [';'],
        ['; a*0=x'],
        ['('],
        ['"'],
        ['\\'],
        [' ', 'x'],
        ['='],
        ["; name*=utf-8''%41"],
        ["; name*0*=cp850''%41"],
        ["'"],
      ],
      (text) => parseMessage(bytes(`Content-Type: text/plain${text}`, `Content-Disposition: inline${text}`, '', 'x')),
    )
  })
  describe('message bodies', () => {
    holds(
      [
        ['\r\n--b'],
        ['\r\n--b\r\n'],
        ['\r\n--b\r\nContent-Type: multipart/mixed; boundary=b\r\n'],
        ['\r\n-- '],
        ['\r\n>'],
        ['\r\n'],
        ['\r'],
        ['=\r\n'],
        ['='],
        ['=20'],
        ['=A'],
        ['a b \r\n'],
        ['\r\nbegin 644 x\r\n'],
        ['\r\nbegin 644 x\r\n`\r\nend'],
        ['\r\nM', '\r\nend', 'begin 644 x'],
        ['>'],
        ['> a \r\n'],
        ['>> a \r\n> b \r\n'],
        ['<bold>'],
        ['</nofill><nofill>'],
        ['<<'],
        ['<b'],
        ['~{'],
        ['~{!!~}'],
        ['\u000e'],
        ['\u001b$'],
        ['+AAA-'],
        ['<meta '],
        ['charset='],
      ],
      async (text) => {
        await parseMessage(bytes('Content-Type: multipart/mixed; boundary=b', '', text))
        await parseMessage(
          bytes(
            'Content-Type: text/plain; format=flowed; delsp=yes',
            'Content-Transfer-Encoding: quoted-printable',
            '',
            text,
          ),
        )
        await parseMessage(bytes('Content-Transfer-Encoding: base64', '', text))
        await parseMessage(bytes('Content-Type: multipart/mixed', '', text))
        for (const type of ['text/enriched', 'text/richtext', 'text/html', 'text/x-other']) {
          await parseMessage(bytes(`Content-Type: ${type}`, '', text))
        }
        for (const charset of ['hz-gb-2312', 'iso-2022-kr', 'utf-7', 'cp850', 'utf-16', 'euc-kr']) {
          await parseMessage(bytes(`Content-Type: text/plain; charset=${charset}`, '', text))
        }
      },
    )
  })
  test('parses many alternatives in linear time', { timeout: 120_000 }, async () => {
    expect(
      await findExcessiveGrowth((length) => {
        const parts = filled('--b\r\nContent-Type: text/x-other\r\n\r\nx\r\n', length)
        return () => parseMessage(bytes('Content-Type: multipart/alternative; boundary=b', '', parts))
      }),
    ).toBeNull()
  })
  describe('CSV tables', () => holds([['"'], ['""'], [','], ['\n'], ['"a",'], ['a"']], parseCsv))

  test('reads only the headers of a message with more lines than a 40 MB file has', async () => {
    const raw = bytes('Subject: Blank', '', '\n'.repeat(20_000_000))
    expect(await parseMessage(raw)).toMatchObject({ subject: 'Blank', text: null, attachments: [] })
  })

  test('reads only the headers of a message with too many multiparts', async () => {
    const open = Array.from(
      { length: 4000 },
      (_, part) => `--b\r\nContent-Type: multipart/mixed; boundary=x${part}\r\n\r\n`,
    ).join('')
    const lines = '--no boundary at all, and there are many of these\r\n'.repeat(20_000)
    expect(
      await parseMessage(bytes('Subject: Many', 'Content-Type: multipart/mixed; boundary=b', '', open + lines)),
    ).toMatchObject({ subject: 'Many', attachments: [] })
  })
})
