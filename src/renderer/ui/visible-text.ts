/** Longer than any line on a screen: what a stranger writes into a subject or a name has no length of its own. */
const LONGEST = 1000

/** Blank to the eye, of whatever width; letters among them (Hangul fillers, the blank of Braille) that draw nothing. */
const BLANKS = /[\s\u2000-\u200a\u115f\u1160\u2800\u3164\uffa0]+/g

/**
 * What is not seen but changes what is: control characters, overrides and isolates of the direction of writing,
 * characters without width, annotations. What scripts and emoji need to join (U+200C, U+200D), the marks of
 * direction that right-to-left mail is full of (U+200E, U+200F, U+061C) and soft hyphens are told apart below.
 */
const UNSEEN =
  // eslint-disable-next-line no-control-regex, no-misleading-character-class -- characters that are not seen are what it is about
  /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u034f\u180b-\u180e\u200b\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g

/** Needed by scripts and emoji, invisible between any other letters. */
const JOINERS = /[\u00ad\u061c\u200c-\u200f]/g

const NEEDS_JOINERS =
  /[\u0590-\u08ff\u0900-\u0dff\u1780-\u17ff\u1800-\u18af\ufb1d-\ufdff\ufe70-\ufefc\u{1f000}-\u{1faff}\u2600-\u27bf]/u

const MARK = '\ufffd'

/**
 * A stranger's words (a subject, a name, the name of a file) as one line in which nothing hides: every run of blanks is
 * one space, and what cannot be seen but changes what is read stands as `\ufffd`. Reads each character once.
 * @returns at most 1,000 characters and an ellipsis
 */
export const visibleText = (text: string): string => {
  const head = text.length > LONGEST * 2 ? text.slice(0, LONGEST * 2) : text
  const line = head.replace(BLANKS, ' ').trim().replace(UNSEEN, MARK)
  const shown = NEEDS_JOINERS.test(line) ? line : line.replace(JOINERS, MARK)
  const isCut = shown.length > LONGEST || head.length < text.length
  return isCut ? `${shown.slice(0, LONGEST).replace(/[\ud800-\udbff]$/, '')}…` : shown
}
