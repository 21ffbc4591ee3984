/**
 * Compares words like the platform (platform.md 11.5): ignores case and accents of Latin, Greek and Cyrillic letters,
 * and unifies Unicode forms.
 */

/** Accents, soft hyphen, joiner and variation selectors, which comparisons ignore. */
const IGNORED = /[\u0300-\u036f]|\u00ad|\u200d|\ufe0e|\ufe0f/g

/**
 * Drops marks beyond the 30th on a letter, because sorting them takes quadratic time. No language has that many; 30 is
 * the limit of Unicode's Stream-Safe Text Format (UAX #15, 13).
 */
const LONG_RUN = /(\p{M}{30})\p{M}+/gu

/**
 * Scripts without spaces between words, and Korean, which joins particles to words. Each of their characters is a word.
 */
const UNSPACED =
  '[\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Hangul}\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmer}\\p{scx=Myanmar}\\p{scx=Tibetan}]'
const LETTER = '[\\p{L}\\p{M}\\p{N}]'
/** Two letters that are drawn as a flag. */
const FLAG = '\\p{RI}{2}'
const WORD = new RegExp(`[${LETTER}--${UNSPACED}]+|[${LETTER}&&${UNSPACED}]|\\p{Extended_Pictographic}|${FLAG}`, 'gv')
const ASCII_WORD = /[a-z0-9]+/g
const ASCII = /^[\0-\x7f]*$/

/** A text in the form used for comparisons, without case and accents. Linear time. */
export const foldText = (text: string): string =>
  ASCII.test(text)
    ? text.toLowerCase()
    : text
        .replace(LONG_RUN, '$1')
        .normalize('NFKD')
        .replace(IGNORED, '')
        .toLowerCase()
        .replaceAll('ς', 'σ')
        .normalize('NFC')

/** Words of a text in order, in the form used for comparisons. Linear time. */
export const tokenizeWords = (text: string): readonly string[] =>
  ASCII.test(text) ? (text.toLowerCase().match(ASCII_WORD) ?? []) : (foldText(text).match(WORD) ?? [])

/**
 * Characters that are never split from the preceding one: marks, ignored characters, skin tones, and letters that
 * Unicode joins (Korean vowels and finals, Thai and Lao vowels, halfwidth voicing).
 */
const JOINED =
  '[\\p{M}\\u00ad\\u200d\\ufe0e\\ufe0f\\u{1f3fb}-\\u{1f3ff}\\u0e33\\u0eb3\\u1160-\\u11ff\\ud7b0-\\ud7fb' +
  '\\u3133\\u3135\\u3136\\u313a-\\u313f\\u314f-\\u3164\\u3167-\\u316d\\u316f\\u3170\\u3182\\u3183\\u3187-\\u318e' +
  '\\uff9e-\\uffa0\\uffa3\\uffa5\\uffa6\\uffaa-\\uffaf\\uffc2-\\uffdc]'
/** A pictograph that is drawn together with the preceding one. */
const JOINED_PICTOGRAPH =
  '(?<=[\\p{Extended_Pictographic}\\ufe0f\\u{1f3fb}-\\u{1f3ff}]\\u200d)\\p{Extended_Pictographic}'
/**
 * Characters whose folded form is at most lower-cased and keeps its length: ASCII, most of Cyrillic, Hebrew, Arabic,
 * Japanese, Chinese, Korean. They make up most text and are handled in bulk.
 */
const PLAIN =
  '[\\0-\\x7f\\u0410-\\u0418\\u041a-\\u0438\\u043a-\\u044f\\u05d0-\\u05ea\\u0621-\\u064a' +
  '\\u3041-\\u3096\\u30a1-\\u30fa\\u4e00-\\u9fff\\uac00-\\ud7a3]'
const IS_PLAIN = new RegExp(`^${PLAIN}*$`, 'v')
/** A run of plain characters, or one other character with everything joined to it. */
const STRETCH = new RegExp(`${PLAIN}+(?!${JOINED})|(?:${FLAG}|[^])(?:${JOINED}|${JOINED_PICTOGRAPH})*`, 'gv')

/** A word in the form used for comparisons, with its UTF-16 offsets for `slice`. */
export interface WordToken {
  readonly word: string
  readonly start: number
  readonly end: number
}

interface Piece {
  readonly start: number
  readonly end: number
  readonly foldedStart: number
  /** True if folding changes no offsets. */
  readonly isPlain: boolean
}

/** Cache size for folded characters. A text has few different characters, but repeats each many times. */
const MAX_CACHED = 5_000

/** Folded text with a mapping to the original text. */
interface PlacedText {
  readonly folded: string
  /**
   * Offsets in the original text, including all joined characters. Call in ascending order. @param from index in
   * `folded` @param end exclusive index
   */
  readonly placeOf: (from: number, end: number) => { readonly start: number; readonly end: number }
}

const placeText = (text: string): PlacedText => {
  const known = new Map<string, string>()
  const foldStretch = (stretch: string): string => {
    const kept = known.get(stretch)
    if (kept !== undefined) return kept
    const folded = foldText(stretch)
    if (known.size >= MAX_CACHED) known.clear()
    if (stretch.length <= 4) known.set(stretch, folded)
    return folded
  }
  const pieces: Piece[] = []
  const parts: string[] = []
  let foldedStart = 0
  for (const { 0: stretch, index } of text.matchAll(STRETCH)) {
    const isPlain = IS_PLAIN.test(stretch)
    const folded = isPlain ? stretch.toLowerCase() : foldStretch(stretch)
    pieces.push({ start: index, end: index + stretch.length, foldedStart, isPlain })
    parts.push(folded)
    foldedStart += folded.length
  }
  let at = 0
  /** The piece that contains a folded character. Call in ascending order. */
  const pieceOf = (index: number): Piece => {
    while ((pieces[at + 1]?.foldedStart ?? Number.POSITIVE_INFINITY) <= index) at += 1
    return pieces[at] ?? { start: 0, end: 0, foldedStart: 0, isPlain: false }
  }
  return {
    folded: parts.join(''),
    placeOf: (from, end) => {
      const first = pieceOf(from)
      const last = pieceOf(end - 1)
      return {
        start: first.isPlain ? first.start + from - first.foldedStart : first.start,
        end: last.isPlain ? last.start + end - last.foldedStart : last.end,
      }
    },
  }
}

/**
 * Words of a text (see `tokenizeWords`) with their offsets, which never split a character from its marks. Words that come
 * from one character, such as the numbers of `½`, have the same offsets. Linear time.
 */
export const tokenizeWithOffsets = (text: string): readonly WordToken[] => {
  if (ASCII.test(text)) {
    const found = text.toLowerCase().matchAll(ASCII_WORD)
    return Array.from(found, ({ 0: word, index }) => ({ word, start: index, end: index + word.length }))
  }
  const { folded, placeOf } = placeText(text)
  return Array.from(folded.matchAll(WORD), ({ 0: word, index }) => ({ word, ...placeOf(index, index + word.length) }))
}

/** Any white space matches any other white space, because lines wrap differently on the screen. */
const patternOf = (part: string): RegExp | null => {
  const words = foldText(part)
    .split(/\s+/u)
    .filter((word) => word !== '')
  return words.length === 0
    ? null
    : new RegExp(words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('\\s+'), 'gu')
}

/** Finds a string in texts, even within words, ignoring case and accents. */
export interface TextFinder {
  readonly countIn: (text: string) => number
  /** Matches in order, without overlaps. @param most maximum number of results */
  readonly placesIn: (text: string, most: number) => readonly { readonly start: number; readonly end: number }[]
}

/** @returns null if `part` is only white space */
export const createTextFinder = (part: string): TextFinder | null => {
  const pattern = patternOf(part)
  if (pattern === null) return null
  return {
    countIn: (text) => {
      let count = 0
      for (const _ of (ASCII.test(text) ? text.toLowerCase() : foldText(text)).matchAll(pattern)) count += 1
      return count
    },
    placesIn: (text, most) => {
      const { folded, placeOf } = placeText(text)
      const places: { readonly start: number; readonly end: number }[] = []
      for (const { 0: found, index } of folded.matchAll(pattern)) {
        if (places.length === most) break
        places.push(placeOf(index, index + found.length))
      }
      return places
    },
  }
}

/** Number of code points, which the platform counts, rather than UTF-16 units. */
export const countCharacters = (text: string): number => Array.from(text).length

/** Counts typed words for the platform's limit. Each word inside quotes counts; a lone minus doesn't. */
export const countTypedWords = (text: string): number =>
  text
    .replaceAll('"', ' ')
    .split(/\s+/u)
    .filter((word) => word !== '' && word !== '-').length
