import { toOutgoingText } from './outgoing-text.ts'
import { LINE_STYLE } from './paragraph-lines.ts'

/** The user's line above a signature, and a blank one, as `toOutgoingHtml` produces them. */
const LINE = `<p style="${LINE_STYLE}"><br></p>`.repeat(2)

const removeEnding = (words: string, ending: string): string | null =>
  words.endsWith(ending) ? words.slice(0, words.length - ending.length) : null

/** @param gap goes between the user's text and its first signature */
const replaceEnding = (words: string, before: string, after: string, gap: string): string | null => {
  const own = removeEnding(words, before)
  if (own === null || after === '') return own
  return before === '' || own === '' ? `${own}${gap}${after}` : `${own}${after}`
}

/**
 * Replaces the signature of rich text.
 * @param before current signature, or ''; all arguments are clean HTML
 * @returns null if the user has edited the signature
 */
export const replaceHtmlSignature = (words: string, before: string, after: string): string | null =>
  replaceEnding(words, before, after, LINE)

/** Like `replaceHtmlSignature`, for plain text. @param before current signature, as HTML */
export const replaceTextSignature = (words: string, before: string, after: string): string | null =>
  replaceEnding(words, toOutgoingText(before), toOutgoingText(after), '\n\n')

/** The user's own text above the signature. @param signature as plain text */
export const stripSignature = (text: string, signature: string): string =>
  removeEnding(text.trimEnd(), signature) ?? text
