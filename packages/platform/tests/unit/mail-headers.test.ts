import { describe, expect, test } from 'vitest'
import { parseMessage } from '../../src/mail/parse-message.ts'

const lines = (...all: readonly string[]): string => `${all.join('\r\n')}\r\n`

describe('date of a message', () => {
  const dateOf = async (...headers: readonly string[]): Promise<string | null> => {
    const { date } = await parseMessage(Buffer.from(lines(...headers, '', 'x')))
    return date === null ? null : new Date(date).toISOString().replace(':00.000Z', '')
  }

  test.each([
    ['11.07.05', '2005-07-11T00:00'],
    ['11.07.05 10:30', '2005-07-11T10:30'],
    ['11.7.2005, 10.30 Uhr', '2005-07-11T10:30'],
    ['Mo, 11 Jul 05 10:00 +0200', '2005-07-11T08:00'],
    ['Montag, 11. Juli 2005 10:00:00 +0200', '2005-07-11T08:00'],
    ['Do, 3 Mär 2011 12:00:00 +0100', '2011-03-03T11:00'],
    ['3 März 2011 12:00:00 MEZ', '2011-03-03T11:00'],
    ['Di, 5 Okt 1999 8:00 MESZ', '1999-10-05T06:00'],
    ['Sa, 31 Dez 2011 9:05:00 EST', '2011-12-31T14:05'],
    ['lun, 11 juil. 2005 10:00', '2005-07-11T10:00'],
    ['5 août 2020 8:00', '2020-08-05T08:00'],
    ['24 de noviembre de 2026 10:00', '2026-11-24T10:00'],
    ['Вт, 24 ноя 2026 10:00:00 +0300', '2026-11-24T07:00'],
    ['Tue, 24 Nov 26 10:00:00 +0000', '2026-11-24T10:00'],
    ['Tue, 24 Nov 99 10:00:00 +0000', '1999-11-24T10:00'],
    ['Tue, 24 Nov 126 10:00:00 +0000', '2026-11-24T10:00'],
    ['Tue (day), 24 (of (the)) Nov 2026 10:00:00 -0500 (EST)', '2026-11-24T15:00'],
    ['24 Nov 2026 10:00', '2026-11-24T10:00'],
    ['Tue,24 Nov 2026 10:00:00+0100', '2026-11-24T09:00'],
    ['Tue, 24 Nov 2026 10:00:00 GMT+0200', '2026-11-24T08:00'],
    ['Tue Nov 24 10:00:00 2026', '2026-11-24T10:00'],
    ['Tue Nov 24 10:00:00 CET 2026', '2026-11-24T09:00'],
    ['Nov 24, 2026 3:04 PM', '2026-11-24T15:04'],
    ['11/24/2026 12:30 am', '2026-11-24T00:30'],
    ['24/11/2026 10:00', '2026-11-24T10:00'],
    ['24-Nov-26 10:00', '2026-11-24T10:00'],
    ['2026-11-24T10:00:00+02:00', '2026-11-24T08:00'],
    ['2026/11/24 10:00', '2026-11-24T10:00'],
  ])('Date: %s', async (written, time) => {
    expect(await dateOf(`Date: ${written}`)).toBe(time)
  })

  test.each(['30 Feb 2026 10:00', '24 Foo 2026', '99.99.99', '24 Nov 2026 25:61', 'Tue, 24 Nov'])(
    'ignores an invalid date: %s',
    async (written) => {
      expect(await dateOf(`Date: ${written}`)).toBeNull()
    },
  )

  test('falls back to the last server’s Received header', async () => {
    const received = [
      'Received: from b.example by c.example; Mon, 16 Nov 2026 09:30:00 +0200',
      'Received: from a.example; Sun, 15 Nov 2026 09:30:00 +0200',
    ]
    expect(await dateOf(...received)).toBe('2026-11-16T07:30')
    expect(await dateOf('Date: none', ...received)).toBe('2026-11-16T07:30')
    expect(await dateOf('Received: from a.example by b.example with SMTP', ...received)).toBe('2026-11-16T07:30')
    expect(await dateOf(...received, 'Date: Tue, 24 Nov 2026 10:00:00 +0000')).toBe('2026-11-24T10:00')
  })
})

describe('group members as recipients', () => {
  test.each([
    [
      'Crew: Ann Oar <ann@crew.example>, "Bob; Sail" <bob@crew.example>;, cal@crew.example',
      ['Ann Oar=ann', 'Bob; Sail=bob', '=cal'],
    ],
    ['"A: B; C": "Oar, Ann" <ann@crew.example>; "Bob: Sail" <bob@crew.example>', ['Oar, Ann=ann', 'Bob: Sail=bob']],
    ['undisclosed-recipients:;', []],
    ['Crew: (a; b: c) ann@crew.example;, Others: bob@crew.example;', ['a; b: c=ann', '=bob']],
    ['Crew:ann@crew.example,bob@crew.example', ['=ann', '=bob']],
  ])('%s', async (written, members) => {
    const { cc } = await parseMessage(Buffer.from(lines(`Cc: ${written}`, '', 'x')))
    expect(cc.map(({ name, address }) => `${name}=${address.replace('@crew.example', '')}`)).toEqual(members)
  })
})
