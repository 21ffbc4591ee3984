import type { Preferences } from '../../shared/preferences.ts'
import type { PreferencesManager } from './preferences-manager.svelte.ts'

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
    preferences.watch(({ theme, density, textSize, font }) => {
      root.dataset.theme = theme
      root.dataset.density = density
      root.dataset.textSize = textSize
      root.dataset.font = font
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
