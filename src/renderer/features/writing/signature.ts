import { outgoingText } from './outgoing-text.ts'
import { LINE_STYLE } from './paragraph-lines.ts'

/** The user's line above a signature, and a blank one, as `outgoingHtml` produces them. */
const LINE = `<p style="${LINE_STYLE}"><br></p>`.repeat(2)

const without = (words: string, ending: string): string | null =>
  ending === '' ? words : words.endsWith(ending) ? words.slice(0, -ending.length) : null

/**
 * Replaces the signature of rich text.
 * @param before current signature, or ''; all arguments are clean HTML
 * @returns null if the user has edited the signature
 */
export const signHtml = (words: string, before: string, after: string): string | null => {
  const own = without(words, before)
  if (own === null) return null
  if (after === '') return own
  return before === '' || own === '' ? `${own}${LINE}${after}` : `${own}${after}`
}

/** Like `signHtml`, for plain text. @param before current signature, as HTML */
export const signText = (words: string, before: string, after: string): string | null => {
  const own = without(words, outgoingText(before))
  if (own === null) return null
  const ending = outgoingText(after)
  if (ending === '') return own
  return before === '' || own === '' ? `${own}\n\n${ending}` : `${own}${ending}`
}

/** The user's own text above the signature. @param signature as plain text */
export const withoutSignature = (text: string, signature: string): string => without(text.trimEnd(), signature) ?? text
