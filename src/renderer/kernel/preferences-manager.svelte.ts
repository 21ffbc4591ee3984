import {
  DEFAULT_PREFERENCES,
  withPreferences,
  type Preferences,
  type PreferencesChange,
} from '../../shared/preferences.ts'
import type { Backend } from './backend.ts'
import type { ToastManager } from './toast-manager.svelte.ts'

/** Preferences that the host embedded in the page; the defaults if the host didn't serve the page. */
export const readEmbeddedPreferences = ({ dataset }: HTMLElement): Preferences => {
  const served = dataset.preferences
  return served === undefined
    ? DEFAULT_PREFERENCES
    : withPreferences(DEFAULT_PREFERENCES, JSON.parse(served) as PreferencesChange)
}

/** Preferences of the window: applied at once, stored by the host, shared by all windows. */
export class PreferencesManager {
  readonly #backend: Backend
  readonly #toasts: Pick<ToastManager, 'problem'>
  #values = $state.raw<Preferences>(DEFAULT_PREFERENCES)
  /** As last received from the host. */
  #confirmed: Preferences
  /** Changes without a response yet, applied over updates from other windows. */
  #unconfirmed: readonly PreferencesChange[] = []
  #watchers: readonly ((values: Preferences) => void)[] = []

  constructor(backend: Backend, toasts: Pick<ToastManager, 'problem'>, served: Preferences) {
    this.#backend = backend
    this.#toasts = toasts
    this.#confirmed = served
    this.#values = served
    backend.on('preferences.changed', (preferences) => this.#applyConfirmed(preferences))
  }

  get values(): Preferences {
    return this.#values
  }

  watch(watcher: (values: Preferences) => void): void {
    this.#watchers = [...this.#watchers, watcher]
    watcher(this.#values)
  }

  /** Reloads the preferences, and reports a problem with their file. */
  async load(): Promise<void> {
    const result = await this.#backend.call('preferences.get', {})
    if (!result.ok) return
    this.#applyConfirmed(result.data.preferences)
    if (result.data.problem !== null) this.#toasts.problem(result.data.problem)
  }

  /** Applies a change; if storing fails, reverts it and notifies the user. @returns true if stored */
  async choose(change: PreferencesChange): Promise<boolean> {
    this.#unconfirmed = [...this.#unconfirmed, change]
    this.#updateValues()
    const result = await this.#backend.call('preferences.set', change)
    this.#unconfirmed = this.#unconfirmed.filter((each) => each !== change)
    if (result.ok) this.#confirmed = withPreferences(this.#confirmed, change)
    else this.#toasts.problem(result.error)
    this.#updateValues()
    return result.ok
  }

  #applyConfirmed(preferences: Preferences): void {
    this.#confirmed = preferences
    this.#updateValues()
  }

  #updateValues(): void {
    this.#values = this.#unconfirmed.reduce(withPreferences, this.#confirmed)
    for (const watcher of this.#watchers) watcher(this.#values)
  }
}
