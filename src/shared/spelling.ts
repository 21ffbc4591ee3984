/** How the words that a person writes are checked, and by whom. */

/** How much is asked at once. A longer word is no word of a language's: it is taken as right. */
export const SPELLING_LIMITS = { words: 500, wordLength: 64, languages: 10 } as const

export interface SpellingState {
  /**
   * Who checks: Linnet with the dictionaries that the system has installed, the operating system itself, or the browser,
   * which does it by itself.
   */
  readonly by: 'dictionaries' | 'system' | 'browser'
  /** The languages that can be chosen, as BCP 47 tags; none where the choice is not Linnet's. */
  readonly languages: readonly string[]
  /** Those that words are checked in: none where a person wants no check. */
  readonly active: readonly string[]
}

const baseOf = (tag: string): string => (tag.split('-')[0] ?? tag).toLowerCase()

/**
 * The languages of a person's system that there are: each in its own kind where that is there, and in another one of the same
 * language where it is not.
 */
export const languagesOfSystem = (available: readonly string[], preferred: readonly string[]): readonly string[] => {
  const fitting = preferred.flatMap((tag) => {
    const same = available.find((each) => each.toLowerCase() === tag.toLowerCase())
    return same ?? available.find((each) => baseOf(each) === baseOf(tag)) ?? []
  })
  return [...new Set(fitting)].slice(0, SPELLING_LIMITS.languages)
}
