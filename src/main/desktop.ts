import type { App } from 'electron'
import type { Desktop } from '../host/desktop.ts'
import { autostartFile, createLoginStart } from './login-start.ts'
import { createMailLinks } from './mail-links.ts'
import { ownCommand } from './own-command.ts'

const SYSTEMS: Readonly<Partial<Record<NodeJS.Platform, 'macOS' | 'Windows'>>> = { darwin: 'macOS', win32: 'Windows' }

/** The system, as Electron reaches it. */
export const createDesktop = (
  app: App,
  process: Pick<NodeJS.Process, 'env' | 'execPath' | 'platform'>,
  home: string,
): Desktop => {
  const { env, platform } = process
  const dataDirectory = app.commandLine.hasSwitch('data-dir') ? app.getPath('userData') : null
  const command = ownCommand(process, app.isPackaged ? null : app.getAppPath(), dataDirectory)
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
