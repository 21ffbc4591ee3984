import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toStartTime, toEndTime, parseMoment } from '../../src/search/moments.ts'
import { countQueryWords, parseQuery } from '../../src/search/parse-query.ts'
import { countPhraseMatches, containsPhrase, buildIndexText, tokenizeWords } from '../../src/search/word-index.ts'

describe('words', () => {
  test.each([
    ['case and accents fold', 'Résumé NAÏVE Ångström', ['resume', 'naive', 'angstrom']],
    ['one letter in two spellings is one', 'e\u0301 \u00e9', ['e', 'e']],
    ['Greek folds its accents and its final sigma', 'Ελλάδα ΟΔΟΣ οδός', ['ελλαδα', 'οδοσ', 'οδοσ']],
    ['full-width letters and ligatures are letters', 'ＡＢＣ ﬁle', ['abc', 'file']],
    ['punctuation parts words', "don't a@b.co x_y", ['don', 't', 'a', 'b', 'co', 'x', 'y']],
    ['Chinese and Japanese characters stand alone', '我abc文。カー', ['我', 'abc', '文', 'カ', 'ー']],
    ['voiced kana are not unvoiced ones', 'が か', ['が', 'か']],
    ['Korean syllables stand alone', '회의가', ['회', '의', '가']],
    ['Hindi words keep their vowel signs', 'हिन्दी में', ['हिन्दी', 'में']],
    ['pictographs are words, in any colour', '👍🏽ok 👍', ['👍', 'ok', '👍']],
    ['nothing to read is no word', ' -- !!! … ', []],
  ])('%s', (_rule, text, words) => {
    expect(tokenizeWords(text)).toEqual(words)
  })

  test('keep their folded form when folded again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const words = tokenizeWords(text)
        expect(tokenizeWords(words.join(' '))).toEqual(words)
      }),
    )
  })

  test('are found and counted in their index text in any run', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1 }),
        fc.nat(),
        fc.nat(),
        fc.nat(),
        (fields, at, from, length) => {
          const words = tokenizeWords(fields[at % fields.length] ?? '')
          fc.pre(words.length > 0)
          const start = from % words.length
          const run = words.slice(start, start + 1 + (length % 3))
          const index = buildIndexText(fields)
          expect(containsPhrase(index, run)).toBe(true)
          expect(countPhraseMatches(index, run)).toBeGreaterThan(0)
        },
      ),
    )
  })

  test('are all counted if adjacent', () => {
    expect(countPhraseMatches(buildIndexText(['a a a', 'a']), ['a'])).toBe(4)
    expect(countPhraseMatches(buildIndexText(['a b a b a']), ['a', 'b'])).toBe(2)
  })
})

describe('queries', () => {
  const shown = (query: string): unknown[] =>
    parseQuery(query).map(({ words, excluded }) => (excluded ? '-' : '') + words.join(' '))

  test.each([
    ['red car', ['red', 'car']],
    ['"red car" blue', ['red car', 'blue']],
    ['-red -"blue car"', ['-red', '-blue car']],
    ['"unfinished phrase', ['unfinished phrase']],
    ['foo"bar baz"', ['foo', 'bar baz']],
    ['a@b.example', ['a b example']],
    ['- -- "" -"" !!!', []],
    ['e-mail', ['e mail']],
    ['  \t spaced \n out ', ['spaced', 'out']],
  ])('parse %j as %j', (query, terms) => {
    expect(shown(query)).toEqual(terms)
  })

  test.each([
    ['one two three', 3],
    ['"one two" -three', 3],
    ['', 0],
    [' - "" ', 0],
    [Array.from({ length: 33 }, () => 'w').join(' '), 33],
  ])('count words in %j as a person would: %i', (query, count) => {
    expect(countQueryWords(query)).toBe(count)
  })

  test('parse any text without throwing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (query) => {
        for (const { words } of parseQuery(query)) expect(words.length).toBeGreaterThan(0)
      }),
    )
  })
})

describe('dates and timestamps', () => {
  test.each([
    ['2026-05-01', '2026-05-01T00:00:00.000Z', '2026-05-01T23:59:59.999Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z', '2024-02-29T23:59:59.999Z'],
    ['2026-05-01T10:00', '2026-05-01T10:00:00.000Z', '2026-05-01T10:00:00.000Z'],
    ['2026-05-01T10:00:30', '2026-05-01T10:00:30.000Z', '2026-05-01T10:00:30.000Z'],
    ['2026-05-01T10:00:30.123456Z', '2026-05-01T10:00:30.123Z', '2026-05-01T10:00:30.123Z'],
    ['2026-05-01T10:00:00+02:00', '2026-05-01T08:00:00.000Z', '2026-05-01T08:00:00.000Z'],
    ['2026-05-01T10:00:00-0530', '2026-05-01T15:30:00.000Z', '2026-05-01T15:30:00.000Z'],
    ['2026-05-01t10:00:00z', '2026-05-01T10:00:00.000Z', '2026-05-01T10:00:00.000Z'],
  ])('span %s: from %s to %s', (text, first, last) => {
    const moment = parseMoment(text)
    if (!moment) throw new Error('It was not read.')
    expect(new Date(toStartTime(moment)).toISOString()).toBe(first)
    expect(new Date(toEndTime(moment)).toISOString()).toBe(last)
  })

  test.each([
    '',
    'today',
    '2026',
    '2026-5-1',
    '2026-02-30',
    '2026-13-01',
    '2026-05-01T25:00',
    '2026-05-01T10:60',
    '2026-05-01 10:00',
    '2026-05-01T10:00:00+25:00',
    '01/05/2026',
    '1700000000000',
  ])('exclude %j', (text) => {
    expect(parseMoment(text)).toBeNull()
  })

  test('round-trip through ISO format', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('0100-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
        (date) => {
          expect(parseMoment(date.toISOString())?.time).toBe(date.getTime())
        },
      ),
    )
  })
})
