import { SPELLING_LIMITS } from '../shared/spelling.ts'

/** Returns the misspelt words, or null if they can't be checked. */
export type FindMisspelledWords = (words: readonly string[]) => Promise<readonly string[] | null>

/** Chromium passes addresses, file names and numbers as words, too. */
const isCheckable = (word: string): boolean => !/[@/\\\d_]|\p{L}[.:]\p{L}/u.test(word)

/** Cached words: enough for a very long message. */
const MAX_KNOWN = 20_000

/**
 * Chromium resends a paragraph on every key, so only new words are requested, in batches. Overlong words count as
 * correct.
 */
export class SpellCheck {
  readonly #ask: FindMisspelledWords
  #known = new Map<string, boolean>()
  #before: Promise<void> = Promise.resolve()

  constructor(ask: FindMisspelledWords) {
    this.#ask = ask
  }

  check(words: readonly string[], answer: (misspelt: string[]) => void): void {
    // In sequence, so each check uses the results of the previous one.
    this.#before = this.#before
      .then(() => this.#learn(words))
      .catch(() => undefined)
      .then(() => answer(words.filter((word) => this.#known.get(word) === true)))
  }

  /** Call when the languages change or a word is added. */
  forget(): void {
    this.#known = new Map()
  }

  async #learn(words: readonly string[]): Promise<void> {
    const into = this.#known
    const isNew = (word: string): boolean =>
      word.length <= SPELLING_LIMITS.wordLength && !into.has(word) && isCheckable(word)
    const asked = [...new Set(words)].filter(isNew)
    if (into.size + asked.length > MAX_KNOWN) into.clear()
    for (let from = 0; from < asked.length; from += SPELLING_LIMITS.words) {
      const piece = asked.slice(from, from + SPELLING_LIMITS.words)
      const misspelt = await this.#ask(piece)
      if (misspelt === null) return
      for (const word of piece) into.set(word, misspelt.includes(word))
    }
  }
}
