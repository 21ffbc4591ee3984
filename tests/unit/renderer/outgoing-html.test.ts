// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import { sanitizePaste } from '../../../src/renderer/features/writing/sanitize-paste.ts'
import { toOutgoingHtml, OUTGOING_ATTRIBUTES } from '../../../src/renderer/features/writing/outgoing-html.ts'
import { toOutgoingText, textToHtml } from '../../../src/renderer/features/writing/outgoing-text.ts'
import { checkOutgoingHtml } from './support/check-outgoing-html.ts'
import { hostileCorpus } from '../../support/hostile-corpus.ts'
import { HOSTILE_PASTES, PASTED } from './support/pasted-corpus.ts'

describe('outgoing HTML check', () => {
  it.each([
    '<script>1</script>',
    '<p class="x">a</p>',
    '<p style="color:red">a</p>',
    '<hr style="border:url(x)">',
    '<a href="javascript:1">a</a>',
    '<a href="/a">a</a>',
    '<img src="https://example.com/a.png">',
    '<img src="data:image/png;base64,AA==">',
    '<!-- a -->',
    '<style>p{}</style>',
    '<input>',
    '<td onclick="1">a</td><p onclick="1">a</p>',
  ])('rejects anything outside the table: %s', (html) => {
    expect(checkOutgoingHtml(html)).not.toEqual([])
  })

  it('accepts every element that the code allows', () => {
    const table = Object.keys(OUTGOING_ATTRIBUTES).filter((name) => !/^t(?:able|body|head|r|d|h)$/.test(name))
    expect(checkOutgoingHtml(table.map((name) => `<${name}></${name}>`).join(''))).toEqual([])
    expect(
      checkOutgoingHtml('<table><thead><tr><th></th></tr></thead><tbody><tr><td></td></tr></tbody></table>'),
    ).toEqual([])
  })
})

describe('outgoing HTML', () => {
  it('keeps the structure with a few styles of its own, and is idempotent', () => {
    const html = toOutgoingHtml(
      '<p>Dear <strong>Ann</strong>,</p><p></p><ul><li><p>one</p></li></ul><blockquote><p>said</p></blockquote><pre><code>x</code></pre><p><img src="cid:a@b" alt="A" width="20" onerror="1"></p>',
      (contentId) => contentId === 'a@b',
    )
    expect(checkOutgoingHtml(html)).toEqual([])
    expect(html).toContain('<p style="margin:0 0 1em">Dear <strong>Ann</strong>,</p><p style="margin:0 0 1em"><br></p>')
    expect(html).toContain(
      '<pre style="margin:0 0 1em;padding:0.5em;background-color:#f4f4f4;font-family:monospace;white-space:pre-wrap"><code>x</code></pre>',
    )
    expect(html).toContain('<li style="margin:0"><p style="margin:0">one</p></li>')
    expect(html).toContain('src="cid:a@b"')
    expect(toOutgoingHtml(html, () => true)).toBe(html)
  })

  it('replaces missing pictures with their alt text', () => {
    const html = '<p>See <img src="cid:gone@a" alt="A pier">, <img src="CID:other" alt=""><img src="cid:here@a"></p>'
    expect(toOutgoingHtml(html)).toBe('<p style="margin:0 0 1em">See [A pier], </p>')
    expect(toOutgoingHtml(html, (contentId) => contentId === 'here@a')).toMatch(/\[A pier\], <img src="cid:here@a"/)
    expect(sanitizePaste(html)).not.toContain('cid:')
    expect(sanitizePaste(html, (contentId) => contentId === 'here@a')).toContain('cid:here@a')
  })

  it('is empty if nothing was written', () => {
    for (const html of ['', '<p></p>', '<p><br></p>', '<p> </p>']) expect(toOutgoingHtml(html)).toBe('')
  })
})

describe('blocks without an outgoing equivalent', () => {
  it.each([
    ['<dl><dt>Berth</dt><dd>A place</dd><dt>Quay</dt></dl>', 'Berth\nA place\nQuay'],
    ['<center>One</center><center>Two</center>', 'One\nTwo'],
    ['<fieldset><legend>One</legend>Two</fieldset>', 'One\nTwo'],
    ['<section>One</section><menu><li>Two</li></menu>', 'One\n- Two'],
    [
      '<table border="1"><caption>One</caption><tr><td>Two</td><td></td><td>Three</td></tr></table>',
      'One\n\nTwo\t\tThree',
    ],
    [
      '<table border="1"><tr><th colspan="2">One</th><th>Two</th></tr><tr><td>1<br>2</td><td>=A1</td></tr></table>',
      'One\t\tTwo\n1 2\t=A1',
    ],
    [
      '<table border="1"><tr><td><table border="1"><tr><td>In</td><td>it</td></tr></table></td><td>Out</td></tr></table>',
      'In\tit\tOut',
    ],
  ])('keep their text on separate lines: %s', (html, text) => {
    const sent = toOutgoingHtml(html)
    expect(checkOutgoingHtml(sent)).toEqual([])
    expect(toOutgoingText(sent)).toBe(text)
  })
})

describe('pasted HTML', () => {
  it.each(PASTED)('comes out clean of $name', ({ html, text, has }) => {
    const clean = sanitizePaste(html)
    expect(checkOutgoingHtml(clean)).toEqual([])
    expect(toOutgoingText(clean)).toBe(text)
    for (const piece of has) expect(clean).toContain(piece)
  })

  it.each(HOSTILE_PASTES)('is harmless: %s', (html) => {
    const clean = sanitizePaste(html)
    expect(checkOutgoingHtml(clean)).toEqual([])
    expect(clean).not.toMatch(/evil\.example|alert|script:/i)
    expect(clean).toContain('kept')
  })

  it('survives every attack in the hostile corpus', () => {
    for (const { name, html } of hostileCorpus('evil.example')) {
      const clean = sanitizePaste(html)
      expect(checkOutgoingHtml(clean), name).toEqual([])
    }
  })
})

describe('text part', () => {
  it('has lists, quotes, links, code and pictures', () => {
    expect(
      toOutgoingText(
        '<h2>Title</h2><p>One<br>two <a href="https://a.example/x">here</a> <a href="mailto:ann@a.example">ann@a.example</a></p><ol start="3"><li><p>three</p><ul><li><p>deep</p></li></ul></li><li><p>four</p></li></ol><blockquote><p>said</p><p>more</p><blockquote><p>first</p></blockquote></blockquote><pre><code>a\n  b</code></pre><hr><p><img src="cid:a" alt="A graph"></p>',
      ),
    ).toBe(
      'Title\n\nOne\ntwo here <https://a.example/x> ann@a.example\n\n3. three\n   - deep\n4. four\n\n> said\n>\n> more\n>\n> > first\n\na\n  b\n\n---\n\n[A graph]',
    )
  })

  it('converts to equivalent HTML', () => {
    const text = 'Dear <Ann> & co,\nsecond  line\n\n> said\n> > first\n\nBye'
    const html = toOutgoingHtml(textToHtml(text))
    expect(checkOutgoingHtml(html)).toEqual([])
    expect(toOutgoingText(html)).toBe('Dear <Ann> & co,\nsecond  line\n\n> said\n>\n> > first\n\nBye')
  })

  it('accepts quotes of any depth', () => {
    expect(() => textToHtml('>'.repeat(5_000) + ' x')).not.toThrow()
  })
})

describe('direction', () => {
  it.each([
    ['<p dir="auto">שלום</p><p dir="auto">Hello</p>', ['rtl', null]],
    ['<p dir="auto">12. <b>مرحبا</b></p>', ['rtl']],
    ['<div dir="RTL"><p dir="auto">Hello</p></div>', ['ltr']],
    ['<section dir="rtl"><p>Hello</p></section>', [null]],
    ['<p dir="sideways">Hello</p>', [null]],
  ])('of %s is that of its text', (html, directions) => {
    const page = new DOMParser().parseFromString(toOutgoingHtml(html), 'text/html')
    expect([...page.querySelectorAll('p')].map((each) => each.getAttribute('dir'))).toEqual(directions)
    expect(toOutgoingHtml(html).includes('rtl')).toBe(html.toLowerCase().includes('rtl') || directions[0] === 'rtl')
  })

  it('of a list decides on which side its marks are', () => {
    expect(toOutgoingHtml('<ul dir="auto"><li>مرحبا</li></ul>')).toBe(
      '<ul dir="rtl" style="margin:0 0 1em;padding-right:2em"><li style="margin:0">مرحبا</li></ul>',
    )
  })
})
