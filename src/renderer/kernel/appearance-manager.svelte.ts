export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]
export const DENSITIES = ['compact', 'cosy', 'roomy'] as const
export type Density = (typeof DENSITIES)[number]

/** Pixels of a row in the list of threads. Compact: 44 rows on a 1080-line screen (ui.md, "Look"). */
const ROW_HEIGHTS: Readonly<Record<Density, number>> = { compact: 22, cosy: 52, roomy: 78 }

const STORAGE_KEY = 'linnet.appearance'

interface Appearance {
  readonly theme: Theme
  readonly density: Density
  /** Pixels of the list beside the reader; null until a person has moved its edge. */
  readonly listWidth: number | null
  /** Whether the side bar lists the labels. */
  readonly areLabelsShown: boolean
}

const DEFAULTS: Appearance = { theme: 'system', density: 'cosy', listWidth: null, areLabelsShown: true }

const oneOf = <Value extends string>(values: readonly Value[], found: unknown, otherwise: Value): Value =>
  values.find((value) => value === found) ?? otherwise

/** Reads what was kept; whatever is missing or unknown is the default. */
export const readAppearance = (kept: string | null): Appearance => {
  let found: Readonly<Record<string, unknown>> = {}
  try {
    const parsed: unknown = JSON.parse(kept ?? '{}')
    if (typeof parsed === 'object' && parsed !== null) found = { ...parsed }
  } catch {
    // What is no JSON was not written by Linnet: the defaults stand.
  }
  const listWidth = found.listWidth
  return {
    theme: oneOf(THEMES, found.theme, DEFAULTS.theme),
    density: oneOf(DENSITIES, found.density, DEFAULTS.density),
    listWidth: typeof listWidth === 'number' && Number.isFinite(listWidth) ? listWidth : DEFAULTS.listWidth,
    areLabelsShown: typeof found.areLabelsShown === 'boolean' ? found.areLabelsShown : DEFAULTS.areLabelsShown,
  }
}

/** Theme and density: kept on this computer, applied to the document before anything is drawn. */
export class AppearanceManager {
  readonly #storage: Storage
  readonly #root: HTMLElement
  readonly #prefersDark: { readonly current: boolean }
  #appearance = $state.raw<Appearance>(DEFAULTS)

  /** @param prefersDark whether the desktop is dark at the moment; reactive */
  constructor(storage: Storage, root: HTMLElement, prefersDark: { readonly current: boolean }) {
    this.#storage = storage
    this.#root = root
    this.#prefersDark = prefersDark
    this.#apply(readAppearance(storage.getItem(STORAGE_KEY)))
  }

  get theme(): Theme {
    return this.#appearance.theme
  }

  /** The theme as it is drawn now. */
  get scheme(): 'light' | 'dark' {
    if (this.theme !== 'system') return this.theme
    return this.#prefersDark.current ? 'dark' : 'light'
  }

  get density(): Density {
    return this.#appearance.density
  }

  get rowHeight(): number {
    return ROW_HEIGHTS[this.density]
  }

  get listWidth(): number | null {
    return this.#appearance.listWidth
  }

  setTheme(theme: Theme): void {
    this.#keep({ ...this.#appearance, theme })
  }

  setDensity(density: Density): void {
    this.#keep({ ...this.#appearance, density })
  }

  setListWidth(listWidth: number): void {
    this.#keep({ ...this.#appearance, listWidth })
  }

  get areLabelsShown(): boolean {
    return this.#appearance.areLabelsShown
  }

  setLabelsShown(areLabelsShown: boolean): void {
    if (areLabelsShown !== this.areLabelsShown) this.#keep({ ...this.#appearance, areLabelsShown })
  }

  #keep(appearance: Appearance): void {
    this.#storage.setItem(STORAGE_KEY, JSON.stringify(appearance))
    this.#apply(appearance)
  }

  #apply(appearance: Appearance): void {
    this.#appearance = appearance
    this.#root.dataset.theme = appearance.theme
    this.#root.dataset.density = appearance.density
  }
}
