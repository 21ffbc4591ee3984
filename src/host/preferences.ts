import type { CommandsOf, Handlers } from '../shared/contract.ts'
import { readPreferences, withPreferences, type Preferences } from '../shared/preferences.ts'
import { ProblemError, type Problem } from '../shared/result.ts'
import type { SettingsStore } from './settings-file.ts'

type PreferencesCommand = Extract<CommandsOf<'host'>, `preferences.${string}`>

/** What a person has chosen of the windows. */
export interface HostPreferences {
  readonly current: () => Preferences
  readonly handlers: Handlers<PreferencesCommand>
}

/**
 * Keeps what a person chooses, and tells every window.
 * @param problem what a person should know of the file; null where all is well
 */
export const openPreferences = (
  store: SettingsStore,
  problem: Problem | null,
  changed: (preferences: Preferences) => void,
): HostPreferences => {
  let current = readPreferences((name) => store.get(name))
  return {
    current: () => current,
    handlers: {
      'preferences.get': () => ({ preferences: current, problem }),
      'preferences.set': (change) => {
        const next = withPreferences(current, change)
        try {
          store.set(next)
        } catch (cause) {
          const message = 'This setting could not be saved: the disk is full or read-only. Nothing changed.'
          throw new ProblemError({ code: 'storage_failed', message }, { cause })
        }
        current = next
        changed(current)
        return null
      },
    },
  }
}
