/** Letters decide; signs, digits and space have no direction of their own. */
const LETTER = /\p{L}/u
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/** The direction in which a text is written: that of its first letter, as `dir="auto"` has it. */
export const directionOf = (text: string): 'ltr' | 'rtl' =>
  RIGHT_TO_LEFT.test(LETTER.exec(text)?.[0] ?? '') ? 'rtl' : 'ltr'

export const hasLetter = (text: string): boolean => LETTER.test(text)
