/** All of Electron's main process but its first lines (index.ts). */
import { homedir } from 'node:os'
import { join } from 'node:path'
import {
  app,
  BrowserWindow,
  clipboard,
  dialog,
  Menu,
  nativeImage,
  nativeTheme,
  Notification,
  type NotificationConstructorOptions,
  safeStorage,
  screen,
  session,
  shell,
  Tray,
  utilityProcess,
} from 'electron'
import { parseAppLink, type AppLink } from '../shared/app-link.ts'
import type { Credentials } from '../shared/engine-link.ts'
import { describeThrown, logLine } from '../shared/log.ts'
import type { MenuCommand } from '../shared/menu-command.ts'
import { endWhereStuck } from '../host/end-where-stuck.ts'
import { openCrashFiles } from '../host/crash-files.ts'
import { openLog } from '../host/open-log.ts'
import { createFirstViewKeeper } from '../host/keep-first-view.ts'
import { preparePreferencesFile } from '../host/preferences-file.ts'
import { prepareSettingsFile } from '../host/settings-file.ts'
import { PREFERENCES_NAME, SETTINGS_NAME } from '../host/settings-names.ts'
import { spellingState } from '../host/spelling.ts'
import { startHost, type Host } from '../host/start-host.ts'
import type { StartWatch } from '../host/start-watch.ts'
import { createBadge } from './badge.ts'
import { createChooseFolder } from './choose-folder.ts'
import { createLaunchPlatform } from './demo-process.ts'
import { openKeychain } from './keychain.ts'
import type { ServedHost } from './late-host.ts'
import type { WindowLook } from './main-window.ts'
import { createMenuBar } from './menu-bar.ts'
import { createNotifier, type NoticeListeners, type ShownNotice } from './notifier.ts'
import { createPrinter } from './printer.ts'
import { createDesktop } from './desktop.ts'
import { createExportDoor } from './export-file.ts'
import { createSaveFile, createSaveFiles } from './save-file.ts'
import { callerOfWindow, tellWindow } from './serve-windows.ts'
import { openSettingsStore } from './settings-store.ts'
import { isCheckedBySystem } from './spelling/is-checked-by-system.ts'
import { openSpelling, type DesktopSpelling } from './spelling/open-spelling.ts'
import { textMenuItems } from './text-menu.ts'
import { createOpenLicences } from './open-licences.ts'
import { openTray, type DesktopTray } from './open-tray.ts'
import { createDesktopUpdates } from './updates/desktop-updates.ts'
import { createVault } from './vault.ts'
import { createReviveWindow } from './window-ends.ts'
import type { PlacedWindow } from './window-place.ts'
import { createWindows, type Windows } from './windows.ts'
import { createZoom, zoomFactor, zoomStepOf, zoomWindows } from './zoom.ts'

/** What the first lines (index.ts) have begun, and hand over. */
export interface FirstLines {
  /** The folder of the built files. */
  readonly built: string
  readonly dataDirectory: string
  readonly given: Credentials | null
  readonly startWatch: StartWatch
  /** The window that is there already, perhaps closed by now; null where there was to be none. */
  readonly firstWindow: BrowserWindow | null
  readonly isHidden: boolean
  readonly openWindow: (place: PlacedWindow, address: string, look: Omit<WindowLook, 'preload'>) => BrowserWindow
}

/** What the first lines go on with. */
export interface Started {
  readonly host: ServedHost
  readonly windows: () => readonly BrowserWindow[]
  readonly followLink: (link: AppLink | null) => void
  readonly bringToFront: () => void
  /** Whether the window was closed before this, and nothing else keeps Linnet there. */
  readonly isLeft: boolean
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

/** Starts all that is not there yet, and takes over what is. */
export const start = async ({
  built,
  dataDirectory,
  given,
  startWatch,
  firstWindow,
  isHidden,
  openWindow,
}: FirstLines): Promise<Started> => {
  const logFile = openLog(dataDirectory)
  const settingsProblem = prepareSettingsFile(join(dataDirectory, `${SETTINGS_NAME}.json`))
  const settings = openSettingsStore(dataDirectory, SETTINGS_NAME)
  const preferencesProblem = preparePreferencesFile(join(dataDirectory, `${PREFERENCES_NAME}.json`))
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
    workerFile: join(built, 'spelling-worker.cjs'),
    wasmFile: join(built, 'hunspell.wasm'),
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
    engineEntry: join(built, 'engine-worker.cjs'),
    launchPlatform: createLaunchPlatform(utilityProcess, join(built, 'service.cjs')),
    settings,
    settingsProblem,
    preferences: openSettingsStore(dataDirectory, PREFERENCES_NAME),
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
    startWatch,
    isSafeAsked: app.commandLine.hasSwitch('safe-start'),
    noticesFile: join(built, '..', 'third-party-notices.txt'),
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
  const firstView = createFirstViewKeeper({
    host,
    origin: { dataDirectory, pageFile: join(built, '..', 'renderer', 'index.html'), given },
    report: (thrown) => logFile.log('warn', logLine`host: the first view was not kept: ${describeThrown(thrown)}`),
  })

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
  // Whoever closes the window before that wants Linnet no more; what they did in it is sent on first.
  const isClosedAlready = firstWindow?.isDestroyed() === true
  let toTake = isClosedAlready ? null : firstWindow
  const takeFirstWindow = (): BrowserWindow | null => {
    const taken = toTake
    toTake = null
    return taken
  }
  const makeWindow = (place: PlacedWindow, address: string): BrowserWindow => {
    const window =
      takeFirstWindow() ??
      openWindow(place, address, {
        isDark: nativeTheme.shouldUseDarkColors,
        isSpellingBySystem: isCheckedBySystem(platform),
        zoomFactor: zoomFactor(host.preferences()),
      })
    if (window === firstWindow) {
      zoomWindows([window], host.preferences())
      if (window.webContents.isCrashed()) {
        host.windowEnded({ reason: logLine`before there was a host`, isOutOfMemory: false, isBack: true })
        window.webContents.reload()
      }
    }
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
    icon: join(built, 'tray.png'),
    hasWindow: () => windows.current() !== null,
    open: windows.bringToFront,
    newMessage: () => followLink(parseAppLink('mailto:')),
    quit: () => app.quit(),
  })
  // Started with the person's session, Linnet waits in the tray where there is one to wait in.
  if (!isClosedAlready && (!isHidden || !tray.isShown())) windows.openKept()
  menuBar.show([])
  followTheme(host)
  followZoom(windows.all, host)
  followSpelling(spelling, host)
  updates.followPreferences()
  app.on('activate', () => {
    if (windows.current() === null) windows.openKept()
  })
  app.on('before-quit', windows.quitting)
  const followLink = (link: AppLink | null): void => {
    if (link === null) return
    windows.bringToFront()
    host.openLink(link)
  }
  host.subscribe(
    createNotifier({
      show: Notification.isSupported() ? showNotice : null,
      hasMarkup: platform === 'linux',
      isFocused: () => BrowserWindow.getFocusedWindow() !== null,
      preferences: host.preferences,
      open: (link) => followLink(link),
      bringToFront: windows.bringToFront,
      change: (accountId, inboxId, threadId, change) =>
        void host.call('thread.change', { inboxId, threadIds: [threadId], change }, { accountId, caller: 'notices' }),
    }),
  )
  app.on('window-all-closed', () => {
    if (platform !== 'darwin' && !tray.isShown()) app.quit()
  })
  let closed = false
  const closeAll = async (): Promise<() => void> => {
    const isNotStuck = endWhereStuck(logFile.log)
    updates.close()
    await firstView.close()
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
  return {
    host: {
      ...host,
      call: async (name, input, asking) => {
        const result = await host.call(name, input, asking)
        firstView.heard(name, input, asking, result)
        return result
      },
    },
    windows: windows.all,
    followLink,
    bringToFront: windows.bringToFront,
    isLeft: isClosedAlready && platform !== 'darwin' && !tray.isShown(),
  }
}
