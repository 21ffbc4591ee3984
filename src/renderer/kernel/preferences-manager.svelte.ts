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
  /** As last received from the host. */
  #confirmed = $state.raw<Preferences>(DEFAULT_PREFERENCES)
  /** Changes without a response yet, applied over updates from other windows. */
  #unconfirmed = $state.raw<readonly PreferencesChange[]>([])
  readonly values = $derived(this.#unconfirmed.reduce(withPreferences, this.#confirmed))

  constructor(backend: Backend, toasts: Pick<ToastManager, 'problem'>, served: Preferences) {
    this.#backend = backend
    this.#toasts = toasts
    this.#confirmed = served
    backend.on('preferences.changed', (preferences) => (this.#confirmed = preferences))
  }

  /** Reloads the preferences, and reports a problem with their file. */
  async load(): Promise<void> {
    const result = await this.#backend.call('preferences.get', {})
    if (!result.ok) return
    this.#confirmed = result.data.preferences
    if (result.data.problem !== null) this.#toasts.problem(result.data.problem)
  }

  /** Applies a change; if storing fails, reverts it and notifies the user. @returns true if stored */
  async choose(change: PreferencesChange): Promise<boolean> {
    this.#unconfirmed = [...this.#unconfirmed, change]
    const result = await this.#backend.call('preferences.set', change)
    this.#unconfirmed = this.#unconfirmed.filter((each) => each !== change)
    if (result.ok) this.#confirmed = withPreferences(this.#confirmed, change)
    else this.#toasts.problem(result.error)
    return result.ok
  }
}

/** Row heights of the thread list in pixels. Compact: 44 rows on a 1080-line screen. */
const ROW_HEIGHTS: Readonly<Record<Preferences['density'], number>> = { compact: 22, normal: 68, roomy: 98 }
/** Height of a two-line compact row, and list width from which one line suffices; both in pixels. */
const TWO_LINE_HEIGHT = 38
const ONE_LINE_MIN_WIDTH = 440

/** Factors for lengths that depend on text size; same as `--text-scale` (app/tokens.css). */
const TEXT_SCALES: Readonly<Record<Preferences['textSize'], number>> = {
  small: 0.92,
  normal: 1,
  large: 1.15,
  largest: 1.3,
}

/** Applies theme, density and text size to the document before the first render. */
export class AppearanceManager {
  readonly #preferences: PreferencesManager
  readonly #prefersDark: { readonly current: boolean }

  /** @param prefersDark true if the desktop is dark; reactive */
  constructor(preferences: PreferencesManager, root: HTMLElement, prefersDark: { readonly current: boolean }) {
    this.#preferences = preferences
    this.#prefersDark = prefersDark
    $effect.root(() => {
      $effect.pre(() => {
        const { theme, density, textSize, font } = preferences.values
        Object.assign(root.dataset, { theme, density, textSize, font })
      })
    })
  }

  get scheme(): 'light' | 'dark' {
    const { theme } = this.#preferences.values
    if (theme !== 'system') return theme
    return this.#prefersDark.current ? 'dark' : 'light'
  }

  /** Row height of the thread list, in pixels. @param isWide result of `isWideList` */
  rowHeight(isWide: boolean): number {
    const { density } = this.#preferences.values
    return this.scaled(density === 'compact' && !isWide ? TWO_LINE_HEIGHT : ROW_HEIGHTS[density])
  }

  /** True if a thread fits on one line. @param width in pixels; 0 before the first render */
  isWideList(width: number): boolean {
    return width === 0 || width >= this.scaled(ONE_LINE_MIN_WIDTH)
  }

  scaled(pixels: number): number {
    return Math.round(pixels * TEXT_SCALES[this.#preferences.values.textSize])
  }
}
