import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'
import { root, run, say } from './project.mjs'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome']
const SHELL = 'chromium-headless-shell'

/** @returns {string | undefined} */
const onPath = (names = NAMES) => {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  const suffix = process.platform === 'win32' ? '.exe' : ''
  return folders.flatMap((folder) => names.map((name) => join(folder, name + suffix))).find((file) => existsSync(file))
}

/** @returns {string | undefined} */
const ofPlaywright = () => {
  const { chromium } = createRequire(join(root, 'package.json'))('@playwright/test')
  const file = chromium.executablePath()
  return existsSync(file) ? file : undefined
}

const isDebianRoot = () => {
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !existsSync('/etc/os-release')) return false
  return /^(ID|ID_LIKE)=.*(debian|ubuntu)/m.test(readFileSync('/etc/os-release', 'utf8'))
}

const installFromApt = () => {
  say('Installing Chromium from the system’s packages …')
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  spawnSync('apt-get', ['update', '-qq'], { stdio: ['ignore', 2, 2], env })
  spawnSync('apt-get', ['install', '-y', '-qq', 'chromium', SHELL], { stdio: ['ignore', 2, 2], env })
}

const installFromPlaywright = () => {
  say('Fetching Chromium with Playwright …')
  run('playwright', ['install', 'chromium'], { timeout: 600_000 })
}

const find = () => onPath() ?? ofPlaywright()

/**
 * A Chromium for the end-to-end tests: from PATH, else Playwright's, else from apt on Debian as root, else a message.
 * @returns the browser, and its headless shell where there is one: the same pages without a browser's own windows around
 *   them, for a fifth less work
 */
export const ensureChromium = () => {
  if (isDebianRoot() && (find() === undefined || onPath([SHELL]) === undefined)) installFromApt()
  else if (find() === undefined) installFromPlaywright()
  const browser = find()
  if (browser !== undefined) return { browser, shell: onPath([SHELL]) ?? browser }
  say('The end-to-end tests need a Chromium. Put one in PATH, or run: npx playwright install --with-deps chromium')
  process.exit(1)
}
