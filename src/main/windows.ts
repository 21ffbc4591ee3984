import type { Rectangle } from 'electron'
import type { SettingsStore } from '../host/settings-file.ts'
import {
  MOST_WINDOWS,
  placeWindow,
  readKeptWindows,
  type KeptWindow,
  type PlacedWindow,
  type WindowPlace,
} from './window-place.ts'

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

/** The address of a window that has one message and nothing else, and how large that is, in pixels. */
const WRITING = /^(?:\/accounts\/[^/]*)?\/write\//
const WRITING_SIZE = { width: 760, height: 720 }

/** So far a new window stands beside the one that it was opened from, in pixels. */
const STEP = 28

type DescribedWindow = WindowPlace & KeptWindow

interface WindowsParts<Window> {
  readonly settings: SettingsStore
  readonly make: (place: PlacedWindow, address: string) => Window
  /** The work areas of today's screens. */
  readonly screens: () => readonly Rectangle[]
  /** Called with the current window when another one is. */
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

/** The windows of Linnet: which are open, whose turn it is, and where they open again. */
export class Windows<Window extends PlacedBrowserWindow> {
  readonly #parts: WindowsParts<Window>
  #all: readonly Window[] = []
  #isQuitting = false

  constructor(parts: WindowsParts<Window>) {
    this.#parts = parts
  }

  /** Those that are open, the one that had the focus last first. */
  all(): readonly Window[] {
    return this.#all
  }

  /** The one that a menu, a dialog or a link is for; null where none is open. */
  current(): Window | null {
    return this.#all[0] ?? null
  }

  /** Opens those that were open at the end. Where there are several, each shows what it showed. */
  openKept(): void {
    const kept = this.#kept()
    for (const each of kept) this.#openAt(this.#place(each), kept.length > 1 ? each.address : '')
  }

  /** Opens one beside the current one. @param address what it shows; empty for what a start shows */
  open(address: string): void {
    const current = this.current()
    if (current !== null) return this.#openAt(this.#beside(current, address), address)
    const last = this.#kept().findLast((kept) => !WRITING.test(kept.address))
    this.#openAt(this.#place(last), address)
  }

  /** Has the current one in front of all, or opens one. */
  bringToFront(): void {
    const window = this.current()
    if (window === null) return this.open('')
    if (window.isMinimized()) window.restore()
    window.focus()
  }

  /** Linnet is about to quit: those that are open now are those that will be. */
  quitting(): void {
    if (!this.#isQuitting && this.#all.length > 0) this.#keep(this.#all)
    this.#isQuitting = true
  }

  #kept(): readonly KeptWindow[] {
    const { settings } = this.#parts
    return readKeptWindows({ windows: settings.get('windows'), window: settings.get('window') })
  }

  #keep(windows: readonly Window[]): void {
    try {
      // The oldest first, so that the one in front opens last and is in front again.
      this.#parts.settings.set({ windows: windows.map(describe).toReversed().slice(-MOST_WINDOWS) })
    } catch {
      // A full disk costs the windows' places, and must not keep a window from closing.
    }
  }

  #place(kept: unknown): PlacedWindow {
    return placeWindow(kept, this.#parts.screens())
  }

  #beside(window: Window, address: string): PlacedWindow {
    const { x, y, ...same } = window.getNormalBounds()
    const size = WRITING.test(address) ? WRITING_SIZE : same
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
      if (!this.#isQuitting) this.#keep(others().length === 0 ? [window] : others())
    })
    window.on('closed', () => {
      const wasCurrent = this.#all[0] === window
      this.#all = others()
      if (wasCurrent) turned(this.current())
    })
  }
}
