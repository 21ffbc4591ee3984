import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { print, projectNode, root, run } from './project.mjs'

const NAMES = { darwin: join('Electron.app', 'Contents', 'MacOS', 'Electron'), win32: 'electron.exe' }
const name = NAMES[process.platform] ?? 'electron'
const ownDist = join(root, 'node_modules', 'electron', 'dist')

/** Returns the local Electron binary, or null. ELECTRON_OVERRIDE_DIST_PATH is defined by the electron package. */
export const findElectron = () => {
  const binary = join(process.env.ELECTRON_OVERRIDE_DIST_PATH ?? ownDist, name)
  return existsSync(binary) ? binary : null
}

/** Returns the binary, downloading it from Electron's server if missing. Null if the server can't be reached. */
export const fetchElectron = () => {
  if (findElectron() === null) {
    print('Downloading Electron (about 120 MB) …')
    run(projectNode, [join(root, 'node_modules', 'electron', 'install.js')], { timeout: 300_000 })
  }
  return findElectron()
}

export const hasDisplay = () =>
  process.platform !== 'linux' || Boolean(process.env.DISPLAY) || Boolean(process.env.WAYLAND_DISPLAY)
