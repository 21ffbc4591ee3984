import { describe, expect, it } from 'vitest'
import { createSpellingHandlers, getSpellingState, type SpellChecker } from '../../../src/host/spelling.ts'
import { contract } from '../../../src/shared/contract.ts'
import { DEFAULT_PREFERENCES, type Preferences } from '../../../src/shared/preferences.ts'
import { SPELLING_LIMITS } from '../../../src/shared/spelling.ts'

const spellingOf = (languages: readonly string[], preferred: readonly string[]): SpellChecker => ({
  by: 'dictionaries',
  languages: () => Promise.resolve(languages),
  preferred: () => preferred,
  findMisspelt: (words, active) => Promise.resolve(words.map((word) => `${word} in ${active.join()}`)),
})

const activeOf = async (
  languages: readonly string[],
  preferred: readonly string[],
  chosen: Partial<Preferences> = {},
): Promise<readonly string[]> =>
  (await getSpellingState(spellingOf(languages, preferred), { ...DEFAULT_PREFERENCES, ...chosen })).active

const INSTALLED = ['de-AT', 'de-DE', 'en-GB', 'en-US', 'fr-FR']

describe('the checked languages', () => {
  it('are the system’s, or a variant if its own is missing', async () => {
    expect(await activeOf(INSTALLED, ['en-US', 'de-CH', 'nl-NL'])).toEqual(['en-US', 'de-AT'])
    expect(await activeOf(INSTALLED, ['fr'])).toEqual(['fr-FR'])
    expect(await activeOf(['fr-FR'], ['en-US'])).toEqual(['fr-FR'])
    expect(await activeOf([], ['en-US'])).toEqual([])
  })

  it('are the user’s choice while at least one of them exists', async () => {
    expect(await activeOf(INSTALLED, ['en-US'], { spellingLanguages: ['fr-FR', 'nl-NL'] })).toEqual(['fr-FR'])
    expect(await activeOf(INSTALLED, ['en-US'], { spellingLanguages: ['nl-NL'] })).toEqual(['en-US'])
  })

  it('are none if the user wants no check, and nothing is requested', async () => {
    expect(await activeOf(INSTALLED, ['en-US'], { checkSpelling: false })).toEqual([])
    const off = { ...DEFAULT_PREFERENCES, checkSpelling: false }
    const handlers = createSpellingHandlers(spellingOf(INSTALLED, ['en-US']), () => off)
    const asking = { accountId: null, caller: 'window' }
    expect(await handlers['spelling.check']({ words: ['a'] }, asking)).toEqual({ misspelt: [] })
    const on = createSpellingHandlers(spellingOf(INSTALLED, ['en-US']), () => DEFAULT_PREFERENCES)
    expect(await on['spelling.check']({ words: ['a'] }, asking)).toEqual({ misspelt: ['a in en-US'] })
    const browser = createSpellingHandlers(null, () => DEFAULT_PREFERENCES)
    expect(await browser['spelling.state']({}, asking)).toEqual({ by: 'browser', languages: [], active: [] })
    expect(await browser['spelling.check']({ words: ['a'] }, asking)).toEqual({ misspelt: [] })
  })
})

describe('spelling requests from a window', () => {
  it.each([
    { words: [] },
    { words: [''] },
    { words: ['x'.repeat(SPELLING_LIMITS.wordLength + 1)] },
    { words: Array.from({ length: SPELLING_LIMITS.words + 1 }, () => 'x') },
    { words: ['x'], file: '/etc/passwd' },
    { words: [1] },
  ])('are never %j', (input) => {
    expect(contract['spelling.check'].input.safeParse(input).success).toBe(false)
  })
})
