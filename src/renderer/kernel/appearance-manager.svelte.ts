import type { Preferences } from '../../shared/preferences.ts'
import type { PreferencesManager } from './preferences-manager.svelte.ts'

/** Pixels of a row in the list of threads. Compact: 44 rows on a 1080-line screen (ui.md, "Look"). */
const ROW_HEIGHTS: Readonly<Record<Preferences['density'], number>> = { compact: 22, normal: 68, roomy: 98 }
/** Pixels of a compact row of two lines, and of a list that has no room for all of it in one. */
const TWO_LINES = 38
const ROOM_FOR_ONE_LINE = 440

/** What a size of text makes of every length that holds text; the same as `--text-scale` (app/tokens.css). */
const TEXT_SCALES: Readonly<Record<Preferences['textSize'], number>> = {
  small: 0.92,
  normal: 1,
  large: 1.15,
  largest: 1.3,
}

/** How the window looks: applied to the document before anything is drawn. */
export class AppearanceManager {
  readonly #preferences: PreferencesManager
  readonly #prefersDark: { readonly current: boolean }

  /** @param prefersDark whether the desktop is dark at the moment; reactive */
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

  /** The theme as it is drawn now. */
  get scheme(): 'light' | 'dark' {
    const { theme } = this.#preferences.values
    if (theme !== 'system') return theme
    return this.#prefersDark.current ? 'dark' : 'light'
  }

  /** Pixels of a row in the list of threads. @param isWide `isWideList` */
  rowHeight(isWide: boolean): number {
    const { density } = this.#preferences.values
    return this.scaled(density === 'compact' && !isWide ? TWO_LINES : ROW_HEIGHTS[density])
  }

  /** Whether a list has room for a thread in one line. @param width pixels; 0 before it is drawn */
  isWideList(width: number): boolean {
    return width === 0 || width >= this.scaled(ROOM_FOR_ONE_LINE)
  }

  /** Pixels of what holds text, in the size that a person has chosen for it. */
  scaled(pixels: number): number {
    return Math.round(pixels * TEXT_SCALES[this.#preferences.values.textSize])
  }
}
