import type { SavedFile } from '../shared/contract.ts'
import type { Credentials, RequestedFile } from '../shared/engine-api.ts'
import type { MenuCommand } from '../shared/menu-command.ts'
import type { Problem } from '../shared/result.ts'
import type { CrashFiles } from './crash-files.ts'
import type { LaunchPlatform } from './demo-platform.ts'
import type { AssistantServer } from '../shared/assistants.ts'
import type { Desktop } from './desktop.ts'
import type { ExportTargets } from './export-handlers.ts'
import type { KeyVault } from './stored-keys.ts'
import type { LogFile } from './log-file.ts'
import type { Printer } from './print-jobs.ts'
import type { SettingsStore } from './settings-file.ts'
import type { SpellChecker } from './spelling.ts'
import type { StartupRecorder } from './startup-recorder.ts'
import type { HostUpdates } from './updates.ts'

/** Differences between the desktop's and the browser's host. */
export interface HostOptions {
  readonly dataDirectory: string
  readonly engineEntry: string | URL
  readonly launchPlatform: LaunchPlatform
  readonly settings: SettingsStore
  readonly settingsProblem: Problem | null
  /** Window preferences, in a separate file. */
  readonly preferences: SettingsStore
  readonly preferencesProblem: Problem | null
  readonly vault: KeyVault
  /** Account from `LINNET_BASE_URL` and `LINNET_API_KEY`. Its key is never stored. */
  readonly environmentAccount: Credentials | null
  /** The client ID from `LINNET_CLIENT_ID`, or null if Linnet registers itself. */
  readonly clientId: string | null
  /** Saves a file for the user: a dialog on the desktop, a download in the browser. */
  readonly saveFile: (file: RequestedFile) => Promise<SavedFile>
  /** Saves several files: a folder on the desktop, one archive in the browser. @param name without an extension */
  readonly saveFiles: (name: string, files: AsyncIterable<RequestedFile>) => Promise<SavedFile>
  readonly exportTargets: ExportTargets
  /** Null in a browser, whose pages can't drag out files. */
  readonly fileDrag: HostFileDrag | null
  /** Null in a browser, which has its own printing. */
  readonly printer: Printer | null
  /** Null in a browser, which has its own spell checker. */
  readonly spelling: SpellChecker | null
  readonly desktop: Desktop | null
  /** Installs updates on the desktop. Null in a browser. */
  readonly updates: HostUpdates | null
  /** Command with which other programs start this Linnet's `linnet mcp`, or null if they can't. */
  readonly assistantServer: AssistantServer | null
  /** Third-party licences, written by the build. */
  readonly noticesFile: string
  /** Shows Electron's and Chromium's licences. Null in a browser. @throws ProblemError `not_found` if missing */
  readonly openLicences: (() => Promise<void>) | null
  readonly kind: 'electron' | 'browser'
  /** The system's proxies for a URL, in PAC format. Null in a browser, which doesn't expose them. */
  readonly systemProxies: ((url: string) => Promise<string>) | null
  readonly logFile: LogFile
  readonly crashFiles: CrashFiles
  readonly startWatch: StartupRecorder
  readonly isSafeAsked: boolean
  /** Null without desktop dialogs. */
  readonly chooseFolder: ChooseDirectory | null
  /** Shows the unread count on the app icon. Null if unsupported. */
  readonly showUnread: ((count: number) => void) | null
  /** Shows a window's commands in the menu bar while that window is active. Null without a menu bar. */
  readonly showMenu: ((commands: readonly MenuCommand[], caller: string) => void) | null
  /** Brings a window to the front, opening one if there is none. */
  readonly bringToFront: () => void
  /** Opens an address in another window. Null in a browser, which does that itself. */
  readonly openWindow: ((address: string) => void) | null
}

/** Drags files out of windows, named by their callers (`CallContext`). */
export interface HostFileDrag {
  /** Starts dragging a file once it is read. False if the window has cancelled or closed by then. */
  readonly start: (caller: string, read: () => Promise<RequestedFile>) => Promise<boolean>
  readonly cancel: (caller: string) => void
}

/** Lets the user choose a folder. @param at initial folder. Returns null if the user cancels. */
export type ChooseDirectory = (of: 'backups' | 'backup', at: string | undefined) => Promise<string | null>
