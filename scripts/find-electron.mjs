import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { projectEnvironment, projectNode, root } from './project.mjs'

const NAMES = { darwin: join('Electron.app', 'Contents', 'MacOS', 'Electron'), win32: 'electron.exe' }
const name = NAMES[process.platform] ?? 'electron'
const ownDist = join(root, 'node_modules', 'electron', 'dist')

/** The Electron binary that is on this machine already, else null. The variable is the electron package's own. */
export const findElectron = () => {
  const binary = join(process.env.ELECTRON_OVERRIDE_DIST_PATH ?? ownDist, name)
  return existsSync(binary) ? binary : null
}

/** The binary, fetched from Electron's own server where it is not there yet; null where that cannot be reached. */
export const fetchElectron = () => {
  const found = findElectron()
  if (found !== null) return found
  process.stderr.write('Fetching Electron …\n')
  spawnSync(projectNode, [join(root, 'node_modules', 'electron', 'install.js')], {
    cwd: root,
    stdio: 'ignore',
    env: projectEnvironment(),
    timeout: 300_000,
  })
  return findElectron()
}

/** Whether a window can be shown at all. */
export const hasDisplay = () =>
  process.platform !== 'linux' || Boolean(process.env.DISPLAY) || Boolean(process.env.WAYLAND_DISPLAY)
