/** The rest of the main process, loaded by its entry point (index.ts). */
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
  powerMonitor,
  safeStorage,
  screen,
  session,
  shell,
  Tray,
  utilityProcess,
} from 'electron'
import { parseAppLink, type AppLink, type WindowLink } from '../shared/app-link.ts'
import type { Credentials } from '../shared/engine-api.ts'
import { describeThrown, logLine } from '../shared/log.ts'
import { NOTICES_CALLER } from '../shared/notice.ts'
import type { MenuCommand } from '../shared/menu-command.ts'
import type { Problem } from '../shared/result.ts'
import { killIfStuck } from '../host/shutdown-watchdog.ts'
import { readEnvironmentClientId } from '../host/environment-account.ts'
import { CrashFiles } from '../host/crash-files.ts'
import { type LogFile, openLog } from '../host/log-file.ts'
import type { FirstView } from '../host/first-view-file.ts'
import { FirstViewStore } from '../host/first-view-store.ts'
import { preparePreferencesFile } from '../host/preferences.ts'
import { prepareSettingsFile, type SettingsStore } from '../host/settings-file.ts'
import { PREFERENCES_NAME, SETTINGS_NAME } from '../host/settings-names.ts'
import { getSpellingState } from '../host/spelling.ts'
import { Host, type ServedHost } from '../host/host.ts'
import type { StartupRecorder } from '../host/startup-recorder.ts'
import { createBadge } from './badge.ts'
import { createPlatformLauncher } from './demo-process.ts'
import { Keychain, createVault } from './keychain.ts'
import type { WindowAppearance } from './main-window.ts'
import { FileDrag } from './file-drag.ts'
import { createMenuBar } from './menu-bar.ts'
import { createNotifier, type NoticeListeners, type ShownNotice } from './notifier.ts'
import { createPrinter } from './printer.ts'
import { createAssistantServer, createDesktop } from './desktop.ts'
import { createDirectoryPicker, createFileSaver, createMultiFileSaver, createExportTargets } from './save-file.ts'
import { toWindowCaller, sendToWindow } from './serve-windows.ts'
import { openSettingsStore } from './settings-store.ts'
import { hasSystemSpellChecker } from './spelling/system-spell-checker.ts'
import { openSpellChecker, type DesktopSpellChecker } from './spelling/desktop-spell-checker.ts'
import { buildTextMenu } from './text-menu.ts'
import { createLicenseOpener } from './license-opener.ts'
import { openTray, type DesktopTray } from './open-tray.ts'
import { createDesktopUpdates } from './updates/desktop-updates.ts'
import { createWindowReloader } from './window-crashes.ts'
import type { PlacedWindow } from './window-placement.ts'
import { WindowManager } from './window-manager.ts'
import { createZoomHandler, zoomFactor, zoomStepOf, zoomWindows } from './zoom.ts'

const { platform } = process

export interface StartupState {
  readonly built: string
  readonly dataDirectory: string
  readonly environmentAccount: Credentials | null
  readonly startWatch: StartupRecorder
  /** The early window, perhaps closed by now, or null if there is none. */
  readonly firstWindow: BrowserWindow | null
  readonly isHidden: boolean
  readonly openWindow: (place: PlacedWindow, address: string, look: Omit<WindowAppearance, 'preload'>) => BrowserWindow
}

/** Passed back to the entry point. */
export interface StartedApp {
  readonly host: ServedHost
  readonly windows: () => readonly BrowserWindow[]
  readonly followLink: (link: AppLink | null) => void
  readonly bringToFront: () => void
  /** The view another window can show before it gets responses. */
  readonly firstView: () => FirstView | null
  /** True if the early window was closed and nothing else keeps Linnet running. */
  readonly shouldQuit: boolean
}

const followSpelling = (spelling: DesktopSpellChecker, host: Host): void => {
  const follow = async (): Promise<void> => {
    const { active } = await getSpellingState(spelling.checker, host.preferences())
    spelling.follow(host.preferences().checkSpelling, active)
  }
  void follow()
  host.subscribe((event) => {
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

const serveTextMenu = (window: BrowserWindow, spelling: DesktopSpellChecker, host: Host): void => {
  window.webContents.on('context-menu', (_event, params) => {
    void buildTextMenu(window.webContents, params, {
      suggest: async (word) =>
        spelling.suggest(word, (await getSpellingState(spelling.checker, host.preferences())).active),
      addWord: (word) => {
        spelling.addWord(word)
        host.spellingChanged()
      },
      copyText: (text) => void clipboard.writeText(text),
      savePicture: (src) => sendToWindow(window, { name: 'picture.chosen', payload: { src }, accountId: null }),
    }).then((items) => {
      if (items === null || window.isDestroyed()) return
      Menu.buildFromTemplate(items).popup({ window, x: params.x, y: params.y })
    })
  })
}

class DesktopApp {
  readonly #first: StartupState
  readonly #logFile: LogFile
  readonly #settings: SettingsStore
  readonly #menuBar: ReturnType<typeof createMenuBar>
  readonly #menus = new Map<string, readonly MenuCommand[]>()
  readonly #windows: WindowManager<BrowserWindow>
  readonly #spelling: DesktopSpellChecker
  readonly #badge: ReturnType<typeof createBadge>
  readonly #updates: ReturnType<typeof createDesktopUpdates>
  readonly #fileDrag: FileDrag
  readonly #host: Host
  readonly #zoom: ReturnType<typeof createZoomHandler>
  readonly #reviveWindow: ReturnType<typeof createWindowReloader>
  #tray: DesktopTray | null = null
  #firstView: FirstViewStore | null = null
  /** The early window, until it becomes one of `#windows`. */
  #earlyWindow: BrowserWindow | null = null
  #isClosed = false

  constructor(first: StartupState) {
    const { built, dataDirectory } = first
    this.#first = first
    this.#logFile = openLog(dataDirectory)
    const settingsProblem = prepareSettingsFile(join(dataDirectory, `${SETTINGS_NAME}.json`))
    this.#settings = openSettingsStore(dataDirectory, SETTINGS_NAME)
    this.#menuBar = createMenuBar(Menu, { platform, isPackaged: app.isPackaged }, (id) => this.#choose(id))
    this.#windows = new WindowManager({
      settings: this.#settings,
      make: (place, address) => this.#makeWindow(place, address),
      screens: () => screen.getAllDisplays().map(({ workArea }) => workArea),
      turned: (window) => this.#menuBar.show((window && this.#menus.get(toWindowCaller(window))) ?? []),
    })
    this.#spelling = openSpellChecker({
      app,
      session: () => session.defaultSession,
      platform,
      env: process.env,
      workerFile: join(built, 'spelling-worker.cjs'),
      wasmFile: join(built, 'hunspell.wasm'),
    })
    this.#badge = createBadge({
      ...{ app, platform, windows: () => this.#windows.all() },
      dot: (pixels, side) => nativeImage.createFromBitmap(pixels, { width: side, height: side }),
    })
    this.#updates = createDesktopUpdates({
      ...{ app, process, settings: this.#settings, log: this.#logFile.log, host: () => this.#host },
      closeAll: () => this.#closeAll(),
    })
    this.#fileDrag = new FileDrag({
      folder: join(dataDirectory, 'dragged'),
      icon: () => nativeImage.createFromPath(join(built, 'tray.png')).resize({ width: 32, height: 32 }),
      contentsOf: (caller) => this.#windows.all().find((each) => toWindowCaller(each) === caller)?.webContents ?? null,
      log: this.#logFile.log,
    })
    void this.#fileDrag.clear()
    this.#host = this.#makeHost(settingsProblem)
    this.#zoom = createZoomHandler({
      preferences: () => this.#host.preferences(),
      choose: (change) => void this.#host.call('preferences.set', change, { accountId: null, caller: 'zoom' }),
    })
    this.#reviveWindow = createWindowReloader({
      log: this.#logFile.log,
      recordCrash: (end) => this.#host.windowCrashed(end),
      choose: (mode) => this.#host.choose(mode),
      ask: (options) => {
        const window = this.#windows.current()
        return window === null ? dialog.showMessageBox(options) : dialog.showMessageBox(window, options)
      },
      quit: () => app.quit(),
    })
  }

  async open(): Promise<StartedApp> {
    const { built, dataDirectory, environmentAccount, firstWindow, isHidden } = this.#first
    const host = this.#host
    await app.whenReady()
    // The system's About panel, used while no account is open. The window's own About dialog shows more.
    app.setAboutPanelOptions({ applicationName: 'Linnet', applicationVersion: app.getVersion() })
    nativeTheme.themeSource = host.preferences().theme
    const firstView = new FirstViewStore({
      host,
      origin: { dataDirectory, pageFile: join(built, '..', 'renderer', 'index.html'), environmentAccount },
      report: (thrown) =>
        this.#logFile.log('warn', logLine`host: the first view was not saved: ${describeThrown(thrown)}`),
    })
    this.#firstView = firstView
    // Closing the window this early means quitting, but the changes made in it are sent first.
    const isClosedAlready = firstWindow?.isDestroyed() === true
    this.#earlyWindow = isClosedAlready ? null : firstWindow
    const tray = this.#openTray()
    this.#tray = tray
    // Started at sign-in, Linnet stays in the tray if there is one.
    if (!isClosedAlready && (!isHidden || !tray.isShown())) this.#windows.openKept()
    this.#menuBar.show([])
    host.subscribe((event) => {
      if (event.name !== 'preferences.changed') return
      // For native UI, and for windows before their page loads.
      nativeTheme.themeSource = event.payload.theme
      zoomWindows(this.#windows.all(), event.payload)
    })
    followSpelling(this.#spelling, host)
    this.#updates.followPreferences()
    this.#startNotifier()
    this.#followApp(tray)
    return {
      host: {
        subscribe: (listener) => host.subscribe(listener),
        leave: (caller) => host.leave(caller),
        preferences: () => host.preferences(),
        call: async (name, input, context) => {
          const result = await host.call(name, input, context)
          firstView.onResponse(name, input, context, result)
          return result
        },
      },
      windows: () => this.#windows.all(),
      followLink: (link) => this.#followLink(link),
      bringToFront: () => this.#windows.bringToFront(),
      firstView: () => firstView.current(),
      shouldQuit: isClosedAlready && platform !== 'darwin' && !tray.isShown(),
    }
  }

  #makeHost(settingsProblem: Problem | null): Host {
    const { built, dataDirectory, environmentAccount, startWatch } = this.#first
    const current = (): BrowserWindow | null => this.#windows.current()
    const preferencesProblem = preparePreferencesFile(join(dataDirectory, `${PREFERENCES_NAME}.json`))
    return new Host({
      dataDirectory,
      engineEntry: join(built, 'engine-worker.cjs'),
      launchPlatform: createPlatformLauncher(utilityProcess, join(built, 'service.cjs')),
      settings: this.#settings,
      settingsProblem,
      preferences: openSettingsStore(dataDirectory, PREFERENCES_NAME),
      preferencesProblem,
      vault: createVault(app.whenReady().then(() => Keychain.open(safeStorage, platform))),
      environmentAccount,
      clientId: readEnvironmentClientId(process.env),
      saveFile: createFileSaver(app, dialog, current),
      saveFiles: createMultiFileSaver(app, dialog, current),
      chooseFolder: createDirectoryPicker(dialog, current),
      exportTargets: createExportTargets(app, dialog, current),
      fileDrag: this.#fileDrag,
      printer: createPrinter({ BrowserWindow, session }, () => app.getLocaleCountryCode(), current),
      spelling: this.#spelling.checker,
      kind: 'electron',
      systemProxies: async (url) => {
        await app.whenReady()
        return session.defaultSession.resolveProxy(url)
      },
      showMenu: (commands, caller) => {
        this.#menus.set(caller, commands)
        const window = current()
        if (window !== null && toWindowCaller(window) === caller) this.#menuBar.show(commands)
      },
      openWindow: (address) => this.#windows.open(address),
      bringToFront: () => this.#windows.bringToFront(),
      showUnread: (count) => this.#showUnread(count),
      desktop: createDesktop(app, process, homedir()),
      assistantServer: createAssistantServer(app, process),
      updates: this.#updates,
      logFile: this.#logFile,
      crashFiles: new CrashFiles(dataDirectory, this.#logFile),
      startWatch,
      isSafeAsked: app.commandLine.hasSwitch('safe-start'),
      noticesFile: join(built, '..', 'third-party-notices.txt'),
      openLicences: createLicenseOpener(shell, process),
    })
  }

  #openTray(): DesktopTray {
    return openTray({
      ...{ host: this.#host, platform, log: this.#logFile.log, Menu, Tray, nativeImage },
      showUnread: (count) => this.#showUnread(count),
      icon: join(this.#first.built, 'tray.png'),
      hasWindow: () => this.#windows.current() !== null,
      open: () => this.#windows.bringToFront(),
      newMessage: () => this.#followLink(parseAppLink('mailto:')),
      quit: () => app.quit(),
    })
  }

  #showUnread(count: number): void {
    this.#badge(count)
    this.#tray?.showUnread(count)
  }

  #startNotifier(): void {
    const host = this.#host
    host.subscribe(
      createNotifier({
        show: Notification.isSupported() ? showNotice : null,
        hasMarkup: platform === 'linux',
        isFocused: () => BrowserWindow.getFocusedWindow() !== null,
        preferences: () => host.preferences(),
        open: (link) => this.#followLink(link),
        bringToFront: () => this.#windows.bringToFront(),
        change: (accountId, inboxId, threadId, change) =>
          void host.call(
            'thread.change',
            { inboxId, threadIds: [threadId], change },
            { accountId, caller: NOTICES_CALLER },
          ),
      }),
    )
  }

  #followApp(tray: DesktopTray): void {
    app.on('activate', () => {
      if (this.#windows.current() === null) this.#windows.openKept()
    })
    app.on('before-quit', () => this.#windows.quitting())
    powerMonitor.on('resume', () => this.#host.networkChanged())
    powerMonitor.on('unlock-screen', () => this.#host.networkChanged())
    app.on('window-all-closed', () => {
      if (platform !== 'darwin' && !tray.isShown()) app.quit()
    })
    app.on('will-quit', (event) => {
      if (this.#isClosed) return
      // Unsent changes are on disk already; this only lets the files close in order.
      event.preventDefault()
      void this.#closeAll().then(() => {
        // Not in the prevented event itself: if there is nothing to close, Electron would ignore the call.
        setImmediate(() => app.quit())
      })
    })
  }

  #choose(commandId: string): void {
    const step = zoomStepOf(commandId)
    if (step !== null) this.#zoom(step)
    else sendToWindow(this.#windows.current(), { name: 'menu.chosen', payload: { commandId }, accountId: null })
  }

  #followLink(link: WindowLink | null): void {
    if (link === null) return
    this.#windows.bringToFront()
    this.#host.openLink(link)
  }

  #makeWindow(place: PlacedWindow, address: string): BrowserWindow {
    const host = this.#host
    const taken = this.#earlyWindow
    this.#earlyWindow = null
    if (taken !== null) this.#takeOver(taken)
    const window =
      taken ??
      this.#first.openWindow(place, address, {
        isDark: nativeTheme.shouldUseDarkColors,
        isSpellingBySystem: hasSystemSpellChecker(platform),
        zoomFactor: zoomFactor(host.preferences()),
      })
    const caller = toWindowCaller(window)
    // Chromium stores its own zoom factor for each origin.
    window.webContents.on('dom-ready', () => zoomWindows([window], host.preferences()))
    window.webContents.on('zoom-changed', (_event, direction) => this.#zoom(direction))
    window.on('closed', () => this.#menus.delete(caller))
    // macOS swipe navigation, as in its browsers.
    window.on('swipe', (_event, direction) => {
      if (direction === 'left' || direction === 'right') this.#choose(direction === 'left' ? 'go.back' : 'go.forward')
    })
    serveTextMenu(window, this.#spelling, host)
    this.#reviveWindow(window)
    return window
  }

  /** Applies the preferences to the early window, which was opened without them. */
  #takeOver(window: BrowserWindow): void {
    zoomWindows([window], this.#host.preferences())
    if (!window.webContents.isCrashed()) return
    this.#host.windowCrashed({ reason: logLine`before the host started`, isOutOfMemory: false, isRestarted: true })
    window.webContents.reload()
  }

  /** Closes everything. @returns a function that cancels the kill of a stuck process */
  async #closeAll(): Promise<() => void> {
    const cancelKill = killIfStuck(this.#logFile.log)
    this.#updates.close()
    await this.#firstView?.close()
    await Promise.allSettled([this.#host.close(), this.#spelling.close(), this.#fileDrag.clear()])
    this.#isClosed = true
    return cancelKill
  }
}

export const startDesktop = (first: StartupState): Promise<StartedApp> => new DesktopApp(first).open()
