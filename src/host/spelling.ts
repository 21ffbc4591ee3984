import type { Handlers } from '../shared/contract.ts'
import type { Preferences } from '../shared/preferences.ts'
import { pickSystemLanguages, type SpellingState } from '../shared/spelling.ts'

/** The desktop's spell checker. Never downloads anything. */
export interface SpellChecker {
  readonly by: Exclude<SpellingState['by'], 'browser'>
  /** Available languages, as BCP 47 tags. */
  readonly languages: () => Promise<readonly string[]>
  /** The system's languages, by preference. */
  readonly preferred: () => readonly string[]
  /** Returns the words found in none of the languages, or null if that can't be checked. */
  readonly findMisspelt: (words: readonly string[], languages: readonly string[]) => Promise<readonly string[] | null>
}

export const getSpellingState = async (
  spelling: SpellChecker | null,
  preferences: Preferences,
): Promise<SpellingState> => {
  if (spelling === null) return { by: 'browser', languages: [], active: [] }
  const languages = await spelling.languages()
  const { checkSpelling, spellingLanguages } = preferences
  if (!checkSpelling) return { by: spelling.by, languages, active: [] }
  const chosen = languages.filter((language) => spellingLanguages?.includes(language))
  // If none of the chosen languages is installed, use the system's.
  if (chosen.length > 0) return { by: spelling.by, languages, active: chosen }
  const systems = pickSystemLanguages(languages, spelling.preferred())
  // Someone installed this dictionary, so use it even if it isn't a system language.
  return { by: spelling.by, languages, active: systems.length > 0 ? systems : languages.slice(0, 1) }
}

export const createSpellingHandlers = (
  spelling: SpellChecker | null,
  preferences: () => Preferences,
): Handlers<'spelling.state' | 'spelling.check'> => ({
  'spelling.state': () => getSpellingState(spelling, preferences()),
  'spelling.check': async ({ words }) => {
    const { active } = await getSpellingState(spelling, preferences())
    if (spelling === null || active.length === 0) return { misspelt: [] }
    return { misspelt: await spelling.findMisspelt(words, active) }
  },
})
