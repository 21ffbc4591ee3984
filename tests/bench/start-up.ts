import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findElectron } from '../../scripts/find-electron.mjs'
import { root } from '../support/program.ts'
import { startApp, writeEmptyApp } from './bench-electron.ts'
import { launchBenchBrowser, makeOfflineAccount, type OfflineAccount } from './bench-window.ts'
import { median, type Figure } from './figure.ts'
import { fillInbox } from './filled-inbox.ts'

/** Use fewer during development: `START_UP_ROUNDS=5 npm run bench -- start-up`. */
const ROUNDS = Number(process.env.START_UP_ROUNDS ?? 15)
const COLD_ROUNDS = Math.min(5, ROUNDS)
const THREADS = 100_000
/** Number of accounts, which together hold the same number of threads. */
const ACCOUNTS = 10
/** Milliseconds until both apps are idle: the engine has opened its files and found no platform. */
const SETTLED_MS = 5_000
const PATIENCE_MS = 60_000

interface Started {
  /** Milliseconds from process start to the paint of the awaited element. */
  readonly painted: number
  /**
   * Milliseconds from process start to the frame that shows the effect of a key pressed right after that paint; null in
   * an app without keys.
   */
  readonly moved: number | null
  /**
   * Milliseconds from process start until the window's own list shows that effect, replacing the startup snapshot; null
   * in an app without keys.
   */
  readonly taken: number | null
  /**
   * Milliseconds from process start until the engine has also answered a request from the page; null in an app without
   * an engine.
   */
  readonly answered: number | null
  /** Memory of all the app's processes a little later, in bytes. */
  readonly resident: number
  /** Milliseconds from opening another window until it has painted the same element. */
  readonly second: number
}

/**
 * Sends the engine the window's first requests and resolves with the time of the last response; null in an app without
 * an engine.
 */
const ASK_ENGINE = `(async () => {
  if (window.linnet === undefined) return null
  const { data } = await window.linnet.call('account.state', {}, null)
  await window.linnet.call('inbox.list', {}, data.accounts[0].id)
  return performance.timeOrigin + performance.now()
})()`

/** Resolves with the time at which the frame that shows one of the selectors was submitted. */
const waitForPaint = (...selectors: readonly string[]): string => `new Promise((resolve) => {
  const shown = () => requestAnimationFrame(() => requestAnimationFrame(() =>
    resolve(performance.timeOrigin + performance.now())))
  const look = () => document.querySelector(${JSON.stringify(selectors.join())}) !== null
  if (look()) return shown()
  const observer = new MutationObserver(() => { if (look()) { observer.disconnect(); shown() } })
  observer.observe(document, { childList: true, subtree: true, attributeFilter: ['class'] })
})`

const OPEN_ANOTHER = "window.linnet.call('window.open', { address: '' }, null)"

/**
 * Selectors for a painted row, and for the second row with the cursor on it: in the startup snapshot, and in the list
 * that replaces it.
 */
const LIST = '.option, [role="row"]'
const SECOND_IN_STILL = '#still :nth-child(2) > .option.active'
const SECOND_ROW = '#app [role="option"][aria-posinset="2"].active'
const NEXT_KEY = { key: 'j', code: 'KeyJ', text: 'j', windowsVirtualKeyCode: 74 }

const APP_PAGE = /^(?:file|linnet):/

interface Answer {
  readonly result?: { readonly value?: unknown }
  readonly frameTree?: { readonly frame?: { readonly url?: string } }
}

/** A page of an app, over the DevTools protocol. */
class BenchPage {
  readonly #socket: WebSocket
  readonly #answers = new Map<number, (result: Answer) => void>()
  #asked = 0
  #arrived: () => void = () => undefined

  private constructor(socket: WebSocket) {
    this.#socket = socket
    socket.addEventListener('message', ({ data }) => {
      const {
        id = 0,
        result,
        method,
      } = JSON.parse(String(data)) as {
        readonly id?: number
        readonly result?: Answer
        readonly method?: string
      }
      if (method === 'Page.frameNavigated') this.#arrived()
      this.#answers.get(id)?.(result ?? {})
      this.#answers.delete(id)
    })
  }

  static async connect(url: string): Promise<BenchPage> {
    const socket = new WebSocket(url)
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve)
      socket.addEventListener('error', () => reject(new Error('The page does not answer.')))
    })
    return new BenchPage(socket)
  }

  /**
   * Resolves once an app's page exists. A window starts with an empty document. Any request to that document would
   * create its script context, including the preload, and delay the real page.
   */
  async arrive(): Promise<void> {
    const arrived = new Promise<void>((resolve) => (this.#arrived = resolve))
    await this.#ask('Page.enable', {})
    const { frameTree } = await this.#ask('Page.getFrameTree', {})
    if (!APP_PAGE.test(frameTree?.frame?.url ?? '')) await arrived
  }

  /** Returns an expression's value; null if it has none or the page is replaced in the meantime. */
  async evaluate(expression: string): Promise<unknown> {
    const { result } = await this.#ask('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true })
    return result?.value ?? null
  }

  pressNext(): void {
    void this.#ask('Input.dispatchKeyEvent', { type: 'keyDown', ...NEXT_KEY })
    void this.#ask('Input.dispatchKeyEvent', { type: 'keyUp', ...NEXT_KEY })
  }

  close(): void {
    this.#socket.close()
  }

  #ask(method: string, params: object): Promise<Answer> {
    this.#asked += 1
    const id = this.#asked
    this.#socket.send(JSON.stringify({ id, method, params }))
    return new Promise((resolve) => this.#answers.set(id, resolve))
  }
}

const pagesOf = async (host: string): Promise<readonly { readonly url: string }[]> => {
  const targets = (await (await fetch(`http://${host}/json/list`)).json()) as {
    readonly type: string
    readonly url: string
    readonly webSocketDebuggerUrl: string
  }[]
  return targets
    .filter(({ type, url }) => type === 'page' && APP_PAGE.test(url))
    .map(({ webSocketDebuggerUrl: url }) => ({ url }))
}

/** Milliseconds since the epoch. */
type Times = Pick<Started, 'painted' | 'moved' | 'taken' | 'answered'>

/**
 * Measures the newest page of an app as soon as it exists, without holding it up: an app driven by Playwright delays
 * its first window until Playwright is connected.
 * @param known pages to ignore
 * @param isStart true to press a key and query the engine as well
 */
const askPage = async (
  endpoint: string,
  selector: string,
  known: ReadonlySet<string> = new Set(),
  isStart = true,
): Promise<Times> => {
  const { host } = new URL(endpoint)
  const end = Date.now() + PATIENCE_MS
  while (Date.now() < end) {
    await sleep(5)
    const found = (await pagesOf(host)).find(({ url }) => !known.has(url))
    if (found === undefined) continue
    const page = await BenchPage.connect(found.url)
    try {
      await page.arrive()
      const moving = page.evaluate(waitForPaint(SECOND_IN_STILL, SECOND_ROW))
      const taking = page.evaluate(waitForPaint(SECOND_ROW))
      const painted = await page.evaluate(waitForPaint(selector))
      // A page replaced while loading responds with an error; try the next one.
      if (typeof painted !== 'number') continue
      if (selector !== LIST || !isStart) return { painted, moved: null, taken: null, answered: null }
      page.pressNext()
      const moved = await moving
      const taken = await taking
      const answered = await page.evaluate(ASK_ENGINE)
      return { painted, moved: Number(moved), taken: Number(taken), answered: Number(answered) }
    } finally {
      page.close()
    }
  }
  throw new Error('The window did not show what was waited for.')
}

/** Time from opening another window to its paint. @param signal opens a window in an app without the host's API */
const openAnother = async (endpoint: string, selector: string, signal: () => void): Promise<number> => {
  const { host } = new URL(endpoint)
  const known = await pagesOf(host)
  const [first] = known
  if (first === undefined) throw new Error('There is no window that another one could be opened from.')
  const page = selector === LIST ? await BenchPage.connect(first.url) : null
  const began = performance.timeOrigin + performance.now()
  if (page === null) signal()
  else void page.evaluate(OPEN_ANOTHER)
  const { painted } = await askPage(endpoint, selector, new Set(known.map(({ url }) => url)), false)
  page?.close()
  // Close the window, so that the next start has only one again.
  const others = (await pagesOf(host)).filter(({ url }) => !known.some((each) => each.url === url))
  for (const { url } of others) {
    const other = await BenchPage.connect(url)
    void other.evaluate('window.close()')
    while ((await pagesOf(host)).length > known.length) await sleep(20)
    other.close()
  }
  return painted - began
}

const statusOf = (pid: string): string => {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8')
  } catch {
    return ''
  }
}

/** Resident memory of a process plus that of each of its descendants, in bytes. */
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

const startOnce = async (
  electron: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  selector: string,
): Promise<Started> => {
  const began = performance.timeOrigin + performance.now()
  const app = startApp(electron, args, env)
  try {
    const endpoint = await app.endpoint
    const times = await askPage(endpoint, selector)
    await sleep(SETTLED_MS)
    const resident = residentOf(app.process.pid ?? 0)
    const second = await openAnother(endpoint, selector, () => app.process.kill('SIGUSR2'))
    const sinceBegin = (time: number | null): number | null => (time === null ? null : time - began)
    return {
      painted: times.painted - began,
      moved: sinceBegin(times.moved),
      taken: sinceBegin(times.taken),
      answered: sinceBegin(times.answered),
      ...{ resident, second },
    }
  } finally {
    await app.stop()
  }
}

/** Drops a folder's files from the page cache, so they are read from disk again. Without `dd` they stay in it. */
const forget = (folder: string): void => {
  for (const { parentPath, name } of readdirSync(folder, { withFileTypes: true, recursive: true }).filter((entry) =>
    entry.isFile(),
  ))
    spawnSync('dd', [`if=${join(parentPath, name)}`, 'iflag=nocache', 'count=0', 'status=none'])
}

/** Time from process start to the painted list, and memory at that point, compared with an empty app. */
export const measureStartUp = async (): Promise<readonly Figure[]> => {
  const electron = findElectron()
  if (electron === null) throw new Error('There is no Electron to start.')
  const browser = await launchBenchBrowser()
  const directory = mkdtempSync(join(tmpdir(), 'linnet-bench-empty-'))
  const made: OfflineAccount[] = []
  const makeAccounts = async (count: number): Promise<OfflineAccount> => {
    const account = await makeOfflineAccount(
      browser,
      (cache, inbox) => void fillInbox(cache, inbox, (2 * THREADS) / count, 'inbox'),
      count,
    )
    made.push(account)
    return account
  }
  try {
    const one = await makeAccounts(1)
    const several = await makeAccounts(ACCOUNTS)
    await browser.close()
    const emptyApp = writeEmptyApp(directory)
    const startAt = ({ dataDirectory, environment }: OfflineAccount): Promise<Started> =>
      startOnce(electron, [`--data-dir=${dataDirectory}`, root], environment, LIST)
    const apps = {
      empty: () => startOnce(electron, [`--user-data-dir=${join(directory, 'data')}`, emptyApp], {}, 'main'),
      one: () => startAt(one),
      several: () => startAt(several),
    }
    const measure = async <Name extends keyof typeof apps>(
      names: readonly Name[],
      rounds: number,
      prepare = (): void => undefined,
    ): Promise<(name: Name, of: keyof Started) => number> => {
      const started = new Map<Name, Started[]>(names.map((name) => [name, []]))
      for (let round = 0; round <= rounds; round += 1) {
        for (const name of names) {
          prepare()
          const each = await apps[name]()
          // The first start of each app creates its folders.
          if (round > 0) started.get(name)?.push(each)
        }
      }
      return (name, of) => median((started.get(name) ?? []).flatMap((each) => each[of] ?? []))
    }
    const medianOf = await measure(['empty', 'one', 'several'], ROUNDS)
    const coldOf = await measure(['empty', 'one'], COLD_ROUNDS, () => {
      for (const folder of [dirname(electron), join(root, 'out'), one.dataDirectory, directory]) forget(folder)
    })
    const MiB = 2 ** 20
    const beside = (of: keyof Started, name: 'one' | 'several', against: keyof Started = of) => ({
      measured: medianOf(name, of) / medianOf('empty', against),
      unit: '×',
      note: `median of ${ROUNDS}: ${Math.round(medianOf(name, of))} ms, empty ${Math.round(medianOf('empty', against))} ms`,
    })
    const figuresOf = (name: 'one' | 'several'): readonly Figure[] => {
      const of =
        name === 'one' ? '' : `${ACCOUNTS} accounts of ${(THREADS / ACCOUNTS).toLocaleString('en')} threads each: `
      return [
        {
          name: `${of}from process start to the painted list of ${THREADS.toLocaleString('en')} threads, against an empty Electron window's own start`,
          ...beside('painted', name),
          bound: { kind: 'at most', value: 1.25 },
        },
        {
          name: `${of}until the first key has moved the cursor, pressed as soon as the list is painted, against the same`,
          ...beside('moved', name, 'painted'),
          bound: { kind: 'at most', value: 1.6 },
        },
        {
          name: `${of}until the list that took the still's place has done the same, against the same`,
          ...beside('taken', name, 'painted'),
          bound: null,
        },
      ]
    }
    return [
      ...figuresOf('one'),
      ...figuresOf('several'),
      {
        name: 'with nothing of either in the file cache: to the painted list, against the same',
        measured: coldOf('one', 'painted') / coldOf('empty', 'painted'),
        unit: '×',
        bound: null,
        note: `median of ${COLD_ROUNDS}: ${Math.round(coldOf('one', 'painted'))} ms, empty ${Math.round(coldOf('empty', 'painted'))} ms`,
      },
      {
        name: "a second window until its list is painted, against an empty app's second window",
        ...beside('second', 'one'),
        bound: { kind: 'at most', value: 1.15 },
      },
      {
        name: 'until the engine has answered as well, against an empty window’s own start',
        ...beside('answered', 'one', 'painted'),
        bound: null,
      },
      {
        name: "resident memory of all processes then, against the empty window's",
        measured: medianOf('one', 'resident') / medianOf('empty', 'resident'),
        unit: '×',
        bound: { kind: 'at most', value: 1.25 },
        note: `median of ${ROUNDS}, ${SETTLED_MS / 1000} s later: ${Math.round(medianOf('one', 'resident') / MiB)} MiB, empty ${Math.round(medianOf('empty', 'resident') / MiB)} MiB`,
      },
    ]
  } finally {
    for (const account of made) account.remove()
    rmSync(directory, { recursive: true, force: true })
  }
}
