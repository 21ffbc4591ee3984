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

/** A text without case and accents, in the one form in which texts are compared. Linear in its length. */
export const foldText = (text: string): string =>
  ASCII.test(text)
    ? text.toLowerCase()
    : text
        .replace(LONG_RUN, '$1')
        .normalize('NFKD')
        .replace(UNSEEN, '')
        .toLowerCase()
        .replaceAll('ς', 'σ')
        .normalize('NFC')

/** The words of a text in their order, in the form in which they are compared. Linear in the text's length. */
export const wordsOf = (text: string): readonly string[] =>
  ASCII.test(text) ? (text.toLowerCase().match(ASCII_WORD) ?? []) : (foldText(text).match(WORD) ?? [])

/**
 * What belongs to the character before it and is never parted from it: marks, what no comparison sees, tones of skin, and
 * letters that Unicode joins to the one before (vowels and finals of Korean, vowels of Thai and Lao, halfwidth voicing).
 */
const JOINED =
  '[\\p{M}\\u00ad\\u200d\\ufe0e\\ufe0f\\u{1f3fb}-\\u{1f3ff}\\u0e33\\u0eb3\\u1160-\\u11ff\\ud7b0-\\ud7fb' +
  '\\u3133\\u3135\\u3136\\u313a-\\u313f\\u314f-\\u3164\\u3167-\\u316d\\u316f\\u3170\\u3182\\u3183\\u3187-\\u318e' +
  '\\uff9e-\\uffa0\\uffa3\\uffa5\\uffa6\\uffaa-\\uffaf\\uffc2-\\uffdc]'
/** Several pictographs that are drawn as one. */
const JOINED_PICTOGRAPH =
  '(?<=[\\p{Extended_Pictographic}\\ufe0f\\u{1f3fb}-\\u{1f3ff}]\\u200d)\\p{Extended_Pictographic}'
/**
 * Characters that folding makes small at most, and leaves as long as they are: ASCII, most of Cyrillic, Hebrew, Arabic,
 * Japanese, Chinese, Korean. A text is mostly made of them, and they need not be looked at one by one.
 */
const PLAIN =
  '[\\0-\\x7f\\u0410-\\u0418\\u041a-\\u0438\\u043a-\\u044f\\u05d0-\\u05ea\\u0621-\\u064a' +
  '\\u3041-\\u3096\\u30a1-\\u30fa\\u4e00-\\u9fff\\uac00-\\ud7a3]'
const IS_PLAIN = new RegExp(`^${PLAIN}*$`, 'v')
/** A stretch of plain characters, or one other with all that belongs to it. */
const STRETCH = new RegExp(`${PLAIN}+(?!${JOINED})|[^](?:${JOINED}|${JOINED_PICTOGRAPH})*`, 'gv')

/** A word in the form in which it is compared, and where it stands in the text: UTF-16 units, as `slice` takes them. */
export interface PlacedWord {
  readonly word: string
  readonly start: number
  readonly end: number
}

/** A stretch of a text, and where its folded form begins. */
interface Piece {
  readonly start: number
  readonly end: number
  readonly foldedStart: number
  /** Its folded form is as long as it is, character for character. */
  readonly isPlain: boolean
}

/** Folded characters that are remembered while a text is read: it has few different ones, each many times. */
const REMEMBERED = 5_000

/** A text in the form in which it is compared, and where its characters stand in the text itself. */
interface PlacedText {
  readonly folded: string
  /**
   * The place of some folded characters, whole with what is never parted from them. They are asked for in their order.
   * @param from index in `folded` @param end behind the last of them
   */
  readonly placeOf: (from: number, end: number) => { readonly start: number; readonly end: number }
}

const placeText = (text: string): PlacedText => {
  const known = new Map<string, string>()
  const foldStretch = (stretch: string): string => {
    const kept = known.get(stretch)
    if (kept !== undefined) return kept
    const folded = foldText(stretch)
    if (known.size >= REMEMBERED) known.clear()
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
  /** The piece in which a character of the folded text is; they are asked for in their order. */
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
 * The words of a text (`wordsOf`) with their places, which never part a character from its marks: two words that share a
 * character, such as the numbers of `½`, share its place. Linear in the text's length.
 */
export const placeWords = (text: string): readonly PlacedWord[] => {
  if (ASCII.test(text)) {
    const found = text.toLowerCase().matchAll(ASCII_WORD)
    return Array.from(found, ({ 0: word, index }) => ({ word, start: index, end: index + word.length }))
  }
  const { folded, placeOf } = placeText(text)
  return Array.from(folded.matchAll(WORD), ({ 0: word, index }) => ({ word, ...placeOf(index, index + word.length) }))
}

/** Any space is as good as any other: lines end elsewhere on the screen than in the text. */
const patternOf = (part: string): RegExp | null => {
  const words = foldText(part)
    .split(/\s+/u)
    .filter((word) => word !== '')
  return words.length === 0
    ? null
    : new RegExp(words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('\\s+'), 'gu')
}

/** What is looked for in texts, wherever it stands in them, in a word too: written in whatever case and with or without accents. */
export interface SoughtPart {
  /** How often a text has it. */
  readonly countIn: (text: string) => number
  /** Where a text has it, in order, none within another. @param most more are not looked for */
  readonly placesIn: (text: string, most: number) => readonly { readonly start: number; readonly end: number }[]
}

/** @returns null where nothing but space is looked for */
export const seekPart = (part: string): SoughtPart | null => {
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

/** Characters as the platform counts them: code points, not UTF-16 units. */
export const countCharacters = (text: string): number => Array.from(text).length

/** Words as the platform counts them against its limit: as typed, those within quotes each, a lone minus not. */
export const countTypedWords = (text: string): number =>
  text
    .replaceAll('"', ' ')
    .split(/\s+/u)
    .filter((word) => word !== '' && word !== '-').length
