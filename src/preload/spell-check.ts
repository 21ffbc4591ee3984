import { SPELLING_LIMITS } from '../shared/spelling.ts'

/** Which of the words are misspelt; null where nobody could say. */
export type AskMisspelt = (words: readonly string[]) => Promise<readonly string[] | null>

/** Addresses, names of files and numbers are no language's: Chromium asks for them as for words. */
const isOfLanguage = (word: string): boolean => !/[@/\\\d_]|\p{L}[.:]\p{L}/u.test(word)

/** Words of which the answer is kept: those of a very long message. */
const MOST_KNOWN = 20_000

/**
 * Answers what Chromium asks about the words of a field. It asks anew for all words of a paragraph with each one that is typed:
 * only those that are new are asked for, some hundred at a time; one that is too long is right.
 */
export class SpellCheck {
  readonly #ask: AskMisspelt
  #known = new Map<string, boolean>()
  #before: Promise<void> = Promise.resolve()

  constructor(ask: AskMisspelt) {
    this.#ask = ask
  }

  check(words: readonly string[], answer: (misspelt: string[]) => void): void {
    // One after the other: what the question before has learnt is not asked again.
    this.#before = this.#before
      .then(() => this.#learn(words))
      .catch(() => undefined)
      .then(() => answer(words.filter((word) => this.#known.get(word) === true)))
  }

  /** The languages are others, or a word was added. */
  forget(): void {
    this.#known = new Map()
  }

  async #learn(words: readonly string[]): Promise<void> {
    const into = this.#known
    const isNew = (word: string): boolean =>
      word.length <= SPELLING_LIMITS.wordLength && !into.has(word) && isOfLanguage(word)
    const asked = [...new Set(words)].filter(isNew)
    if (into.size + asked.length > MOST_KNOWN) into.clear()
    for (let from = 0; from < asked.length; from += SPELLING_LIMITS.words) {
      const piece = asked.slice(from, from + SPELLING_LIMITS.words)
      const misspelt = await this.#ask(piece)
      if (misspelt === null) return
      for (const word of piece) into.set(word, misspelt.includes(word))
    }
  }
}
