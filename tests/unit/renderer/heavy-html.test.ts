import { describe, expect, it } from 'vitest'
import { truncateHtml } from '../../../src/renderer/features/bodies/truncate-html.ts'
import { htmlToText, htmlToWords } from '../../../src/shared/mail-text/html-to-text.ts'
import { isHeavyHtml } from '../../../src/shared/mail-text/heavy-html.ts'

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
  'text that turns with every word, in Cyrillic': '\u0431 \u0645 '.repeat(3000),
  'signs between the letters': 'a \u2713 '.repeat(3000),
  'a text that changes its font with every word': '<p>a \u4fe1 '.repeat(100) + 'a \u4fe1 '.repeat(12_000),
  'signs that are made of letters': '1\ufe0f\u20e3 '.repeat(3000),
  'signs that are named': '&check; &#x1f600; &#128077; '.repeat(1000),
  'rules in rules': `<style>${'a{'.repeat(20_000)}</style>x`,
  'selectors in selectors': `<style>${':not('.repeat(5_000)}{}</style>x`,
  'conditions in conditions': `<style>@media ${'('.repeat(5_000)}{}</style>x`,
  'style sheets that are longer than letters': `<style>${'p ~ '.repeat(60_000)}p { color: red }</style><p>x</p>`,
  'a book in Chinese': `<p>${'\u4fe1\u4ef6\u5f88\u9577'.repeat(40_000)}`,
  'a long text in a script that joins its letters': '\u0645 \u0627'.repeat(20_000),
}

const LIGHT: Readonly<Record<string, string>> = {
  'a letter': '<p>Hello</p>',
  'a newsletter': `<style>${'.a{color:red}'.repeat(200)}</style>${'<table><tr><td style="padding:0 1px 2px"><a href="https://a.example/x"><b>Words</b></a></td></tr></table>'.repeat(500)}`,
  'a newsletter in Arabic':
    '<table><tr><td dir="rtl">\u0645\u0631\u062d\u0628\u0627 \u0628\u0643\u0645</td></tr></table>'.repeat(900),
  'paragraphs, lines and cells that nobody closed': `<table>${'<tr><td>one<td>two'.repeat(700)}</table>${'<p>x<br>y'.repeat(900)}`,
  'a hundred quotes in each other': `${'<blockquote><div>x'.repeat(100)}${'</div></blockquote>'.repeat(100)}`,
  'a letter with accents, named or not': `<p>${'gr\u00fcn gr&uuml;n&nbsp;gr&#252;n &ndash; '.repeat(3000)}`,
  'a letter in Chinese, in numbers': `<p>${'&#20449;&#20214;'.repeat(5000)}`,
  'a letter in Georgian': `<p>${'\u10d2\u10d0\u10db\u10d0\u10e0\u10ef\u10dd\u10d1\u10d0 '.repeat(4000)}`,
  'a letter with a smile in each line': '<p>All is well \u{1f600}</p>'.repeat(800),
  'a style sheet of 100,000 characters': `<style>${'.a{color:red}'.repeat(7600)}</style><p>x</p>`,
  'a photo in the text': `<p>Look</p><img src="data:image/jpeg;base64,${'A'.repeat(2_000_000)}">`,
}

describe('weight of an e-mail’s HTML', () => {
  it.each(Object.keys(HEAVY))('is too heavy for the window: %s', (name) => {
    expect(isHeavyHtml(HEAVY[name] ?? '')).toBe(true)
  })

  it.each(Object.keys(LIGHT))('is light: %s', (name) => {
    expect(isHeavyHtml(LIGHT[name] ?? '')).toBe(false)
  })
})

describe('HTML cut to its start', () => {
  it.each(Object.keys(HEAVY))('is light enough to format: %s', (name) => {
    const { html, isCut } = truncateHtml(HEAVY[name] ?? '')
    expect(isHeavyHtml(html)).toBe(false)
    expect(isCut || html.length < 400_000).toBe(true)
  })

  it('is unchanged if small, with open elements closed', () => {
    const html = '<p class="a">One &amp; <b>two</b> <img src="cid:x" alt="y"><br>three'
    expect(truncateHtml(html)).toEqual({ html: `${html}</p>`, isCut: false })
    expect(truncateHtml('<p title=\'a "b"\'>x</p>').html).toBe('<p title="a &quot;b&quot;">x</p>')
  })

  it('drops elements that are never shown', () => {
    expect(truncateHtml('<script>1 < 2</script><svg><path d=""/><svg></svg></svg><title>t</title><p>x</p>').html).toBe(
      '<p>x</p>',
    )
  })

  it('keeps embedded images within the limit', () => {
    const image = `<img src="data:image/png;base64,${'A'.repeat(600_000)}">`
    expect(truncateHtml(image)).toEqual({ html: image, isCut: false })
    expect(truncateHtml(image.repeat(2)).html.length).toBeLessThan(700_000)
  })
})

it('drops style sheets whose brackets would crash the parser', () => {
  const html = `<style>.a{color:red}</style><style>${':not('.repeat(5_000)}{}</style><p>x</p>`
  expect(truncateHtml(html)).toEqual({ html: '<style>.a{color:red}</style><style></style><p>x</p>', isCut: true })
})

describe('text of HTML', () => {
  it('keeps lines, lists, entities and link addresses', () => {
    expect(
      htmlToText(
        '<html><head><title>No</title><style>p{}</style></head><body><h1>Sesi&oacute;n&nbsp;1</h1><p>One<br>two &lt;3</p>' +
          '<ul><li>a</li><li><a href="https://a.example/x?a=1&amp;b=2">there</a></li></ul><img alt="Logo" src="x">' +
          '<table><tr><td>1</td><td>2</td></tr></table><a href="mailto:ada@quill.example">ada@quill.example</a><script>no</script>',
      ),
    ).toBe(
      'Sesión 1\n\nOne\ntwo <3\n\n- a\n- there <https://a.example/x?a=1&b=2>\n\n[Logo]\n\n1  2\n\nada@quill.example',
    )
  })

  it('is empty if nothing is visible', () => {
    expect(htmlToText('<style>p{}</style><!-- x --><script>1</script>')).toBe('')
  })

  it('leaves out text hidden by styles on request', () => {
    const html =
      '<div style="color: red; Display : none !important">a preview <div>in two</div> parts</div>' +
      '<p><span style="display:none"><span>x</span></span>Seen. <span style="display:block">This too.</span></p>'
    expect(htmlToWords(html, true).trim()).toBe('Seen. This too.')
    expect(htmlToText(html)).toContain('a preview')
    // An unclosed element hides everything after it, as on the screen.
    expect(htmlToWords('One. <div style="display:none">Two.', true).trim()).toBe('One.')
  })
})
