import { describe, expect, it } from 'vitest'
import { formatCsvCell, serializeContactTable } from '../../../../src/engine/files/export/contact-table.ts'
import { parseCsv } from '../../../../packages/platform/src/endpoints/csv.ts'
import type { Contact } from '../../../../src/shared/people.ts'

const contact = (email: string, more: Partial<Contact> = {}): Contact => ({
  ...{ id: email, email, firstName: null, lastName: null, createdAt: 0, unsubscribed: false, properties: {} },
  ...more,
})

describe('a CSV cell', () => {
  it.each([
    ['plain', 'plain'],
    ['a, b', '"a, b"'],
    ['say "x"', '"say ""x"""'],
    ['two\nlines', '"two\nlines"'],
    [' blank', '" blank"'],
    ['=1+1', "'=1+1"],
    ['+cmd|x', "'+cmd|x"],
    ['-2+3', "'-2+3"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['+44 20', "'+44 20"],
    ['-12.5', '-12.5'],
    // S9: after a line break, a space or a byte order mark, in full-width characters, after another separator.
    ['\n=1+1', '"\'\n=1+1"'],
    ['  =1+1', "'  =1+1"],
    ['\ufeff=1+1', "'\ufeff=1+1"],
    ['\u200b@SUM(A1)', "'\u200b@SUM(A1)"],
    ['＝1+1', "'＝1+1"],
    ['－2', "'－2"],
    ['a;=1+1', "a;'=1+1"],
    ['a\t+1+1', "a\t'+1+1"],
    ['a, =1+1', '"a,\' =1+1"'],
    ['a;-3;4', 'a;-3;4'],
    ['Ann = Bob', 'Ann = Bob'],
    [-12.5, '-12.5'],
    [true, 'true'],
    [null, ''],
  ])('%j', (value, expected) => expect(formatCsvCell(value)).toBe(expected))
})

const storeOf = (contacts: readonly Contact[]) => ({
  idsOf: () => contacts.map(({ id }) => id),
  get: (id: string) => contacts.find((each) => each.id === id),
})

describe('the contact table', () => {
  it('leaves a column empty unless the contact itself has a value', async () => {
    const contacts = [
      contact('a@x.example', { properties: { constructor: 'x', toString: 'y' } }),
      contact('b@x.example'),
    ]
    const { content } = await serializeContactTable(storeOf(contacts))
    expect(parseCsv(Buffer.from(content).toString()).map((row) => row.slice(5))).toEqual([
      ['constructor', 'toString'],
      ['x', 'y'],
      ['', ''],
    ])
  })

  it('has every contact and property, and reads back as intended', async () => {
    const contacts = [
      contact('ann@example.com', {
        firstName: 'Änn, "A"',
        createdAt: Date.UTC(2026, 9, 1),
        properties: { city: 'Köln' },
      }),
      contact('bob@example.com', {
        lastName: '=HYPERLINK("x")',
        unsubscribed: true,
        properties: { age: 41, email: 'no' },
      }),
      ...Array.from({ length: 250 }, (_, index) => contact(`c${index}@example.com`, { createdAt: null })),
    ]
    const { filename, content } = await serializeContactTable(storeOf(contacts))
    const rows = parseCsv(Buffer.from(content).toString())
    expect([filename, rows.length]).toEqual(['contacts.csv', 253])
    expect(rows.slice(0, 4)).toEqual([
      ['email', 'first_name', 'last_name', 'unsubscribed', 'created_at', 'age', 'city'],
      ['ann@example.com', 'Änn, "A"', '', 'false', '2026-10-01T00:00:00.000Z', '', 'Köln'],
      ['bob@example.com', '', `'=HYPERLINK("x")`, 'true', '1970-01-01T00:00:00.000Z', '41', ''],
      ['c0@example.com', '', '', 'false', '', '', ''],
    ])
  })
})
