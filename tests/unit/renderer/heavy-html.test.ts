import { describe, expect, it } from 'vitest'
import { cutHtml } from '../../../src/renderer/features/reader/cut-html.ts'
import { htmlToText } from '../../../src/renderer/features/reader/html-to-text.ts'
import { isHeavyHtml } from '../../../src/renderer/features/reader/weigh-html.ts'

const HEAVY: Readonly<Record<string, string>> = {
  'ten megabytes of text': `<p>${'word '.repeat(2_000_000)}`,
  '50,000 nested elements': '<div>'.repeat(50_000),
  '900 quotes in each other': `${'<blockquote>x'.repeat(900)}${'</blockquote>'.repeat(900)}`,
  '30,000 comments': '<!-- x -->'.repeat(30_000),
  'comments of another kind': '</ ><?x>'.repeat(3000),
  '30,000 links': '<a href="https://a.example/">x</a> '.repeat(30_000),
  '20,000 quotes': '<blockquote type="cite">x</blockquote>'.repeat(20_000),
  'an unclosed url(': `<style>a { background: ${'url('.repeat(100_000)}</style>x`,
  '50,000 remote images': '<img src="https://a.example/x.png">'.repeat(50_000),
  'an attribute of a megabyte': `<p title="${'x'.repeat(1_000_000)}">x</p>`,
  'elements that are opened again in each paragraph': `${Array.from({ length: 900 }, (_, index) => `<font size="${index}">`).join('')}${'<p>x'.repeat(900)}`,
  'many rules for many elements': `<style>${'a b{color:red}'.repeat(2000)}</style>${'<p>x</p>'.repeat(2000)}`,
  'a text that turns with every word': 'a \u0645 '.repeat(7000),
  'a list of thousands': '<li>x'.repeat(4900),
  'a long text in a script that joins its letters': '\u0645 \u0627'.repeat(20_000),
}

const LIGHT: Readonly<Record<string, string>> = {
  'a letter': '<p>Hello</p>',
  'a newsletter': `<style>${'.a{color:red}'.repeat(200)}</style>${'<table><tr><td style="padding:0 1px 2px"><a href="https://a.example/x"><b>Words</b></a></td></tr></table>'.repeat(500)}`,
  'a newsletter in Arabic':
    '<table><tr><td dir="rtl">\u0645\u0631\u062d\u0628\u0627 \u0628\u0643\u0645</td></tr></table>'.repeat(900),
  'paragraphs, lines and cells that nobody closed': `<table>${'<tr><td>one<td>two'.repeat(700)}</table>${'<p>x<br>y'.repeat(900)}`,
  'a hundred quotes in each other': `${'<blockquote><div>x'.repeat(100)}${'</div></blockquote>'.repeat(100)}`,
  'a photo in the text': `<p>Look</p><img src="data:image/jpeg;base64,${'A'.repeat(2_000_000)}">`,
}

describe('what an e-mail’s HTML weighs', () => {
  it.each(Object.keys(HEAVY))('is too much for a window at once: %s', (name) => {
    expect(isHeavyHtml(HEAVY[name] ?? '')).toBe(true)
  })

  it.each(Object.keys(LIGHT))('is nothing special: %s', (name) => {
    expect(isHeavyHtml(LIGHT[name] ?? '')).toBe(false)
  })
})

describe('HTML that is cut to its beginning', () => {
  it.each(Object.keys(HEAVY))('can be formatted: %s', (name) => {
    const { html, isCut } = cutHtml(HEAVY[name] ?? '')
    expect(isHeavyHtml(html)).toBe(false)
    expect(isCut || html.length < 400_000).toBe(true)
  })

  it('is what it was where it is small, with all that was opened closed', () => {
    const html = '<p class="a">One &amp; <b>two</b> <img src="cid:x" alt="y"><br>three'
    expect(cutHtml(html)).toEqual({ html: `${html}</p>`, isCut: false })
    expect(cutHtml('<p title=\'a "b"\'>x</p>').html).toBe('<p title="a &quot;b&quot;">x</p>')
  })

  it('has no content of elements that are never shown', () => {
    expect(cutHtml('<script>1 < 2</script><svg><path d=""/><svg></svg></svg><title>t</title><p>x</p>').html).toBe(
      '<p>x</p>',
    )
  })

  it('keeps images that the e-mail carries, as far as there is room', () => {
    const image = `<img src="data:image/png;base64,${'A'.repeat(600_000)}">`
    expect(cutHtml(image)).toEqual({ html: image, isCut: false })
    expect(cutHtml(image.repeat(2)).html.length).toBeLessThan(700_000)
  })
})

describe('the text of HTML', () => {
  it('has its lines, its lists, its entities and the addresses of its links', () => {
    expect(
      htmlToText(
        '<html><head><title>No</title><style>p{}</style></head><body><h1>Sesi&oacute;n&nbsp;1</h1><p>One<br>two &lt;3</p>' +
          '<ul><li>a</li><li><a href="https://a.example/x?a=1&amp;b=2">there</a></li></ul><img alt="Logo" src="x">' +
          '<table><tr><td>1</td><td>2</td></tr></table><a href="mailto:ada@quill.example">ada@quill.example</a><script>no</script>',
      ),
    ).toBe(
      'Sesión 1\n\nOne\ntwo <3\n\n- a\n- there <https://a.example/x?a=1&b=2>\n\n[Logo]\n\n1 2\n\nada@quill.example',
    )
  })

  it('is nothing for what nobody sees', () => {
    expect(htmlToText('<style>p{}</style><!-- x --><script>1</script>')).toBe('')
  })
})
