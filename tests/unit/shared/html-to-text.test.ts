import { describe, expect, it } from 'vitest'
import { htmlToText, htmlToWords } from '../../../src/shared/mail-text/html-to-text.ts'

describe('text of HTML, with the lines of the page', () => {
  it.each([
    ['paragraphs and lines', '<p>a<p>b<br>c<div>d</div>e', 'a\n\nb\nc\nd\ne'],
    [
      'paragraphs without a gap',
      '<p style="margin:0">a</p><p style="margin:0"><br></p><p style="margin: 0">b</p>',
      'a\n\nb',
    ],
    [
      'lists, with missing end tags',
      '<ul><li>a<li>b<ul><li>c</ul></ul><ol start=3><li><p>x</p><p>y</p><li></ol>z',
      '- a\n- b\n  - c\n\n3. x\n   y\n4.\n\nz',
    ],
    [
      'quotes in quotes',
      '<blockquote>q<blockquote>r<p>s</p></blockquote></blockquote><p>t',
      '> q\n>\n> > r\n> >\n> > s\n\nt',
    ],
    [
      'a table with borders',
      '<table border=1><tr><td>a<td><p>b</p><p>c</p><td colspan=2>d<td>e<tr><td><td>f</table>',
      'a\tb c\td\t\te\n\tf',
    ],
    [
      'cells of a layout that have one line',
      '<table><tr><td><p>a</p><td><p>b</p></td></tr><tr><td>c</table>',
      'a  b\n\nc',
    ],
    [
      'cells of a layout that have more',
      '<table><tr><td>a<br>b<td>c<div>d</div></td></tr></table>e',
      'a\nb\nc\nd\n\ne',
    ],
    [
      'a layout in a layout',
      '<table><tr><td><table><tr><td>a</td></tr><tr><td>b</td></tr></table></td><td>c</td></tr></table>',
      'a\nb\n\nc',
    ],
    ['struck-out words', 'x <del>20</del> <s>a <b>b</b></s> <strike> </strike>15', 'x ~20~ ~a b~ 15'],
    [
      'raised and lowered figures',
      '10<sup>5</sup> m<sup>-2</sup> x<sup>n</sup> CO<sub>2</sub> 1<sup>st</sup>',
      '10^5 m^-2 x^n CO2 1st',
    ],
    [
      'lines as they are written',
      '<pre>a\n  b\n\nc</pre><div style="white-space:pre-wrap">d\ne</div>',
      'a\n  b\n\nc\n\nd\ne',
    ],
    [
      'links',
      '<a href="https://a.example/x">here</a> <a href="https://b.example/">b.example</a> <a href="#x">top</a>',
      'here <https://a.example/x> b.example top',
    ],
    [
      'links in links',
      '<a href="mailto:a@b.example">a@b.example</a> <a href="https://c.example"></a>',
      'a@b.example https://c.example',
    ],
    ['pictures and rules', 'a<img alt=" pic ">b<img alt=""><hr>c', 'a[pic]b\n\n---\n\nc'],
    [
      'check boxes',
      '<ul><li><input type=checkbox checked>a<li><input type="checkbox"> b</ul><input value=c>',
      '- ☑ a\n- ☐ b',
    ],
    ['spaces that are kept', '<p>&nbsp; a&nbsp;b</p>', '  a b'],
    ['what is no text', '<style>p{}</style><!-- x --><script>1</script><title>t</title><select><option>o</select>', ''],
    ['words in the place of media', '<video>v</video><noscript>n</noscript><object>o</object>', 'v n o'],
  ])('%s', (_, html, text) => expect(htmlToText(html)).toBe(text))

  it('leaves out long addresses of links on request', () => {
    const html = `<a href="https://a.example/${'x'.repeat(300)}">here</a>`
    expect(htmlToText(html)).toBe('here')
    expect(htmlToText(html, Infinity)).toBe(`here <https://a.example/${'x'.repeat(300)}>`)
  })
})

describe('words of HTML', () => {
  it('has a break wherever a search ends a word', () => {
    expect(htmlToWords('<p>a<b>b</b><img>c<br>d</p>').split('\n').filter(Boolean)).toEqual(['ab', 'c', 'd'])
  })

  it('leaves out preview texts on request', () => {
    const html = '<div style="display:none">a<div>b</div></div>c'
    expect(htmlToWords(html)).toContain('a')
    expect(htmlToWords(html, true).trim()).toBe('c')
  })
})
