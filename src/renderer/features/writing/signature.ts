import { outgoingText } from './outgoing-text.ts'
import { LINE_STYLE } from './paragraph-lines.ts'

/** The line above a signature, where the person writes, and an empty one: as `outgoingHtml` has them. */
const LINE = `<p style="${LINE_STYLE}"><br></p>`.repeat(2)

const without = (words: string, ending: string): string | null =>
  ending === '' ? words : words.endsWith(ending) ? words.slice(0, -ending.length) : null

/**
 * Rich words with another signature below them.
 * @param before the signature that they have, '' for none; all are clean HTML
 * @returns null where the person has changed it: then it is theirs
 */
export const signHtml = (words: string, before: string, after: string): string | null => {
  const own = without(words, before)
  if (own === null) return null
  if (after === '') return own
  return before === '' || own === '' ? `${own}${LINE}${after}` : `${own}${after}`
}

/** The same of plain text. @param before as HTML, as of `signHtml` */
export const signText = (words: string, before: string, after: string): string | null => {
  const own = without(words, outgoingText(before))
  if (own === null) return null
  const ending = outgoingText(after)
  if (ending === '') return own
  return before === '' || own === '' ? `${own}\n\n${ending}` : `${own}${ending}`
}

/** What the person has written themselves, above the signature. @param signature as text */
export const withoutSignature = (text: string, signature: string): string => without(text.trimEnd(), signature) ?? text
