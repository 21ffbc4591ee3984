// Runs on whatever Node the machine has (20 or later), before anything is installed: plain JavaScript, Node only.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

export const root = join(import.meta.dirname, '..')
const bin = join(root, 'node_modules', '.bin')

/** The environment in which every command finds the project's own Node 24 and tools first. */
export const projectEnvironment = () => ({ ...process.env, PATH: `${bin}${delimiter}${process.env.PATH ?? ''}` })

/** The project's own Node. */
export const projectNode = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')

/** Says something to the person without disturbing what a program prints to its standard output. */
export const say = (line) => process.stderr.write(`${line}\n`)

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

/** Runs one of the project's commands to its end. @returns its exit code */
export const run = (command, args, options = {}) => {
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 2, 2],
    env: projectEnvironment(),
    shell: process.platform === 'win32',
    ...options,
  })
  if (error !== undefined) say(`${command}: ${error.message}`)
  return status ?? 1
}
