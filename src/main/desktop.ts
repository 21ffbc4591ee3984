import type { App } from 'electron'
import type { Desktop } from '../host/desktop.ts'
import type { AssistantServer } from '../shared/assistants.ts'
import { assistantServer } from './command-line.ts'
import { autostartFile, createLoginStart } from './login-start.ts'
import { ownCommand, type OwnCommand } from './own-command.ts'
import { ProblemError } from '../shared/result.ts'

const SYSTEMS: Readonly<Partial<Record<NodeJS.Platform, 'macOS' | 'Windows'>>> = { darwin: 'macOS', win32: 'Windows' }

const appPath = (app: App): string | null => (app.isPackaged ? null : app.getAppPath())
/** The data folder that was asked for; null for the usual one. */
const askedFolder = (app: App): string | null =>
  app.commandLine.hasSwitch('data-dir') ? app.getPath('userData') : null

/** How assistants start this Linnet's server; null where they cannot. */
export const createAssistantServer = (app: App, process: NodeJS.Process): AssistantServer | null =>
  assistantServer(process.platform, ownCommand(process, appPath(app), null), askedFolder(app))

/** The system's program for `mailto:` links: asked for by a person, never taken. */
export const createMailLinks = (
  app: Pick<App, 'isDefaultProtocolClient' | 'setAsDefaultProtocolClient'>,
  { file, args }: OwnCommand,
) => {
  // Windows alone needs to be told how the program is started.
  const isOurs = (): boolean => app.isDefaultProtocolClient('mailto', file, [...args])
  return {
    isOurs,
    /** @throws ProblemError `refused` where the system did not take it */
    take: (): void => {
      if (app.setAsDefaultProtocolClient('mailto', file, [...args]) && isOurs()) return
      const message =
        'Your system did not accept Linnet for mail links. Choose it as the mail app in the system’s settings.'
      throw new ProblemError({ code: 'refused', message })
    },
  }
}

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
