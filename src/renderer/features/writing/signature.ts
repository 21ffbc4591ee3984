import { toOutgoingText } from './outgoing-text.ts'
import { LINE_STYLE } from './paragraph-lines.ts'

/** The user's line above a signature, and a blank one, as `toOutgoingHtml` produces them. */
const LINE = `<p style="${LINE_STYLE}"><br></p>`.repeat(2)

const removeEnding = (words: string, ending: string): string | null =>
  ending === '' ? words : words.endsWith(ending) ? words.slice(0, -ending.length) : null

/**
 * Replaces the signature of rich text.
 * @param before current signature, or ''; all arguments are clean HTML
 * @returns null if the user has edited the signature
 */
export const replaceHtmlSignature = (words: string, before: string, after: string): string | null => {
  const own = removeEnding(words, before)
  if (own === null) return null
  if (after === '') return own
  return before === '' || own === '' ? `${own}${LINE}${after}` : `${own}${after}`
}

/** Like `replaceHtmlSignature`, for plain text. @param before current signature, as HTML */
export const replaceTextSignature = (words: string, before: string, after: string): string | null => {
  const own = removeEnding(words, toOutgoingText(before))
  if (own === null) return null
  const ending = toOutgoingText(after)
  if (ending === '') return own
  return before === '' || own === '' ? `${own}\n\n${ending}` : `${own}${ending}`
}

/** The user's own text above the signature. @param signature as plain text */
export const stripSignature = (text: string, signature: string): string =>
  removeEnding(text.trimEnd(), signature) ?? text
