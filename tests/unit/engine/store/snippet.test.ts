import { describe, expect, it } from 'vitest'
import { snippetOf } from '../../../../src/engine/store/snippet.ts'

describe('a snippet', () => {
  it('is the beginning of the text as one line, without what it quotes', () => {
    expect(snippetOf({ text: 'Hello,\r\n\r\n  how are you?\n> I am fine\n> Ada', html: '<p>Other</p>' })).toBe(
      'Hello, how are you?',
    )
  })

  it('is the words of the HTML where there is no text', () => {
    const html =
      '<html><head><title>T</title><style>p{color:red}</style></head><body><!-- no --><p>Caf&eacute; &amp; t&#233;a</p><script>x()</script><p>Bye</p></body></html>'
    expect(snippetOf({ text: null, html })).toBe('Caf&eacute; & téa Bye')
    expect(snippetOf({ text: '  \n', html: '<p>Hi</p>' })).toBe('Hi')
  })

  it('leaves out the invisible characters with which newsletters pad their preview', () => {
    expect(snippetOf({ text: null, html: '<p>Sale&#847;\u200c\u200c\u034f today</p>' })).toBe('Sale today')
  })

  it('finds its words beside letters whose small form is longer', () => {
    const html = `${'\u0130'.repeat(9)}<STYLE>p{color:red}</Style><p>Merhaba</p><!-- no --><p>İstanbul</p>`
    expect(snippetOf({ text: null, html })).toBe(`${'\u0130'.repeat(9)} Merhaba İstanbul`)
  })

  it('is at most 200 characters, cut between characters', () => {
    expect(Array.from(snippetOf({ text: '🐦'.repeat(500), html: null }) ?? '')).toHaveLength(200)
  })

  it('is nothing where there are no words', () => {
    expect(snippetOf({ text: null, html: null })).toBeNull()
    expect(snippetOf({ text: null, html: '<img src=x>' })).toBeNull()
    expect(snippetOf({ text: null, html: '<style>never closed' })).toBeNull()
  })

  it('reads hostile mark-up once', () => {
    expect(snippetOf({ text: null, html: 'x<style'.repeat(200_000) })).toBe('x')
    expect(snippetOf({ text: null, html: '<!--'.repeat(200_000) })).toBeNull()
  })
})
