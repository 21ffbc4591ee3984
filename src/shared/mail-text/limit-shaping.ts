/** Scripts shaped or reordered by context. Layout is quadratic: a 100,000-letter word hangs Chromium for a minute. */
const SHAPED_LETTERS =
  '[\u0590-\u109f\u1780-\u18af\u1a00-\u1aff\u202a-\u202e\u2066-\u2069\ua800-\uabff\ufb1d-\ufdff\ufe70-\ufefc]'
const SHAPED = new RegExp(SHAPED_LETTERS)
const SHAPED_RUNS = new RegExp(`(?:${SHAPED_LETTERS})+|&#`, 'g')
/** Letters and digits: from Latin to Armenian (`NEAR`), and from scripts drawn in another font (`FAR`). */
const NEAR = '\\da-z\u00c0-\u058f\u1e00-\u1fff'
const FAR = '\u10a0-\u177f\u18b0-\u19ff\u2e80-\ua7ff\uac00-\ud7ff\uf900-\ufaff\uff10-\uffdf'
/** A `NEAR` or `FAR` character followed by a shaped letter, with only neutral characters between them. */
const DIRECTION_CHANGES = new RegExp(`[${NEAR}${FAR}](?:(?!${SHAPED_LETTERS})[^${NEAR}${FAR}])*${SHAPED_LETTERS}`, 'gi')
/** Transitions from `NEAR` to `FAR` letters, which are drawn in another font. */
const FONT_CHANGES = new RegExp(`[${NEAR}][^${NEAR}${FAR}]*[${FAR}]`, 'gi')
/** Weight of a font change relative to a run of signs. */
const FONT_CHANGE_WEIGHT = 0.25
/** A change of direction costs as much as this many letters. */
const DIRECTION_CHANGE_COST = 15

/** In characters. No word in the shaped scripts is longer. */
const MAX_WORD_LENGTH = 300

/** Scripts of South-East Asia and Tibet, which don't separate words with spaces. */
const UNSPACED_SCRIPTS = /[\u0e00-\u109f\u1780-\u17ff\u1950-\u1aaf\ua9e0-\ua9ff\uaa60-\uaadf]/

/** Strips tags heuristically. Tags with non-ASCII characters, and HTML with a textarea, count as text. */
const withoutTags = (html: string): string =>
  /<textarea/i.test(html) ? html : html.replace(/<[a-z/!][^<>\u0080-\uffff]*>/gi, '')

/** @returns at most slightly more than `most` */
export const countMatches = (text: string, pattern: RegExp, most: number): number => {
  let found = 0
  for (const _ of text.matchAll(pattern)) {
    found += 1
    if (found > most) break
  }
  return found
}

export const hasShapedLetters = (text: string): boolean => SHAPED.test(text)

/**
 * Layout cost of the shaped letters in HTML, both literal and numeric. Each letter counts once, and each change to a
 * shaped script adds `TURN`.
 * @returns at most slightly more than `most`
 */
export const estimateLetterCost = (html: string, most: number): number => {
  let letters = 0
  for (const [run] of html.matchAll(SHAPED_RUNS)) {
    letters += run === '&#' ? 1 : run.length
    if (letters > most) return letters
  }
  const mostTurns = (most - letters) / DIRECTION_CHANGE_COST
  return letters + countMatches(withoutTags(html), DIRECTION_CHANGES, mostTurns) * DIRECTION_CHANGE_COST
}

/** Emoji, symbols, mathematical letters and private-use characters, drawn from other fonts than the text. */
const SIGNS = '(?:[\u20d0-\u20ff\u2190-\u2bff\ue000-\uf8ff\u{10000}-\u{1ffff}\u{e0000}-\u{10ffff}]|[\ufe00-\ufe0f])'
const SIGN = new RegExp(SIGNS, 'u')
/** Runs of signs, and numeric or named character references. */
const SIGN_RUNS = new RegExp(`${SIGNS}+|&#(x[\\da-f]+|\\d+)|&[a-z]+`, 'giu')
/** A run of signs. */
export const SIGN_RUN = new RegExp(`${SIGNS}+`, 'gu')
/** Entities for characters that aren't signs: accented letters, spaces, quotes and dashes. */
const NAMED_LETTER =
  /^&(?:nbsp|amp|lt|gt|quot|apos|shy|zwn?j|e[mn]sp|thinsp|szlig|[a-z]{1,2}(?:uml|acute|grave|circ|tilde|cedil|caron|ring|slash|lig)|[mn]dash|[lrsb][ad]?quo|copy|reg|trade|euro|hellip|bull|middot)/i

/**
 * Counts the switches between letters and signs in HTML. Browsers draw each run separately, after searching for a font.
 * A font change between letters counts as a fraction.
 * @returns at most slightly more than `most`
 */
export const estimateSignCost = (html: string, most: number): number => {
  let runs = 0
  for (const [run, number] of html.matchAll(SIGN_RUNS)) {
    if (number !== undefined) {
      const code = Number.parseInt(number.replace(/^x/i, ''), /^x/i.test(number) ? 16 : 10)
      if (!SIGN.test(String.fromCodePoint(Math.min(code, 0x10ffff)))) continue
    } else if (NAMED_LETTER.test(run)) continue
    runs += 1
    if (runs > most) return runs
  }
  const mostChanges = (most - runs) / FONT_CHANGE_WEIGHT
  return runs + countMatches(withoutTags(html), FONT_CHANGES, mostChanges) * FONT_CHANGE_WEIGHT
}

/**
 * UTF-16 offset of the match with this number, counted from 0, and the number of matches before it. If there are fewer,
 * the offset is the text's end.
 */
export const locateMatch = (
  text: string,
  pattern: RegExp,
  number: number,
): { readonly at: number; readonly before: number } => {
  let before = 0
  for (const { index } of text.matchAll(pattern)) {
    if (before === number) return { at: index, before }
    before += 1
  }
  return { at: text.length, before }
}

/**
 * Splits an impossibly long word. Scripts that separate words with spaces get a space, since letters join across
 * anything else.
 */
const splitWord = (word: string, before: number): string => {
  const letters = Array.from(word)
  const pieces: string[] = []
  for (let from = 0, room = MAX_WORD_LENGTH - before; from < letters.length; from += room, room = MAX_WORD_LENGTH) {
    const piece = letters.slice(from, from + room).join('')
    const isFull = from + room <= letters.length
    pieces.push(isFull && SHAPED.test(piece) ? `${piece}${UNSPACED_SCRIPTS.test(piece) ? '\u200b' : ' '}` : piece)
  }
  return pieces.join('')
}

/**
 * Limits untrusted text that browsers can't lay out in reasonable time and no language uses: more than eight accents on
 * a letter, and joined words of hundreds of letters, which get break points. Other text is unchanged.
 * @param before characters of the word that starts before this text and continues in it
 */
export const limitShaping = (text: string, before = 0): string => {
  const bared = text.replace(/(\p{M}{8})\p{M}+/gu, '$1')
  const begun = before % MAX_WORD_LENGTH
  if (begun + bared.length < MAX_WORD_LENGTH || !SHAPED.test(bared)) return bared
  return bared.replace(/\S+/gu, (word, at: number) => splitWord(word, at === 0 ? begun : 0))
}

/** Length of the text's last word, up to `MAX_WORD_LENGTH`. */
export const measureLastWord = (text: string): number => {
  let length = 0
  while (length < Math.min(text.length, MAX_WORD_LENGTH) && !/\s/.test(text.charAt(text.length - 1 - length)))
    length += 1
  return length
}
