import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import {
  computeRelevance,
  tokenizeEmail,
  type SearchableEmail,
} from '../../../src/engine/store/search-index/searchable-email.ts'
import {
  findSubstringSpans,
  findPersonSpans,
  findFragmentSpans,
  findWordSpans,
  toHighlightTerms,
  toWordTerms,
  type WordTerm,
} from '../../../src/shared/search/highlight-terms.ts'
import { tokenizeWithOffsets, createTextFinder, tokenizeWords } from '../../../src/shared/search/word-tokenizer.ts'
import { createFolderQuery, NO_FILTER, type ThreadQuery } from '../../../src/shared/thread-query.ts'
import { findExcesses } from '../../support/hostile-shapes.ts'

const SCRAPS = [
  ...['invoice', 'Invoice', 'INVOICES', 'café', 'cafe\u0301', 'CAFE', 'red', 'car', 'red-car', "don't", 'İstanbul'],
  ...['Straße', 'ﬁle', '½', '㎏', '①', 'ΟΔΟΣ', 'οδός', 'όδος', 'Ёлка', 'йод', 'и\u0306од'],
  ...['日本語', '東京', 'ｶﾞｷﾞ', 'かな', '한국', '\u1112\u1161\u11ab', 'ㅋㅋ', 'ㅎㅏㄴ', 'ﾡￂ', 'สวัสดี', 'ทำ', 'ຄຳ'],
  ...['שָׁלוֹם', 'שלום', 'العربية', 'العَرَبِيَّة', 'ﷺ', 'हिन्दी', 'বাংলা', 'தமிழ்'],
  ...['👩‍💻', '👍🏽', '🇫🇷', '❤️', '🎉', '👨‍👩‍👧‍👦', '\u200d', '\u00ad', 'co\u00adop', '\ufe0f', '\u0301', '\u0301'.repeat(40)],
  ...[' ', ' ', ' ', '\n', '.', ',', '-', '_', '@', '€', '…', '\ud800', '\u0000', 'a', 'e', '1', 'Ⅷ', 'ǆ', '𝐛𝐨𝐥𝐝'],
]
const text = fc
  .array(fc.oneof(fc.constantFrom(...SCRAPS), fc.string({ unit: 'binary', maxLength: 3 })), { maxLength: 12 })
  .map((scraps) => scraps.join(''))
const typed = fc.record({
  text: fc.array(fc.constantFrom(...SCRAPS), { minLength: 1, maxLength: 3 }).map((scraps) => scraps.join('')),
  isPhrase: fc.boolean(),
  isExcluded: fc.boolean(),
})

const queryOf = (terms: ThreadQuery['text'], lastWordIsPrefix = false): ThreadQuery => ({
  ...NO_FILTER,
  inboxIds: ['inbox'],
  text: terms,
  lastWordIsPrefix,
})
const term = (words: string): WordTerm => ({ words: tokenizeWords(words), isOpen: false })
const cut = (whole: string, terms: readonly WordTerm[]): readonly string[] =>
  findWordSpans(whole, terms).map(({ start, end }) => whole.slice(start, end))

describe('words with positions', () => {
  test('match the search tokenizer, each at a span that yields it', () => {
    fc.assert(
      fc.property(text, (whole) => {
        const placed = tokenizeWithOffsets(whole)
        expect(placed.map(({ word }) => word)).toEqual(tokenizeWords(whole))
        for (const { word, start, end } of placed) expect(tokenizeWords(whole.slice(start, end))).toContain(word)
      }),
      { numRuns: 3000 },
    )
  })

  test('are found between any two characters', () => {
    // Every code point below U+30000, between characters that could join with it.
    for (let point = 0; point < 0x30000; point += 1) {
      if (point >= 0xd800 && point < 0xe000) continue
      const whole = `е${String.fromCodePoint(point)}\u0308가${String.fromCodePoint(point)}か`
      const words = tokenizeWithOffsets(whole).map(({ word }) => word)
      if (words.join(' ') !== tokenizeWords(whole).join(' '))
        expect({ point, words }).toEqual({ point, words: tokenizeWords(whole) })
    }
  })

  test('never split a letter from its marks or an emoji from its parts', () => {
    fc.assert(
      fc.property(text, (whole) => {
        for (const { start, end } of tokenizeWithOffsets(whole)) {
          for (const edge of [start, end]) {
            const around = whole.slice(0, edge).slice(-1) + whole.slice(edge).slice(0, 1)
            expect(around).not.toMatch(/^[\ud800-\udbff][\udc00-\udfff]$/)
            // eslint-disable-next-line no-misleading-character-class -- matches one of them, not a sequence
            if (edge > 0) expect(whole.slice(edge)).not.toMatch(/^[\p{M}\u200d\ufe0f\u{1f3fb}-\u{1f3ff}]/u)
          }
        }
      }),
      { numRuns: 2000 },
    )
  })
})

describe('marked words', () => {
  test.each<[string, string, readonly string[]]>([
    ['The Invoice, of INVOICES', 'invoice', ['Invoice']],
    ['Un café au Cafe\u0301, CAFE!', 'cafe', ['café', 'Cafe\u0301', 'CAFE']],
    ['a red car, red-car and a car red', 'red car', ['red car', 'red-car']],
    ["Don't, dont", "don't", ["Don't"]],
    ['co\u00adop co-op coop', 'coop', ['co\u00adop', 'coop']],
    ['Straße ﬁle', 'file', ['ﬁle']],
    ['東京都の空', '京都', ['京都']],
    ['ＩＮＶＯＩＣＥ №7', 'invoice', ['ＩＮＶＯＩＣＥ']],
    ['שָׁלוֹם לכם', 'לכם', ['לכם']],
    ['👍🏽 ok 👍', '👍', ['👍🏽', '👍']],
    ['Oslo 🇳🇴🇩🇪, 🇩🇪', '🇩🇪', ['🇩🇪', '🇩🇪']],
    ['ΟΔΌΣ οδος', 'οδός', ['ΟΔΌΣ', 'οδος']],
    ['aa a aaa', 'a', ['a']],
    ['one two one two one', 'one two one', ['one two one two one']],
  ])('in %j for %j are %j', (whole, wanted, marked) => {
    expect(cut(whole, [term(wanted)])).toEqual(marked)
  })

  test('match by prefix while typing, and skip excluded terms', () => {
    const marks = (terms: ThreadQuery['text'], isTyping: boolean) =>
      cut('red invoice, invoices, reinvoice', toHighlightTerms(queryOf(terms, isTyping))?.terms ?? [])
    const word = (typedWord: string, isExcluded = false) => ({ text: typedWord, isPhrase: false, isExcluded })
    expect(marks([word('invo')], true)).toEqual(['invoice', 'invoices'])
    expect(marks([word('invo')], false)).toEqual([])
    expect(marks([word('red.inv')], true)).toEqual(['red invoice'])
    expect(marks([word('invoices', true), word('red')], false)).toEqual(['red'])
    expect(toHighlightTerms(queryOf([word('invoices', true)]))).toBeNull()
    expect(toHighlightTerms(createFolderQuery('inbox', 'inbox'))).toBeNull()
  })

  test('appear in a field exactly if it matches, as whole words', () => {
    const isIn = (whole: string, wanted: WordTerm): boolean => {
      const email: SearchableEmail = {
        ...{ from: [], to: [], cc: [], bcc: [], attachments: [], isOutbound: false, receivedAt: 0 },
        ...{ id: 'e1', messageId: null, headers: null, subject: null, text: whole, html: null },
      }
      return computeRelevance(tokenizeEmail(email), [wanted]) > 0
    }
    fc.assert(
      fc.property(text, fc.array(typed, { maxLength: 3 }), fc.boolean(), (whole, terms, isTyping) => {
        const wanted = toHighlightTerms(queryOf(terms, isTyping))?.terms ?? []
        const spans = findWordSpans(whole, wanted)
        expect(spans.length > 0).toBe(wanted.some((each) => isIn(whole, each)))
        const starts = new Set(tokenizeWithOffsets(whole).map(({ start }) => start))
        const ends = new Set(tokenizeWithOffsets(whole).map(({ end }) => end))
        let last = 0
        for (const { start, end } of spans) {
          expect([starts.has(start), ends.has(end), start >= last && end > start]).toEqual([true, true, true])
          last = end
          const within = whole.slice(start, end)
          expect(wanted.some((each) => isIn(within, each))).toBe(true)
        }
        const single = wanted.filter(({ words }) => words.length === 1)
        for (const { word, start, end } of tokenizeWithOffsets(whole)) {
          if (!single.some(({ words: [first = ''], isOpen }) => (isOpen ? word.startsWith(first) : word === first)))
            continue
          expect(spans.some((span) => span.start <= start && span.end >= end)).toBe(true)
        }
      }),
      { numRuns: 2000 },
    )
  })

  test('of a split field match those of the whole', () => {
    expect(
      findFragmentSpans(
        [
          { text: 'see in', isApart: false },
          { text: 'voice', isApart: false },
          { text: 'red', isApart: true },
          { text: 'car', isApart: true },
        ],
        [term('invoice'), term('red car')],
      ),
    ).toEqual([[{ start: 4, end: 6 }], [{ start: 0, end: 5 }], [{ start: 0, end: 3 }], [{ start: 0, end: 3 }]])
  })

  test('in people match parts in any case, with following accents', () => {
    const marked = (whole: string, ...parts: readonly string[]) =>
      findSubstringSpans(whole, parts).map(({ start, end }) => whole.slice(start, end))
    expect(marked('Joanna Lee <ANN@x.example>', 'ann')).toEqual(['ann', 'ANN'])
    expect(marked('İİ Ann', 'ann', 'i')).toEqual(['İ', 'İ', 'Ann'])
    expect(marked('Jose\u0301', 'e')).toEqual(['e\u0301'])
    expect(marked('banana', 'ana', 'nan')).toEqual(['anan'])
    expect(marked('Ann', '')).toEqual([])
  })

  test('in people include query words, and parts only in searched fields', () => {
    const marks = toHighlightTerms({
      ...queryOf([{ text: 'lee', isPhrase: false, isExcluded: false }]),
      from: ['ANN'],
    })
    const marked = (field: 'from' | 'to' | null) =>
      marks === null ? [] : findPersonSpans('Joann Lee', marks, field).map(({ start }) => start)
    expect([marked('from'), marked('to'), marked(null)]).toEqual([[2, 6], [6], [6]])
  })
})

test('drops empty query terms', () => {
  const terms = [
    { text: '€', isPhrase: false, isExcluded: false },
    { text: 'red-car', isPhrase: false, isExcluded: true },
  ]
  expect(toWordTerms({ text: terms })).toEqual([{ words: ['red', 'car'], isExcluded: true, isOpen: false }])
  const phrase = { text: 'red ca', isPhrase: true, isExcluded: false }
  expect(toWordTerms({ text: [phrase], lastWordIsPrefix: true })).toMatchObject([{ isOpen: false }])
})

describe('time to mark untrusted text grows at most linearly', () => {
  const terms = [
    ...['a', 'the', '日', '👩‍💻', 'é', 'a a a a a a a a a a a a b', 'x-y'].map(term),
    { words: ['b'], isOpen: true },
  ]
  test.each([
    ['markWords', (whole: string) => findWordSpans(whole, terms)],
    ['markParts', (whole: string) => findSubstringSpans(whole, ['a', 'i', ' '])],
  ])('%s', async (_, mark) => expect(await findExcesses(mark)).toEqual([]), 240_000)
})

describe('find within text', () => {
  const placesOf = (part: string, text: string): readonly string[] =>
    createTextFinder(part)
      ?.placesIn(text, 100)
      .map(({ start, end }) => text.slice(start, end)) ?? []

  it('ignores case and accents, and matches within words', () => {
    expect(placesOf('cafe', 'CAFÉ, cafeteria, Cafe\u0301')).toEqual(['CAFÉ', 'cafe', 'Cafe\u0301'])
    expect(placesOf('É', 'e E')).toEqual(['e', 'E'])
    expect(placesOf('fin', 'a \ufb01nch')).toEqual(['\ufb01n'])
  })

  it('matches any whitespace between words and punctuation literally', () => {
    expect(placesOf(' two  words ', 'two\n words, two words')).toEqual(['two\n words', 'two words'])
    expect(placesOf('a.b (c)*', 'aab a.b (c)* x')).toEqual(['a.b (c)*'])
    expect(createTextFinder('  ')).toBeNull()
  })

  it('counts as many as it finds', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.constantFrom('a', 'é', 'ss', '1'), (text, part) => {
        expect(createTextFinder(part)?.countIn(text)).toBe(placesOf(part, text).length)
      }),
    )
  })
})
