/** Electron's main process: it owns the window, the key and the engine's thread, and trusts no page. */
import { mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import {
  app,
  BrowserWindow,
  clipboard,
  dialog,
  ipcMain,
  Menu,
  nativeImage,
  nativeTheme,
  Notification,
  type NotificationConstructorOptions,
  protocol,
  type ProtocolResponse,
  safeStorage,
  screen,
  session,
  shell,
  Tray,
  utilityProcess,
} from 'electron'
import { linkIn, parseAppLink, type AppLink } from '../shared/app-link.ts'
import type { MenuCommand } from '../shared/menu-command.ts'
import { SECURITY_HEADERS } from '../host/content-security-policy.ts'
import { endWhereStuck } from '../host/end-where-stuck.ts'
import { takeGivenAccount } from '../host/given-account.ts'
import { openCrashFiles } from '../host/crash-files.ts'
import { openLog } from '../host/open-log.ts'
import { preparePreferencesFile, PREFERENCES_NAME } from '../host/preferences-file.ts'
import { openSettingsFile, prepareSettingsFile, SETTINGS_NAME } from '../host/settings-file.ts'
import { spellingState } from '../host/spelling.ts'
import { startHost, type Host } from '../host/start-host.ts'
import { watchStart } from '../host/start-watch.ts'
import { readWindowFile } from '../host/window-files.ts'
import { createBadge } from './badge.ts'
import { createChooseFolder } from './choose-folder.ts'
import { createLaunchPlatform } from './demo-process.ts'
import { openKeychain } from './keychain.ts'
import { lockDownApp } from './lock-down.ts'
import { openMainWindow } from './main-window.ts'
import { HIDDEN_SWITCH } from './login-start.ts'
import { createMenuBar } from './menu-bar.ts'
import { debuggingSwitch } from './refuse-debugging.ts'
import { createNotifier, type NoticeListeners, type ShownNotice } from './notifier.ts'
import { createPrinter } from './printer.ts'
import { createDesktop } from './desktop.ts'
import { createExportDoor } from './export-file.ts'
import { createSaveFile, createSaveFiles } from './save-file.ts'
import { callerOfWindow, serveWindows, tellWindow } from './serve-windows.ts'
import { isCheckedBySystem, openSpelling, type DesktopSpelling } from './spelling/open-spelling.ts'
import { textMenuItems } from './text-menu.ts'
import { createOpenLicences } from './open-licences.ts'
import { openTray, type DesktopTray } from './open-tray.ts'
import { createDesktopUpdates } from './updates/desktop-updates.ts'
import { createVault } from './vault.ts'
import { createReviveWindow } from './window-ends.ts'
import { isWindowUrl, WINDOW_SCHEME } from './window-origin.ts'
import type { PlacedWindow } from './window-place.ts'
import { createWindows, type Windows } from './windows.ts'
import { createZoom, zoomFactor, zoomStepOf, zoomWindows } from './zoom.ts'

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
  // What V8 has compiled of the window's scripts is kept: the next start compiles nothing.
  const privileges = { standard: true, secure: true, codeCache: true }
  protocol.registerSchemesAsPrivileged([{ scheme: WINDOW_SCHEME, privileges }])
}

/** Links that were opened before there is a host. */
let early: readonly AppLink[] = []
let followLink = (link: AppLink | null): void => {
  if (link !== null) early = [...early, link]
}

const serveWindow = ({ preferences }: Pick<Host, 'preferences'>): void => {
  const root = join(import.meta.dirname, '..', 'renderer')
  const answerTo = async (url: string): Promise<ProtocolResponse> => {
    const file = isWindowUrl(url) ? await readWindowFile(root, new URL(url).pathname, preferences()) : null
    if (file === null)
      return { statusCode: 404, headers: SECURITY_HEADERS, data: Buffer.from('There is nothing here.') }
    return { headers: { ...SECURITY_HEADERS, 'content-type': file.contentType }, data: file.content }
  }
  // `protocol.handle` speaks in `Request` and `Response`: the first of them costs a start 50 ms, in which Node loads its `fetch`.
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- see above
  protocol.registerBufferProtocol(WINDOW_SCHEME, ({ url }, answer) => void answerTo(url).then(answer))
}

/** The desktop's own part of the window, and what is there before the page is, follow the person's theme. */
const followTheme = ({ subscribe }: Pick<Host, 'subscribe'>): void => {
  subscribe((event) => {
    if (event.name === 'preferences.changed') nativeTheme.themeSource = event.payload.theme
  })
}

/** Windows are drawn as large as the person wants. */
const followZoom = (windows: () => readonly BrowserWindow[], { subscribe }: Pick<Host, 'subscribe'>): void => {
  subscribe((event) => {
    if (event.name === 'preferences.changed') zoomWindows(windows(), event.payload)
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

/** A menu has what can be done with the words that are written or read, with a link and with a picture. */
const serveTextMenu = (window: BrowserWindow, spelling: DesktopSpelling, host: Host): void => {
  window.webContents.on('context-menu', (_event, params) => {
    void textMenuItems(window.webContents, params, {
      suggest: async (word) =>
        spelling.suggest(word, (await spellingState(spelling.checker, host.preferences())).active),
      addWord: (word) => {
        spelling.addWord(word)
        host.spellingChanged()
      },
      copyText: (text) => void clipboard.writeText(text),
    }).then((items) => {
      if (items === null || window.isDestroyed()) return
      Menu.buildFromTemplate(items).popup({ window, x: params.x, y: params.y })
    })
  })
}

/**
 * The engine reads its files while Electron gets ready, and the window loads while it does: nothing on the way to the list waits
 * for another that it does not need.
 */
const start = async (): Promise<void> => {
  const given = takeGivenAccount(process.env)
  const dataDirectory = app.getPath('userData')
  const logFile = openLog(dataDirectory)
  const settingsFile = join(dataDirectory, `${SETTINGS_NAME}.json`)
  const settingsProblem = prepareSettingsFile(settingsFile)
  const settings = openSettingsFile(settingsFile)
  const preferencesFile = join(dataDirectory, `${PREFERENCES_NAME}.json`)
  const preferencesProblem = preparePreferencesFile(preferencesFile)
  const { platform } = process
  const choose = (commandId: string): void => {
    const step = zoomStepOf(commandId)
    if (step !== null) zoom(step)
    else tellWindow(windows.current(), { name: 'menu.chosen', payload: { commandId }, accountId: null })
  }
  const menuBar = createMenuBar(Menu, { platform, isPackaged: app.isPackaged }, choose)
  /** What each window can do, as it has said last. */
  const menus = new Map<string, readonly MenuCommand[]>()
  const windows: Windows<BrowserWindow> = createWindows({
    settings,
    make: (place, address) => makeWindow(place, address),
    screens: () => screen.getAllDisplays().map(({ workArea }) => workArea),
    turned: (window) => menuBar.show((window && menus.get(callerOfWindow(window))) ?? []),
  })
  const spelling = openSpelling({
    app,
    session: () => session.defaultSession,
    platform,
    env: process.env,
    workerFile: join(import.meta.dirname, 'spelling-worker.cjs'),
    wasmFile: join(import.meta.dirname, 'hunspell.wasm'),
  })
  const badge = createBadge({
    ...{ app, platform, windows: windows.all },
    dot: (pixels, side) => nativeImage.createFromBitmap(pixels, { width: side, height: side }),
  })
  const showUnread = (count: number): void => {
    badge(count)
    tray?.showUnread(count)
  }
  let tray: DesktopTray | null = null
  const updates = createDesktopUpdates({
    ...{ app, process, settings, log: logFile.log, host: () => host },
    closeAll: () => closeAll(),
  })
  const host = startHost({
    dataDirectory,
    engineEntry: join(import.meta.dirname, 'engine-worker.cjs'),
    launchPlatform: createLaunchPlatform(utilityProcess, join(import.meta.dirname, 'service.cjs')),
    settings,
    settingsProblem,
    preferences: openSettingsFile(preferencesFile),
    preferencesProblem,
    vault: createVault(app.whenReady().then(() => openKeychain(safeStorage, platform))),
    given,
    saveFile: createSaveFile(app, dialog, windows.current),
    saveFiles: createSaveFiles(app, dialog, windows.current),
    chooseFolder: createChooseFolder(dialog, windows.current),
    exportDoor: createExportDoor(app, dialog, windows.current),
    printer: createPrinter({ BrowserWindow, session }, () => app.getLocaleCountryCode(), windows.current),
    spelling: spelling.checker,
    kind: 'electron',
    showMenu: (commands, caller) => {
      menus.set(caller, commands)
      const current = windows.current()
      if (current !== null && callerOfWindow(current) === caller) menuBar.show(commands)
    },
    openWindow: (address) => windows.open(address),
    showUnread,
    desktop: createDesktop(app, process, homedir()),
    updates,
    logFile,
    crashFiles: openCrashFiles(dataDirectory, logFile),
    startWatch: watchStart(dataDirectory),
    isSafeAsked: app.commandLine.hasSwitch('safe-start'),
    noticesFile: join(import.meta.dirname, '..', 'third-party-notices.txt'),
    openLicences: createOpenLicences(shell, process),
  })

  const zoom = createZoom({
    preferences: host.preferences,
    choose: (change) => void host.call('preferences.set', change, { accountId: null, caller: 'zoom' }),
  })

  await app.whenReady()
  // What the system's own panel says where no account is open; all of it is in the window's.
  app.setAboutPanelOptions({ applicationName: 'Linnet', applicationVersion: app.getVersion() })
  nativeTheme.themeSource = host.preferences().theme
  serveWindow(host)
  serveWindows(host, ipcMain, windows.all)

  const reviveWindow = createReviveWindow({
    log: logFile.log,
    ended: host.windowEnded,
    choose: host.choose,
    ask: (options) => {
      const window = windows.current()
      return window === null ? dialog.showMessageBox(options) : dialog.showMessageBox(window, options)
    },
    quit: () => app.quit(),
  })
  const makeWindow = (place: PlacedWindow, address: string): BrowserWindow => {
    const window = openMainWindow(place, address, {
      isDark: nativeTheme.shouldUseDarkColors,
      isSpellingBySystem: isCheckedBySystem(platform),
      zoomFactor: zoomFactor(host.preferences()),
    })
    const caller = callerOfWindow(window)
    // Chromium keeps one of its own for each origin.
    window.webContents.on('dom-ready', () => zoomWindows([window], host.preferences()))
    // By the wheel.
    window.webContents.on('zoom-changed', (_event, direction) => zoom(direction))
    window.on('closed', () => menus.delete(caller))
    // The gesture of macOS: as its browsers have it.
    window.on('swipe', (_event, direction) => {
      if (direction === 'left' || direction === 'right') choose(direction === 'left' ? 'go.back' : 'go.forward')
    })
    serveTextMenu(window, spelling, host)
    reviveWindow(window)
    return window
  }
  tray = openTray({
    ...{ host, platform, log: logFile.log, Menu, Tray, nativeImage, showUnread },
    icon: join(import.meta.dirname, 'tray.png'),
    hasWindow: () => windows.current() !== null,
    open: windows.bringToFront,
    newMessage: () => followLink(parseAppLink('mailto:')),
    quit: () => app.quit(),
  })
  // Started with the person's session, Linnet waits in the tray where there is one to wait in.
  const isHidden =
    app.commandLine.hasSwitch(HIDDEN_SWITCH) || (platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin)
  if (!isHidden || !tray.isShown()) windows.openKept()
  menuBar.show([])
  followTheme(host)
  followZoom(windows.all, host)
  followSpelling(spelling, host)
  updates.followPreferences()
  app.on('activate', () => {
    if (windows.current() === null) windows.openKept()
  })
  app.on('before-quit', windows.quitting)
  followLink = (link) => {
    if (link === null) return
    windows.bringToFront()
    host.openLink(link)
  }
  host.subscribe(
    createNotifier({
      show: Notification.isSupported() ? showNotice : null,
      isFocused: () => BrowserWindow.getFocusedWindow() !== null,
      preferences: host.preferences,
      open: (link) => followLink(link),
      bringToFront: windows.bringToFront,
      change: (accountId, inboxId, threadId, change) =>
        void host.call('thread.change', { inboxId, threadIds: [threadId], change }, { accountId, caller: 'notices' }),
    }),
  )
  followLink(linkIn(process.argv))
  early.forEach(followLink)
  app.on('second-instance', (_event, argv) => {
    windows.bringToFront()
    followLink(linkIn(argv))
  })
  app.on('window-all-closed', () => {
    if (platform !== 'darwin' && !tray.isShown()) app.quit()
  })
  let closed = false
  const closeAll = async (): Promise<() => void> => {
    const isNotStuck = endWhereStuck(logFile.log)
    updates.close()
    await Promise.allSettled([host.close(), spelling.close()])
    closed = true
    return isNotStuck
  }
  app.on('will-quit', (event) => {
    if (closed) return
    // Unsent changes are on disk already; this only lets the files close in order.
    event.preventDefault()
    void closeAll().then(() => {
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
    // Before Electron is ready, not every system has a dialog.
    start().catch((thrown: unknown) => void app.whenReady().then(() => fail(thrown)))
  } else {
    console.error('Linnet is running already: its window was brought to the front.')
    app.quit()
  }
} catch (thrown) {
  fail(thrown)
}
