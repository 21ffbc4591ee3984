import { join } from 'node:path'
import { BrowserWindow, type Rectangle } from 'electron'
import type { SettingsStore } from '../host/settings-file.ts'
import { WINDOW_URL } from './window-origin.ts'
import { placeWindow, SMALLEST, type WindowPlace } from './window-place.ts'

/** Paper of the two themes (renderer/app/tokens.css), so that the window never flashes in the other one. */
const PAPER = { light: '#FBFAF8', dark: '#171412' }

/**
 * Opens the one window: sandboxed, isolated, and shown when there is something to see.
 * @param screens the work areas of today's screens
 * @param isSpellingBySystem whether the operating system checks what is written
 */
export const openMainWindow = (
  settings: SettingsStore,
  screens: readonly Rectangle[],
  dark: boolean,
  isSpellingBySystem: boolean,
): BrowserWindow => {
  const place = placeWindow(settings.get('window'), screens)
  const window = new BrowserWindow({
    width: 1320,
    height: 860,
    ...place.bounds,
    minWidth: SMALLEST.width,
    minHeight: SMALLEST.height,
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
      // Where Linnet itself checks, Chromium asks it (src/preload), and nothing of Chromium's own is begun.
      spellcheck: isSpellingBySystem,
    },
  })
  if (place.maximized) window.maximize()
  window.once('ready-to-show', () => window.show())
  window.on('close', () => {
    const closed: WindowPlace = { bounds: window.getNormalBounds(), maximized: window.isMaximized() }
    try {
      settings.set({ window: closed })
    } catch {
      // A full disk costs the window's place, and must not keep the window from closing.
    }
  })
  void window.loadURL(WINDOW_URL)
  return window
}
