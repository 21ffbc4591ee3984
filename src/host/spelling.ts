import type { Handlers } from '../shared/contract.ts'
import type { Preferences } from '../shared/preferences.ts'
import { languagesOfSystem, type SpellingState } from '../shared/spelling.ts'

/** A desktop's spell check. Nothing is ever downloaded for it. */
export interface Spelling {
  readonly by: Exclude<SpellingState['by'], 'browser'>
  /** Available languages, as BCP 47 tags. */
  readonly languages: () => Promise<readonly string[]>
  /** The system's languages, by preference. */
  readonly preferred: () => readonly string[]
  /** The words of these that are in none of the languages; null where nobody can say. */
  readonly findMisspelt: (words: readonly string[], languages: readonly string[]) => Promise<readonly string[] | null>
}

/** How words are checked now, by what the person has chosen. */
export const spellingState = async (spelling: Spelling | null, preferences: Preferences): Promise<SpellingState> => {
  if (spelling === null) return { by: 'browser', languages: [], active: [] }
  const languages = await spelling.languages()
  const { checkSpelling, spellingLanguages } = preferences
  if (!checkSpelling) return { by: spelling.by, languages, active: [] }
  const chosen = languages.filter((language) => spellingLanguages?.includes(language))
  // A choice without an installed language counts as none.
  if (chosen.length > 0) return { by: spelling.by, languages, active: chosen }
  const systems = languagesOfSystem(languages, spelling.preferred())
  // Somebody put it there, in whatever language the system speaks.
  return { by: spelling.by, languages, active: systems.length > 0 ? systems : languages.slice(0, 1) }
}

export const spellingHandlers = (
  spelling: Spelling | null,
  preferences: () => Preferences,
): Handlers<'spelling.state' | 'spelling.check'> => ({
  'spelling.state': () => spellingState(spelling, preferences()),
  'spelling.check': async ({ words }) => {
    const { active } = await spellingState(spelling, preferences())
    if (spelling === null || active.length === 0) return { misspelt: [] }
    return { misspelt: await spelling.findMisspelt(words, active) }
  },
})
