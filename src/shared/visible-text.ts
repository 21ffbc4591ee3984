/** Longer than any line on a screen: what a stranger writes into a subject or a name has no length of its own. */
const LONGEST = 1000

/** Blank to the eye, of whatever width; letters among them (Hangul fillers, the blank of Braille) that draw nothing. */
const BLANKS = /[\s\u2000-\u200a\u115f\u1160\u2800\u3164\uffa0]+/g

/**
 * What is not seen but changes what is: control characters, overrides and isolates of the direction of writing,
 * characters without width, annotations, tags, letters that are silent in Khmer, signs of notes and of shorthand. What
 * scripts and emoji need to join (U+200C, U+200D), the marks of direction that right-to-left mail is full of (U+200E,
 * U+200F, U+061C), soft hyphens and selectors of variants are told apart below. The two selectors of signs as text and
 * as emoji (U+FE0E, U+FE0F) are common and change no sign for another.
 */
const UNSEEN =
  // eslint-disable-next-line no-control-regex, no-misleading-character-class -- characters that are not seen are what it is about
  /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u034f\u17b4\u17b5\u180b-\u180f\u200b\u202a-\u202e\u2060-\u206f\ufeff\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e00ff}\u{e01f0}-\u{e0fff}]/gu

/** Selectors of variants, which tell the forms of Chinese and Japanese signs apart, in names above all. */
const VARIANTS = /(?<!\p{Script=Han})[\ufe00-\ufe0d\u{e0100}-\u{e01ef}]/gu

/** A flag of a part of a country (Unicode, emoji tag sequences); such tags anywhere else are a text of their own. */
const FLAGS = /(\u{1f3f4}[\u{e0061}-\u{e007a}\u{e0030}-\u{e0039}]{2,6}\u{e007f})/u

/** Marks of direction, and places where a word may be broken: invisible, and of no use to a text in Latin letters. */
const MARKS = /[\u00ad\u061c\u200e\u200f]/g

/** Needed between the letters of scripts that join them, and between emoji; invisible beside any other. */
const JOINERS =
  // eslint-disable-next-line no-misleading-character-class -- one of them, not all in a row
  /(?<![\u0590-\u08ff\u0900-\u0dff\u1780-\u17ff\u1800-\u18af\ufb1d-\ufdff\ufe0f\ufe70-\ufefc\u{1f000}-\u{1faff}\u2600-\u27bf])[\u200c\u200d]/gu

const NEEDS_MARKS =
  /[\u0590-\u08ff\u0900-\u0dff\u1780-\u17ff\u1800-\u18af\ufb1d-\ufdff\ufe70-\ufefc\u{1f000}-\u{1faff}\u2600-\u27bf]/u

const MARK = '\ufffd'

/**
 * A stranger's words (a subject, a name, the name of a file) as one line in which nothing hides: every run of blanks is
 * one space, and what cannot be seen but changes what is read stands as `\ufffd`. Reads each character once.
 * @returns at most 1,000 characters and an ellipsis
 */
export const visibleText = (text: string): string => {
  const head = text.length > LONGEST * 2 ? text.slice(0, LONGEST * 2) : text
  const line = head
    .replace(BLANKS, ' ')
    .trim()
    .split(FLAGS)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(UNSEEN, MARK)))
    .join('')
    .replace(JOINERS, MARK)
    .replace(VARIANTS, MARK)
    // More accents than any language puts on a letter cover the lines around it.
    .replace(/(\p{M}{8})\p{M}+/gu, '$1')
  const shown = NEEDS_MARKS.test(line) ? line : line.replace(MARKS, MARK)
  const isCut = shown.length > LONGEST || head.length < text.length
  return isCut ? `${shown.slice(0, LONGEST).replace(/[\ud800-\udbff]$/, '')}…` : shown
}

/** Selectors of a sign's form, behind what has but one. */
const FORMS = /(?<![\p{Emoji}\p{S}\u200d])[\ufe0e\ufe0f]|(?<=[\ufe0e\ufe0f])[\ufe0e\ufe0f]/gu

/** The ends of lines and tabs stay; other blanks that are not a space are one. */
// eslint-disable-next-line no-control-regex -- some of them end lines
const LINE_ENDS = /\r\n?|[\u000b\u000c\u0085\u2028\u2029]/g
const ODD_BLANKS = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\u115f\u1160\u2800\u3164\uffa0]/g

/**
 * A text of several lines without what nobody sees of it (`visibleText` says what that is): it is taken out, and
 * leaves no mark, as mail is full of it. Reads each character once.
 */
export const seenText = (text: string): string => {
  // Most text has none of it.
  if (/^[\t\n\u0020-\u007e\u00a1-\u00ac\u00ae-\u024f]*$/.test(text)) return text
  const seen = text
    .toWellFormed()
    .replace(LINE_ENDS, '\n')
    .replace(ODD_BLANKS, ' ')
    .split(FLAGS)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(UNSEEN, '')))
    .join('')
    .replace(JOINERS, '')
    .replace(VARIANTS, '')
    .replace(FORMS, '')
    .replace(/(\p{M}{8})\p{M}+/gu, '$1')
  // Marks of direction count once: a row of them is a text of its own.
  return NEEDS_MARKS.test(seen)
    ? seen.replace(/([\u00ad\u061c\u200e\u200f])[\u00ad\u061c\u200e\u200f]+/g, '$1')
    : seen.replace(MARKS, '')
}
