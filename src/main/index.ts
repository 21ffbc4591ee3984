/** Electron's main process: it owns the window, the key and the engine's thread, and trusts no page. */
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import {
  app,
  BrowserWindow,
  dialog,
  ipcMain,
  Menu,
  nativeImage,
  nativeTheme,
  Notification,
  type NotificationConstructorOptions,
  protocol,
  safeStorage,
  screen,
  session,
  shell,
  utilityProcess,
} from 'electron'
import ElectronStore from 'electron-store'
import { linkIn, parseAppLink, type AppLink } from '../shared/app-link.ts'
import { SECURITY_HEADERS } from '../host/content-security-policy.ts'
import { endWhereStuck } from '../host/end-where-stuck.ts'
import { takeGivenAccount } from '../host/given-account.ts'
import { openCrashFiles } from '../host/crash-files.ts'
import { openLog } from '../host/open-log.ts'
import { preparePreferencesFile, PREFERENCES_NAME, PREFERENCES_SCHEMA } from '../host/preferences-file.ts'
import { prepareSettingsFile, SETTINGS_MODE, SETTINGS_NAME } from '../host/settings-file.ts'
import { spellingState } from '../host/spelling.ts'
import { startHost, type Host } from '../host/start-host.ts'
import { watchStart } from '../host/start-watch.ts'
import { readWindowFile } from '../host/window-files.ts'
import { createBadge } from './badge.ts'
import { createChooseFolder } from './choose-folder.ts'
import { createLaunchPlatform } from './demo-process.ts'
import { openKeychain } from './keychain.ts'
import { lockDownApp, lockDownSession } from './lock-down.ts'
import { openMainWindow } from './main-window.ts'
import { createMenuBar } from './menu-bar.ts'
import { debuggingSwitch } from './refuse-debugging.ts'
import { createNotifier, type NoticeListeners, type ShownNotice } from './notifier.ts'
import { createPrinter } from './printer.ts'
import { createExportDoor } from './export-file.ts'
import { createSaveFile, createSaveFiles } from './save-file.ts'
import { serveWindows } from './serve-windows.ts'
import { isCheckedBySystem, openSpelling, type DesktopSpelling } from './spelling/open-spelling.ts'
import { textMenuItems } from './text-menu.ts'
import { createVault } from './vault.ts'
import { createReviveWindow } from './window-ends.ts'
import { isWindowUrl, WINDOW_SCHEME } from './window-origin.ts'

/** To be said before Electron is ready. @throws where Linnet may not start, or the data folder cannot be made */
const prepare = (): void => {
  const debugging = debuggingSwitch(process.argv, app.isPackaged)
  if (debugging !== null) {
    throw new Error(`Linnet does not start with --${debugging}: another program could read your mail through it.`)
  }
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
  protocol.registerSchemesAsPrivileged([{ scheme: WINDOW_SCHEME, privileges: { standard: true, secure: true } }])
}

/** Links that were opened before there is a host. */
let early: readonly AppLink[] = []
let followLink = (link: AppLink | null): void => {
  if (link !== null) early = [...early, link]
}

const mainWindow = () => BrowserWindow.getAllWindows()[0] ?? null

const serveWindow = ({ preferences }: Pick<Host, 'preferences'>): void => {
  const root = join(import.meta.dirname, '..', 'renderer')
  protocol.handle(WINDOW_SCHEME, async (request) => {
    const file = isWindowUrl(request.url)
      ? await readWindowFile(root, new URL(request.url).pathname, preferences())
      : null
    if (file === null) return new Response('There is nothing here.', { status: 404, headers: SECURITY_HEADERS })
    return new Response(new Uint8Array(file.content), {
      headers: { ...SECURITY_HEADERS, 'content-type': file.contentType },
    })
  })
}

/** The desktop's own part of the window, and what is there before the page is, follow the person's theme. */
const followTheme = ({ preferences, subscribe }: Pick<Host, 'preferences' | 'subscribe'>): void => {
  nativeTheme.themeSource = preferences().theme
  subscribe((event) => {
    if (event.name === 'preferences.changed') nativeTheme.themeSource = event.payload.theme
  })
}

/** The spelling is checked as the person wants it, in the languages that they have. */
const followSpelling = (spelling: DesktopSpelling, { preferences, subscribe }: Host): void => {
  const follow = async (): Promise<void> => {
    const { active } = await spellingState(spelling.checker, preferences())
    spelling.follow(preferences().checkSpelling, active)
  }
  void follow()
  subscribe((event) => {
    if (event.name === 'preferences.changed') void follow()
  })
}

const showNotice = (
  options: NotificationConstructorOptions,
  { click, close, action }: NoticeListeners,
): ShownNotice => {
  const notice = new Notification(options)
  notice.on('click', click)
  notice.on('close', close)
  notice.on('action', (_event, index) => action(index))
  notice.show()
  return notice
}

/** Where a person writes, a menu has what can be done with the words. */
const serveTextMenu = (window: BrowserWindow, spelling: DesktopSpelling, host: Host): void => {
  window.webContents.on('context-menu', (_event, params) => {
    void textMenuItems(window.webContents, params, {
      suggest: async (word) =>
        spelling.suggest(word, (await spellingState(spelling.checker, host.preferences())).active),
      addWord: (word) => {
        spelling.addWord(word)
        host.spellingChanged()
      },
    }).then((items) => {
      if (items === null || window.isDestroyed()) return
      Menu.buildFromTemplate(items).popup({ window, x: params.x, y: params.y })
    })
  })
}

const start = async (): Promise<void> => {
  const given = takeGivenAccount(process.env)
  const dataDirectory = app.getPath('userData')
  const logFile = openLog(dataDirectory)
  await app.whenReady()
  lockDownSession(session.defaultSession)
  const settingsProblem = prepareSettingsFile(join(dataDirectory, `${SETTINGS_NAME}.json`))
  const settings = new ElectronStore<Record<string, unknown>>({
    cwd: dataDirectory,
    name: SETTINGS_NAME,
    configFileMode: SETTINGS_MODE,
  })
  const preferencesProblem = preparePreferencesFile(join(dataDirectory, `${PREFERENCES_NAME}.json`))
  const { platform } = process
  const menuBar = createMenuBar(Menu, { platform, isPackaged: app.isPackaged }, (id) => host.chooseInMenu(id))
  menuBar.show([])
  const spelling = openSpelling({
    app,
    session: session.defaultSession,
    platform,
    env: process.env,
    workerFile: join(import.meta.dirname, 'spelling-worker.cjs'),
    wasmFile: join(import.meta.dirname, 'hunspell.wasm'),
  })
  const host = startHost({
    dataDirectory,
    engineEntry: join(import.meta.dirname, 'engine-worker.cjs'),
    launchPlatform: createLaunchPlatform(utilityProcess, join(import.meta.dirname, 'service.cjs')),
    settings,
    settingsProblem,
    preferences: new ElectronStore<Record<string, unknown>>({
      cwd: dataDirectory,
      name: PREFERENCES_NAME,
      configFileMode: SETTINGS_MODE,
      schema: PREFERENCES_SCHEMA,
    }),
    preferencesProblem,
    vault: createVault(await openKeychain(safeStorage, process.platform)),
    given,
    saveFile: createSaveFile(app, dialog, mainWindow),
    saveFiles: createSaveFiles(app, dialog, mainWindow),
    chooseFolder: createChooseFolder(dialog, mainWindow),
    exportDoor: createExportDoor(app, dialog, mainWindow),
    printer: createPrinter({ BrowserWindow, session }, () => app.getLocaleCountryCode(), mainWindow),
    spelling: spelling.checker,
    kind: 'electron',
    showMenu: menuBar.show,
    showUnread: createBadge({
      ...{ app, platform, windows: () => BrowserWindow.getAllWindows() },
      dot: (pixels, side) => nativeImage.createFromBitmap(pixels, { width: side, height: side }),
    }),
    logFile,
    crashFiles: openCrashFiles(dataDirectory, logFile),
    startWatch: watchStart(dataDirectory),
    isSafeAsked: app.commandLine.hasSwitch('safe-start'),
    noticesFile: join(import.meta.dirname, '..', 'third-party-notices.txt'),
  })
  followTheme(host)
  followSpelling(spelling, host)
  serveWindow(host)
  serveWindows(host, ipcMain, () => BrowserWindow.getAllWindows())

  const reviveWindow = createReviveWindow({
    log: logFile.log,
    ended: host.windowEnded,
    choose: host.choose,
    ask: (options) => {
      const window = mainWindow()
      return window === null ? dialog.showMessageBox(options) : dialog.showMessageBox(window, options)
    },
    quit: () => app.quit(),
  })
  const open = (): void => {
    const window = openMainWindow(
      settings,
      screen.getAllDisplays().map(({ workArea }) => workArea),
      nativeTheme.shouldUseDarkColors,
      isCheckedBySystem(platform),
    )
    window.on('closed', () => menuBar.show([]))
    serveTextMenu(window, spelling, host)
    reviveWindow(window)
  }
  open()
  app.on('activate', () => {
    if (mainWindow() === null) open()
  })
  const bringToFront = (): void => {
    const window = mainWindow()
    if (window === null) return open()
    if (window.isMinimized()) window.restore()
    window.focus()
  }
  followLink = (link) => {
    if (link === null) return
    bringToFront()
    host.openLink(link)
  }
  host.subscribe(
    createNotifier({
      show: Notification.isSupported() ? showNotice : null,
      isFocused: () => BrowserWindow.getFocusedWindow() !== null,
      preferences: host.preferences,
      open: (link) => followLink(link),
      bringToFront,
      change: (accountId, inboxId, threadId, change) =>
        void host.call('thread.change', { inboxId, threadIds: [threadId], change }, { accountId, caller: 'notices' }),
    }),
  )
  followLink(linkIn(process.argv))
  early.forEach(followLink)
  app.on('second-instance', (_event, argv) => {
    bringToFront()
    followLink(linkIn(argv))
  })
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit()
  })
  let closed = false
  app.on('will-quit', (event) => {
    if (closed) return
    // Unsent changes are on disk already; this only lets the files close in order.
    event.preventDefault()
    endWhereStuck(logFile.log)
    void Promise.allSettled([host.close(), spelling.close()]).then(() => {
      closed = true
      // Not within the event that was just prevented: where there is nothing to close, Electron would not hear it.
      setImmediate(() => app.quit())
    })
  })
  process.on('SIGTERM', () => app.quit())
  process.on('SIGINT', () => app.quit())
}

const fail = (thrown: unknown): void => {
  const words = thrown instanceof Error ? thrown.message : 'An unknown error.'
  console.error(`linnet: ${words}`)
  dialog.showErrorBox('Linnet could not start', words)
  app.exit(1)
}

try {
  prepare()
  if (app.requestSingleInstanceLock()) {
    start().catch(fail)
  } else {
    console.error('Linnet is running already: its window was brought to the front.')
    app.quit()
  }
} catch (thrown) {
  fail(thrown)
}
