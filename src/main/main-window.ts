import { BrowserWindow } from 'electron'
import { WINDOW_URL } from './window-origin.ts'
import { MIN_WINDOW_SIZE, type PlacedWindow } from './window-placement.ts'

/** Background colours of the themes (renderer/app/tokens.css), so the window never flashes in the wrong one. */
const PAPER = { light: '#FBFAF8', dark: '#171412' }

export interface WindowAppearance {
  readonly preload: string
  readonly isDark: boolean
  /** True if the operating system checks the spelling. */
  readonly isSpellingBySystem: boolean
  readonly zoomFactor: number
}

/** A loaded page has painted by then, even without an event. */
const PAINT_TIMEOUT_MS = 1_000

/** Opens a sandboxed, isolated window, shown once it has content. @param address after `#`; empty for the start page */
export const openMainWindow = (
  place: PlacedWindow,
  address: string,
  { preload, isDark, isSpellingBySystem, zoomFactor }: WindowAppearance,
): BrowserWindow => {
  const window = new BrowserWindow({
    width: 1320,
    height: 860,
    ...place.bounds,
    minWidth: MIN_WINDOW_SIZE.width,
    minHeight: MIN_WINDOW_SIZE.height,
    fullscreen: place.fullScreen,
    show: false,
    title: 'Linnet',
    backgroundColor: isDark ? PAPER.dark : PAPER.light,
    webPreferences: {
      preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webSecurity: true,
      webviewTag: false,
      zoomFactor,
      // Caches compiled code from the second start on, instead of only after several starts.
      v8CacheOptions: 'bypassHeatCheck',
      // Where Linnet checks spelling, Chromium calls it (src/preload) and never starts its own checker.
      spellcheck: isSpellingBySystem,
    },
  })
  if (place.maximized) window.maximize()
  let isShown = false
  const show = (): void => {
    // Only once, as the user may have hidden it since.
    if (!isShown && !window.isDestroyed()) window.show()
    isShown = true
  }
  window.once('ready-to-show', show)
  // Chromium may report no first paint for an invisible window. Show a loaded page anyway.
  window.webContents.once('did-finish-load', () => setTimeout(show, PAINT_TIMEOUT_MS))
  void window.loadURL(address === '' ? WINDOW_URL : `${WINDOW_URL}#${address}`)
  return window
}
