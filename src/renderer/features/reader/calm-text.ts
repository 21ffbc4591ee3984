/**
 * Scripts whose letters take their shape or their place from their neighbours: laying out a paragraph of them takes
 * time with the square of its length (100,000 Arabic letters in one word keep Chromium busy for a minute).
 */
const SHAPED_LETTERS =
  '[\u0590-\u109f\u1780-\u18af\u1a00-\u1aff\u202a-\u202e\u2066-\u2069\ua800-\uabff\ufb1d-\ufdff\ufe70-\ufefc]'
const SHAPED = new RegExp(SHAPED_LETTERS)
const SHAPED_RUNS = new RegExp(`(?:${SHAPED_LETTERS})+|&#`, 'g')
/** A letter of a script that is written the other way, and what stands between the two. */
const TURNS = new RegExp(`[a-z](?:(?!${SHAPED_LETTERS})[^a-z])*${SHAPED_LETTERS}`, 'gi')
/** A change of direction costs as much as this many letters. */
const TURN = 6

/** Characters. The longest words of any language that is written in them are shorter. */
const LONGEST_WORD = 300

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
  for (const _ of html.matchAll(TURNS)) {
    turns += 1
    if (letters + turns * TURN > most) break
  }
  return letters + turns * TURN
}

/**
 * A stranger's text without what no language has and no browser lays out in bearable time: more than eight accents on
 * a letter, and words of thousands of letters that join, which get places to break. Any other text is as it was.
 */
export const calmText = (text: string): string => {
  const bared = text.replace(/(\p{M}{8})\p{M}+/gu, '$1')
  if (bared.length <= LONGEST_WORD || !SHAPED.test(bared)) return bared
  return bared.replace(/\S{300}/gu, (word) => (SHAPED.test(word) ? `${word}\u200b` : word))
}
