/**
 * Words as the platform compares them (docs/service.md, "Search"): without case, without the accents of Latin, Greek and
 * Cyrillic letters, in one form where Unicode has several.
 */

/** Accents, soft hyphen, joiner and variation selectors: what no comparison sees. */
const UNSEEN = /[\u0300-\u036f]|\u00ad|\u200d|\ufe0e|\ufe0f/g

/**
 * More marks on one letter than any language has: putting them in order takes the square of their number, so the rest of
 * such a run is left out. Thirty are those of Unicode's Stream-Safe Text Format (UAX #15, 13).
 */
const LONG_RUN = /(\p{M}{30})\p{M}+/gu

/** Scripts whose writing does not part words by spaces, and Korean, which joins particles to them: each character is a word. */
const UNSPACED =
  '[\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Hangul}\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmer}\\p{scx=Myanmar}\\p{scx=Tibetan}]'
const LETTER = '[\\p{L}\\p{M}\\p{N}]'
const WORD = new RegExp(`[${LETTER}--${UNSPACED}]+|[${LETTER}&&${UNSPACED}]|\\p{Extended_Pictographic}`, 'gv')
const ASCII_WORD = /[a-z0-9]+/g
const ASCII = /^[\0-\x7f]*$/

const fold = (text: string): string =>
  text.replace(LONG_RUN, '$1').normalize('NFKD').replace(UNSEEN, '').toLowerCase().replaceAll('ς', 'σ').normalize('NFC')

/** The words of a text in their order, in the form in which they are compared. Linear in the text's length. */
export const wordsOf = (text: string): readonly string[] =>
  ASCII.test(text) ? (text.toLowerCase().match(ASCII_WORD) ?? []) : (fold(text).match(WORD) ?? [])

/** Characters as the platform counts them: code points, not UTF-16 units. */
export const countCharacters = (text: string): number => Array.from(text).length

/** Words as the platform counts them against its limit: as typed, those within quotes each, a lone minus not. */
export const countTypedWords = (text: string): number =>
  text
    .replaceAll('"', ' ')
    .split(/\s+/u)
    .filter((word) => word !== '' && word !== '-').length
