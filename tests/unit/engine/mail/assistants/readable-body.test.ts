import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  extractReadableBody,
  UNSURE_MARK,
  type ReadableBodyOptions,
} from '../../../../../src/engine/mail/assistants/readable-body.ts'
import { BY_STYLE, HIDINGS, SECRET } from '../../../../support/assistant-mails.ts'

const ofHtml = (html: string, options?: ReadableBodyOptions): string =>
  extractReadableBody({ html, text: null }, options).text
/** The text without lines that may be hidden. */
const sureOf = (html: string): string => {
  const { text, sure } = extractReadableBody({ html, text: null })
  return sure === 'none'
    ? ''
    : text
        .split('\n')
        .filter((line) => !line.startsWith(UNSURE_MARK))
        .join('\n')
}
const ofText = (text: string, options?: ReadableBodyOptions) => extractReadableBody({ html: null, text }, options)

describe('hidden text', () => {
  const hidings = Object.entries(HIDINGS)
  const AROUND: readonly ((words: string) => string)[] = [
    (words) => `<div class="card">${words}</div>`,
    (words) => `<table width="600"><tbody><tr><td>${words}</td><td>side</td></tr></tbody></table>`,
    (words) => `<p>above</p>${words}<p>below</p>`,
    (words) => `<blockquote>${words}</blockquote>`,
    (words) => `<ul><li>one</li><li>${words}</li></ul>`,
    (words) => `<center><font face="Arial" size="2">${words}</font></center>`,
    (words) => `<a href="https://quill.example/">${words}</a>`,
    (words) => `<section style="color:#333;padding:10px">${words}</section>`,
  ]

  it.each(hidings)('stays hidden by %s, at any depth', (_, hide) => {
    // A nested link moves out of the elements in between, and can show what they hide.
    const isLink = (html: string): boolean => html.includes('<a ')
    const around = AROUND.filter((wrap) => !isLink(hide('')) || !isLink(wrap('')))
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...around), { maxLength: 6 }), (wrappings) => {
        const html = wrappings.reduce((inner, wrap) => wrap(inner), `<div>${hide(SECRET)}</div>`)
        expect(sureOf(`<p>Hello</p>${html}`)).not.toContain('forward all')
      }),
      { numRuns: 20 },
    )
  })

  it('stays hidden in any order, next to visible text', () => {
    // Some techniques leave tags open.
    const whole = hidings.filter(([, hide]) => !/<xml|<style|<b style|<span style="display:none"><div>/.test(hide('')))
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...whole), { minLength: 1, maxLength: 8 }), (ways) => {
        const html = ways.map(([, hide], place) => `<div>${hide(SECRET)}</div><p>seen${place}</p>`).join('')
        const text = ofHtml(html)
        expect(sureOf(html)).not.toContain('forward all')
        for (const place of ways.keys()) expect(text).toContain(`seen${place}`)
      }),
      { numRuns: 200 },
    )
  })

  it('stays hidden inside otherwise hidden elements', () => {
    // White text is visible on black.
    const outers = Object.entries(BY_STYLE).filter(([, hide]) => !/color|background/.test(hide('')))
    fc.assert(
      fc.property(fc.constantFrom(...outers), fc.constantFrom(...hidings), ([, outer], [, inner]) => {
        expect(sureOf(`<div>${outer(`<div>${inner(SECRET)}</div>`)}</div>`)).not.toContain('forward all')
      }),
      { numRuns: 300 },
    )
  })

  it('leaves its neighbours visible', () => {
    for (const [name, hide] of hidings)
      expect(ofHtml(`<p>Before</p>${hide('x')}<p>Behind</p>`), name).toMatch(/Before[^]*Behind/)
  })
})

describe('visible HTML', () => {
  it.each([
    ['<p>One</p><p>Two<br>three</p>', 'One\n\nTwo\nthree'],
    ['<h1>News</h1><h3>Today</h3>text', '# News\n\n### Today\n\ntext'],
    ['<ul><li>a<li>b</ul><ol><li>c<li>d</ol>', '- a\n- b\n\n1. c\n2. d'],
    ['<table><tr><td>a<td>b<tr><td>c<td>d</table>', 'a | b\nc | d'],
    ['<pre>a\n  b\n\nc</pre>', 'a\n  b\n\nc'],
    ['<div style="white-space:pre-wrap">a\nb</div>', 'a\nb'],
    ['a<span style="display:block">b</span>c', 'a\nb\nc'],
    ['<b>bo</b>ld', 'bold'],
    ['a &lt;b&gt; &amp; c', 'a <b> & c'],
    ['<details open><summary>More</summary>inside</details>', 'More\ninside'],
    ['<img alt="A hill" src="cid:a"> <img alt="" src="cid:b">', '[picture 1]'],
    ['<img alt="A hill\nof </mail> grass" src="cid:a">', '[picture 1]'],
    ['<a href="https://quill.example/a">Read</a> on', 'Read (leads to quill.example [1]) on'],
    ['<a href="https://quill.example/a">https://quill.example/a</a>', 'https://quill.example/a'],
    ['<a href="https://www.quill.example/">quill.example</a>', 'quill.example (leads to www.quill.example [1])'],
    ['<a href="mailto:a@b.example">a@b.example</a>', 'a@b.example'],
    ['<a href="#top">Top</a>', 'Top'],
    ['<a href="tel:+49 30 1234">call us</a>', 'call us (calls a number [1])'],
    ['<a href="https://quill.example/a"><img alt="Shop" src="cid:a"></a>', '[picture 1] (leads to quill.example [1])'],
    ['', ''],
  ])('%j', (html, text) => expect(ofHtml(html)).toBe(text))
})

describe('earlier e-mails', () => {
  const gmail =
    '<div>Fine.</div><div class="gmail_quote"><div class="gmail_attr">On Fri, 1 May 2026 at 09:30, Ada &lt;ada@quill.example&gt; wrote:<br></div><blockquote class="gmail_quote"><div>Is it?</div><div>Ada</div></blockquote></div>'

  it('are dropped at the end, and counted', () => {
    expect(extractReadableBody({ html: gmail, text: null })).toMatchObject({ text: 'Fine.', folded: { lines: 3 } })
    const text = 'Fine.\n\nOn Fri, 1 May 2026 at 09:30, Ada <ada@quill.example> wrote:\n> Is it?\n>\n> Ada\n'
    expect(ofText(text)).toMatchObject({ text: 'Fine.', folded: { lines: 4 } })
  })

  it('stay when everything is requested, but are not sure', () => {
    const read = extractReadableBody({ html: gmail, text: null }, { whole: true })
    expect(read).toMatchObject({ folded: { lines: 0 }, sure: 'some' })
    expect(read.text).toContain('Fine.\n[may be hidden] On Fri')
    expect(read.text).toContain('[may be hidden] Is it?\n[may be hidden] Ada')
  })

  it('stay when they are answered inline or forwarded', () => {
    expect(ofText('> Is it?\n\nIt is.').text).toBe('> Is it?\n\nIt is.')
    const forwarded = 'See below.\n\n---------- Forwarded message ---------\nFrom: Ada\nSubject: Hello\n\nIs it?'
    expect(ofText(forwarded).text).toBe(forwarded)
  })
})

describe('signatures', () => {
  it.each([
    ['HTML', { html: '<p>Fine.</p><div class="gmail_signature">Ada<br>Quill &amp; Sons</div>', text: null }],
    ['a text', { html: null, text: 'Fine.\n\n-- \nAda\nQuill & Sons\n' }],
  ])('in %s are left out, since the window folds them', (_name, body) => {
    const read = extractReadableBody(body)
    expect(read).toMatchObject({ text: 'Fine.', sure: 'all' })
    expect(read.folded.lines).toBeGreaterThan(1)
    expect(extractReadableBody(body, { whole: true })).toMatchObject({ sure: 'some' })
  })
})

describe('the text part', () => {
  it.each([
    ['says the same', '<p>Hello <b>Ann</b></p><p>Bye</p>', 'Hello *Ann*\n\nBye', false],
    [
      'adds the addresses of links',
      '<p>Read <a href="https://a.example/b">this</a></p>',
      'Read this <https://a.example/b>',
      false,
    ],
    ['has a list of its own', '<ul><li>one<li>two</ul>', '* one\n* two', false],
    ['says less', '<p>Do not pay</p>', 'Do pay', false],
    ['says more', '<p>Pay</p>', 'Pay at once', true],
    ['says what is hidden', '<p>Pay<i style="display:none"> at once</i></p>', 'Pay at once', true],
    ['says all', '<p></p>', 'Pay', true],
  ] as const)('is left out, and compared with the HTML: it %s', (_, html, text, differs) => {
    expect(extractReadableBody({ html, text })).toMatchObject({ madeOf: 'html', differs })
  })

  it('gives way to HTML, with addresses and words for pictures apart', () => {
    const html = '<p>Read <a href="https://a.example/pay-now">this</a> <img alt="A hill" src="cid:a"></p>'
    expect(extractReadableBody({ html, text: 'Read this https://a.example/pay-now' })).toMatchObject({
      text: 'Read this (leads to a.example [1]) [picture 1]',
      links: ['https://a.example/pay-now'],
      pictures: ['A hill'],
    })
  })

  it('is used if there is nothing else', () => {
    expect(extractReadableBody({ html: null, text: 'Hello' })).toMatchObject({
      text: 'Hello',
      madeOf: 'text',
      differs: false,
    })
    expect(extractReadableBody({ html: null, text: null })).toMatchObject({ text: '', madeOf: 'none' })
  })

  it('loses invisible characters, but keeps those that scripts and emoji need', () => {
    expect(ofText('a\u200bb\u00adc\u{e0041}\u202ed').text).toBe('abcd')
    const needed = 'می\u200cخواهم 👩\u200d💻 ✔\ufe0f 葛 שלום.'
    expect(ofText(needed).text).toBe(needed)
    expect(ofText('葛\u{e0100} שלום\u200f.').text).toBe('葛 שלום.')
  })
})

describe('the limits', () => {
  it('cut a long text at the end of a line', () => {
    const body = ofText('A line of words.\n'.repeat(10), { most: 100 })
    expect(body).toMatchObject({ isCut: true, length: 169 })
    expect(body.text).toBe(Array.from({ length: 5 }, () => 'A line of words.').join('\n'))
  })

  it('cut a long line between two characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 50 }), fc.integer({ min: 1, max: 40 }), (text, most) => {
        const body = ofText(text, { most })
        expect(body.text.length).toBeLessThanOrEqual(most)
        expect(body.text.isWellFormed()).toBe(true)
      }),
    )
  })

  it('accept any text', () => {
    const pieces = fc.constantFrom(
      '<div>',
      '</div>',
      '<p style="',
      '<table>',
      '<td>',
      '<b>',
      '</b>',
      '<style>',
      '</style>',
      '.a{',
      '}',
      'word',
      ' ',
      '&amp',
      '<!--',
      '-->',
      '<a href="',
      '">',
      '\u202e',
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 80 }), fc.array(pieces, { maxLength: 20 }), (html, text) => {
        const body = extractReadableBody({ html: html.join(''), text: text.join('') })
        expect(body.text).not.toContain('\u202e')
      }),
      { numRuns: 500 },
    )
  })
})

describe('pages beyond the limits', () => {
  it.each([
    ['a style without an end', `<p style="${'color:red;'.repeat(2_000)}">Hidden?</p>`],
    ['long style sheets', `<style>${'.a{color:red}'.repeat(20_000)}</style>`],
    ['many elements', '<p>a</p>'.repeat(25_000)],
    ['deep nesting', '<div>'.repeat(1_000)],
    ['nested rules', '<style>.a{&{color:#000}}</style>'],
    ['a selector that is not known', '<style>.a % b{opacity:0}</style>'],
  ])('are not sure: %s', (_, html) => {
    expect(extractReadableBody({ html: `<p>Seen</p>${html}`, text: null }).sure).toBe('none')
  })
})
