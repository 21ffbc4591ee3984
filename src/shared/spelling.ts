/** Limits per request. Longer words don't exist in any language and count as correct. */
export const SPELLING_LIMITS = { words: 500, wordLength: 64, languages: 10 } as const

export interface SpellingState {
  /** Linnet with the system's installed dictionaries, the operating system, or the browser on its own. */
  readonly by: 'dictionaries' | 'system' | 'browser'
  /** Languages to choose from, as BCP 47 tags; empty if the choice isn't Linnet's. */
  readonly languages: readonly string[]
  /** Languages being checked; empty if the user wants no check. */
  readonly active: readonly string[]
}

const baseOf = (tag: string): string => (tag.split('-')[0] ?? tag).toLowerCase()

/** The system's languages that are available: the same variant, or else another one of that language. */
export const languagesOfSystem = (available: readonly string[], preferred: readonly string[]): readonly string[] => {
  const fitting = preferred.flatMap((tag) => {
    const same = available.find((each) => each.toLowerCase() === tag.toLowerCase())
    return same ?? available.find((each) => baseOf(each) === baseOf(tag)) ?? []
  })
  return [...new Set(fitting)].slice(0, SPELLING_LIMITS.languages)
}
