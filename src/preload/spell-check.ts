import { SPELLING_LIMITS } from '../shared/spelling.ts'

/** Which of the words are misspelt; null where nobody could say. */
export type AskMisspelt = (words: readonly string[]) => Promise<readonly string[] | null>

/** What Chromium asks about the words of a field. */
export interface SpellCheck {
  readonly check: (words: readonly string[], answer: (misspelt: string[]) => void) => void
  /** The languages are others, or a word was added. */
  readonly forget: () => void
}

/** Addresses, names of files and numbers are no language's: Chromium asks for them as for words. */
const isOfLanguage = (word: string): boolean => !/[@/\\\d_]|\p{L}[.:]\p{L}/u.test(word)

/** Words of which the answer is kept: those of a very long message. */
const MOST_KNOWN = 20_000

/**
 * Chromium asks anew for all words of a paragraph with each one that is typed. Only those that are new are asked for, some
 * hundred at a time; one that is too long is right.
 */
export const createSpellCheck = (ask: AskMisspelt): SpellCheck => {
  let known = new Map<string, boolean>()
  let before: Promise<void> = Promise.resolve()

  const learn = async (words: readonly string[]): Promise<void> => {
    const into = known
    const isNew = (word: string): boolean =>
      word.length <= SPELLING_LIMITS.wordLength && !into.has(word) && isOfLanguage(word)
    const asked = [...new Set(words)].filter(isNew)
    if (into.size + asked.length > MOST_KNOWN) into.clear()
    for (let from = 0; from < asked.length; from += SPELLING_LIMITS.words) {
      const piece = asked.slice(from, from + SPELLING_LIMITS.words)
      const misspelt = await ask(piece)
      if (misspelt === null) return
      for (const word of piece) into.set(word, misspelt.includes(word))
    }
  }

  return {
    // One after the other: what the question before has learnt is not asked again.
    check: (words, answer) => {
      before = before
        .then(() => learn(words))
        .catch(() => undefined)
        .then(() => answer(words.filter((word) => known.get(word) === true)))
    },
    forget: () => (known = new Map()),
  }
}
