import { homedir } from 'node:os'
import { join } from 'node:path'

/** Electron's `userData` for Linnet on each system. */
export const desktopDataDirectory = (env: NodeJS.ProcessEnv = process.env): string => {
  if (process.platform === 'win32') return join(env.APPDATA ?? homedir(), 'Linnet')
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Linnet')
  return join(env.XDG_CONFIG_HOME ?? join(homedir(), '.config'), 'Linnet')
}

/** The data folder of Linnet in a browser, which has its own accounts. */
export const browserDataDirectory = (env: NodeJS.ProcessEnv = process.env): string => {
  if (process.platform === 'win32' || process.platform === 'darwin') return join(desktopDataDirectory(env), 'browser')
  return join(env.XDG_DATA_HOME ?? join(homedir(), '.local', 'share'), 'linnet', 'browser')
}
