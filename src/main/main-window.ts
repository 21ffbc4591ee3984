import { join } from 'node:path'
import { BrowserWindow } from 'electron'
import { WINDOW_URL } from './window-origin.ts'
import { SMALLEST, type PlacedWindow } from './window-place.ts'

/** Paper of the two themes (renderer/app/tokens.css), so that the window never flashes in the other one. */
const PAPER = { light: '#FBFAF8', dark: '#171412' }

/**
 * Opens a window: sandboxed, isolated, and shown when there is something to see.
 * @param address what it shows, as the part of its URL behind `#`; where it is empty that is what a start shows
 * @param isSpellingBySystem whether the operating system checks what is written
 */
export const openMainWindow = (
  place: PlacedWindow,
  address: string,
  dark: boolean,
  isSpellingBySystem: boolean,
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
    backgroundColor: dark ? PAPER.dark : PAPER.light,
    webPreferences: {
      preload: join(import.meta.dirname, '..', 'preload', 'index.cjs'),
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webSecurity: true,
      webviewTag: false,
      // From the second start on, not after some: each start matters.
      v8CacheOptions: 'bypassHeatCheck',
      // Where Linnet itself checks, Chromium asks it (src/preload), and nothing of Chromium's own is begun.
      spellcheck: isSpellingBySystem,
    },
  })
  if (place.maximized) window.maximize()
  window.once('ready-to-show', () => window.show())
  void window.loadURL(address === '' ? WINDOW_URL : `${WINDOW_URL}#${address}`)
  return window
}
