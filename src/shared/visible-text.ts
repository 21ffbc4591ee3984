/** Maximum characters shown of an untrusted line, such as a subject or a name. */
const MAX_LENGTH = 1000

/** Printable Western European text, which is most mail. Nothing can be hidden in it. */
const PLAIN = /^[\t\n\u0020-\u007e\u00a1-\u00ac\u00ae-\u024f]*$/

/**
 * White space of any width, and letters that are drawn as nothing (fillers of Hangul, Egyptian and Khitan, blank
 * Braille).
 */
const BLANK = '\\u115f\\u1160\\u2800\\u3164\\uffa0\\u{13441}\\u{13442}\\u{16fe4}\\u{1d159}'
const BLANKS = new RegExp(`[\\s${BLANK}]+`, 'gu')
const ODD_BLANKS = new RegExp(`[\\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u3000${BLANK}]`, 'gu')

/** Emoji, except the digits used in keycaps. */
const EMOJI = '[\\p{Emoji}--\\p{ASCII}]'
const JOINED = `${EMOJI}[\\ufe0f\\p{EMod}]?(?:\\u200d${EMOJI}[\\ufe0f\\p{EMod}]?)+`
const REGISTERED_JOIN = /^\p{RGI_Emoji_ZWJ_Sequence}$/v
/** Emoji that are drawn as text unless followed by a selector. Many programs omit the selector inside joined emoji. */
const UNQUALIFIED = /[\p{Emoji}--\p{Emoji_Presentation}](?![\ufe0f\p{EMod}])/gv

/**
 * Variation selectors that are registered for the preceding character. After emoji they draw nothing; after digits they
 * are only allowed in keycaps.
 */
const SELECTED =
  '[[\\p{Emoji}--\\p{Emoji_Presentation}]--\\p{ASCII}][\\ufe0e\\ufe0f]|[0-9#*][\\ufe0e\\ufe0f](?=\\u20e3)'

/** Joiners change how letters of these scripts are drawn. After a virama they do so even at the end of a word. */
const JOINING = 'Arab Syrc Mand Nkoo Mong Adlm Rohg Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr'
  .split(' ')
  .map((script) => `[\\p{scx=${script}}&&[\\p{L}\\p{M}]]`)
  .map((letter) => `(?<=${letter}.)(?=${letter})`)
const VIRAMA = '[\\u094d\\u09cd\\u0a4d\\u0acd\\u0b4d\\u0bcd\\u0c4d\\u0ccd\\u0d4d\\u0dca]'
const JOINER = `[\\u200c\\u200d](?:(?<=${VIRAMA}.)|${JOINING.join('|')})`

/**
 * Invisible characters that are harmless in scripts that use them: variation selectors in Chinese, zero-width spaces in
 * Thai.
 */
const QUIET =
  '[\\ufe0e\\ufe0f]|[\\u180b-\\u180f\\u200b-\\u200d\\ufe00-\\ufe0d\\u{e0100}-\\u{e01ef}]' +
  '(?<=[[\\p{L}\\p{M}\\p{Emoji}]--[\\p{ASCII}\\p{sc=Latn}\\p{sc=Grek}\\p{sc=Cyrl}]].)'

/** All other characters that draw nothing or only affect their neighbours, except line ends and number signs. */
const HIDDEN =
  '[[\\p{DI}\\p{Cc}\\p{Cf}\\p{NChar}]--[\\t\\n\\u0600-\\u0605\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u{110bd}\\u{110cd}]]'

const ANY_HIDDEN = new RegExp(HIDDEN, 'v')
const SIGNS = new RegExp(
  `(?<joined>${JOINED})|(?<kept>\\p{RGI_Emoji_Tag_Sequence}|${SELECTED}|${JOINER})|(?<quiet>${QUIET})|${HIDDEN}`,
  'gv',
)

/** Direction marks and soft hyphens. Right-to-left mail is full of them; in other text they are used to deceive. */
const MARKS = /[\u00ad\u061c\u200e\u200f]/g
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/**
 * Removes hidden characters, except those known to change how their neighbours look. @param mark replaces each hidden
 * character that has no honest use
 */
const withoutHidden = (text: string, mark: string): string => {
  if (!ANY_HIDDEN.test(text)) return text
  const marked = RIGHT_TO_LEFT.test(text) ? text.replace(MARKS, '') : text
  return marked.replace(SIGNS, (sign, joined?: string, kept?: string, quiet?: string) => {
    if (joined === undefined) return kept ?? (quiet === undefined ? mark : '')
    const qualified = sign.replace(UNQUALIFIED, '$&\ufe0f')
    return REGISTERED_JOIN.test(qualified) ? qualified : withoutHidden(sign.replaceAll('\u200d', ''), mark)
  })
}

/** No language puts so many accents on a letter; more would cover the lines around it. */
const limitStackedMarks = (text: string): string => text.replace(/(\p{M}{8})\p{M}+/gu, '$1')

/**
 * Untrusted text (a subject, a name, a filename) as one line. White space collapses, and hidden characters are shown as
 * `\ufffd`. Linear time.
 * @returns at most 1,000 characters and an ellipsis
 */
export const toVisibleText = (text: string): string => {
  const head = text.length > MAX_LENGTH * 2 ? text.slice(0, MAX_LENGTH * 2) : text
  const line = head.toWellFormed().replace(BLANKS, ' ').trim()
  const shown = PLAIN.test(line) ? line : limitStackedMarks(withoutHidden(line, '\ufffd'))
  const isCut = shown.length > MAX_LENGTH || head.length < text.length
  return isCut ? `${shown.slice(0, MAX_LENGTH).replace(/[\ud800-\udbff]$/, '')}…` : shown
}

/** `toVisibleText` with at most `most` characters, including the ellipsis. */
export const toShortText = (text: string, most: number): string => {
  const shown = toVisibleText(text)
  return shown.length > most ? `${shown.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…` : shown
}

// eslint-disable-next-line no-control-regex -- some control characters end lines
const LINE_ENDS = /\r\n?|[\u000b\u000c\u0085\u2028\u2029]/g

/** Drops hidden characters without marking them, because mail is full of them. Keeps lines and tabs. Linear time. */
export const stripHiddenCharacters = (text: string): string =>
  PLAIN.test(text)
    ? text
    : limitStackedMarks(withoutHidden(text.toWellFormed().replace(LINE_ENDS, '\n').replace(ODD_BLANKS, ' '), ''))
