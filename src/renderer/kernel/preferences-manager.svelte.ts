import {
  DEFAULT_PREFERENCES,
  withPreferences,
  type Preferences,
  type PreferencesChange,
} from '../../shared/preferences.ts'
import type { Backend } from './backend.ts'
import type { ToastManager } from './toast-manager.svelte.ts'

/** Preferences that the host embedded in the page; defaults on a page from elsewhere. */
export const servedPreferences = ({ dataset }: HTMLElement): Preferences => {
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
  #told: Preferences
  /** Changes without a response yet, applied over updates from other windows. */
  #unanswered: readonly PreferencesChange[] = []
  #watchers: readonly ((values: Preferences) => void)[] = []

  constructor(backend: Backend, toasts: Pick<ToastManager, 'problem'>, served: Preferences) {
    this.#backend = backend
    this.#toasts = toasts
    this.#told = served
    this.#values = served
    backend.on('preferences.changed', (preferences) => this.#tell(preferences))
  }

  get values(): Preferences {
    return this.#values
  }

  watch(watcher: (values: Preferences) => void): void {
    this.#watchers = [...this.#watchers, watcher]
    watcher(this.#values)
  }

  /** Reloads them and reports a problem with their file. */
  async load(): Promise<void> {
    const result = await this.#backend.call('preferences.get', {})
    if (!result.ok) return
    this.#tell(result.data.preferences)
    if (result.data.problem !== null) this.#toasts.problem(result.data.problem)
  }

  /** Applies a change; if storing fails, reverts it and notifies the user. @returns true if stored */
  async choose(change: PreferencesChange): Promise<boolean> {
    this.#unanswered = [...this.#unanswered, change]
    this.#draw()
    const result = await this.#backend.call('preferences.set', change)
    this.#unanswered = this.#unanswered.filter((each) => each !== change)
    if (result.ok) this.#told = withPreferences(this.#told, change)
    else this.#toasts.problem(result.error)
    this.#draw()
    return result.ok
  }

  #tell(preferences: Preferences): void {
    this.#told = preferences
    this.#draw()
  }

  #draw(): void {
    this.#values = this.#unanswered.reduce(withPreferences, this.#told)
    for (const watcher of this.#watchers) watcher(this.#values)
  }
}
