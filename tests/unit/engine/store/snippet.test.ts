import { describe, expect, it } from 'vitest'
import { extractSnippet } from '../../../../src/engine/store/snippet.ts'

describe('a snippet', () => {
  it('is the start of the text as one line, without quotes', () => {
    expect(extractSnippet({ text: 'Hello,\r\n\r\n  how are you?\n> I am fine\n> Ada', html: '<p>Other</p>' })).toBe(
      'Hello, how are you?',
    )
  })

  it('uses the words of the HTML if there is no text', () => {
    const html =
      '<html><head><title>T</title><style>p{color:red}</style></head><body><!-- no --><p>Caf&eacute; &amp; t&#233;a</p><script>x()</script><p>Bye</p></body></html>'
    expect(extractSnippet({ text: null, html })).toBe('Café & téa Bye')
    expect(extractSnippet({ text: '  \n', html: '<p>Hi</p>' })).toBe('Hi')
  })

  it.each([
    ['<p>Sale&#847;\u200c\u200c\u034f today</p>', 'Sale today'],
    ['<p>Sale&#847;&zwnj;&nbsp;&#8199;&shy;&#847;&zwnj;&nbsp;&#8199;&shy;</p><p>today</p>', 'Sale today'],
    ['<p>See \u202eannexe</p>', 'See \u202eannexe'],
    ['<p>Sale&NoBreak;&#x2800;&#x3164;&lrm;&InvisibleTimes; today</p>', 'Sale today'],
    ['<p>5 &pound &amp 6&nbsp&copy2026 &hellip;</p>', '5 £ & 6 ©2026 …'],
    ['<p>&#x1F469;&zwj;&#x1F680; &#x2764;&#xFE0F; up</p>', '👩\u200d🚀 ❤\ufe0f up'],
  ])('keeps visible characters, without the filler of newsletter previews: %s', (html, words) => {
    expect(extractSnippet({ text: null, html })).toBe(words)
  })

  it('finds its words next to letters with longer lower-case forms', () => {
    const html = `${'\u0130'.repeat(9)}<STYLE>p{color:red}</Style><p>Merhaba</p><!-- no --><p>İstanbul</p>`
    expect(extractSnippet({ text: null, html })).toBe(`${'\u0130'.repeat(9)} Merhaba İstanbul`)
  })

  it('is at most 200 characters, cut between characters', () => {
    expect(Array.from(extractSnippet({ text: '🐦'.repeat(500), html: null }) ?? '')).toHaveLength(200)
  })

  it('is null without words', () => {
    expect(extractSnippet({ text: null, html: null })).toBeNull()
    expect(extractSnippet({ text: null, html: '<img src=x>' })).toBeNull()
    expect(extractSnippet({ text: null, html: '<style>never closed' })).toBeNull()
  })

  it('reads hostile markup in one pass', () => {
    expect(extractSnippet({ text: null, html: 'x<style'.repeat(200_000) })).toBe('x')
    expect(extractSnippet({ text: null, html: '<!--'.repeat(200_000) })).toBeNull()
  })
})
