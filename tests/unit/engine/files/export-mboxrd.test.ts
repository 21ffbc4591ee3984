import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatAsctime, formatGmailLabels, serializeMboxMessage } from '../../../../src/engine/files/export/mboxrd.ts'
import { hasPython, runPython } from '../../../support/python.ts'
import { readMbox } from '../../../support/read-mbox.ts'
import { temporaryDirectory } from '../../../support/temporary-directory.ts'

const AT = Date.UTC(2026, 10, 2, 9, 5, 7)
const ENVELOPE = { from: 'Ada <ada@example.com>', at: AT, isRead: true, labels: ['Inbox'] }

const write = (message: Uint8Array, envelope = ENVELOPE): Buffer => serializeMboxMessage(message, envelope)
/** A written message without the separator and the mailbox's headers. */
const bodyOf = (message: string | Uint8Array): string =>
  write(typeof message === 'string' ? Buffer.from(message, 'latin1') : message)
    .toString('latin1')
    .replace(/^From .*\nStatus: RO\nX-Gmail-Labels: Inbox\n/, '')

describe('a message in an mbox file', () => {
  it('has a separator with sender and UTC time, and headers for its status and folder', () => {
    expect(write(Buffer.from('Subject: x\r\n\r\nHello\r\n')).toString()).toBe(
      'From ada@example.com Mon Nov  2 09:05:07 2026\nStatus: RO\nX-Gmail-Labels: Inbox\nSubject: x\n\nHello\n\n',
    )
    const unread = { ...ENVELOPE, from: 'no address', isRead: false, labels: ['Inbox', 'Unread'] }
    expect(write(Buffer.from('A: b\n'), unread).toString()).toBe(
      'From MAILER-DAEMON Mon Nov  2 09:05:07 2026\nStatus: O\nX-Gmail-Labels: Inbox,Unread\nA: b\n\n',
    )
    expect(write(Buffer.from('A: b\n'), { ...ENVELOPE, isRead: null as never }).toString()).not.toContain('Status')
  })

  it.each([
    ['a line that begins as a separator does', 'A: b\r\n\r\nFrom here\r\n', 'A: b\n\n>From here\n\n'],
    ['one that was quoted before', 'A: b\n\n>From here\n>>>From there\n', 'A: b\n\n>>From here\n>>>>From there\n\n'],
    ['one of its headers', 'A: b\n>From x\nFrom y\n\n', 'A: b\n>>From x\n>From y\n\n\n'],
    [
      'no line of it',
      'A: b\n\nfrom\nFrom: x\n From y\n> From z\nFromage\n>From',
      'A: b\n\nfrom\nFrom: x\n From y\n> From z\nFromage\n>From\n\n',
    ],
    ['bytes beyond ASCII', 'A: b\r\n\r\nGr\xfc\xdfe \xff\r\n', 'A: b\n\nGr\xfc\xdfe \xff\n\n'],
    ['no end of its last line', 'A: b\r\n\r\nFrom', 'A: b\n\nFrom\n\n'],
    ['a carriage return within a line', 'A: b\r\n\r\nx\ry\r\r\nz\r', 'A: b\n\nx\ry\r\nz\r\n\n'],
    ['both ends of lines', 'A: b\n\r\nx\ny\r\n', 'A: b\n\nx\ny\n\n'],
    ['nothing', '', '\n\n'],
    ['one end of a line', '\r\n', '\n\n'],
    ['empty lines at its end', 'A: b\r\n\r\nx\r\n\r\n\r\n', 'A: b\n\nx\n\n\n\n'],
  ])('keeps %s', (_, message, expected) => {
    expect(bodyOf(message)).toBe(expected)
  })

  it('keeps short and empty lines, however many', () => {
    for (const count of [262_143, 524_288, 1_500_001]) {
      const empty = '\n'.repeat(count)
      expect(bodyOf(`A: b\n${empty}`) === `A: b\n${empty}\n`).toBe(true)
    }
    const short = 'From \n'.repeat(200_000)
    expect(bodyOf(`A: b\n\n${short}`) === `A: b\n\n${short.replaceAll('From', '>From')}\n`).toBe(true)
  })

  it('keeps lines of any length', () => {
    for (const length of [262_143, 262_144, 262_145, 524_288, 700_001]) {
      const long = 'x'.repeat(length)
      expect(bodyOf(`A: b\r\n\r\n${long}\r\nFrom y\r\n`) === `A: b\n\n${long}\n>From y\n\n`).toBe(true)
      const quotes = `${'>'.repeat(length)}From z`
      expect(bodyOf(`A: b\n\n${quotes}\n`) === `A: b\n\n>${quotes}\n\n`).toBe(true)
    }
  })

  it('reads back unchanged, whatever it is', () => {
    const line = fc.oneof(
      fc.constantFrom('From ', '>From x', 'From a@b Mon Nov  2 09:05:07 2026', '', '>', '>>From', 'X: y', '\x00\xff'),
      fc.string({ unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)), maxLength: 20 }),
    )
    const text = fc.array(line, { maxLength: 12 }).map((lines) =>
      // Line endings as in mail: CRLF, no lone CR or LF.
      ['A: b', ...lines.map((each) => each.replace(/[\r\n]/g, '.'))].map((each) => `${each}\r\n`).join(''),
    )
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 5 }), (messages) => {
        const file = Buffer.concat(messages.map((message) => write(Buffer.from(message, 'latin1'))))
        expect(readMbox(file).map(({ raw }) => raw.toString('latin1'))).toEqual(messages)
      }),
    )
  })

  it.runIf(hasPython)('is read as the same message by Python’s mailbox module', () => {
    const messages = [
      'Message-ID: <1@x>\r\nSubject: one\r\n\r\nFrom here on\r\n>From there\r\n',
      'Message-ID: <2@x>\r\n\r\n',
      'Message-ID: <3@x>\r\n\r\nno end',
      `Message-ID: <4@x>\r\n\r\n${'x'.repeat(600_000)}\r\n\r\n\r\n`,
    ]
    const file = join(temporaryDirectory(), 'mail.mbox')
    writeFileSync(file, Buffer.concat(messages.map((message) => write(Buffer.from(message)))))
    const read = runPython(
      `import json, mailbox, sys
print(json.dumps([[m['Message-ID'], m.get_flags(), m.get_from()] for m in mailbox.mbox(sys.argv[1])]))`,
      file,
    )
    const from = 'ada@example.com Mon Nov  2 09:05:07 2026'
    expect(read).toEqual(['<1@x>', '<2@x>', '<3@x>', '<4@x>'].map((id) => [id, 'RO', from]))
  })
})

describe('the time of a separator', () => {
  it.each([
    [0, 'Thu Jan  1 00:00:00 1970'],
    [-5, 'Thu Jan  1 00:00:00 1970'],
    [Number.NaN, 'Thu Jan  1 00:00:00 1970'],
    [Date.UTC(2024, 1, 29, 23, 59, 59), 'Thu Feb 29 23:59:59 2024'],
    [8.64e15, 'Fri Dec 31 00:00:00 9999'],
  ])('%i', (at, expected) => expect(formatAsctime(at)).toBe(expected))
})

describe('the labels of a message', () => {
  it.each([
    [['Inbox', 'Billing'], 'Inbox,Billing'],
    [['a, b', 'say "x"'], `"a, b","say 'x'"`],
    [['Bcc: eve@example.com\r\nX: y'], 'Bcc: eve@example.com X: y'],
    [[' ', ''], ''],
    [['=?UTF-8?B?eA==?='], '=?UTF-8?B?PT9VVEYtOD9CP2VBPT0/PQ==?='],
  ])('%j', (labels, expected) => expect(formatGmailLabels(labels)).toBe(expected))

  it('use encoded words beyond ASCII, one per line, at most 75 characters each', () => {
    const labels = ['Rechnung für März 😀'.repeat(20)]
    const value = formatGmailLabels(labels)
    const words = value.split('\n ')
    expect(words.length).toBeGreaterThan(3)
    for (const word of words) expect(word).toMatch(/^=\?UTF-8\?B\?[\w+/=]{1,60}\?=$/)
    expect(words.map((word) => Buffer.from(word.slice(10, -2), 'base64').toString()).join('')).toBe(labels[0])
  })
})
