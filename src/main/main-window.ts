import { BrowserWindow } from 'electron'
import { WINDOW_URL } from './window-origin.ts'
import { SMALLEST, type PlacedWindow } from './window-place.ts'

/** Background colours of the themes (renderer/app/tokens.css), so the window never flashes in the wrong one. */
const PAPER = { light: '#FBFAF8', dark: '#171412' }

export interface WindowLook {
  readonly preload: string
  readonly isDark: boolean
  /** True if the operating system checks the spelling. */
  readonly isSpellingBySystem: boolean
  readonly zoomFactor: number
}

/** A loaded page has painted by then, even without an event. */
const UNTOLD_PAINT_MS = 1_000

/** Opens a sandboxed, isolated window, shown once it has content. @param address after `#`; empty for the start page */
export const openMainWindow = (
  place: PlacedWindow,
  address: string,
  { preload, isDark, isSpellingBySystem, zoomFactor }: WindowLook,
): BrowserWindow => {
  const window = new BrowserWindow({
    width: 1320,
    height: 860,
    ...place.bounds,
    minWidth: SMALLEST.width,
    minHeight: SMALLEST.height,
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
  window.webContents.once('did-finish-load', () => setTimeout(show, UNTOLD_PAINT_MS))
  void window.loadURL(address === '' ? WINDOW_URL : `${WINDOW_URL}#${address}`)
  return window
}
