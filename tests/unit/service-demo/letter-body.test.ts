import { describe, expect, it } from 'vitest'
import { htmlWithQuotes, type LetterBody, textAsHtml, textWithQuotes } from '../../../src/service/demo/letter-body.ts'

const said = (text: string, html: string | null = null): LetterBody => ({ text, html, attribution: `${text} wrote:` })

describe('bodies of demo letters', () => {
  it('quote earlier text, newest first, up to three levels', () => {
    expect(textWithQuotes('five', [said('four'), said('three'), said('two'), said('one')])).toBe(
      ['five', '', 'four wrote:', '> four', '>', '> three wrote:', '>> three', '>>', '>> two wrote:', '>>> two'].join(
        '\n',
      ),
    )
  })

  it('quote HTML as nested blockquotes, from the text if there is no HTML', () => {
    const html = htmlWithQuotes('<p>new</p>', [said('a < b'), said('older', '<p>own</p>')])
    expect(html.match(/<blockquote/g)).toHaveLength(2)
    expect(html).toContain('<p>a &lt; b</p>')
    expect(html).toContain('<p>own</p>')
  })

  it('convert text to HTML with lists, code, links and right-to-left paragraphs', () => {
    expect(textAsHtml('- one\n- two')).toBe('<ul><li>one</li><li>two</li></ul>')
    expect(textAsHtml('    a < b\n      go')).toBe('<pre style="font-family:monospace">a &lt; b\n  go</pre>')
    expect(textAsHtml('see https://rota.larkspur.example/a?b=1, now')).toBe(
      '<p>see <a href="https://rota.larkspur.example/a?b=1">https://rota.larkspur.example/a?b=1</a>, now</p>',
    )
    expect(textAsHtml('שלום')).toBe('<p dir="rtl">שלום</p>')
  })
})
