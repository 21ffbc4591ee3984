// npm start: installs missing packages, builds what has changed, and starts Linnet in Electron or in the browser.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { ensureBuilt } from './build.mjs'
import { fetchElectron, hasDisplay } from './find-electron.mjs'
import { ensureInstalled } from './install.mjs'
import { print, projectEnvironment, projectNode, root } from './project.mjs'

// Electron takes a switch's value only after an equals sign.
const args = process.argv.slice(2).flatMap((arg, index, all) => {
  if (all[index - 1] === '--data-dir') return []
  return arg === '--data-dir' ? [`--data-dir=${all[index + 1] ?? ''}`] : [arg]
})
if (args.includes('--help')) {
  print('usage: npm start -- [--data-dir DIR]                                  in Electron')
  print('       npm start -- --browser [--no-open] [--port N] [--data-dir DIR]    in the browser')
  process.exit(0)
}

/** The reason Electron can't be used here, or null. */
const whyNoElectron = () => {
  if (!hasDisplay()) return 'There is no display'
  // Electron's sandbox won't run as root, and we never turn it off silently.
  if (process.platform === 'linux' && process.getuid?.() === 0 && !args.includes('--no-sandbox')) {
    return 'Electron does not run as root with its sandbox on'
  }
  return null
}

ensureInstalled()
ensureBuilt()
const isBrowserAsked = args.includes('--browser')
const reason = whyNoElectron()
const electron = isBrowserAsked || reason !== null ? null : fetchElectron()
if (electron !== null) print('Opening Linnet’s window. Press Ctrl+C here to stop it.')
else if (isBrowserAsked) print('Starting Linnet for your browser.')
else print(`${reason ?? 'Electron could not be downloaded'}, so Linnet opens in your browser.`)

const host = electron === null ? join(root, 'out', 'main', 'browser.cjs') : root
const child = spawn(electron ?? projectNode, [host, ...args], {
  cwd: root,
  stdio: electron === null ? 'inherit' : ['inherit', 'pipe', 'pipe'],
  env: projectEnvironment(),
})
// Chromium and system libraries fill Electron's output with warnings, so print only Linnet's own lines.
for (const input of [child.stdout, child.stderr]) {
  if (input !== null) createInterface({ input }).on('line', (line) => /^linnet\b/i.test(line) && print(line))
}

let isEndAsked = false
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    isEndAsked = true
    child.kill(signal)
  })
}
child.on('error', (error) => {
  print(`Linnet could not start: ${error.message}. Run npm ci, then npm start again.`)
  process.exit(1)
})
child.on('close', (code, signal) => {
  const advice =
    electron === null ? '' : ' To see all of its output: npx electron . Without Electron: npm start -- --browser'
  if (code !== 0 && !isEndAsked) print(`Linnet ended with ${code ?? signal}.${advice}`)
  process.exit(code ?? (isEndAsked ? 0 : 1))
})
