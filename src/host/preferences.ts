import type { Handlers, HostCommand } from '../shared/contract.ts'
import { readPreferences, withPreferences, type Preferences } from '../shared/preferences.ts'
import { ProblemError, type Problem } from '../shared/result.ts'
import type { SettingsStore } from './settings-file.ts'

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
          throw new ProblemError({ code: 'storage_failed', message }, { cause })
        }
        const before = this.#current
        this.#current = next
        this.#onChange(next, before)
      },
    }
  }
}
