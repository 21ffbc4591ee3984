import { describe, expect, it } from 'vitest'
import { appendQuotedHtml, type LetterBody, textToHtml, appendQuotedText } from '../../../src/demo/letter-body.ts'

const said = (text: string, html: string | null = null): LetterBody => ({ text, html, attribution: `${text} wrote:` })

describe('bodies of demo letters', () => {
  it('quote earlier text, newest first, up to three levels', () => {
    expect(appendQuotedText('five', [said('four'), said('three'), said('two'), said('one')])).toBe(
      ['five', '', 'four wrote:', '> four', '>', '> three wrote:', '>> three', '>>', '>> two wrote:', '>>> two'].join(
        '\n',
      ),
    )
  })

  it('quote HTML as nested blockquotes, from the text if there is no HTML', () => {
    const html = appendQuotedHtml('<p>new</p>', [said('a < b'), said('older', '<p>own</p>')])
    expect(html.match(/<blockquote/g)).toHaveLength(2)
    expect(html).toContain('<p>a &lt; b</p>')
    expect(html).toContain('<p>own</p>')
  })

  it('convert text to HTML with lists, code, links and right-to-left paragraphs', () => {
    expect(textToHtml('- one\n- two')).toBe('<ul><li>one</li><li>two</li></ul>')
    expect(textToHtml('    a < b\n      go')).toBe('<pre style="font-family:monospace">a &lt; b\n  go</pre>')
    expect(textToHtml('see https://rota.larkspur.example/a?b=1, now')).toBe(
      '<p>see <a href="https://rota.larkspur.example/a?b=1">https://rota.larkspur.example/a?b=1</a>, now</p>',
    )
    expect(textToHtml('שלום')).toBe('<p dir="rtl">שלום</p>')
  })
})
