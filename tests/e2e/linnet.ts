import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import {
  _electron,
  chromium,
  expect,
  test as base,
  type Browser,
  type BrowserContext,
  type ElectronApplication,
  type Page,
} from '@playwright/test'
import type { PreferencesChange } from '../../src/shared/preferences.ts'
import { startPlatform, type Platform } from '../support/platform.ts'
import { root, startProgram } from '../support/program.ts'
import { useTestFont } from '../support/test-font.ts'
import { laySyncedDemo } from './synced-demo.ts'
import { takeErrors, watchErrors } from './watch-errors.ts'
import { watchFocus } from './watch-focus.ts'

export interface HostOptions {
  readonly hostKind: 'browser' | 'electron'
}

interface TestOptions {
  /** `demo`: the demo's mail is already stored, as if synced by an earlier start. */
  readonly dataset: 'demo' | 'empty'
  /** Switches of the platform (packages/platform/service.md). */
  readonly platformSwitches: readonly string[]
  /** Preferences set before the first start. */
  readonly preferences: PreferencesChange
  /**
   * True if the tests change nothing. The tests of a worker then share a platform with the demo mailbox and a host that
   * has synced it, each with its own window. In Electron nothing is shared.
   */
  readonly onlyLooks: boolean
}

export interface Linnet {
  readonly page: Page
  readonly kind: HostOptions['hostKind']
  readonly log: () => string
  /** Electron's handle, for replacing the desktop's dialogs; null in the browser. */
  readonly electron: ElectronApplication | null
  /** ID of the process that runs the engine. */
  readonly pid: number
  readonly close: () => Promise<void>
}

interface LaunchOptions {
  readonly dataDirectory: string
  readonly env?: Readonly<Record<string, string>>
  /** Switches for Electron, or for a Chromium started for this launch. */
  readonly switches?: readonly string[]
  /** App folder for Electron; the project's by default. */
  readonly app?: string
  /** Further arguments, such as links that the system passes on. */
  readonly words?: readonly string[]
}

interface Fixtures {
  readonly platform: Platform
  /** The test's own folder, removed at its end. */
  readonly dataDirectory: string
  /** Starts Linnet any number of times; closes what is still open at the end. */
  readonly launch: (options: LaunchOptions) => Promise<Linnet>
  /** Linnet with the test's platform as its account. No key press may lose the focus. */
  readonly linnet: Linnet
  /** Fails a test on uncaught errors in any of its windows. */
  readonly noUncaughtErrors: undefined
}

const isRoot = process.getuid?.() === 0
/** Playwright's path option: the Chromium named by a variable, else Playwright's own. */
const executable = (variable: string): { readonly executablePath?: string } => {
  const executablePath = process.env[variable] ?? ''
  return executablePath === '' ? {} : { executablePath }
}
const VIEWPORT = { width: 1440, height: 900 }

/** Options for Chromium with a profile, as users have it. */
export const chromiumOptions = {
  ...executable('LINNET_TEST_CHROMIUM'),
  args: [...(isRoot ? ['--no-sandbox'] : []), '--disable-component-update'],
  // Keep the scroll bars that users see: they take space and belong in screenshots.
  ignoreDefaultArgs: ['--hide-scrollbars'],
}

const shellOptions = { ...chromiumOptions, ...executable('LINNET_TEST_HEADLESS_SHELL') }

/** Prepares every context: the same font on every machine, and failure on uncaught errors. */
const prepare = async (context: BrowserContext): Promise<BrowserContext> => {
  watchErrors(context)
  await useTestFont(context)
  return context
}

/** Opens a Chromium with a profile on disk, as users have it. */
export const openProfile = async (
  directory: string,
  options: Parameters<typeof chromium.launchPersistentContext>[1] = {},
): Promise<BrowserContext> => {
  const settings = { ...chromiumOptions, viewport: VIEWPORT, ...options }
  return prepare(await chromium.launchPersistentContext(directory, settings))
}

/** Disables motion, so that nothing waits for animations. In Electron, windows are animated as they are for users. */
const contextOptions = {
  viewport: VIEWPORT,
  permissions: ['clipboard-read', 'clipboard-write'],
  reducedMotion: 'reduce' as const,
}

/** Starts a browser's host. @returns the host, and the address that admits one browser */
const startHost = async (dataDirectory: string, env: Readonly<Record<string, string>>) => {
  const host = await startProgram('out/main/browser.cjs', ['--no-open', '--data-dir', dataDirectory], env)
  return { host, url: (JSON.parse(host.firstLine) as { url: string }).url }
}

const launchBrowser = async (shared: Browser, options: LaunchOptions): Promise<Linnet> => {
  const { dataDirectory, env = {}, switches = [] } = options
  const args = [...chromiumOptions.args, ...switches]
  const own = switches.length === 0 ? null : await chromium.launch({ ...shellOptions, args })
  const browser = own ?? shared
  const { host, url } = await startHost(dataDirectory, env)
  const context = await browser.newContext(contextOptions)
  await prepare(context)
  const page = await context.newPage()
  await page.goto(url)
  return {
    page,
    kind: 'browser',
    log: host.log,
    electron: null,
    pid: host.pid,
    close: async () => {
      try {
        await context.close()
        await own?.close()
      } finally {
        await host.stop()
      }
    },
  }
}

const ASKED_AGAIN = 5

/**
 * Keeps every result of Electron's main process until it has arrived. The inspector can lose the promise of a result
 * (“Resulting promise was garbage collected”, microsoft/playwright#33737) although the call was made. The result is
 * kept in the process and read again; the call is never repeated.
 */
const keepAnswers = (electron: ElectronApplication): void => {
  const evaluate = electron.evaluate.bind(electron) as (work: () => unknown, given: object) => Promise<unknown>
  /** Playwright reads only a function's source. */
  const withSource = (source: string) => Object.assign(() => undefined, { toString: () => source })
  let asked = 0
  const ask = async (work: unknown, arg?: unknown): Promise<unknown> => {
    asked += 1
    const id = asked
    const kept = '(globalThis.linnetAnswers ??= new Map())'
    let question = `(electron, { id, arg }) => ${kept}.set(id, (${String(work)})(electron, arg)).get(id)`
    for (let again = 0; ; again += 1) {
      try {
        return await evaluate(withSource(question), { id, arg })
      } catch (thrown) {
        if (again === ASKED_AGAIN || !String(thrown).includes('promise was garbage collected')) throw thrown
        question = `(electron, { id }) => ${kept}.get(id)`
      }
    }
  }
  electron.evaluate = ask as typeof electron.evaluate
}

const launchElectron = async ({
  dataDirectory,
  env = {},
  switches = [],
  words = [],
  app = root,
}: LaunchOptions): Promise<Linnet> => {
  const inherited = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined)
  // Without a path, Playwright takes the binary from the electron package and holds the app until Playwright is
  // attached.
  const electron = await _electron.launch({
    // The OS sandbox won't run as root; users' machines have it on.
    args: [...(isRoot ? ['--no-sandbox'] : []), ...switches, app, `--data-dir=${dataDirectory}`, ...words],
    env: { ...Object.fromEntries(inherited), ...env },
  })
  keepAnswers(electron)
  let log = ''
  electron.process().stderr?.on('data', (data: Buffer) => (log += data.toString()))
  electron.process().stdout?.on('data', (data: Buffer) => (log += data.toString()))
  // The windows close before the process exits, and until then it writes to its folder.
  const ended = new Promise((resolve) => electron.process().once('exit', resolve))
  await prepare(electron.context())
  const page = await electron.firstWindow()
  await electron.evaluate(({ BrowserWindow, screen }, { width, height }) => {
    const window = BrowserWindow.getAllWindows()[0]
    window?.setContentSize(width, height)
    // Place the window next to the display's pointer. If the pointer is over the windows of two workers, opening or
    // closing one makes it leave or enter the other, and a test there loses its hover.
    const pointer = screen.getCursorScreenPoint()
    window?.setPosition(pointer.x + 1, pointer.y + 1)
  }, VIEWPORT)
  return {
    page,
    kind: 'electron',
    log: () => log,
    electron,
    pid: electron.process().pid ?? 0,
    close: async () => {
      await electron.close()
      await ended
    },
  }
}

interface WorkerFixtures extends HostOptions {
  /** One Chromium for the tests of a worker, each with its own context; null in Electron. */
  readonly sharedChromium: Browser | null
  /** Mailbox shared by the tests that change nothing; null in Electron. */
  readonly sharedMailbox: SharedMailbox | null
}

interface SharedMailbox {
  /** Started by the first test that needs it. */
  readonly platform: () => Promise<Platform>
  readonly open: () => Promise<Linnet>
}

const shareMailbox = (browser: Browser) => {
  const begin = async () => {
    const platform = await startPlatform('demo')
    const dataDirectory = await mkdtemp(join(tmpdir(), 'linnet-e2e-'))
    await laySyncedDemo(dataDirectory, platform)
    const env = { LINNET_BASE_URL: platform.baseUrl, LINNET_API_KEY: platform.apiKey }
    const { host, url } = await startHost(dataDirectory, env)
    const entered = await browser.newContext(contextOptions)
    const page = await entered.newPage()
    await page.goto(url)
    await page.getByRole('navigation', { name: 'Mailboxes' }).waitFor()
    const storageState = await entered.storageState()
    await entered.close()
    return { platform, dataDirectory, host, url: new URL('/', url).href, storageState }
  }
  let begun: ReturnType<typeof begin> | null = null
  const shared = () => (begun ??= begin())
  return {
    platform: async () => (await shared()).platform,
    open: async (): Promise<Linnet> => {
      const { host, url, storageState } = await shared()
      const context = await browser.newContext({ ...contextOptions, storageState })
      await prepare(context)
      const page = await context.newPage()
      await page.goto(url)
      return { page, kind: 'browser', log: host.log, electron: null, pid: host.pid, close: () => context.close() }
    },
    end: async () => {
      if (begun === null) return
      const { platform, dataDirectory, host } = await begun
      await host.stop()
      await platform.stop()
      await rm(dataDirectory, { recursive: true, force: true })
    },
  }
}

/** Sends immediately, for tests that are not about undoing a send. */
export const SENDING_AT_ONCE = { undoSend: '0' } satisfies PreferencesChange

export const test = base.extend<Fixtures & TestOptions, WorkerFixtures>({
  hostKind: ['browser', { option: true, scope: 'worker' }],
  sharedChromium: [
    async ({ hostKind }, use) => {
      const browser = hostKind === 'browser' ? await chromium.launch(shellOptions) : null
      await use(browser)
      await browser?.close()
    },
    { scope: 'worker' },
  ],
  sharedMailbox: [
    async ({ sharedChromium }, use) => {
      const shared = sharedChromium === null ? null : shareMailbox(sharedChromium)
      await use(shared)
      await shared?.end()
    },
    { scope: 'worker' },
  ],
  onlyLooks: [false, { option: true }],
  dataset: ['empty', { option: true }],
  platformSwitches: [[], { option: true }],
  preferences: [{}, { option: true }],
  platform: async ({ dataset, platformSwitches, onlyLooks, sharedMailbox }, use) => {
    if (onlyLooks && sharedMailbox !== null) return use(await sharedMailbox.platform())
    const platform = await startPlatform(dataset, platformSwitches)
    await use(platform)
    await platform.stop()
  },
  dataDirectory: async ({ preferences, dataset, onlyLooks, platform }, use) => {
    const directory = await mkdtemp(join(tmpdir(), 'linnet-e2e-'))
    if (dataset === 'demo' && !onlyLooks) await laySyncedDemo(directory, platform)
    if (Object.keys(preferences).length > 0) {
      await writeFile(join(directory, 'preferences.json'), JSON.stringify(preferences))
    }
    await use(directory)
    await rm(directory, { recursive: true, force: true })
  },
  noUncaughtErrors: [
    // eslint-disable-next-line no-empty-pattern -- Playwright reads the requested fixtures from this pattern
    async ({}, use) => {
      takeErrors()
      await use(undefined)
      expect(takeErrors(), 'uncaught errors in a window').toEqual([])
    },
    { auto: true },
  ],
  // Depends on the folder, so that the folder is removed after the hosts that write to it.
  launch: async ({ sharedChromium, dataDirectory: _folder }, use) => {
    const started: Linnet[] = []
    await use(async (options) => {
      const linnet = await (sharedChromium === null ? launchElectron(options) : launchBrowser(sharedChromium, options))
      started.push(linnet)
      return linnet
    })
    await Promise.all(started.map((linnet) => linnet.close().catch(() => undefined)))
  },
  linnet: async ({ launch, platform, dataDirectory, onlyLooks, sharedMailbox }, use) => {
    const env = { LINNET_BASE_URL: platform.baseUrl, LINNET_API_KEY: platform.apiKey }
    const shared = onlyLooks && sharedMailbox !== null ? await sharedMailbox.open() : null
    const linnet = shared ?? (await launch({ dataDirectory, env }))
    // Keys pressed before the window listens are lost.
    await linnet.page.getByRole('navigation', { name: 'Mailboxes' }).waitFor()
    const lostFocus = await watchFocus(linnet.page)
    await use(linnet)
    await shared?.close()
    expect(lostFocus()).toEqual([])
  },
})

/** Navigates by address, like a link or bookmark, once there is a window. */
export const goTo = async (page: Page, hash: string): Promise<void> => {
  await page.getByRole('navigation', { name: 'Mailboxes' }).waitFor()
  await page.evaluate((next) => {
    location.hash = next
  }, hash)
}

/** Saves a file under its suggested name. @param target its path @param save starts saving @returns its content */
export const saveTo = async (
  { page, electron }: Linnet,
  target: string,
  save: () => Promise<void>,
): Promise<Buffer> => {
  if (electron === null) {
    const [download] = await Promise.all([page.waitForEvent('download'), save()])
    expect(download.suggestedFilename()).toBe(basename(target))
    await download.saveAs(target)
  } else {
    await electron.evaluate(({ dialog }, folder) => {
      dialog.showSaveDialog = (...given: readonly object[]) => {
        const { defaultPath } = given.at(-1) as { readonly defaultPath: string }
        return Promise.resolve({ canceled: false, filePath: `${folder}/${defaultPath.split('/').at(-1) ?? ''}` })
      }
    }, dirname(target))
    const said = page.getByText(`Saved as ${target}`)
    // The notice of an earlier save to the same path would be mistaken for this one.
    await expect(said).toHaveCount(0)
    await save()
    await expect(said).toBeVisible()
  }
  return readFile(target)
}

/** Text in the clipboard, which a desktop page may not read. */
export const readClipboard = ({ page, electron }: Pick<Linnet, 'page' | 'electron'>): Promise<string> =>
  electron === null
    ? page.evaluate(() => navigator.clipboard.readText())
    : electron.evaluate(({ clipboard }) => clipboard.readText())

/** Name of the focused element; 'nothing' if it is the document's body. */
export const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const active = document.activeElement
    return active === null || active === document.body
      ? 'nothing'
      : (active.getAttribute('aria-label') ?? active.tagName)
  })

export const makeLabels = async (platform: Platform, ...names: readonly string[]): Promise<void> => {
  for (const name of names) {
    await platform.ask(`/inboxes/${platform.inboxId}/labels`, { method: 'POST', body: { name, color: '#12A594' } })
  }
}

interface PlatformThread {
  readonly id: string
  readonly subject: string
  readonly folder: string
  readonly read: boolean
  readonly email_count: number
  readonly labels: readonly { readonly id: string; readonly name: string }[]
}

/** The newest 100 threads of the inbox in all folders, as the platform lists them. */
export const threadsOn = async ({ ask, inboxId }: Platform): Promise<readonly PlatformThread[]> => {
  const path = `/inboxes/${inboxId}/threads?folders=inbox,archive,spam,trash&limit=100`
  return ((await ask(path)) as { readonly data: readonly PlatformThread[] }).data
}

export const threadOn = async (platform: Platform, subject: string): Promise<PlatformThread | undefined> =>
  (await threadsOn(platform)).find((thread) => thread.subject === subject)

/** The subjects of the drafts that the platform has. */
export const draftsOn = async ({ ask, inboxId }: Platform): Promise<readonly string[]> => {
  const { data } = (await ask(`/inboxes/${inboxId}/drafts`)) as {
    readonly data: readonly { readonly subject: string }[]
  }
  return data.map(({ subject }) => subject)
}

export const connect = async (page: Page, { baseUrl, apiKey }: Pick<Platform, 'baseUrl' | 'apiKey'>): Promise<void> => {
  await page.getByRole('textbox', { name: 'Platform address' }).fill(baseUrl)
  await page.getByLabel('API key').fill(apiKey)
  await page.keyboard.press('Enter')
}

interface DeliveredMessage {
  readonly from: string
  readonly subject: string
  readonly text: string
  readonly html?: string
  readonly attachments?: { readonly filename: string; readonly content: Buffer }[]
}

const messageAbout = (subject: string): DeliveredMessage => ({ from: 'pier@harbour.example', subject, text: subject })

/** Preferences saved by the host. Wait for a choice to appear here before reloading a page. */
export const keptPreferences = async (dataDirectory: string): Promise<Record<string, unknown>> =>
  JSON.parse(await readFile(join(dataDirectory, 'preferences.json'), 'utf8')) as Record<string, unknown>

/** Delivers messages, or plain ones with these subjects, waits for their rows, and moves the cursor to the newest. */
export const deliverAll = async (
  page: Page,
  platform: Platform,
  messages: readonly (DeliveredMessage | string)[],
): Promise<void> => {
  for (const message of messages) await platform.deliver(typeof message === 'string' ? messageAbout(message) : message)
  await page.keyboard.press('F5')
  const threads = page.getByRole('listbox', { name: 'Threads' })
  await expect(threads.getByRole('option')).toHaveCount(messages.length)
  await expect.poll(() => focused(page)).toBe('Threads')
  await page.keyboard.press('Home')
}

export { expect }
