/** The most that the platform takes (contract, Limits). */
const MOST_CHARACTERS = 256
const MOST_WORDS = 32

/** What is wrong with a search: the sentence, and the part of the text that it speaks of. */
export interface QueryFault {
  readonly message: string
  readonly before: string
  readonly marked: string
}

/** How many characters a text has: by code points, as people and the platform count, so that an emoji is one, not two. */
const countCharacters = (text: string): number => {
  let count = 0
  for (const _ of text) count += 1
  return count
}

/**
 * Checks a free-text search before it is sent (contract, Search threads, `query`).
 * @returns null where the platform will take it
 */
export const checkQuery = (query: string): QueryFault | null => {
  const text = query.trim()
  const characters = countCharacters(text)
  if (characters > MOST_CHARACTERS) {
    const before = Array.from(text.slice(0, MOST_CHARACTERS * 2))
      .slice(0, MOST_CHARACTERS)
      .join('')
    return {
      message: `A search has at most ${MOST_CHARACTERS} characters; this one has ${characters}. Shorten it by the marked part.`,
      before,
      marked: text.slice(before.length),
    }
  }
  const words = [...text.matchAll(/\S+/g)]
  const surplus = words[MOST_WORDS]
  if (surplus !== undefined) {
    return {
      message: `A search has at most ${MOST_WORDS} words; this one has ${words.length}. Shorten it by the marked part.`,
      before: text.slice(0, surplus.index),
      marked: text.slice(surplus.index),
    }
  }
  return null
}
