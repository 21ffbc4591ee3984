// npm start: installs what is missing, builds what has changed, and starts Linnet in Electron or in the browser.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { ensureBuilt } from './build.mjs'
import { fetchElectron, hasDisplay } from './find-electron.mjs'
import { ensureInstalled } from './install.mjs'
import { projectEnvironment, projectNode, root, say } from './project.mjs'

// Electron takes a switch's value behind an equals sign only.
const args = process.argv.slice(2).flatMap((arg, index, all) => {
  if (all[index - 1] === '--data-dir') return []
  return arg === '--data-dir' ? [`--data-dir=${all[index + 1] ?? ''}`] : [arg]
})
if (args.includes('--help')) {
  say('usage: npm start -- [--data-dir DIR]                                  in Electron')
  say('       npm start -- --browser [--no-open] [--port N] [--data-dir DIR]    in the browser')
  process.exit(0)
}
ensureInstalled()
ensureBuilt()

/** Why Electron cannot be used here, or the binary to use. */
const chooseElectron = () => {
  if (!hasDisplay()) return { reason: 'There is no display' }
  // Electron's sandbox refuses to run as root; it is not switched off silently.
  if (process.platform === 'linux' && process.getuid?.() === 0 && !args.includes('--no-sandbox')) {
    return { reason: 'Electron does not run as root with its sandbox on' }
  }
  const binary = fetchElectron()
  return binary === null ? { reason: 'Electron’s binary cannot be had' } : { binary }
}

const browserHost = (rest) => [projectNode, [join(root, 'out', 'main', 'browser.cjs'), ...rest]]

const command = () => {
  if (args.includes('--browser')) return browserHost(args)
  const { binary, reason } = chooseElectron()
  if (binary !== undefined) return [binary, [root, ...args]]
  say(`${reason}: opening Linnet in the browser instead.`)
  return browserHost(args)
}

const [program, programArgs] = command()
const child = spawn(program, programArgs, { cwd: root, stdio: 'inherit', env: projectEnvironment() })
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
child.on('error', (error) => {
  say(`Linnet could not start: ${error.message}`)
  process.exit(1)
})
child.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 1 : 0)))
