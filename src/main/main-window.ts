import { BrowserWindow } from 'electron'
import { WINDOW_URL } from './window-origin.ts'
import { SMALLEST, type PlacedWindow } from './window-place.ts'

/** Paper of the two themes (renderer/app/tokens.css), so that the window never flashes in the other one. */
const PAPER = { light: '#FBFAF8', dark: '#171412' }

export interface WindowLook {
  readonly preload: string
  readonly isDark: boolean
  /** Whether the operating system checks what is written. */
  readonly isSpellingBySystem: boolean
  /** How large its page is drawn; 1 is as large as it is meant. */
  readonly zoomFactor: number
}

/** A page that is loaded has been painted by then, whether that was told or not. */
const UNTOLD_PAINT_MS = 1_000

/**
 * Opens a window: sandboxed, isolated, and shown when there is something to see.
 * @param address what it shows, as the part of its URL behind `#`; where it is empty that is what a start shows
 */
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
      // From the second start on, not after some: each start matters.
      v8CacheOptions: 'bypassHeatCheck',
      // Where Linnet itself checks, Chromium asks it (src/preload), and nothing of Chromium's own is begun.
      spellcheck: isSpellingBySystem,
    },
  })
  if (place.maximized) window.maximize()
  let isShown = false
  const show = (): void => {
    // Once alone: whoever has hidden it since wants it so.
    if (!isShown && !window.isDestroyed()) window.show()
    isShown = true
  }
  window.once('ready-to-show', show)
  // Chromium may never tell of the first paint of a window that nobody sees: a page that is there is shown all the same.
  window.webContents.once('did-finish-load', () => setTimeout(show, UNTOLD_PAINT_MS))
  void window.loadURL(address === '' ? WINDOW_URL : `${WINDOW_URL}#${address}`)
  return window
}
