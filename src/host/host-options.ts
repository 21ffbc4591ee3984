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

/** What a host is made with: by these the desktop's and the browser's differ. */
export interface HostOptions {
  readonly dataDirectory: string
  /** The engine thread's file. */
  readonly engineEntry: string | URL
  readonly launchPlatform: LaunchPlatform
  readonly settings: SettingsStore
  /** What a person should know of the settings; null where all is well. */
  readonly settingsProblem: Problem | null
  /** What a person has chosen of the windows, in a file of its own. */
  readonly preferences: SettingsStore
  /** What a person should know of that file; null where all is well. */
  readonly preferencesProblem: Problem | null
  readonly vault: KeyVault
  /** An account given from outside, by `LINNET_BASE_URL` and `LINNET_API_KEY`; its key is never kept. */
  readonly given: Credentials | null
  /** By which Linnet signs in, from `LINNET_CLIENT_ID`; null where it registers by itself. */
  readonly clientId: string | null
  /** Brings a file to the person: a dialog on the desktop, a download in the browser. */
  readonly saveFile: (file: RawEmail) => Promise<SavedFile>
  /**
   * Brings several files to the person: into a folder on the desktop, as one file in the browser.
   * @param name of them together, without an ending
   * @param files are fetched one after the other
   */
  readonly saveFiles: (name: string, files: AsyncIterable<RawEmail>) => Promise<SavedFile>
  readonly exportDoor: ExportDoor
  /** Prints by the desktop's means; null in a browser, which prints by itself. */
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
  /** What the system says of the way to an address, as a PAC file does; null in a browser, which keeps that to itself. */
  readonly systemProxies: ((url: string) => Promise<string>) | null
  readonly logFile: LogFile
  readonly crashFiles: CrashFiles
  readonly startWatch: StartWatch
  /** Whether a person has asked for a safe start, by a switch. */
  readonly isSafeAsked: boolean
  /** Null where there are no dialogs of the desktop. */
  readonly chooseFolder: ChooseFolder | null
  /** Shows how many threads are unread beside Linnet's sign on the desktop; null where there is none. */
  readonly showUnread: ((count: number) => void) | null
  /** Shows a window's commands in the desktop's menu bar, as long as it is that window's turn; null where there is none. */
  readonly showMenu: ((commands: readonly MenuCommand[], caller: string) => void) | null
  /** Brings a window to the front, and opens one where none is. */
  readonly bringToFront: () => void
  /** Opens another window with what an address leads to; null in a browser, which does it by itself. */
  readonly openWindow: ((address: string) => void) | null
}

/** Has a person choose a folder. @param at where they begin; null where they thought better of it */
export type ChooseFolder = (of: 'backups' | 'backup', at: string | undefined) => Promise<string | null>
