/** Makes untrusted text terminal-safe: controls move the cursor or set colours, bidirectional marks disguise lines. */

/** C0 and C1 controls, and the marks of Unicode's bidirectional algorithm (UAX 9, 2). */
const CONTROLS = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu
const CONTROLS_IN_TEXT = /(?![\n\t])[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu
const LINE_BREAKS = /\r\n?|[\u0085\u2028\u2029]/g

/** For a line of Linnet's own output that may contain untrusted text. */
export const stripControlCharacters = (text: string): string => text.toWellFormed().replace(CONTROLS, '')

export const sanitizeLine = (text: string): string => stripControlCharacters(text.replace(/\s+/gu, ' ')).trim()

/** Keeps line breaks and tabs. */
export const sanitizeText = (text: string): string =>
  text.toWellFormed().replace(LINE_BREAKS, '\n').replace(CONTROLS_IN_TEXT, '')

/** One line of JSON. Characters that a terminal would obey are escaped, which keeps the value the same. */
export const toSafeJson = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u
const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Columns of a grapheme: two for East Asian characters and emoji. */
const columnsOf = (sign: string): number =>
  WIDE.test(sign) || /\p{Emoji_Presentation}|\ufe0f|[\u{20000}-\u{3fffd}]/u.test(sign)
    ? 2
    : /^\p{Mn}|^\p{Cf}/u.test(sign)
      ? 0
      : 1

/** Cuts a line with `…` or pads it with spaces. @param text from `sanitizeLine` */
export const fitToColumns = (text: string, columns: number): string => {
  const signs = Array.from(segmenter.segment(text), ({ segment }) => ({ segment, width: columnsOf(segment) }))
  const width = signs.reduce((sum, sign) => sum + sign.width, 0)
  if (width <= columns) return text + ' '.repeat(columns - width)
  let kept = ''
  let used = 0
  for (const sign of signs) {
    if (used + sign.width > columns - 1) break
    kept += sign.segment
    used += sign.width
  }
  return `${kept}…${' '.repeat(columns - 1 - used)}`
}
