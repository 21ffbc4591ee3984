import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import type { App } from 'electron'
import { createProblem } from '../shared/result.ts'
import type { LaunchCommand } from './launch-command.ts'

/** Starts Linnet in the tray, without a window. */
export const HIDDEN_SWITCH = 'hidden'

export interface Autostart {
  readonly isOn: () => boolean
  /** @throws ProblemError `storage_failed` if the system rejects it */
  readonly set: (isWanted: boolean) => void
}

/** Quotes a word of a desktop entry's Exec, then escapes it as a value (freedesktop.org, Desktop Entry). */
const execWord = (word: string): string => {
  const quoted = `"${word.replace(/["`$\\]/g, '\\$&').replaceAll('%', '%%')}"`
  return quoted.replaceAll('\\', '\\\\')
}

/** The autostart entry that Linux desktops read at sign-in. */
export const formatAutostartEntry = ({ file, args }: LaunchCommand): string =>
  [
    '[Desktop Entry]',
    'Type=Application',
    // The entry uses no newer features, and old readers may reject newer versions.
    'Version=1.0',
    'Name=Linnet',
    'Comment=Read, search and sort mail',
    `Exec=${[file, ...args, `--${HIDDEN_SWITCH}`].map(execWord).join(' ')}`,
    'Icon=linnet',
    'Terminal=false',
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n')

export const resolveAutostartFile = (env: NodeJS.ProcessEnv, home: string): string => {
  const given = env.XDG_CONFIG_HOME ?? ''
  // The specification says to ignore relative paths.
  return join(isAbsolute(given) ? given : join(home, '.config'), 'autostart', 'linnet.desktop')
}

/** Linux has no API for this, only a file in the autostart folder. */
const byFile = (file: string, command: LaunchCommand): Autostart => ({
  isOn: () => {
    try {
      const entry = readFileSync(file, 'utf8')
      // Desktop settings disable the entry with such a line. Another path belongs to a Linnet that has moved.
      return (
        !/^(?:Hidden=true|X-GNOME-Autostart-enabled=false)\s*$/m.test(entry) &&
        entry.split('\n').includes(
          formatAutostartEntry(command)
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
    // A control character would end the line and start another setting.
    // eslint-disable-next-line no-control-regex -- matches control characters
    if (/[\u0000-\u001F\u007F]/.test([command.file, ...command.args].join('')))
      throw new Error('Linnet’s path contains a control character.')
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(file, formatAutostartEntry(command))
  },
})

const bySystem = (
  app: Pick<App, 'getLoginItemSettings' | 'setLoginItemSettings'>,
  isMac: boolean,
  { file, args }: LaunchCommand,
): Autostart => {
  // macOS starts the app without arguments, and reports that it was opened at sign-in.
  const item = isMac ? {} : { path: file, args: [...args, `--${HIDDEN_SWITCH}`] }
  return {
    isOn: () => app.getLoginItemSettings(item).openAtLogin,
    set: (isWanted) => app.setLoginItemSettings({ ...item, openAtLogin: isWanted }),
  }
}

export const createAutostart = (
  app: Pick<App, 'getLoginItemSettings' | 'setLoginItemSettings'>,
  platform: NodeJS.Platform,
  command: LaunchCommand,
  file: string,
): Autostart => {
  const start =
    platform === 'darwin' || platform === 'win32'
      ? bySystem(app, platform === 'darwin', command)
      : byFile(file, command)
  return {
    isOn: start.isOn,
    set: (isWanted) => {
      const message = 'Your system blocked this. Check its settings for startup apps.'
      try {
        start.set(isWanted)
      } catch (cause) {
        throw createProblem('storage_failed', message, cause)
      }
      if (start.isOn() !== isWanted) throw createProblem('storage_failed', message)
    },
  }
}
