// npm start: installs missing packages, builds what has changed, and starts Linnet in Electron or in the browser.
import { spawn } from 'node:child_process'
import { appendFileSync, closeSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { ensureBuilt, isUpToDate } from './build.mjs'
import { fetchElectron, findElectron, hasDisplay } from './find-electron.mjs'
import { ensureInstalled, isInstalled } from './install.mjs'
import { isOwnLine, planSteps } from './plan-start.mjs'
import { projectEnvironment, projectNode, root, print } from './project.mjs'
import { openStepLog } from './step.mjs'

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

const isBrowserAsked = args.includes('--browser')
const reason = isBrowserAsked ? null : whyNoElectron()
const isInBrowser = isBrowserAsked || reason !== null
const steps = planSteps({
  isInstalled: isInstalled(),
  isBuilt: isUpToDate(),
  hasElectron: isInBrowser || findElectron() !== null,
})
if (steps !== null) print(steps)
await ensureInstalled()
await ensureBuilt()

const startBrowserHost = () => {
  print(args.includes('--no-open') ? 'Starting Linnet for your browser.' : 'Opening Linnet in your browser.')
  return spawn(projectNode, [join(root, 'out', 'main', 'browser.cjs'), ...args], {
    cwd: root,
    stdio: 'inherit',
    env: projectEnvironment(),
  })
}

let advice = ''

/** Logs Electron's output to a file, because system libraries fill it with warnings; prints Linnet's own lines. */
const startElectron = (binary) => {
  print('Opening Linnet’s window. Press Ctrl+C here to stop it.')
  const { path, shown, descriptor } = openStepLog('electron')
  closeSync(descriptor)
  const started = spawn(binary, [root, ...args], {
    cwd: root,
    stdio: ['inherit', 'pipe', 'pipe'],
    env: projectEnvironment(),
  })
  for (const stream of [started.stdout, started.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      appendFileSync(path, `${line}\n`)
      if (isOwnLine(line)) print(line)
    })
  }
  advice = ` What Electron printed is in ${shown}. Without Electron: npm start -- --browser`
  return started
}

const startLinnet = async () => {
  const binary = isInBrowser ? null : await fetchElectron()
  if (binary !== null) return startElectron(binary)
  if (!isBrowserAsked) print(`${reason ?? 'Electron could not be downloaded'}, so Linnet opens in your browser.`)
  return startBrowserHost()
}

const child = await startLinnet()
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
  if (code !== 0 && !isEndAsked) print(`Linnet ended with ${code ?? signal}.${advice}`)
  process.exit(code ?? (isEndAsked ? 0 : 1))
})
