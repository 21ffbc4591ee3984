import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  foldsOf,
  linkify,
  pageableText,
  readPage,
  type TextPage,
} from '../../../src/renderer/features/bodies/parse-plain-text.ts'

const links = (line: string): readonly (string | null)[] =>
  linkify(line).flatMap(({ href }) => (href === null ? [] : [href]))

const pagesOf = (text: string): readonly TextPage[] => {
  const whole = pageableText(text)
  const folds = foldsOf(whole)
  const pages: TextPage[] = []
  for (let next: TextPage['next'] = 0; next !== null; next = pages.at(-1)?.next ?? null) {
    pages.push(readPage(whole, folds, next))
  }
  return pages
}

const linesOf = ({ blocks }: TextPage): readonly string[] =>
  blocks.flatMap(({ lines }) => lines.map((line) => line.map((piece) => piece.text).join('')))

const shape = (text: string): readonly string[] =>
  pagesOf(text)
    .flatMap(({ blocks }) => blocks)
    .map(
      ({ depth, fold, lines }) =>
        `${'>'.repeat(depth)}${fold ?? 'text'}: ${lines.map((line) => line.map((p) => p.text).join('')).join('|')}`,
    )

describe('links in a line of text', () => {
  it('are web addresses and e-mail addresses', () => {
    expect(links('see https://pier.example/cam?a=1&b=2#x or mail ada@quill.example')).toEqual([
      'https://pier.example/cam?a=1&b=2#x',
      'mailto:ada@quill.example',
    ])
  })

  it('end before the punctuation of the sentence, and keep the bracket that they opened', () => {
    expect(links('(https://pier.example/a).')).toEqual(['https://pier.example/a'])
    expect(links('https://pier.example/Cam_(north)!')).toEqual(['https://pier.example/Cam_(north)'])
  })

  it.each([
    ['see www.pier.example.', ['https://www.pier.example']],
    [
      '(WWW.Pier.example/cam?a=1#x), www.quay.example:8080/',
      ['https://WWW.Pier.example/cam?a=1#x', 'https://www.quay.example:8080/'],
    ],
    ['awww.pier.example www. www.x', []],
    ['ada@www.pier.example', ['mailto:ada@www.pier.example']],
    [
      'mailto:ada@quill.example?subject=Ropes%20and%20paint&body=Two.',
      ['mailto:ada@quill.example?subject=Ropes%20and%20paint&body=Two'],
    ],
    ['Did you write to mailto:ada@quill.example?', ['mailto:ada@quill.example']],
    ['<mailto:ada@quill.example?cc=ben@pier.example>', ['mailto:ada@quill.example?cc=ben@pier.example']],
  ])('are those that people expect: %s (P11)', (line, expected) => {
    expect(links(line)).toEqual(expected)
  })

  it('are never anything that runs', () => {
    expect(links('javascript:alert(1) data:text/html,x file:///etc/passwd')).toEqual([])
  })

  it('lose no character of the line', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (line) => {
        expect(
          linkify(line)
            .map(({ text }) => text)
            .join(''),
        ).toBe(line)
      }),
    )
  })
})

describe('the text of an e-mail', () => {
  it('comes apart into what is said, what is quoted, as often as it was, and what is folded away', () => {
    const text =
      'Hello.\r\n> > It is.\r\n> Is it?\r\nYes.\r\n-- \r\nJuno\r\nTide Ltd\r\n\r\nOn Friday Ada wrote:\r\n>> Why?\r\n>\r\n> Ada'
    expect(shape(text)).toEqual([
      'text: Hello.',
      '>>text: It is.',
      '>text: Is it?',
      'text: Yes.',
      'signature: Juno|Tide Ltd',
      'history: On Friday Ada wrote:',
      '>>history: Why?',
      '>history: Ada',
    ])
  })

  it('leaves a sentence that ends in a colon alone where no quote follows', () => {
    expect(shape('Two things:\n\none\ntwo')).toEqual(['text: Two things:||one|two'])
  })

  it('is nothing where there is only space', () => {
    expect(shape(' \n\n ')).toEqual([])
  })
})

describe('a text that is longer than a page', () => {
  it('is read page by page, without losing or doubling a line', () => {
    const lines = Array.from({ length: 5000 }, (_, index) => `line ${index} ${'x'.repeat(index % 90)}`)
    const pages = pagesOf(lines.join('\r\n'))
    expect(pages.length).toBeGreaterThan(5)
    expect(pages.flatMap(linesOf)).toEqual(lines)
  })

  it('goes on with what its lines belong to', () => {
    const pages = pagesOf(`No.\n\n-----Original Message-----\n${'word\n'.repeat(1500)}`)
    expect(pages.length).toBeGreaterThan(1)
    expect(pages.slice(1).flatMap(({ blocks }) => blocks.map(({ fold }) => fold))).toEqual(
      Array.from({ length: pages.length - 1 }, () => 'history'),
    )
  })

  it('cuts a line that is longer than a page, and no sign in two', () => {
    const text = `a${'\u{1f600}'.repeat(60_000)}`
    const pages = pagesOf(text)
    expect(pages.length).toBeGreaterThan(1)
    expect(pages.flatMap(linesOf).join('')).toBe(text)
    for (const line of pages.flatMap(linesOf)) expect(line.isWellFormed()).toBe(true)
  })

  it('has no page with more lines, characters or links than can be drawn at once', () => {
    const texts = [
      '\n'.repeat(50_000),
      'a\n'.repeat(20_000),
      'https://a.example/b '.repeat(20_000),
      'a.'.repeat(50_000),
    ]
    for (const page of texts.map((text) => `${text}end`).flatMap(pagesOf)) {
      const lines = page.blocks.flatMap((block) => block.lines)
      expect(lines.length).toBeLessThanOrEqual(600)
      expect(linesOf(page).join('').length).toBeLessThanOrEqual(40_000)
      expect(lines.flat().filter(({ href }) => href !== null).length).toBeLessThanOrEqual(400)
    }
  })

  it('has the fewer letters on a page the longer they take to be laid out, and loses none', () => {
    for (const [text, most] of [
      ['\u0645'.repeat(60_000), 20_500],
      ['1\ufe0f\u20e3 '.repeat(20_000), 7000],
    ] as const) {
      const pages = pagesOf(text)
      for (const page of pages) expect(linesOf(page).join('').length).toBeLessThanOrEqual(most)
      const whole = pages.flatMap(linesOf).join('')
      expect(whole.replaceAll(' ', '')).toBe(text.replaceAll(' ', ''))
    }
  })

  it('has every link on one of its pages, however many are on a line', () => {
    const text = 'https://a.example/b or c@d.example\n'.repeat(50) + 'https://a.example/b c@d.example '.repeat(3000)
    const pages = pagesOf(text)
    expect(pages.flatMap(linesOf).join('')).toBe(text.replaceAll('\n', '').trimEnd())
    const found = pages.flatMap(({ blocks }) => blocks.flatMap(({ lines }) => lines.flat()))
    expect(found.filter(({ href }) => href !== null)).toHaveLength(6100)
  })

  it('is drawn as quickly where it is much longer, with nothing folded', () => {
    const text = pageableText(`${'word\n'.repeat(100_000)}\n> said`)
    expect(foldsOf(text)).toEqual({ history: text.length, signatures: [] })
  })

  it('leaves out most of a void', () => {
    expect(shape(`above${'\n'.repeat(50_000)}below`)).toEqual([`text: above|${'|'.repeat(12)}below`])
  })
})
