import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { HostPreferences, preparePreferencesFile } from '../../../src/host/preferences.ts'
import { PREFERENCES_NAME } from '../../../src/host/settings-names.ts'
import { openSettingsFile } from '../../../src/host/settings-file.ts'
import { contract } from '../../../src/shared/contract.ts'
import { DEFAULT_PREFERENCES, PREFERENCE_NAMES } from '../../../src/shared/preferences.ts'

const ASKING = { accountId: null, caller: 'window' }

const openDirectory = (text?: string) => {
  const directory = mkdtempSync(join(tmpdir(), 'linnet-preferences-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  const file = join(directory, `${PREFERENCES_NAME}.json`)
  if (text !== undefined) writeFileSync(file, text, { mode: 0o644 })
  const open = () => openSettingsFile(file)
  return { directory, file, open }
}

describe('the preferences file', () => {
  it('keeps choices across a restart', () => {
    const { file, open } = openDirectory()
    expect(preparePreferencesFile(file)).toBeNull()
    const told: unknown[] = []
    const handlers = new HostPreferences(open(), null, (preferences) => told.push(preferences)).handlers()
    expect(handlers['preferences.get']({}, ASKING)).toEqual({ preferences: DEFAULT_PREFERENCES, problem: null })
    const change = { theme: 'dark', keys: { 'thread.archive': ['y', 'g y'] } } as const
    void handlers['preferences.set'](change, ASKING)
    expect(told).toEqual([{ ...DEFAULT_PREFERENCES, ...change }])
    expect(preparePreferencesFile(file)).toBeNull()
    expect(new HostPreferences(open(), null, () => undefined).current()).toEqual({ ...DEFAULT_PREFERENCES, ...change })
  })

  it.each(['', '{', '[]', '7', 'null', '{"theme":"dark"'])(
    'is set aside and reported if unreadable (%j), and stays private',
    (text) => {
      const { directory, file, open } = openDirectory(text)
      const problem = preparePreferencesFile(file, new Date('2026-01-02T03:04:05.678Z'))
      const aside = 'preferences.set-aside-2026-01-02T03-04-05-678Z.json'
      expect(problem?.message).toContain(aside)
      expect(readdirSync(directory)).toEqual([aside])
      expect(readFileSync(join(directory, aside), 'utf8')).toBe(text)
      expect(new HostPreferences(open(), problem, () => undefined).current()).toEqual(DEFAULT_PREFERENCES)
    },
  )

  it('loses only unreadable values', () => {
    const sound = { theme: 'dark', density: 'roomy', lastInbox: 'harbour', ofANewerLinnet: { colour: 'teal' } }
    for (const name of PREFERENCE_NAMES) {
      const { directory, file, open } = openDirectory(JSON.stringify({ ...sound, [name]: [1, 'pink'] }))
      const problem = preparePreferencesFile(file)
      expect(problem?.message, name).toContain(`(${name})`)
      expect(readdirSync(directory)).toHaveLength(2)
      if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600)
      const store = open()
      const { ofANewerLinnet: _, ...known } = sound
      expect(new HostPreferences(store, problem, () => undefined).current()).toEqual({
        ...DEFAULT_PREFERENCES,
        ...known,
        [name]: DEFAULT_PREFERENCES[name],
      })
      expect(store.get('ofANewerLinnet')).toEqual({ colour: 'teal' })
      expect(preparePreferencesFile(file)).toBeNull()
    }
  })

  it('accepts no invalid values', () => {
    const { input } = contract['preferences.set']
    for (const change of [{ theme: 'pink' }, { keys: { 'thread.archive': 'e' } }, { lastInbox: 7 }]) {
      expect(input.safeParse(change).success, JSON.stringify(change)).toBe(false)
    }
    expect(input.safeParse({ theme: 'dark', keys: { 'thread.archive': ['e'] } }).success).toBe(true)
  })

  it('stays unchanged if the disk is full, and reports it', () => {
    const full = { get: () => undefined, set: () => { throw new Error('no space') } } // prettier-ignore
    const preferences = new HostPreferences(full, null, () => undefined)
    expect(() => preferences.handlers()['preferences.set']({ theme: 'dark' }, ASKING)).toThrow('could not be saved')
    expect(preferences.current()).toEqual(DEFAULT_PREFERENCES)
  })
})
