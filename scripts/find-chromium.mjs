import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'
import { root, run, print } from './project.mjs'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome']
const SHELL = 'chromium-headless-shell'

/** @returns {string | undefined} path of the first of these programs found in PATH */
export const onPath = (names = NAMES) => {
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

/** @typedef {{ isShellEnough?: boolean }} Needs `isShellEnough`: true to only draw pages, without a profile */

/**
 * Installs a missing Chromium from apt, if running as root on Debian. Other work can continue until the result is
 * awaited.
 * @param {Needs} needs
 * @returns resolves when apt exits, even if it failed
 */
export const fetchChromium = async ({ isShellEnough = false } = {}) => {
  const isHere = onPath([SHELL]) !== undefined && (isShellEnough || onPath() !== undefined)
  if (isHere || !isDebianRoot()) return
  const packages = isShellEnough ? SHELL : `chromium ${SHELL}`
  print('Installing Chromium from the system’s packages …')
  const apt = spawn('sh', ['-c', `apt-get update -qq && apt-get install -y -qq ${packages}`], {
    stdio: ['ignore', 2, 2],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
  await new Promise((resolve) => apt.once('error', resolve).once('exit', resolve))
}

const installFromPlaywright = () => {
  print('Fetching Chromium with Playwright …')
  run('playwright', ['install', 'chromium'], { timeout: 600_000 })
}

/**
 * Finds a Chromium for the end-to-end tests: in PATH, else from apt, else Playwright's. Exits with a message if there
 * is none.
 * @param {Needs} needs
 * @returns the browser, and its headless shell if installed: it draws the same pages with a fifth less work, but has no
 * browser windows
 */
export const ensureChromium = async (needs = {}) => {
  await fetchChromium(needs)
  const shell = onPath([SHELL])
  const find = () => onPath() ?? ofPlaywright() ?? (needs.isShellEnough === true ? shell : undefined)
  if (find() === undefined) installFromPlaywright()
  const browser = find()
  if (browser !== undefined) return { browser, shell: shell ?? browser }
  print('The end-to-end tests need a Chromium. Put one in PATH, or run: npx playwright install --with-deps chromium')
  process.exit(1)
}
