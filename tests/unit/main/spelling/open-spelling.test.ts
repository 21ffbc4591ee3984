import { describe, expect, it, onTestFinished } from 'vitest'
import { isCheckedBySystem } from '../../../../src/main/spelling/is-checked-by-system.ts'
import { openSpelling } from '../../../../src/main/spelling/open-spelling.ts'
import { temporaryDirectory } from '../../../support/temporary-directory.ts'

const open = (platform: NodeJS.Platform) => {
  const done: string[] = []
  const home = temporaryDirectory()
  const spelling = openSpelling({
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

describe('the check of spelling on a desktop', () => {
  it('is Windows’ own in the languages that the person has there, and never in others', async () => {
    expect(isCheckedBySystem('win32')).toBe(true)
    const { spelling, done } = open('win32')
    expect(await spelling.checker.languages()).toEqual(['de', 'en-US'])
    spelling.follow(true, ['de'])
    spelling.follow(true, [])
    spelling.follow(false, [])
    expect(done).toEqual(['in de', 'on', 'in ', 'off', 'in ', 'off'])
    expect(await spelling.suggest(WORD, ['de'])).toEqual(['world'])
  })

  it('is that of macOS, which finds the languages by itself', async () => {
    expect(isCheckedBySystem('darwin')).toBe(true)
    const { spelling, done } = open('darwin')
    expect(await spelling.checker.languages()).toEqual([])
    spelling.follow(true, [])
    spelling.follow(false, [])
    spelling.addWord('gantry')
    expect(done).toEqual(['on', 'off', 'added gantry'])
  })

  it('is Linnet’s on Linux, where Chromium’s own is never begun', () => {
    expect(isCheckedBySystem('linux')).toBe(false)
    const { spelling, done } = open('linux')
    expect(spelling.checker.by).toBe('dictionaries')
    spelling.follow(true, ['en-US'])
    expect(done).toEqual([])
    spelling.addWord('gantry')
    expect(done).toEqual(['added gantry'])
  })
})
