// Plain JavaScript for Node 20 or later: runs before anything is installed.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { print, projectNode, root, run } from './project.mjs'

/** @returns {Record<string, { version?: string, optional?: boolean }>} packages listed in a lock file; empty without it */
const packagesOf = (/** @type {string} */ file) => {
  const path = join(root, file)
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).packages : {}
}

/** True if node_modules matches package-lock.json; false for outdated or incomplete installs. */
const isInstalled = () => {
  const wanted = packagesOf('package-lock.json')
  const present = packagesOf('node_modules/.package-lock.json')
  return (
    existsSync(projectNode) &&
    Object.keys(present).every((path) => path in wanted) &&
    Object.entries(wanted).every(
      ([path, { version, optional }]) =>
        path === '' || (path in present ? present[path].version === version : optional === true),
    )
  )
}

/** Installs missing or outdated dependencies. Exits the process on failure. */
export const ensureInstalled = () => {
  if (Number(process.versions.node.split('.')[0]) < 20) {
    print(`Linnet needs Node 20 or later; this is ${process.version}. Get one from https://nodejs.org.`)
    process.exit(1)
  }
  if (isInstalled()) return
  print('Installing packages (a download of about 330 MB, under a minute on a fast line) …')
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  if (run(npm, ['ci', '--no-audit', '--no-fund', '--loglevel=error']) === 0 && isInstalled()) return
  print(
    'The packages could not be installed. Common causes are the network or its proxy, a full disk (Linnet needs 2 GB), or a folder that belongs to another user. Then run the same command again.',
  )
  process.exit(1)
}
