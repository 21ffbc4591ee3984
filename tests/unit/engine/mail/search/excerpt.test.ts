import { describe, expect, it } from 'vitest'
import { findExcerpt } from '../../../../../src/engine/mail/search/excerpt.ts'
import { findWordSpans, type WordTerm } from '../../../../../src/shared/search/highlight-terms.ts'
import { tokenizeWords } from '../../../../../src/shared/search/word-tokenizer.ts'
import { findExcesses } from '../../../../support/hostile-shapes.ts'

const terms = (...typed: readonly string[]): readonly WordTerm[] =>
  typed.map((text) => ({ words: tokenizeWords(text), isOpen: false }))
const letter = (text: string, subject = 'Harbour lights') => ({ subject, text, html: null })

describe('search excerpts', () => {
  it('are one line with the words near its start', () => {
    const body = `${'It was dark and cold. '.repeat(40)}\nWe hung the\n  lantern on the pier. ${'Then we left. '.repeat(40)}`
    const excerpt = findExcerpt(letter(body), terms('lantern')) ?? ''
    expect(excerpt).toMatch(/^… .{0,45}lantern on the pier\. Then/)
    expect(excerpt.length).toBeLessThan(210)
    expect(findExcerpt(letter('A lantern.'), terms('lantern'))).toBe('A lantern.')
  })

  it('show a word missing from the subject, and are null if there is none', () => {
    const body = 'The lights of the harbour and the lantern.'
    expect(findExcerpt(letter(body), terms('harbour', 'lights'))).toBeNull()
    expect(
      findExcerpt(letter(`The harbour.${' So be it.'.repeat(9)} A lantern.`), terms('harbour', 'lantern')),
    ).toMatch(/^… .*A lantern\.$/)
    expect(findExcerpt(letter('Nothing.'), terms('lantern'))).toBeNull()
    expect(findExcerpt(letter(body), [])).toBeNull()
  })

  it('follow the search rules in any script and in HTML, at any depth', () => {
    const far = 'word '.repeat(6000)
    for (const [body, wanted] of [
      [`${far}cafe\u0301 here`, 'café'],
      [`${far}不在 東京都`, '東京'],
      [`${far}red\ncar`, 'red car'],
      [`${far}שָׁלוֹם לכם`, 'לכם'],
      // Every position where the edge of a chunk could cut the word.
      ...Array.from({ length: 40 }, (_, shift) => [
        `${' '.repeat(shift)}${'abcdefghij '.repeat(371)}lantern`,
        'lantern',
      ]),
    ] as const) {
      const excerpt = findExcerpt(letter(body), terms(wanted)) ?? ''
      expect(findWordSpans(excerpt, terms(wanted)).length, `${wanted} in ${excerpt}`).toBeGreaterThan(0)
      expect(excerpt.indexOf(wanted.slice(0, 1))).toBeLessThan(50)
    }
    const html = '<title>lantern</title><p>Dear all,</p><p>the lan<b>tern</b> is lit</p>'
    expect(findExcerpt({ subject: null, text: ' ', html }, terms('lantern'))).toBe('… all, the lantern is lit')
    // Part of a word doesn't count.
    expect(findExcerpt(letter(`${far}lanterns`), terms('lantern'))).toBeNull()
  })

  it('take linear time', async () => {
    const wanted = [...terms('a', '日', 'word word'), { words: ['b'], isOpen: true }]
    expect(await findExcesses((text) => findExcerpt(letter(text), wanted))).toEqual([])
  })
})
