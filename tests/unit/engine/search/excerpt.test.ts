import { describe, expect, it } from 'vitest'
import { excerptOf } from '../../../../src/engine/search/excerpt.ts'
import { markWords, type WordTerm } from '../../../../src/shared/search/mark-words.ts'
import { wordsOf } from '../../../../src/shared/search/words.ts'
import { findExcesses } from '../../../support/hostile-shapes.ts'

const terms = (...typed: readonly string[]): readonly WordTerm[] =>
  typed.map((text) => ({ words: wordsOf(text), isOpen: false }))
const letter = (text: string, subject = 'Harbour lights') => ({ subject, text, html: null })

describe('what stands around the words that were found', () => {
  it('is one line that has them near its beginning', () => {
    const body = `${'It was dark and cold. '.repeat(40)}\nWe hung the\n  lantern on the pier. ${'Then we left. '.repeat(40)}`
    const excerpt = excerptOf(letter(body), terms('lantern')) ?? ''
    expect(excerpt).toMatch(/^… .{0,45}lantern on the pier\. Then/)
    expect(excerpt.length).toBeLessThan(210)
    expect(excerptOf(letter('A lantern.'), terms('lantern'))).toBe('A lantern.')
  })

  it('is of the word that the subject does not say; where it says all, or the body nothing, there is none', () => {
    const body = 'The lights of the harbour and the lantern.'
    expect(excerptOf(letter(body), terms('harbour', 'lights'))).toBeNull()
    expect(excerptOf(letter(`The harbour.${' So be it.'.repeat(9)} A lantern.`), terms('harbour', 'lantern'))).toMatch(
      /^… .*A lantern\.$/,
    )
    expect(excerptOf(letter('Nothing.'), terms('lantern'))).toBeNull()
    expect(excerptOf(letter(body), [])).toBeNull()
  })

  it('is found by the rules of search, in any script and in HTML, however far down', () => {
    const far = 'word '.repeat(6000)
    for (const [body, wanted] of [
      [`${far}cafe\u0301 here`, 'café'],
      [`${far}不在 東京都`, '東京'],
      [`${far}red\ncar`, 'red car'],
      [`${far}שָׁלוֹם לכם`, 'לכם'],
      // At every place that the edge of a stretch could cut.
      ...Array.from({ length: 40 }, (_, shift) => [
        `${' '.repeat(shift)}${'abcdefghij '.repeat(371)}lantern`,
        'lantern',
      ]),
    ] as const) {
      const excerpt = excerptOf(letter(body), terms(wanted)) ?? ''
      expect(markWords(excerpt, terms(wanted)).length, `${wanted} in ${excerpt}`).toBeGreaterThan(0)
      expect(excerpt.indexOf(wanted.slice(0, 1))).toBeLessThan(50)
    }
    const html = '<title>lantern</title><p>Dear all,</p><p>the lan<b>tern</b> is lit</p>'
    expect(excerptOf({ subject: null, text: ' ', html }, terms('lantern'))).toBe('… all, the lantern is lit')
    // A part of a word is no word.
    expect(excerptOf(letter(`${far}lanterns`), terms('lantern'))).toBeNull()
  })

  it('takes time in proportion to the body', async () => {
    const wanted = [...terms('a', '日', 'word word'), { words: ['b'], isOpen: true }]
    expect(await findExcesses((text) => excerptOf(letter(text), wanted))).toEqual([])
  })
})
