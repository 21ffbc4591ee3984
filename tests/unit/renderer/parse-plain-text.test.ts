import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  findTextFolds,
  linkify,
  normalizeForPaging,
  parseTextPage,
  type TextPage,
} from '../../../src/renderer/features/bodies/parse-plain-text.ts'

const links = (line: string): readonly (string | null)[] =>
  linkify(line).flatMap(({ href }) => (href === null ? [] : [href]))

const pagesOf = (text: string): readonly TextPage[] => {
  const whole = normalizeForPaging(text)
  const folds = findTextFolds(whole)
  const pages: TextPage[] = []
  for (let next: TextPage['next'] = 0; next !== null; next = pages.at(-1)?.next ?? null) {
    pages.push(parseTextPage(whole, folds, next))
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
  it('include web and e-mail addresses', () => {
    expect(links('see https://pier.example/cam?a=1&b=2#x or mail ada@quill.example')).toEqual([
      'https://pier.example/cam?a=1&b=2#x',
      'mailto:ada@quill.example',
    ])
  })

  it('exclude trailing punctuation, and keep balanced brackets', () => {
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
  ])('match common expectations: %s', (line, expected) => {
    expect(links(line)).toEqual(expected)
  })

  it('never run code', () => {
    expect(links('javascript:alert(1) data:text/html,x file:///etc/passwd')).toEqual([])
  })

  it('preserve every character of the line', () => {
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

describe('plain text of an e-mail', () => {
  it('splits into new text, quotes by depth, and folded parts', () => {
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

  it('keeps a sentence with a colon if no quote follows', () => {
    expect(shape('Two things:\n\none\ntwo')).toEqual(['text: Two things:||one|two'])
  })

  it('is empty if only whitespace', () => {
    expect(shape(' \n\n ')).toEqual([])
  })
})

describe('text longer than a page', () => {
  it('is split into pages without losing or repeating a line', () => {
    const lines = Array.from({ length: 5000 }, (_, index) => `line ${index} ${'x'.repeat(index % 90)}`)
    const pages = pagesOf(lines.join('\r\n'))
    expect(pages.length).toBeGreaterThan(5)
    expect(pages.flatMap(linesOf)).toEqual(lines)
  })

  it('keeps a fold across pages', () => {
    const pages = pagesOf(`No.\n\n-----Original Message-----\n${'word\n'.repeat(1500)}`)
    expect(pages.length).toBeGreaterThan(1)
    expect(pages.slice(1).flatMap(({ blocks }) => blocks.map(({ fold }) => fold))).toEqual(
      Array.from({ length: pages.length - 1 }, () => 'history'),
    )
  })

  it('splits an overlong line, but never a character', () => {
    const text = `a${'\u{1f600}'.repeat(60_000)}`
    const pages = pagesOf(text)
    expect(pages.length).toBeGreaterThan(1)
    expect(pages.flatMap(linesOf).join('')).toBe(text)
    for (const line of pages.flatMap(linesOf)) expect(line.isWellFormed()).toBe(true)
  })

  it('has bounded lines, characters and links per page', () => {
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

  it('has fewer letters per page for slow scripts, and loses none', () => {
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

  it('keeps every link on one page', () => {
    const text = 'https://a.example/b or c@d.example\n'.repeat(50) + 'https://a.example/b c@d.example '.repeat(3000)
    const pages = pagesOf(text)
    expect(pages.flatMap(linesOf).join('')).toBe(text.replaceAll('\n', '').trimEnd())
    const found = pages.flatMap(({ blocks }) => blocks.flatMap(({ lines }) => lines.flat()))
    expect(found.filter(({ href }) => href !== null)).toHaveLength(6100)
  })

  it('skips folding if it is very long', () => {
    const text = normalizeForPaging(`${'word\n'.repeat(100_000)}\n> said`)
    expect(findTextFolds(text)).toEqual({ history: text.length, signatures: [], quotes: null })
  })

  it('collapses long runs of empty lines', () => {
    expect(shape(`above${'\n'.repeat(50_000)}below`)).toEqual([`text: above|${'|'.repeat(12)}below`])
  })
})
