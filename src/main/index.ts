/**
 * Entry point of Electron's main process: the setup needed before Electron is ready, and the last window with its
 * stored list. The rest (start.ts with host, engine and schemas) loads while the user looks at it. Every import here
 * delays the window (tests/unit/main/entry-point.test.ts).
 */
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import {
  app,
  type BrowserWindow,
  dialog,
  type Event,
  ipcMain,
  Menu,
  nativeTheme,
  protocol,
  type ProtocolResponse,
  screen,
  shell,
} from 'electron'
import { SECURITY_HEADERS } from '../host/content-security-policy.ts'
import { readFirstView, type FirstView, type LoadedFirstView } from '../host/first-view-file.ts'
import { takeEnvironmentAccount } from '../host/environment-account.ts'
import { StartupRecorder } from '../host/startup-recorder.ts'
import { readWindowFile } from '../host/window-files.ts'
import { findAppLink, parseAppLink, type AppLink } from '../shared/app-link.ts'
import { parseCliCommand, runCommandAndExit } from './command-line.ts'
import { DeferredHost } from './deferred-host.ts'
import { lockDownApp, findDebuggingSwitch } from './lock-down.ts'
import { HIDDEN_SWITCH } from './autostart.ts'
import { openMainWindow } from './main-window.ts'
import { buildMenuTemplate } from './menu-bar.ts'
import { serveWindows } from './serve-windows.ts'
import { hasSystemSpellChecker } from './spelling/system-spell-checker.ts'
import type { StartupState, StartedApp } from './start.ts'
import { placeWindow, parseSavedWindows } from './window-placement.ts'
import { isWindowUrl, WINDOW_SCHEME } from './window-origin.ts'
import { zoomFactor } from './zoom.ts'

/** Start the host by then even if the page has requested nothing. */
const MAX_HOST_DELAY_MS = 1_500
const BUILT = import.meta.dirname
const RENDERER = join(BUILT, '..', 'renderer')

let earlyLinks: readonly (AppLink | null)[] = []
let followLink: StartedApp['followLink'] = (link) => {
  earlyLinks = [...earlyLinks, link]
}

/** @throws if another program could read the mail */
const refuseDebugging = (): void => {
  const debugging = findDebuggingSwitch(process.argv, app.isPackaged)
  if (debugging !== null) {
    throw new Error(
      `Linnet can’t run with --${debugging}, which would let other apps read your mail. Start it without this option.`,
    )
  }
}

/** Setup needed before Electron is ready. @throws if the data folder can't be created */
const prepare = (): void => {
  const dataDirectory = app.commandLine.getSwitchValue('data-dir')
  if (dataDirectory !== '') {
    mkdirSync(resolve(dataDirectory), { recursive: true, mode: 0o700 })
    app.setPath('userData', resolve(dataDirectory))
  }
  lockDownApp(app, shell)
  // Windows shows notifications only for the ID of the installed shortcut (`appId` in electron-builder.yml).
  if (process.platform === 'win32') app.setAppUserModelId('dev.linnet.desktop')
  // macOS delivers links by this event, including, before `ready`, the one that launched Linnet.
  app.on('open-url', (event, url) => {
    event.preventDefault()
    followLink(parseAppLink(url))
  })
  // Caches V8's compiled window scripts, so the next start compiles nothing.
  const privileges = { standard: true, secure: true, codeCache: true }
  protocol.registerSchemesAsPrivileged([{ scheme: WINDOW_SCHEME, privileges }])
}

/** Serves the window's files. @param takeFirst the first view for a page; null unless its window was just opened */
const serveFiles = (preferences: () => LoadedFirstView['preferences'], takeFirst: () => FirstView | null): void => {
  const answerTo = async (url: string): Promise<ProtocolResponse> => {
    const { pathname } = new URL(url)
    const first = pathname.endsWith('.html') ? takeFirst() : null
    const file = isWindowUrl(url) ? await readWindowFile(RENDERER, pathname, preferences(), first) : null
    if (file === null) return { statusCode: 404, headers: SECURITY_HEADERS, data: Buffer.from('File not found.') }
    return { headers: { ...SECURITY_HEADERS, 'content-type': file.contentType }, data: file.content }
  }
  // `protocol.handle` uses `Request` and `Response`. Node loads `fetch` for the first one, which takes 50 ms at start.
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- see above
  protocol.registerBufferProtocol(WINDOW_SCHEME, ({ url }, answer) => void answerTo(url).then(answer))
}

/** True if Linnet was started at sign-in, to run without a window. */
const isHiddenStart = async (): Promise<boolean> => {
  if (app.commandLine.hasSwitch(HIDDEN_SWITCH)) return true
  if (process.platform !== 'darwin') return false
  // macOS reports this only once the app is ready.
  await app.whenReady()
  return app.getLoginItemSettings().wasOpenedAtLogin
}

const run = async (): Promise<void> => {
  const environmentAccount = takeEnvironmentAccount(process.env)
  const dataDirectory = app.getPath('userData')
  const startWatch = new StartupRecorder(dataDirectory)
  const isHidden = await isHiddenStart()
  // Show no early window if there should be none, or if the user may be asked how to start.
  const isUsual = !isHidden && !startWatch.hasFailed && !app.commandLine.hasSwitch('safe-start')
  const origin = { dataDirectory, pageFile: join(RENDERER, 'index.html'), environmentAccount }
  const kept = isUsual ? readFirstView(origin) : null
  // Only a single window is shown early, as the views of several aren't stored.
  const found = kept !== null && parseSavedWindows(kept.settings).length === 1 ? kept : null

  const needed = Promise.withResolvers<null>()
  const lateHost = new DeferredHost(() => needed.resolve(null))
  let viewNow: StartedApp['firstView'] = () => found
  /** First view for the page of the window opened last, if that is a start page. */
  let first: FirstView | null = null
  const openWindow: StartupState['openWindow'] = (place, address, look) => {
    first = address === '' ? viewNow() : null
    return openMainWindow(place, address, { ...look, preload: join(BUILT, '..', 'preload', 'index.cjs') })
  }
  const takeFirst = (): FirstView | null => {
    const taken = first
    first = null
    return taken
  }

  // Quitting during the start waits until the user's changes are stored.
  const quitting = new AbortController()
  const quitLater = (event: Event): void => {
    quitting.abort()
    event.preventDefault()
    needed.resolve(null)
  }
  const continueStart = (): void => needed.resolve(null)
  app.on('will-quit', quitLater)
  app.on('window-all-closed', continueStart)
  process.on('SIGTERM', () => app.quit())
  process.on('SIGINT', () => app.quit())
  let firstWindow: BrowserWindow | null = null
  let windows = (): readonly BrowserWindow[] => (firstWindow === null || firstWindow.isDestroyed() ? [] : [firstWindow])
  let bringToFront = (): void => firstWindow?.focus()
  app.on('second-instance', (_event, argv) => {
    bringToFront()
    followLink(findAppLink(argv))
  })

  const serve = async (): Promise<void> => {
    await app.whenReady()
    serveFiles(() => {
      const preferences = lateHost.now()?.preferences() ?? found?.preferences
      if (preferences === undefined) throw new Error('No preferences are available: the host has not started.')
      return preferences
    }, takeFirst)
    serveWindows(lateHost, ipcMain, () => windows())
  }
  const showFirst = async ({ preferences, settings }: LoadedFirstView): Promise<void> => {
    await app.whenReady()
    nativeTheme.themeSource = preferences.theme
    // Otherwise Electron's default menu, with its own shortcuts, would be active until then.
    const system = { platform: process.platform, isPackaged: app.isPackaged }
    Menu.setApplicationMenu(Menu.buildFromTemplate(buildMenuTemplate([], system, () => undefined)))
    const screens = screen.getAllDisplays().map(({ workArea }) => workArea)
    firstWindow = openWindow(placeWindow(parseSavedWindows(settings)[0], screens), '', {
      isDark: nativeTheme.shouldUseDarkColors,
      isSpellingBySystem: hasSystemSpellChecker(process.platform),
      zoomFactor: zoomFactor(preferences),
    })
    setTimeout(continueStart, MAX_HOST_DELAY_MS)
    await needed.promise
  }
  const serving = serve()
  if (found !== null) await showFirst(found)
  const { startDesktop: start } = await import('./start.ts')
  const started = await start({
    ...{ built: BUILT, dataDirectory, environmentAccount, startWatch, firstWindow, isHidden, openWindow },
  })
  await serving
  lateHost.resolve(started.host)
  ;({ windows, bringToFront, followLink, firstView: viewNow } = started)
  followLink(findAppLink(process.argv))
  earlyLinks.forEach(followLink)
  app.off('will-quit', quitLater)
  app.off('window-all-closed', continueStart)
  if (quitting.signal.aborted || started.shouldQuit) app.quit()
}

const printError = (thrown: unknown): string => {
  const words = thrown instanceof Error ? thrown.message : 'An unknown error occurred.'
  console.error(`linnet: ${words}`)
  return words
}

const fail = (thrown: unknown): void => {
  dialog.showErrorBox('Linnet could not start', printError(thrown))
  app.exit(1)
}

const openLinnet = (): void => {
  try {
    refuseDebugging()
    prepare()
    if (app.requestSingleInstanceLock()) {
      // Not every system can show a dialog before Electron is ready.
      run().catch((thrown: unknown) => void app.whenReady().then(() => fail(thrown)))
    } else {
      console.error('Linnet is already running. Its window was brought to the front.')
      app.quit()
    }
  } catch (thrown) {
    fail(thrown)
  }
}

const runCommandLine = async (command: readonly string[]): Promise<void> => {
  try {
    refuseDebugging()
    await runCommandAndExit(app, command)
  } catch (thrown) {
    printError(thrown)
    app.exit(1)
  }
}

const command = parseCliCommand(process.argv, app.isPackaged)
if (command === null) openLinnet()
else void runCommandLine(command)
