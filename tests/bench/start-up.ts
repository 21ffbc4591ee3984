import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findElectron } from '../../scripts/find-electron.mjs'
import { root } from '../support/program.ts'
import { launchBenchBrowser, makeOfflineAccount } from './bench-window.ts'
import { percentile, type Figure } from './figure.ts'
import { fillInbox } from './filled-inbox.ts'

const ROUNDS = 11
const THREADS = 100_000
/** What both have done by then: the engine has opened its files and has found that there is no platform. */
const SETTLED_MS = 5_000
const PATIENCE_MS = 60_000

/** What an app without anything in it is: Electron's own first example, with a window as large as Linnet's. */
const EMPTY_APP: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify({ name: 'empty', main: 'main.cjs' }),
  'main.cjs': `const { app, BrowserWindow } = require('electron')
app.whenReady().then(() => new BrowserWindow({ width: 1320, height: 860 }).loadFile('index.html'))`,
  'index.html': '<!doctype html><title>Empty</title><main>Hello</main>',
}

interface Started {
  /** Milliseconds from the start of the process until what was waited for is painted. */
  readonly painted: number
  /** Until the engine has answered a question of the page as well; null in an app without one. */
  readonly answered: number | null
  /** Bytes in memory of all its processes, a little later. */
  readonly resident: number
}

/** Asks the engine what a list on the screen was asked for; of an app without an engine, nothing. */
const ASK_ENGINE = `(async () => {
  if (window.linnet === undefined) return null
  const { data } = await window.linnet.call('account.state', {}, null)
  await window.linnet.call('inbox.list', {}, data.accounts[0].id)
  return performance.timeOrigin + performance.now()
})()`

/** Answers with the time at which the frame that shows the element has been handed over, and that of the engine's answer. */
const waitForPaint = (selector: string): string => `new Promise((resolve) => {
  const answer = async (painted) => resolve({ painted, answered: await ${ASK_ENGINE} })
  const shown = () => requestAnimationFrame(() => requestAnimationFrame(() =>
    answer(performance.timeOrigin + performance.now())))
  const look = () => document.querySelector(${JSON.stringify(selector)}) !== null
  if (look()) return shown()
  const observer = new MutationObserver(() => { if (look()) { observer.disconnect(); shown() } })
  observer.observe(document, { childList: true, subtree: true })
})`

/**
 * Asks the page of an app, over the protocol of its developer tools, as soon as there is one. Nothing is held up by it: an app
 * that is driven by Playwright waits before its first window until that is connected.
 */
const askPage = async (endpoint: string, expression: string): Promise<Omit<Started, 'resident'>> => {
  const { host } = new URL(endpoint)
  const end = Date.now() + PATIENCE_MS
  while (Date.now() < end) {
    await sleep(5)
    const targets = (await (await fetch(`http://${host}/json/list`)).json()) as {
      readonly type: string
      readonly url: string
      readonly webSocketDebuggerUrl: string
    }[]
    const page = targets.find(({ type, url }) => type === 'page' && /^(?:file|linnet):/.test(url))
    if (page === undefined) continue
    const socket = new WebSocket(page.webSocketDebuggerUrl)
    try {
      await new Promise((resolve, reject) => {
        socket.addEventListener('open', resolve)
        socket.addEventListener('error', () => reject(new Error('The page does not answer.')))
      })
      const answered = new Promise<Omit<Started, 'resident'> | null>((resolve) =>
        socket.addEventListener('message', ({ data }) => {
          const { result } = JSON.parse(String(data)) as {
            readonly result?: { readonly result?: { readonly value?: Omit<Started, 'resident'> } }
          }
          resolve(result?.result?.value ?? null)
        }),
      )
      const params = { expression, awaitPromise: true, returnByValue: true }
      socket.send(JSON.stringify({ id: 1, method: 'Runtime.evaluate', params }))
      // A page that is replaced while it loads answers with an error: the next one is asked.
      const value = await answered
      if (value !== null) return value
    } finally {
      socket.close()
    }
  }
  throw new Error('The window did not show what was waited for.')
}

const statusOf = (pid: string): string => {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8')
  } catch {
    return ''
  }
}

/** Bytes that a process and all that it has started have in memory, each on its own. */
const residentOf = (pid: number): number => {
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((id) => {
      const status = statusOf(id)
      const field = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0)
      return { id: Number(id), parent: field('PPid'), bytes: field('VmRSS') * 1024 }
    })
  const ids = new Set([pid])
  for (let before = 0; before !== ids.size;) {
    before = ids.size
    for (const { id, parent } of processes) if (ids.has(parent)) ids.add(id)
  }
  return processes.reduce((sum, { id, bytes }) => sum + (ids.has(id) ? bytes : 0), 0)
}

/** Starts an app, and ends it again. @param selector what is waited for */
const startOnce = async (
  electron: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  selector: string,
): Promise<Started> => {
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const began = performance.timeOrigin + performance.now()
  const child = spawn(electron, [...asRoot, '--remote-debugging-port=0', ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  try {
    let log = ''
    const endpoint = await Promise.race([
      new Promise<string>((resolve) =>
        child.stderr.setEncoding('utf8').on('data', (text: string) => {
          log += text
          const listening = /DevTools listening on (\S+)/.exec(log)?.[1]
          if (listening !== undefined) resolve(listening)
        }),
      ),
      ended.then(() => Promise.reject(new Error(`Electron ended:\n${log}`))),
    ])
    const { painted, answered } = await askPage(endpoint, waitForPaint(selector))
    await sleep(SETTLED_MS)
    const sinceBegin = answered === null ? null : answered - began
    return { painted: painted - began, answered: sinceBegin, resident: residentOf(child.pid ?? 0) }
  } finally {
    child.kill('SIGTERM')
    await ended
  }
}

/** From the start of the process to the painted list, and what is in memory then, beside an empty app's. */
export const measureStartUp = async (): Promise<readonly Figure[]> => {
  const electron = findElectron()
  if (electron === null) throw new Error('There is no Electron to start.')
  const browser = await launchBenchBrowser()
  const directory = mkdtempSync(join(tmpdir(), 'linnet-bench-empty-'))
  const account = await makeOfflineAccount(
    browser,
    (cache, inbox) => void fillInbox(cache, inbox, 2 * THREADS, 'inbox'),
  )
  try {
    await browser.close()
    mkdirSync(join(directory, 'app'))
    for (const [name, text] of Object.entries(EMPTY_APP)) writeFileSync(join(directory, 'app', name), text)
    const apps = {
      empty: () =>
        startOnce(electron, [`--user-data-dir=${join(directory, 'data')}`, join(directory, 'app')], {}, 'main'),
      linnet: () =>
        startOnce(
          electron,
          [`--data-dir=${account.dataDirectory}`, root],
          account.environment,
          '[role="option"], [role="row"]',
        ),
    }
    const started = { empty: [] as Started[], linnet: [] as Started[] }
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const name of ['empty', 'linnet'] as const) {
        const one = await apps[name]()
        // The first start of each makes its folders.
        if (round > 0) started[name].push(one)
      }
    }
    const medianOf = (name: keyof typeof started, of: keyof Started): number =>
      percentile(
        started[name].flatMap((one) => one[of] ?? []),
        0.5,
      )
    const [ms, emptyMs] = [medianOf('linnet', 'painted'), medianOf('empty', 'painted')]
    const [bytes, emptyBytes] = [medianOf('linnet', 'resident'), medianOf('empty', 'resident')]
    const many = THREADS.toLocaleString('en')
    const MiB = 2 ** 20
    return [
      {
        name: `from process start to the painted list of ${many} threads, against an empty Electron window's own start`,
        measured: ms / emptyMs,
        unit: '×',
        bound: { kind: 'at most', value: 1.5 },
        note: `median of ${ROUNDS}: ${Math.round(ms)} ms, empty ${Math.round(emptyMs)} ms`,
      },
      {
        name: 'until the engine has answered as well, against the same',
        measured: medianOf('linnet', 'answered') / emptyMs,
        unit: '×',
        bound: null,
        note: `median of ${ROUNDS}: ${Math.round(medianOf('linnet', 'answered'))} ms; the list is the one that the start before kept`,
      },
      {
        name: "resident memory of all processes then, against the empty window's",
        measured: bytes / emptyBytes,
        unit: '×',
        bound: { kind: 'at most', value: 1.25 },
        note: `median of ${ROUNDS}, ${SETTLED_MS / 1000} s later: ${Math.round(bytes / MiB)} MiB, empty ${Math.round(emptyBytes / MiB)} MiB`,
      },
    ]
  } finally {
    account.remove()
    rmSync(directory, { recursive: true, force: true })
  }
}
