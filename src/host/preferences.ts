import type { Handlers, HostCommand } from '../shared/contract.ts'
import { readPreferences, withPreferences, type Preferences } from '../shared/preferences.ts'
import { ProblemError, type Problem } from '../shared/result.ts'
import type { SettingsStore } from './settings-file.ts'

/** Keeps what a person chooses of the windows, and tells every window. */
export class HostPreferences {
  readonly #store: SettingsStore
  readonly #problem: Problem | null
  readonly #changed: (preferences: Preferences, before: Preferences) => void
  #current: Preferences

  /** @param problem what a person should know of the file; null where all is well */
  constructor(
    store: SettingsStore,
    problem: Problem | null,
    changed: (preferences: Preferences, before: Preferences) => void,
  ) {
    this.#store = store
    this.#problem = problem
    this.#changed = changed
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
          throw new ProblemError({ code: 'storage_failed', message }, { cause })
        }
        const before = this.#current
        this.#current = next
        this.#changed(next, before)
      },
    }
  }
}
