/**
 * Scripts whose letters take their shape or their place from their neighbours: laying out a paragraph of them takes
 * time with the square of its length (100,000 Arabic letters in one word keep Chromium busy for a minute).
 */
const SHAPED_LETTERS =
  '[\u0590-\u109f\u1780-\u18af\u1a00-\u1aff\u202a-\u202e\u2066-\u2069\ua800-\uabff\ufb1d-\ufdff\ufe70-\ufefc]'
const SHAPED = new RegExp(SHAPED_LETTERS)
const SHAPED_RUNS = new RegExp(`(?:${SHAPED_LETTERS})+|&#`, 'g')
/** Letters and digits of scripts from Latin to Armenian, and those of the scripts for which another font is taken. */
const NEAR = '\\da-z\u00c0-\u058f\u1e00-\u1fff'
const FAR = '\u10a0-\u177f\u18b0-\u19ff\u2e80-\ua7ff\uac00-\ud7ff\uf900-\ufaff\uff10-\uffdf'
/** One of them, and what stands between it and a letter that takes its place from its neighbours. */
const TURNS = new RegExp(`[${NEAR}${FAR}](?:(?!${SHAPED_LETTERS})[^${NEAR}${FAR}])*${SHAPED_LETTERS}`, 'gi')
/** Where letters go over to those of another font. */
const CHANGES = new RegExp(`[${NEAR}][^${NEAR}${FAR}]*[${FAR}]`, 'gi')
/** What such a change weighs, in runs of signs. */
const CHANGE = 0.25
/** A change of direction costs as much as this many letters. */
const TURN = 15

/** Characters. The longest words of any language that is written in them are shorter. */
const LONGEST_WORD = 300

/** Scripts of South-East Asia and Tibet, in which words stand without blanks between them. */
const UNPARTED = /[\u0e00-\u109f\u1780-\u17ff\u1950-\u1aaf\ua9e0-\ua9ff\uaa60-\uaadf]/

/**
 * HTML without its tags, as far as that can be told at a glance: where elements may hold what only looks like a tag, and
 * in tags with letters beyond ASCII, all is taken for text.
 */
const withoutTags = (html: string): string =>
  /<textarea/i.test(html) ? html : html.replace(/<[a-z/!][^<>\u0080-\uffff]*>/gi, '')

/** Whether a text has letters that are laid out in relation to each other. */
export const isShaped = (text: string): boolean => SHAPED.test(text)

/**
 * What the letters of such scripts in HTML weigh, written as they are or as numbers: one each, and more where a text
 * changes its direction with every word.
 * @returns little more than `most` where it is more
 */
export const weighLetters = (html: string, most: number): number => {
  let letters = 0
  for (const [run] of html.matchAll(SHAPED_RUNS)) {
    letters += run === '&#' ? 1 : run.length
    if (letters > most) return letters
  }
  let turns = 0
  for (const _ of withoutTags(html).matchAll(TURNS)) {
    turns += 1
    if (letters + turns * TURN > most) break
  }
  return letters + turns * TURN
}

/** Small pictures, signs, letters of mathematics and of nobody: they are drawn from other fonts than the text around them. */
const SIGNS = '(?:[\u20d0-\u20ff\u2190-\u2bff\ue000-\uf8ff\u{10000}-\u{1ffff}\u{e0000}-\u{10ffff}]|[\ufe00-\ufe0f])'
const SIGN = new RegExp(SIGNS, 'u')
/** Runs of them, and whatever HTML may name by a number or a word. */
const SIGN_RUNS = new RegExp(`${SIGNS}+|&#(x[\\da-f]+|\\d+)|&[a-z]+`, 'giu')
/** Runs of them as they are typed. */
const TYPED_SIGN_RUNS = new RegExp(`${SIGNS}+`, 'gu')
/** Words for what is no sign: letters with accents, blanks, quotes and dashes. */
const NAMED_LETTER =
  /^&(?:nbsp|amp|lt|gt|quot|apos|shy|zwn?j|e[mn]sp|thinsp|szlig|[a-z]{1,2}(?:uml|acute|grave|circ|tilde|cedil|caron|ring|slash|lig)|[mn]dash|[lrsb][ad]?quo|copy|reg|trade|euro|hellip|bull|middot)/i

/**
 * How often HTML goes over from letters to signs, as a browser draws each run of them by itself after looking for a font
 * that has it; going over from the letters of one font to another's counts as a part of that.
 * @returns little more than `most` where it is more
 */
export const weighSigns = (html: string, most: number): number => {
  let runs = 0
  for (const [run, number] of html.matchAll(SIGN_RUNS)) {
    if (number !== undefined) {
      const code = Number.parseInt(number.replace(/^x/i, ''), /^x/i.test(number) ? 16 : 10)
      if (!SIGN.test(String.fromCodePoint(Math.min(code, 0x10ffff)))) continue
    } else if (NAMED_LETTER.test(run)) continue
    runs += 1
    if (runs > most) return runs
  }
  for (const _ of withoutTags(html).matchAll(CHANGES)) {
    runs += CHANGE
    if (runs > most) break
  }
  return runs
}

/**
 * Where a run of signs begins in a text, counted from 0; the end of the text where there are not so many.
 * @returns its place in UTF-16 units, and how many there are before
 */
export const placeOfSignRun = (text: string, number: number): { readonly at: number; readonly before: number } => {
  let before = 0
  for (const { index } of text.matchAll(TYPED_SIGN_RUNS)) {
    if (before === number) return { at: index, before }
    before += 1
  }
  return { at: text.length, before }
}

/** Parts the letters of a word that no language has; in scripts with blanks by a blank, as letters join over all else. */
const partWord = (word: string, before: number): string => {
  const letters = Array.from(word)
  const pieces: string[] = []
  for (let from = 0, room = LONGEST_WORD - before; from < letters.length; from += room, room = LONGEST_WORD) {
    const piece = letters.slice(from, from + room).join('')
    const isFull = from + room <= letters.length
    pieces.push(isFull && SHAPED.test(piece) ? `${piece}${UNPARTED.test(piece) ? '\u200b' : ' '}` : piece)
  }
  return pieces.join('')
}

/**
 * A stranger's text without what no language has and no browser lays out in bearable time: more than eight accents on
 * a letter, and words of hundreds of letters that join, which get places to break. Any other text is as it was.
 * @param before characters of the word that has begun in front of the text, and goes on in it
 */
export const calmText = (text: string, before = 0): string => {
  const bared = text.replace(/(\p{M}{8})\p{M}+/gu, '$1')
  const begun = before % LONGEST_WORD
  if (begun + bared.length < LONGEST_WORD || !SHAPED.test(bared)) return bared
  return bared.replace(/\S+/gu, (word, at: number) => partWord(word, at === 0 ? begun : 0))
}

/** How many characters follow the last blank of a text, as far as words go. */
export const lengthOfLastWord = (text: string): number => {
  let length = 0
  while (length < Math.min(text.length, LONGEST_WORD) && !/\s/.test(text.charAt(text.length - 1 - length))) length += 1
  return length
}
