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

/** A window, as far as its place and its turn go. */
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

/** What is kept of one. */
type DescribedWindow = WindowPlace & KeptWindow

/** The windows of Linnet: which are open, whose turn it is, and where they open again. */
export interface Windows<Window> {
  /** Those that are open, the one that had the focus last first. */
  readonly all: () => readonly Window[]
  /** The one that a menu, a dialog or a link is for; null where none is open. */
  readonly current: () => Window | null
  /** Opens those that were open at the end. Where there are several, each shows what it showed. */
  readonly openKept: () => void
  /** Opens one beside the current one. @param address what it shows; empty for what a start shows */
  readonly open: (address: string) => void
  /** Has the current one in front of all, or opens one. */
  readonly bringToFront: () => void
  /** Linnet is about to quit: those that are open now are those that will be. */
  readonly quitting: () => void
}

/**
 * @param make makes a window in its place, which shows what is at an address
 * @param screens the work areas of today's screens
 * @param turned is told of the current window when another one is
 */
export const createWindows = <Window extends PlacedBrowserWindow>({
  settings,
  make,
  screens,
  turned,
}: {
  readonly settings: SettingsStore
  readonly make: (place: PlacedWindow, address: string) => Window
  readonly screens: () => readonly Rectangle[]
  readonly turned: (window: Window | null) => void
}): Windows<Window> => {
  let all: readonly Window[] = []
  let isQuitting = false

  const keptWindows = (): readonly KeptWindow[] =>
    readKeptWindows({ windows: settings.get('windows'), window: settings.get('window') })

  const describe = (window: Window): DescribedWindow => {
    const url = window.webContents.getURL()
    return {
      bounds: window.getNormalBounds(),
      maximized: window.isMaximized(),
      fullScreen: window.isFullScreen(),
      address: url.includes('#') ? url.slice(url.indexOf('#') + 1) : '',
    }
  }
  const keep = (windows: readonly Window[]): void => {
    try {
      // The oldest first, so that the one in front opens last and is in front again.
      settings.set({ windows: windows.map(describe).toReversed().slice(-MOST_WINDOWS) })
    } catch {
      // A full disk costs the windows' places, and must not keep a window from closing.
    }
  }

  const openAt = (place: PlacedWindow, address: string): void => {
    const window = make(place, address)
    all = [window, ...all]
    turned(window)
    window.on('focus', () => {
      if (all[0] === window) return
      all = [window, ...all.filter((each) => each !== window)]
      turned(window)
    })
    window.on('close', () => {
      const others = all.filter((each) => each !== window)
      if (!isQuitting) keep(others.length === 0 ? [window] : others)
    })
    window.on('closed', () => {
      const wasCurrent = all[0] === window
      all = all.filter((each) => each !== window)
      if (wasCurrent) turned(all[0] ?? null)
    })
  }

  const beside = (window: Window, address: string): PlacedWindow => {
    const { x, y, ...same } = window.getNormalBounds()
    const size = WRITING.test(address) ? WRITING_SIZE : same
    const bounds = { x: x + STEP, y: y + STEP, ...size }
    return placeWindow({ bounds, maximized: false, fullScreen: false }, screens())
  }
  const open = (address: string): void => {
    const [current] = all
    if (current !== undefined) return openAt(beside(current, address), address)
    const last = keptWindows().findLast((kept) => !WRITING.test(kept.address))
    openAt(placeWindow(last, screens()), address)
  }

  return {
    all: () => all,
    current: () => all[0] ?? null,
    openKept: () => {
      const kept = keptWindows()
      for (const each of kept) openAt(placeWindow(each, screens()), kept.length > 1 ? each.address : '')
    },
    open,
    bringToFront: () => {
      const [window] = all
      if (window === undefined) return open('')
      if (window.isMinimized()) window.restore()
      window.focus()
    },
    quitting: () => {
      if (!isQuitting && all.length > 0) keep(all)
      isQuitting = true
    },
  }
}
