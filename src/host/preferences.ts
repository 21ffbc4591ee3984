import type { Handlers, HostCommand } from '../shared/contract.ts'
import {
  readPreferences,
  withPreferences,
  type Preferences,
  isValidPreference,
  PREFERENCE_NAMES,
} from '../shared/preferences.ts'
import { type Problem, createProblem } from '../shared/result.ts'
import { type SettingsStore, toSetAsideFilename } from './settings-file.ts'
import { chmodSync, copyFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { SETTINGS_FILE_MODE } from './settings-names.ts'

const readObject = (file: string): Readonly<Record<string, unknown>> | null => {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch {
    return null
  }
}

/**
 * Makes the file valid and private before a library reads it. Moves an unreadable file aside. Removes invalid values
 * after saving a copy of the file, so nothing is lost. Returns a notice about that, or null.
 */
export const preparePreferencesFile = (file: string, now = new Date()): Problem | null => {
  if (!existsSync(file)) return null
  const aside = toSetAsideFilename(file, now)
  const kept = readObject(file)
  if (kept === null) {
    renameSync(file, aside)
    const message = `The settings file could not be read and was renamed to ${basename(aside)}. Linnet is using its default settings; your accounts and mail are unchanged.`
    return { code: 'storage_failed', message }
  }
  const faulty = PREFERENCE_NAMES.filter((name) => name in kept && !isValidPreference(name, kept[name]))
  if (faulty.length > 0) {
    copyFileSync(file, aside)
    const sound = Object.entries(kept).filter(([name]) => !faulty.some((each) => each === name))
    writeFileSync(file, JSON.stringify(Object.fromEntries(sound), null, '\t'), { mode: SETTINGS_FILE_MODE })
  }
  chmodSync(file, SETTINGS_FILE_MODE)
  if (faulty.length === 0) return null
  const message = `Some of your settings could not be read (${faulty.join(', ')}) and were reset. The others are unchanged; the old file is saved as ${basename(aside)}.`
  return { code: 'storage_failed', message }
}

export class HostPreferences {
  readonly #store: SettingsStore
  readonly #problem: Problem | null
  readonly #onChange: (preferences: Preferences, before: Preferences) => void
  #current: Preferences

  /** @param problem a problem with the file to report, or null */
  constructor(
    store: SettingsStore,
    problem: Problem | null,
    changed: (preferences: Preferences, before: Preferences) => void,
  ) {
    this.#store = store
    this.#problem = problem
    this.#onChange = changed
    this.#current = readPreferences((name) => store.get(name))
  }

  current(): Preferences {
    return this.#current
  }

  handlers(): Handlers<Extract<HostCommand, `preferences.${string}`>> {
    return {
      'preferences.get': () => ({ preferences: this.#current, problem: this.#problem }),
      'preferences.set': (change) => {
        const next = withPreferences(this.#current, change)
        try {
          this.#store.set(next)
        } catch (cause) {
          const message = 'This setting could not be saved: the disk is full or read-only. Nothing changed.'
          throw createProblem('storage_failed', message, cause)
        }
        const before = this.#current
        this.#current = next
        this.#onChange(next, before)
      },
    }
  }
}
