import { describe, expect, it, onTestFinished } from 'vitest'
import { hasSystemSpellChecker } from '../../../../src/main/spelling/system-spell-checker.ts'
import { openSpellChecker } from '../../../../src/main/spelling/desktop-spell-checker.ts'
import { temporaryDirectory } from '../../../support/temporary-directory.ts'

const open = (platform: NodeJS.Platform) => {
  const done: string[] = []
  const home = temporaryDirectory()
  const spelling = openSpellChecker({
    app: { getPreferredSystemLanguages: () => ['de-DE', 'en-US', 'nl-BE'], getPath: () => home },
    session: () => ({
      addWordToSpellCheckerDictionary: (word) => done.push(`added ${word}`) > 0,
      availableSpellCheckerLanguages: ['af', 'de', 'en-GB', 'en-US', 'fr'],
      listWordsInSpellCheckerDictionary: () => Promise.resolve([]),
      setSpellCheckerEnabled: (isOn) => void done.push(isOn ? 'on' : 'off'),
      setSpellCheckerLanguages: (languages) => void done.push(`in ${languages.join()}`),
    }),
    platform,
    env: { DICPATH: home, XDG_DATA_DIRS: home },
    workerFile: '',
    wasmFile: '',
  })
  onTestFinished(spelling.close)
  return { spelling, done }
}

const WORD = { misspelledWord: 'wrold', dictionarySuggestions: ['world'] }

describe('desktop spell checking', () => {
  it('uses Windows’ own checker, only in the user’s languages', async () => {
    expect(hasSystemSpellChecker('win32')).toBe(true)
    const { spelling, done } = open('win32')
    expect(await spelling.checker.languages()).toEqual(['de', 'en-US'])
    spelling.follow(true, ['de'])
    spelling.follow(true, [])
    spelling.follow(false, [])
    expect(done).toEqual(['in de', 'on', 'in ', 'off', 'in ', 'off'])
    expect(await spelling.suggest(WORD, ['de'])).toEqual(['world'])
  })

  it('uses the macOS checker, which detects languages', async () => {
    expect(hasSystemSpellChecker('darwin')).toBe(true)
    const { spelling, done } = open('darwin')
    expect(await spelling.checker.languages()).toEqual([])
    spelling.follow(true, [])
    spelling.follow(false, [])
    spelling.addWord('gantry')
    expect(done).toEqual(['on', 'off', 'added gantry'])
  })

  it('uses Linnet’s own on Linux, without starting Chromium’s', () => {
    expect(hasSystemSpellChecker('linux')).toBe(false)
    const { spelling, done } = open('linux')
    expect(spelling.checker.by).toBe('dictionaries')
    spelling.follow(true, ['en-US'])
    expect(done).toEqual([])
    spelling.addWord('gantry')
    expect(done).toEqual(['added gantry'])
  })
})
