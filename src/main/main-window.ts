import { join } from 'node:path'
import { BrowserWindow, type Rectangle } from 'electron'
import { WINDOW_URL } from './window-origin.ts'

/** Where the window was when it was closed. */
export interface WindowPlace {
  readonly bounds: Rectangle
  readonly maximized: boolean
}

interface PlaceStore {
  get: (key: 'window') => WindowPlace | undefined
  set: (key: 'window', place: WindowPlace) => void
}

/** Paper of the two themes (renderer/app/tokens.css), so that the window never flashes in the other one. */
const PAPER = { light: '#FBFAF8', dark: '#171412' }

/** Opens the one window: sandboxed, isolated, and shown when there is something to see. */
export const openMainWindow = (store: PlaceStore, dark: boolean): BrowserWindow => {
  const place = store.get('window')
  const window = new BrowserWindow({
    width: 1320,
    height: 860,
    ...place?.bounds,
    minWidth: 720,
    minHeight: 480,
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
      spellcheck: false,
    },
  })
  if (place?.maximized) window.maximize()
  window.once('ready-to-show', () => window.show())
  window.on('close', () => store.set('window', { bounds: window.getNormalBounds(), maximized: window.isMaximized() }))
  void window.loadURL(WINDOW_URL)
  return window
}
