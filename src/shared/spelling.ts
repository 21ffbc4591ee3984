/** Limits per request. Longer words don't exist in any language and count as correct. */
export const SPELLING_LIMITS = { words: 500, wordLength: 64, languages: 10 } as const

export interface SpellingState {
  /**
   * The spelling checker: Linnet with the system's installed dictionaries, the operating system, or the browser on its
   * own.
   */
  readonly by: 'dictionaries' | 'system' | 'browser'
  /** Languages to choose from, as BCP 47 tags; empty if Linnet can't choose them. */
  readonly languages: readonly string[]
  /** Languages being checked; empty if the user turned checking off. */
  readonly active: readonly string[]
}

const baseOf = (tag: string): string => (tag.split('-')[0] ?? tag).toLowerCase()

/**
 * The system's languages for which a dictionary is available: the same regional variant, or else another variant of the
 * language.
 */
export const pickSystemLanguages = (available: readonly string[], preferred: readonly string[]): readonly string[] => {
  const fitting = preferred.flatMap((tag) => {
    const same = available.find((each) => each.toLowerCase() === tag.toLowerCase())
    return same ?? available.find((each) => baseOf(each) === baseOf(tag)) ?? []
  })
  return [...new Set(fitting)].slice(0, SPELLING_LIMITS.languages)
}
