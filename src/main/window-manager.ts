import type { Rectangle } from 'electron'
import type { SettingsStore } from '../host/settings-file.ts'
import {
  MAX_WINDOWS,
  placeWindow,
  parseSavedWindows,
  type SavedWindow,
  type PlacedWindow,
  type WindowPlacement,
} from './window-placement.ts'

type On<Event extends string> = (event: Event, listener: () => void) => unknown

export interface PlacedBrowserWindow {
  readonly getNormalBounds: () => Rectangle
  readonly isMaximized: () => boolean
  readonly isFullScreen: () => boolean
  readonly isMinimized: () => boolean
  readonly restore: () => void
  readonly focus: () => void
  readonly on: On<'focus'> & On<'close'> & On<'closed'>
  readonly webContents: { readonly getURL: () => string }
}

/** Address and size in pixels of a window with only a composer. */
const COMPOSER_ADDRESS = /^(?:\/accounts\/[^/]*)?\/write\//
const COMPOSER_SIZE = { width: 760, height: 720 }

/** Offset of a new window from the one that opened it, in pixels. */
const STEP = 28

type DescribedWindow = WindowPlacement & SavedWindow

interface WindowsParts<Window> {
  readonly settings: SettingsStore
  readonly make: (place: PlacedWindow, address: string) => Window
  readonly screens: () => readonly Rectangle[]
  readonly turned: (window: Window | null) => void
}

const describe = (window: PlacedBrowserWindow): DescribedWindow => {
  const url = window.webContents.getURL()
  return {
    bounds: window.getNormalBounds(),
    maximized: window.isMaximized(),
    fullScreen: window.isFullScreen(),
    address: url.includes('#') ? url.slice(url.indexOf('#') + 1) : '',
  }
}

export class WindowManager<Window extends PlacedBrowserWindow> {
  readonly #parts: WindowsParts<Window>
  #all: readonly Window[] = []
  #isQuitting = false

  constructor(parts: WindowsParts<Window>) {
    this.#parts = parts
  }

  /** Most recently focused first. */
  all(): readonly Window[] {
    return this.#all
  }

  /** The target of menus, dialogs and links, or null. */
  current(): Window | null {
    return this.#all[0] ?? null
  }

  /** Reopens the last session's windows. If there are several, each restores its address. */
  openKept(): void {
    const kept = this.#readKept()
    for (const each of kept) this.#openAt(this.#place(each), kept.length > 1 ? each.address : '')
  }

  /** Opens a window next to the current one. @param address empty for the start page */
  open(address: string): void {
    const current = this.current()
    if (current !== null) return this.#openAt(this.#placeNextTo(current, address), address)
    const last = this.#readKept().findLast((kept) => !COMPOSER_ADDRESS.test(kept.address))
    this.#openAt(this.#place(last), address)
  }

  /** Brings the current window to the front, or opens one. */
  bringToFront(): void {
    const window = this.current()
    if (window === null) return this.open('')
    if (window.isMinimized()) window.restore()
    window.focus()
  }

  /** Call before quitting: the windows open now are the ones to restore. */
  quitting(): void {
    if (!this.#isQuitting && this.#all.length > 0) this.#save(this.#all)
    this.#isQuitting = true
  }

  #readKept(): readonly SavedWindow[] {
    const { settings } = this.#parts
    return parseSavedWindows({ windows: settings.get('windows'), window: settings.get('window') })
  }

  #save(windows: readonly Window[]): void {
    try {
      // Frontmost last, so that it is reopened last and ends up in front.
      this.#parts.settings.set({ windows: windows.map(describe).toReversed().slice(-MAX_WINDOWS) })
    } catch {
      // On a full disk the places are lost, but windows must still close.
    }
  }

  #place(kept: unknown): PlacedWindow {
    return placeWindow(kept, this.#parts.screens())
  }

  #placeNextTo(window: Window, address: string): PlacedWindow {
    const { x, y, ...same } = window.getNormalBounds()
    const size = COMPOSER_ADDRESS.test(address) ? COMPOSER_SIZE : same
    const bounds = { x: x + STEP, y: y + STEP, ...size }
    return this.#place({ bounds, maximized: false, fullScreen: false })
  }

  #openAt(place: PlacedWindow, address: string): void {
    const { make, turned } = this.#parts
    const window = make(place, address)
    const others = (): readonly Window[] => this.#all.filter((each) => each !== window)
    this.#all = [window, ...this.#all]
    turned(window)
    window.on('focus', () => {
      if (this.#all[0] === window) return
      this.#all = [window, ...others()]
      turned(window)
    })
    window.on('close', () => {
      if (!this.#isQuitting) this.#save(others().length === 0 ? [window] : others())
    })
    window.on('closed', () => {
      const wasCurrent = this.#all[0] === window
      this.#all = others()
      if (wasCurrent) turned(this.current())
    })
  }
}
