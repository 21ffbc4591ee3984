import type { SavedFile } from '../shared/contract.ts'
import type { Credentials, RawEmail } from '../shared/engine-link.ts'
import type { MenuCommand } from '../shared/menu-command.ts'
import type { Problem } from '../shared/result.ts'
import type { CrashFiles } from './crash-files.ts'
import type { LaunchPlatform } from './demo-platform.ts'
import type { AssistantServer } from '../shared/assistants.ts'
import type { Desktop } from './desktop.ts'
import type { ExportDoor } from './exporting.ts'
import type { KeyVault } from './kept-keys.ts'
import type { LogFile } from './log-file.ts'
import type { Printer } from './print-jobs.ts'
import type { SettingsStore } from './settings-file.ts'
import type { Spelling } from './spelling.ts'
import type { StartWatch } from './start-watch.ts'
import type { HostUpdates } from './updates.ts'

/** Differences between the desktop's and the browser's host. */
export interface HostOptions {
  readonly dataDirectory: string
  readonly engineEntry: string | URL
  readonly launchPlatform: LaunchPlatform
  readonly settings: SettingsStore
  /** Notice about the settings, or null. */
  readonly settingsProblem: Problem | null
  /** Choices for the windows, in a file of their own. */
  readonly preferences: SettingsStore
  /** Notice about that file, or null. */
  readonly preferencesProblem: Problem | null
  readonly vault: KeyVault
  /** An account given from outside, by `LINNET_BASE_URL` and `LINNET_API_KEY`; its key is never kept. */
  readonly given: Credentials | null
  /** The client ID from `LINNET_CLIENT_ID`; null if Linnet registers itself. */
  readonly clientId: string | null
  /** Brings a file to the person: a dialog on the desktop, a download in the browser. */
  readonly saveFile: (file: RawEmail) => Promise<SavedFile>
  /** Brings several files: into a folder on the desktop, as one file in the browser. @param name without an ending */
  readonly saveFiles: (name: string, files: AsyncIterable<RawEmail>) => Promise<SavedFile>
  readonly exportDoor: ExportDoor
  /** Null in a browser, which prints by itself. */
  readonly printer: Printer | null
  /** Null in a browser, which checks spelling by itself. */
  readonly spelling: Spelling | null
  /** Null in a browser. */
  readonly desktop: Desktop | null
  /** How a desktop's Linnet becomes the next one; null in a browser. */
  readonly updates: HostUpdates | null
  /** How other programs start this Linnet's `linnet mcp`; null where they cannot. */
  readonly assistantServer: AssistantServer | null
  /** The licences of others, as the build wrote them. */
  readonly noticesFile: string
  /** Shows those of Electron and Chromium; null in a browser. @throws ProblemError `not_found` where they are missing */
  readonly openLicences: (() => Promise<void>) | null
  readonly kind: 'electron' | 'browser'
  /** The system's proxies for an address, as in a PAC file; null in a browser, which does not tell. */
  readonly systemProxies: ((url: string) => Promise<string>) | null
  readonly logFile: LogFile
  readonly crashFiles: CrashFiles
  readonly startWatch: StartWatch
  /** Set by a command-line switch. */
  readonly isSafeAsked: boolean
  /** Null where there are no dialogs of the desktop. */
  readonly chooseFolder: ChooseFolder | null
  /** Shows how many threads are unread beside Linnet's sign on the desktop; null where there is none. */
  readonly showUnread: ((count: number) => void) | null
  /** Shows a window's commands in the desktop's menu bar, as long as it is that window's turn; null where there is none. */
  readonly showMenu: ((commands: readonly MenuCommand[], caller: string) => void) | null
  /** Brings a window to the front, and opens one where none is. */
  readonly bringToFront: () => void
  /** Opens an address in another window; null in a browser, which does so itself. */
  readonly openWindow: ((address: string) => void) | null
}

/** Has a person choose a folder. @param at where they begin; null where they thought better of it */
export type ChooseFolder = (of: 'backups' | 'backup', at: string | undefined) => Promise<string | null>
