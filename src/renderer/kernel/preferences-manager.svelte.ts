import {
  DEFAULT_PREFERENCES,
  withPreferences,
  type Preferences,
  type PreferencesChange,
} from '../../shared/preferences.ts'
import type { Backend } from './backend.ts'
import type { ToastManager } from './toast-manager.svelte.ts'

/** What the host wrote into the page that it served; a page of another origin has none. */
export const servedPreferences = ({ dataset }: HTMLElement): Preferences => {
  const served = dataset.preferences
  return served === undefined
    ? DEFAULT_PREFERENCES
    : withPreferences(DEFAULT_PREFERENCES, JSON.parse(served) as PreferencesChange)
}

/**
 * What a person has chosen of the window: drawn at once, kept by the host, the same in every window.
 */
export class PreferencesManager {
  readonly #backend: Backend
  readonly #toasts: Pick<ToastManager, 'problem'>
  #values = $state.raw<Preferences>(DEFAULT_PREFERENCES)
  /** As the host told them last. */
  #told: Preferences
  /** What the host has not answered yet: it lies over what another window may tell meanwhile. */
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

  /** Calls `watcher` now, and again with every change. */
  watch(watcher: (values: Preferences) => void): void {
    this.#watchers = [...this.#watchers, watcher]
    watcher(this.#values)
  }

  /** Reads them anew, and says what is wrong with the file that keeps them. */
  async load(): Promise<void> {
    const result = await this.#backend.call('preferences.get', {})
    if (!result.ok) return
    this.#tell(result.data.preferences)
    if (result.data.problem !== null) this.#toasts.problem(result.data.problem)
  }

  /**
   * Chooses; where it cannot be kept, it is as it was before, and the person is told.
   * @returns whether it is kept
   */
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
