// Plain JavaScript for Node 20 or later: runs before anything is installed.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectNode, root, print } from './project.mjs'
import { runStep, printFailure } from './step.mjs'

/** @typedef {{ version?: string, optional?: boolean, os?: string[], cpu?: string[] }} LockedPackage */

/** @returns {Record<string, LockedPackage> | null} packages listed in a lock file */
const packagesOf = (file) => {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages
  } catch {
    return null
  }
}

const wanted = packagesOf(join(root, 'package-lock.json'))

/** True if node_modules matches package-lock.json; false for outdated or incomplete installs. */
export const isInstalled = () => {
  const present = packagesOf(join(root, 'node_modules', '.package-lock.json'))
  if (wanted === null || present === null || !existsSync(projectNode)) return false
  const isRight = ([path, { version, optional }]) =>
    path === '' || (present[path]?.version ?? (optional ? version : undefined)) === version
  return Object.entries(wanted).every(isRight) && Object.keys(present).every((path) => path in wanted)
}

/** Folders of the packages that npm installs on this system. */
const foldersHere = () => {
  const isFor = (names = [], name) => {
    const named = names.filter((each) => !each.startsWith('!'))
    return (named.length === 0 || named.includes(name)) && !names.includes(`!${name}`)
  }
  return Object.entries(wanted ?? {})
    .filter(([path, { os, cpu }]) => path !== '' && isFor(os, process.platform) && isFor(cpu, process.arch))
    .map(([path]) => join(root, path))
}

/** Advice to the user after a failed install. @param {string} log npm's output */
export const installAdvice = (log) => {
  if (log.includes('ENOSPC')) return 'The disk is full. Free 2 GB, then run the same command again.'
  if (/EACCES|EPERM/.test(log)) {
    return 'npm has no permission to write here or to its cache (npm config get cache). Make yourself the owner of both folders, then run the same command again.'
  }
  if (/EINTEGRITY|Z_DATA_ERROR|Z_BUF_ERROR/.test(log)) {
    return 'A download is damaged. Run npm cache verify, then the same command again.'
  }
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ERR_SOCKET_TIMEOUT|network/i.test(log)) {
    return 'npm cannot reach its registry. Check your connection, and the proxy if you have one (npm config set proxy ADDRESS). Then run the same command again.'
  }
  return 'Run the same command again. If it fails again, try another npm (npm install -g npm) or Node 24.'
}

/** Installs missing or outdated dependencies. Exits the process on failure. */
export const ensureInstalled = async () => {
  const [major] = process.versions.node.split('.').map(Number)
  if (major < 20) {
    print(
      `Linnet needs Node 20 or later; this is ${process.version}. Get one from https://nodejs.org, then run the same command again.`,
    )
    process.exit(1)
  }
  if (isInstalled()) return
  const folders = foldersHere()
  // Rounded: some of these packages are needed only by packages for other systems.
  const total = `about ${Math.round(folders.length / 50) * 50} packages`
  const step = await runStep({
    name: 'install',
    words: `Installing ${total} (a download of about 330 MB, under a minute on a fast line) …`,
    command: process.platform === 'win32' ? 'npm.cmd' : 'npm',
    args: ['ci', '--no-audit', '--no-fund', '--loglevel=error'],
    describe: () => {
      const count = folders.filter((folder) => existsSync(join(folder, 'package.json'))).length
      return `${count} of ${total}`
    },
  })
  if (step.isDone && isInstalled()) {
    print(`Installed in ${step.seconds} s.`)
    return
  }
  printFailure('The packages could not be installed. npm said:', step, installAdvice(step.log))
  process.exit(1)
}
