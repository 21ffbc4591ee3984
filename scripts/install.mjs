// Plain JavaScript for any Node from 20 on: it runs before anything is installed.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectNode, root, say } from './project.mjs'

/** @returns {Record<string, { version?: string, optional?: boolean }> | null} the packages that a lock file names */
const packagesOf = (file) => {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages
  } catch {
    return null
  }
}

/** Whether node_modules is what package-lock.json asks for: an older one, or half of one, is not. */
const isInstalled = () => {
  const wanted = packagesOf(join(root, 'package-lock.json'))
  const present = packagesOf(join(root, 'node_modules', '.package-lock.json'))
  if (wanted === null || present === null || !existsSync(projectNode)) return false
  const isRight = ([path, { version, optional }]) =>
    path === '' || (present[path]?.version ?? (optional ? version : undefined)) === version
  return Object.entries(wanted).every(isRight) && Object.keys(present).every((path) => path in wanted)
}

/** Installs the dependencies where they are missing or old. Ends the process where that fails. */
export const ensureInstalled = () => {
  const [major] = process.versions.node.split('.').map(Number)
  if (major < 20) {
    say(`Linnet is built with Node 20 or later; this is ${process.version}.`)
    process.exit(1)
  }
  if (isInstalled()) return
  say('Installing dependencies (npm ci) …')
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  // What npm prints goes to the error stream: the first line of standard output belongs to the program.
  const { status } = spawnSync(npm, ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  })
  if (status !== 0 || !isInstalled()) {
    say('The dependencies could not be installed. Is the npm registry reachable? What npm said stands above.')
    process.exit(1)
  }
}
