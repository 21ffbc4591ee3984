import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { projectNode, root } from './project.mjs'
import { runStep } from './step.mjs'

const NAMES = { darwin: join('Electron.app', 'Contents', 'MacOS', 'Electron'), win32: 'electron.exe' }
const name = NAMES[process.platform] ?? 'electron'
const ownDist = join(root, 'node_modules', 'electron', 'dist')

/** The Electron binary that is on this machine already, else null. The variable is the electron package's own. */
export const findElectron = () => {
  const binary = join(process.env.ELECTRON_OVERRIDE_DIST_PATH ?? ownDist, name)
  return existsSync(binary) ? binary : null
}

/** The binary, fetched from Electron's own server where it is not there yet; null where that cannot be reached. */
export const fetchElectron = async () => {
  const found = findElectron()
  if (found !== null) return found
  await runStep({
    name: 'electron-download',
    words: 'Downloading Electron (about 120 MB) …',
    command: projectNode,
    args: [join(root, 'node_modules', 'electron', 'install.js')],
    limit: 300_000,
  })
  return findElectron()
}

/** Whether a window can be shown at all. */
export const hasDisplay = () =>
  process.platform !== 'linux' || Boolean(process.env.DISPLAY) || Boolean(process.env.WAYLAND_DISPLAY)
