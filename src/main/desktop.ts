import type { App } from 'electron'
import type { Desktop } from '../host/desktop.ts'
import type { AssistantServer } from '../shared/assistants.ts'
import { assistantServer } from './command-line.ts'
import { autostartFile, createLoginStart } from './login-start.ts'
import { createMailLinks } from './mail-links.ts'
import { ownCommand } from './own-command.ts'

const SYSTEMS: Readonly<Partial<Record<NodeJS.Platform, 'macOS' | 'Windows'>>> = { darwin: 'macOS', win32: 'Windows' }

const appPath = (app: App): string | null => (app.isPackaged ? null : app.getAppPath())
/** The data folder that was asked for; null for the usual one. */
const askedFolder = (app: App): string | null =>
  app.commandLine.hasSwitch('data-dir') ? app.getPath('userData') : null

/** How assistants start this Linnet's server; null where they cannot. */
export const createAssistantServer = (app: App, process: NodeJS.Process): AssistantServer | null =>
  assistantServer(process.platform, ownCommand(process, appPath(app), null), askedFolder(app))

/** The system, as Electron reaches it. */
export const createDesktop = (
  app: App,
  process: Pick<NodeJS.Process, 'env' | 'execPath' | 'platform'>,
  home: string,
): Desktop => {
  const { env, platform } = process
  const command = ownCommand(process, appPath(app), askedFolder(app))
  const loginStart = createLoginStart(app, platform, command, autostartFile(env, home))
  const mailLinks = createMailLinks(app, command)
  return {
    state: () => ({
      system: SYSTEMS[platform] ?? 'Linux',
      startsAtLogin: loginStart.isOn(),
      opensMailLinks: mailLinks.isOurs(),
    }),
    startAtLogin: loginStart.set,
    openMailLinks: mailLinks.take,
  }
}
