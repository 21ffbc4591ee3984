import type { App } from 'electron'
import type { Desktop } from '../host/desktop.ts'
import type { AssistantServer } from '../shared/assistants.ts'
import { resolveAssistantServer } from './command-line.ts'
import { resolveAutostartFile, createAutostart } from './autostart.ts'
import { resolveLaunchCommand, type LaunchCommand } from './launch-command.ts'
import { createProblem } from '../shared/result.ts'

const SYSTEMS: Readonly<Partial<Record<NodeJS.Platform, 'macOS' | 'Windows'>>> = { darwin: 'macOS', win32: 'Windows' }

const appPath = (app: App): string | null => (app.isPackaged ? null : app.getAppPath())
/** The requested data folder, or null for the default. */
const requestedDirectory = (app: App): string | null =>
  app.commandLine.hasSwitch('data-dir') ? app.getPath('userData') : null

export const createAssistantServer = (app: App, process: NodeJS.Process): AssistantServer | null =>
  resolveAssistantServer(process.platform, resolveLaunchCommand(process, appPath(app), null), requestedDirectory(app))

/** Registers Linnet for `mailto:` links, only at the user's request. */
export const createMailLinks = (
  app: Pick<App, 'isDefaultProtocolClient' | 'setAsDefaultProtocolClient'>,
  { file, args }: LaunchCommand,
) => {
  // Only Windows needs the command line.
  const isOurs = (): boolean => app.isDefaultProtocolClient('mailto', file, [...args])
  return {
    isOurs,
    /** @throws ProblemError `refused` if the system rejects it */
    take: (): void => {
      if (app.setAsDefaultProtocolClient('mailto', file, [...args]) && isOurs()) return
      const message = 'Your system didn’t let Linnet open email links. Make it the default mail app in system settings.'
      throw createProblem('refused', message)
    },
  }
}

export const createDesktop = (
  app: App,
  process: Pick<NodeJS.Process, 'env' | 'execPath' | 'platform'>,
  home: string,
): Desktop => {
  const { env, platform } = process
  const command = resolveLaunchCommand(process, appPath(app), requestedDirectory(app))
  const loginStart = createAutostart(app, platform, command, resolveAutostartFile(env, home))
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
