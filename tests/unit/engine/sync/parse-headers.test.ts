import { describe, expect, it } from 'vitest'
import { parseHeaders } from '../../../../src/engine/sync/parse-headers.ts'

const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1')
const namesAndValues = (text: string): readonly string[] =>
  parseHeaders(bytes(text)).headers.map(({ name, value }) => `${name}=${value}`)

describe('the headers of a message', () => {
  it('keep their order and repetitions', () => {
    expect(namesAndValues('Received: b\r\nReceived: a\r\nSubject: Hello\r\n\r\nBody: none\r\n')).toEqual([
      'Received=b',
      'Received=a',
      'Subject=Hello',
    ])
  })

  it('keep their folded lines', () => {
    expect(namesAndValues('Received: from a\r\n\tby b;\r\n Mon\r\nTo: c\r\n\r\n')).toEqual([
      'Received=from a\n\tby b;\n Mon',
      'To=c',
    ])
  })

  it('include decoded words next to the raw ones', () => {
    const { headers } = parseHeaders(
      bytes('Subject: =?utf-8?B?Q2Fmw6k=?=\r\n =?utf-8?q?_=E2=80=AEcod?= x\r\nTo: plain\r\n\r\n'),
    )
    expect(headers.map(({ decoded }) => decoded)).toEqual(['Café ⟨U+202E⟩cod x', null])
    expect(headers[0]?.value).toBe('=?utf-8?B?Q2Fmw6k=?=\n =?utf-8?q?_=E2=80=AEcod?= x')
  })

  it.each([
    ['an unknown encoding', 'Subject: =?x-nobody?B?AAAA?=\r\n\r\n'],
    ['half a word', 'Subject: =?utf-8?B?Q2Fm\r\n\r\n'],
    ['broken base64', 'Subject: =?utf-8?B?*?=\r\n\r\n'],
  ])('are read with encoded words of %s', (_, message) => {
    expect(parseHeaders(bytes(message)).headers[0]?.name).toBe('Subject')
  })

  it('end at an invalid line if there is no empty one', () => {
    expect(namesAndValues('Subject: a\r\nHello there\r\nTo: no header\r\n')).toEqual(['Subject=a'])
  })

  it.each([
    ['no bytes', '', []],
    ['nothing but an empty line', '\r\n', []],
    ['a body alone', 'Hello\r\n', []],
    ['an end within a name', 'Subject', []],
    ['an end behind the colon', 'Subject:', ['Subject=']],
    ['an end within a fold', 'Subject: a\r\n ', ['Subject=a']],
    ['a fold before any header', ' folded\r\nSubject: a\r\n', []],
    ['line feeds alone', 'A: 1\nB: 2\n\nC: 3', ['A=1', 'B=2']],
    ['carriage returns alone', 'A: 1\rB: 2\r\rC: 3', ['A=1', 'B=2']],
    ['a carriage return within a line', 'A: 1\rB: 2\r\nC: 3\r\n\r\n', ['A=1␍\nB: 2', 'C=3']],
    ['a line of a mailbox file', 'From ada Mon Jan 1\r\nA: 1\r\n\r\n', ['A=1']],
    ['a blank before the colon', 'A : 1\r\n\r\n', ['A=1']],
    ['8-bit letters', 'Subject: caf\xe9\r\n\r\n', ['Subject=caf⟨0xE9⟩']],
    ['UTF-8', 'Subject: caf\xc3\xa9\r\n\r\n', ['Subject=café']],
    ['zeros', 'Sub\x00ject: a\x00b\r\nA: 1\r\n\r\n', []],
    ['a name of 8-bit letters', 'S\xfcb: a\r\n\r\n', ['S⟨0xFC⟩b=a']],
  ])('are read as far as they go: %s', (_, message, expected) => {
    expect(namesAndValues(message)).toEqual(expected)
  })

  it('are cut if one has 10 MB, in lines or not, and those after it stay', () => {
    for (const filler of ['x'.repeat(10_000_000), 'x\r\n '.repeat(2_500_000)]) {
      const { headers, hasMore } = parseHeaders(bytes(`A: ${filler}\r\nB: 2\r\n\r\n`))
      expect(headers.map(({ name, isCut }) => `${name} ${isCut}`)).toEqual(['A true', 'B false'])
      expect([(headers[0]?.value.length ?? 0) < 10_000, hasMore]).toEqual([true, false])
    }
  })

  it('report if there are more than anyone reads', () => {
    expect(parseHeaders(bytes('A: 1\r\n'.repeat(1_001)))).toMatchObject({ hasMore: true })
    expect(parseHeaders(bytes(`${'A: 1\r\n'.repeat(1_000)}\r\n`))).toMatchObject({ hasMore: false })
  })
})
