/**
 * The first lines of Electron's main process: what has to be said before Electron is ready, and the window that the last start
 * ended with. It shows what that start has kept of its list. All else (start.ts) is read while a person looks at it: the host, the engine, the
 * schemas. Whatever this file imports stands between a person and their window (tests/unit/main/first-lines.test.ts).
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
import { readFirstView, type FirstView, type FoundView } from '../host/first-view-file.ts'
import { takeGivenAccount } from '../host/given-account.ts'
import { StartWatch } from '../host/start-watch.ts'
import { readWindowFile } from '../host/window-files.ts'
import { linkIn, parseAppLink, type AppLink } from '../shared/app-link.ts'
import { commandIn, runInApp } from './command-line.ts'
import { LateHost } from './late-host.ts'
import { lockDownApp } from './lock-down.ts'
import { HIDDEN_SWITCH } from './login-start.ts'
import { openMainWindow } from './main-window.ts'
import { menuTemplate } from './menu-bar.ts'
import { debuggingSwitch } from './refuse-debugging.ts'
import { serveWindows } from './serve-windows.ts'
import { isCheckedBySystem } from './spelling/is-checked-by-system.ts'
import type { FirstLines, Started } from './start.ts'
import { placeWindow, readKeptWindows } from './window-place.ts'
import { isWindowUrl, WINDOW_SCHEME } from './window-origin.ts'
import { zoomFactor } from './zoom.ts'

/** A page that has not asked for anything by then is not waited for. */
const PATIENCE_MS = 1_500
const BUILT = import.meta.dirname
const RENDERER = join(BUILT, '..', 'renderer')

/** Links that were opened before there is a host. */
let early: readonly (AppLink | null)[] = []
let followLink: Started['followLink'] = (link) => {
  early = [...early, link]
}

/** @throws where another program could read the mail */
const refuseDebugging = (): void => {
  const debugging = debuggingSwitch(process.argv, app.isPackaged)
  if (debugging !== null) {
    throw new Error(`Linnet does not start with --${debugging}: another program could read your mail through it.`)
  }
}

/** To be said before Electron is ready. @throws where the data folder cannot be made */
const prepare = (): void => {
  const dataDirectory = app.commandLine.getSwitchValue('data-dir')
  if (dataDirectory !== '') {
    mkdirSync(resolve(dataDirectory), { recursive: true, mode: 0o700 })
    app.setPath('userData', resolve(dataDirectory))
  }
  lockDownApp(app, shell)
  // macOS tells of a link by this event, and of the one that Linnet was started by before it is ready.
  app.on('open-url', (event, url) => {
    event.preventDefault()
    followLink(parseAppLink(url))
  })
  // What V8 has compiled of the window's scripts is kept: the next start compiles nothing.
  const privileges = { standard: true, secure: true, codeCache: true }
  protocol.registerSchemesAsPrivileged([{ scheme: WINDOW_SCHEME, privileges }])
}

/**
 * Serves the window's own files, and what it shows first with its page.
 * @param takeFirst what a page that is asked for now shows first; null for any but that of a window that has just been opened
 */
const serveFiles = (preferences: () => FoundView['preferences'], takeFirst: () => FirstView | null): void => {
  const answerTo = async (url: string): Promise<ProtocolResponse> => {
    const { pathname } = new URL(url)
    const first = pathname.endsWith('.html') ? takeFirst() : null
    const file = isWindowUrl(url) ? await readWindowFile(RENDERER, pathname, preferences(), first) : null
    if (file === null)
      return { statusCode: 404, headers: SECURITY_HEADERS, data: Buffer.from('There is nothing here.') }
    return { headers: { ...SECURITY_HEADERS, 'content-type': file.contentType }, data: file.content }
  }
  // `protocol.handle` speaks in `Request` and `Response`: the first of them costs a start 50 ms, in which Node loads its `fetch`.
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- see above
  protocol.registerBufferProtocol(WINDOW_SCHEME, ({ url }, answer) => void answerTo(url).then(answer))
}

/** Whether Linnet was started with the person's session, to be there without a window. */
const isHiddenStart = async (): Promise<boolean> => {
  if (app.commandLine.hasSwitch(HIDDEN_SWITCH)) return true
  if (process.platform !== 'darwin') return false
  // macOS does not say it before.
  await app.whenReady()
  return app.getLoginItemSettings().wasOpenedAtLogin
}

const run = async (): Promise<void> => {
  const given = takeGivenAccount(process.env)
  const dataDirectory = app.getPath('userData')
  const startWatch = new StartWatch(dataDirectory)
  const isHidden = await isHiddenStart()
  // Where how to start may be asked, or there is to be no window, nothing is shown ahead.
  const isUsual = !isHidden && !startWatch.hasFailed && !app.commandLine.hasSwitch('safe-start')
  const origin = { dataDirectory, pageFile: join(RENDERER, 'index.html'), given }
  const kept = isUsual ? readFirstView(origin) : null
  // Several windows each show what they showed: that is not kept.
  const found = kept !== null && readKeptWindows(kept.settings).length === 1 ? kept : null

  const needed = Promise.withResolvers<null>()
  const lateHost = new LateHost(() => needed.resolve(null))
  let viewNow: Started['firstView'] = () => found
  /** For the page of the window that was opened last, if that shows what a start shows. */
  let first: FirstView | null = null
  const openWindow: FirstLines['openWindow'] = (place, address, look) => {
    first = address === '' ? viewNow() : null
    return openMainWindow(place, address, { ...look, preload: join(BUILT, '..', 'preload', 'index.cjs') })
  }
  const takeFirst = (): FirstView | null => {
    const taken = first
    first = null
    return taken
  }

  // Whoever quits meanwhile does so once what they did is kept.
  const quitting = new AbortController()
  const quitLater = (event: Event): void => {
    quitting.abort()
    event.preventDefault()
    needed.resolve(null)
  }
  const goOn = (): void => needed.resolve(null)
  app.on('will-quit', quitLater)
  app.on('window-all-closed', goOn)
  process.on('SIGTERM', () => app.quit())
  process.on('SIGINT', () => app.quit())
  let firstWindow: BrowserWindow | null = null
  let windows = (): readonly BrowserWindow[] => (firstWindow === null || firstWindow.isDestroyed() ? [] : [firstWindow])
  let bringToFront = (): void => firstWindow?.focus()
  app.on('second-instance', (_event, argv) => {
    bringToFront()
    followLink(linkIn(argv))
  })

  const serve = async (): Promise<void> => {
    await app.whenReady()
    serveFiles(() => {
      const preferences = lateHost.now()?.preferences() ?? found?.preferences
      if (preferences === undefined) throw new Error('There is no window before the host but the first one.')
      return preferences
    }, takeFirst)
    serveWindows(lateHost, ipcMain, () => windows())
  }
  const showFirst = async ({ preferences, settings }: FoundView): Promise<void> => {
    await app.whenReady()
    nativeTheme.themeSource = preferences.theme
    // Electron's own would be there until then, with keys of its own.
    const system = { platform: process.platform, isPackaged: app.isPackaged }
    Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate([], system, () => undefined)))
    const screens = screen.getAllDisplays().map(({ workArea }) => workArea)
    firstWindow = openWindow(placeWindow(readKeptWindows(settings)[0], screens), '', {
      isDark: nativeTheme.shouldUseDarkColors,
      isSpellingBySystem: isCheckedBySystem(process.platform),
      zoomFactor: zoomFactor(preferences),
    })
    setTimeout(goOn, PATIENCE_MS)
    await needed.promise
  }
  const serving = serve()
  if (found !== null) await showFirst(found)
  const { start } = await import('./start.ts')
  const started = await start({
    ...{ built: BUILT, dataDirectory, given, startWatch, firstWindow, isHidden, openWindow },
  })
  await serving
  lateHost.arrive(started.host)
  ;({ windows, bringToFront, followLink, firstView: viewNow } = started)
  followLink(linkIn(process.argv))
  early.forEach(followLink)
  app.off('will-quit', quitLater)
  app.off('window-all-closed', goOn)
  if (quitting.signal.aborted || started.isLeft) app.quit()
}

const sayWhy = (thrown: unknown): string => {
  const words = thrown instanceof Error ? thrown.message : 'An unknown error.'
  console.error(`linnet: ${words}`)
  return words
}

const fail = (thrown: unknown): void => {
  dialog.showErrorBox('Linnet could not start', sayWhy(thrown))
  app.exit(1)
}

const openLinnet = (): void => {
  try {
    refuseDebugging()
    prepare()
    if (app.requestSingleInstanceLock()) {
      // Before Electron is ready, not every system has a dialog.
      run().catch((thrown: unknown) => void app.whenReady().then(() => fail(thrown)))
    } else {
      console.error('Linnet is already running. Its window is in front now.')
      app.quit()
    }
  } catch (thrown) {
    fail(thrown)
  }
}

const obey = async (command: readonly string[]): Promise<void> => {
  try {
    refuseDebugging()
    await runInApp(app, command)
  } catch (thrown) {
    sayWhy(thrown)
    app.exit(1)
  }
}

const command = commandIn(process.argv, app.isPackaged)
if (command === null) openLinnet()
else void obey(command)
