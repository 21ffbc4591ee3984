import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import type { App } from 'electron'
import { ProblemError } from '../shared/result.ts'
import type { OwnCommand } from './own-command.ts'

/** A start without a window, where Linnet is in the tray. */
export const HIDDEN_SWITCH = 'hidden'

/** Starts with the person's session, where they want it. */
export interface LoginStart {
  readonly isOn: () => boolean
  /** @throws ProblemError `storage_failed` where the system did not take it */
  readonly set: (isWanted: boolean) => void
}

/** A word of a desktop entry's Exec: quoted as a word, then escaped as a value (freedesktop.org, Desktop Entry). */
const execWord = (word: string): string => {
  const quoted = `"${word.replace(/["`$\\]/g, '\\$&').replaceAll('%', '%%')}"`
  return quoted.replaceAll('\\', '\\\\')
}

/** What the sessions of Linux read at sign-in. */
export const autostartEntry = ({ file, args }: OwnCommand): string =>
  [
    '[Desktop Entry]',
    'Type=Application',
    // Nothing of a newer version is used, and those who read it may not know one.
    'Version=1.0',
    'Name=Linnet',
    'Comment=Read, search and sort mail',
    `Exec=${[file, ...args, `--${HIDDEN_SWITCH}`].map(execWord).join(' ')}`,
    'Icon=linnet',
    'Terminal=false',
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n')

/** The file of this person's sessions that starts Linnet. */
export const autostartFile = (env: NodeJS.ProcessEnv, home: string): string => {
  const given = env.XDG_CONFIG_HOME ?? ''
  // A path that is not whole is no path to them.
  return join(isAbsolute(given) ? given : join(home, '.config'), 'autostart', 'linnet.desktop')
}

/** Sessions of Linux have no call for it: a file in their folder is what they read. */
const byFile = (file: string, command: OwnCommand): LoginStart => ({
  isOn: () => {
    try {
      const entry = readFileSync(file, 'utf8')
      // The session's own settings switch it off by such a line; another place is that of a Linnet that has moved.
      return (
        !/^(?:Hidden=true|X-GNOME-Autostart-enabled=false)\s*$/m.test(entry) &&
        entry.split('\n').includes(
          autostartEntry(command)
            .split('\n')
            .find((line) => line.startsWith('Exec=')) ?? '',
        )
      )
    } catch {
      return false
    }
  },
  set: (isWanted) => {
    if (!isWanted) return rmSync(file, { force: true })
    // A line of the file ends there, and the next one would be another setting.
    // eslint-disable-next-line no-control-regex -- it is these that are looked for
    if (/[\u0000-\u001F\u007F]/.test([command.file, ...command.args].join(''))) throw new Error('no such path')
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(file, autostartEntry(command))
  },
})

/** macOS and Windows keep it themselves. */
const bySystem = (
  app: Pick<App, 'getLoginItemSettings' | 'setLoginItemSettings'>,
  isMac: boolean,
  { file, args }: OwnCommand,
): LoginStart => {
  // macOS starts the app as it is, and says to it that it did.
  const item = isMac ? {} : { path: file, args: [...args, `--${HIDDEN_SWITCH}`] }
  return {
    isOn: () => app.getLoginItemSettings(item).openAtLogin,
    set: (isWanted) => app.setLoginItemSettings({ ...item, openAtLogin: isWanted }),
  }
}

/** Starts Linnet when the person signs in, on each system as it is done there. */
export const createLoginStart = (
  app: Pick<App, 'getLoginItemSettings' | 'setLoginItemSettings'>,
  platform: NodeJS.Platform,
  command: OwnCommand,
  file: string,
): LoginStart => {
  const start =
    platform === 'darwin' || platform === 'win32'
      ? bySystem(app, platform === 'darwin', command)
      : byFile(file, command)
  return {
    isOn: start.isOn,
    set: (isWanted) => {
      const message = 'Your system refused this. Its settings list the apps that start when you sign in.'
      try {
        start.set(isWanted)
      } catch (cause) {
        throw new ProblemError({ code: 'storage_failed', message }, { cause })
      }
      if (start.isOn() !== isWanted) throw new ProblemError({ code: 'storage_failed', message })
    },
  }
}
