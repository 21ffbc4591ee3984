import { spawn, type ChildProcess } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Electron's quick-start app, with a window as large as Linnet's. */
const EMPTY_APP: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify({ name: 'empty', main: 'main.cjs' }),
  'main.cjs': `const { app, BrowserWindow } = require('electron')
const open = () => new BrowserWindow({ width: 1320, height: 860 }).loadFile('index.html')
process.on('SIGUSR2', open)
app.whenReady().then(open)`,
  'index.html': '<!doctype html><title>Empty</title><main>Hello</main>',
}

export const writeEmptyApp = (directory: string): string => {
  const folder = join(directory, 'app')
  mkdirSync(folder)
  for (const [name, text] of Object.entries(EMPTY_APP)) writeFileSync(join(folder, name), text)
  return folder
}

interface BenchApp {
  readonly process: ChildProcess
  /** Address of the app's developer tools, once they accept connections. Rejects if the app exits first. */
  readonly endpoint: Promise<string>
  readonly stop: () => Promise<void>
}

/** Starts Electron with an app. @param args switches, then the app's folder */
export const startApp = (
  electron: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): BenchApp => {
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const child = spawn(electron, [...asRoot, '--remote-debugging-port=0', ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  let log = ''
  const listening = new Promise<string>((resolve) =>
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      log += text
      const address = /DevTools listening on (\S+)/.exec(log)?.[1]
      if (address !== undefined) resolve(address)
    }),
  )
  return {
    process: child,
    endpoint: Promise.race([listening, ended.then(() => Promise.reject(new Error(`Electron ended:\n${log}`)))]),
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}
