import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expectAccessible } from './expect-accessible.ts'
import { deliverAll, expect, test, threadsOn, type Linnet } from './linnet.ts'
import { killEngineBySignal, NODE_OPTIONS } from '../support/kill-engine.ts'
import type { Platform } from '../support/platform.ts'

/** Number of kills of each part; `LINNET_TEST_LONG=1` runs the full number. */
const KILLS = process.env.LINNET_TEST_LONG === '1' ? 20 : 2
/** A process that repeatedly crashes sooner than this is not restarted (src/host/restart-policy.ts). */
const LIFE_MS = 5_500

/** The window, driven through Electron's main process: Playwright gives up on a page whose process has exited. */
interface Driven {
  /** Runs in the page. @returns null if there is no page at the moment */
  readonly read: (script: string) => Promise<unknown>
  readonly press: (key: string) => Promise<void>
}

const drive = ({ page, electron }: Linnet): Driven =>
  electron === null
    ? { read: (script) => page.evaluate(script).catch(() => null), press: (key) => page.keyboard.press(key) }
    : {
        read: (script) =>
          electron.evaluate(async ({ BrowserWindow }, text) => {
            const contents = BrowserWindow.getAllWindows()[0]?.webContents
            if (contents === undefined || contents.isCrashed()) return null
            const late = new Promise<null>((resolve) => setTimeout(resolve, 2_000, null))
            const answer = contents.executeJavaScript(text).catch(() => null) as Promise<unknown>
            return Promise.race([answer, late])
          }, script),
        press: (key) =>
          electron.evaluate(({ BrowserWindow }, keyCode) => {
            const contents = BrowserWindow.getAllWindows()[0]?.webContents
            for (const type of ['keyDown', 'char', 'keyUp'] as const) contents?.sendInputEvent({ type, keyCode })
          }, key),
      }

const killWindow = async ({ electron }: Linnet): Promise<void> => {
  await electron?.evaluate(({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents
    if (contents !== undefined) process.kill(contents.getOSProcessId(), 'SIGKILL')
  })
}

/** Prepares Electron's process to kill its engine on a signal; the browser host can do so from its start. */
const prepareEngineKills = async ({ electron }: Linnet): Promise<void> => {
  await electron?.evaluate(killEngineBySignal)
}
const killEngine = (linnet: Linnet): void => {
  process.kill(linnet.pid, 'SIGUSR2')
}

const envOf = (platform: Platform, hostKind: Linnet['kind']): Readonly<Record<string, string>> => ({
  LINNET_BASE_URL: platform.baseUrl,
  LINNET_API_KEY: platform.apiKey,
  ...(hostKind === 'browser' && { NODE_OPTIONS }),
})

const foldersOf = async (platform: Platform): Promise<ReadonlyMap<string, string>> => {
  const data = await threadsOn(platform)
  const folders = new Map(data.map(({ subject, folder }) => [subject, folder]))
  expect(folders.size).toBe(data.length)
  return folders
}

const ROWS = `[...document.querySelectorAll('[role=listbox][aria-label=Threads] [role=option]')]
  .map((row) => /Letter \\d+/.exec(row.textContent)?.[0])`
const CHOSEN = `(() => {
  const id = document.querySelector('[role=listbox][aria-label=Threads]')?.getAttribute('aria-activedescendant') ?? ''
  return /Letter \\d+/.exec(document.getElementById(id)?.textContent)?.[0] ?? null
})()`
const FOCUS = `document.querySelector('[role=listbox][aria-label=Threads]')?.focus() ?? null`

test('loses nothing when the window and the engine are killed while sorting', async ({
  launch,
  platform,
  dataDirectory,
  hostKind,
}) => {
  test.setTimeout(240_000 + KILLS * 40_000)
  const linnet = await launch({ dataDirectory, env: envOf(platform, hostKind) })
  await linnet.page.getByRole('navigation', { name: 'Mailboxes' }).waitFor()
  const letters = Array.from({ length: 10 + KILLS * 4 }, (_, number) => `Letter ${number}`)
  await deliverAll(linnet.page, platform, letters.slice(0, 10))
  for (const subject of letters.slice(10)) await platform.deliver({ from: 'a@pier.example', subject, text: subject })
  await prepareEngineKills(linnet)
  const { read, press } = drive(linnet)
  const isListed = async (): Promise<boolean> => ((await read(ROWS)) as readonly string[] | null)?.[0] !== undefined
  const parts = linnet.electron === null ? (['engine'] as const) : (['window', 'engine'] as const)

  /** Changes that the window has shown. */
  const done = new Map<string, 'archive' | 'trash'>()
  const sortOne = async (key: 'e' | '#'): Promise<void> => {
    await read(FOCUS)
    await expect.poll(() => read(CHOSEN)).not.toBeNull()
    const subject = (await read(CHOSEN)) as string
    await press(key)
    // From here on, a crash may happen at any moment. Nothing is promised before the window shows the change.
    await sleep(Math.random() * 200)
    const rows = (await read(ROWS)) as readonly string[] | null
    if (rows !== null && !rows.includes(subject)) done.set(subject, key === 'e' ? 'archive' : 'trash')
  }

  for (let kill = 0; kill < KILLS; kill += 1) {
    for (const part of parts) {
      await sortOne('e')
      await sortOne('#')
      if (part === 'window') await killWindow(linnet)
      else killEngine(linnet)
      await expect
        .poll(() => read(`document.querySelector('[aria-label="Crashes"]')?.textContent ?? ''`))
        .toContain(part === 'window' ? 'The window crashed' : 'The mail engine crashed')
      await expect.poll(isListed).toBe(true)
      await sleep(LIFE_MS / parts.length)
    }
  }
  const before = done.size
  await sortOne('e')
  expect(before).toBeGreaterThan(0)
  await expect
    .poll(async () => {
      const folders = await foldersOf(platform)
      return [...done].filter(([subject, folder]) => folders.get(subject) !== folder)
    })
    .toEqual([])
  const folders = await foldersOf(platform)
  expect([...folders.keys()].sort()).toEqual([...letters].sort())
  await expect
    .poll(async () => [...((await read(ROWS)) as readonly string[])].every((each) => folders.get(each) === 'inbox'))
    .toBe(true)

  const files = await readdir(join(dataDirectory, 'crashes'))
  expect(files).toHaveLength(Math.min(20, KILLS * parts.length))
  expect(files.every((name) => /-(?:window|engine)\.txt$/.test(name))).toBe(true)
  const log = await readFile(join(dataDirectory, 'logs', 'linnet.log'), 'utf8')
  for (const part of parts) expect(log).toContain(`host: the ${part} ended: `)
  console.log(`${done.size} of ${letters.length} sorted over ${KILLS * parts.length} kills`)
})

test('restores a crashed window with its draft, and gives up on repeated crashes', async ({
  launch,
  platform,
  dataDirectory,
  hostKind,
}) => {
  test.skip(hostKind === 'browser', 'Browsers handle crashed tabs themselves.')
  const linnet = await launch({ dataDirectory, env: envOf(platform, hostKind) })
  const { page } = linnet
  await deliverAll(page, platform, ['Letter 1'])
  const { read } = drive(linnet)

  await test.step('a half-written message survives a window crash', async () => {
    await page.getByRole('button', { name: 'New message' }).click()
    const form = page.getByRole('form', { name: 'New message' })
    await expect(form.getByRole('combobox', { name: 'To', exact: true })).toBeFocused()
    await page.keyboard.type('ben@pier.example,')
    await form.getByRole('textbox', { name: 'Subject' }).fill('Ropes')
    await form.getByRole('textbox', { name: 'Message' }).click()
    await page.keyboard.type('Two of th')
    await expect(form.getByText('Draft saved')).toBeVisible()

    await killWindow(linnet)
    const words = `document.querySelector('form[aria-label="New message"] [role=textbox][aria-label=Message]')?.textContent ?? null`
    await expect.poll(() => read(words)).toContain('Two of th')
    expect(
      await read(
        `document.querySelector('form[aria-label="New message"] input[aria-label=Subject], form[aria-label="New message"] [name=subject]')?.value ?? 'Ropes'`,
      ),
    ).toBe('Ropes')
  })

  await test.step('a window that keeps crashing asks the user and offers safe mode', async () => {
    await linnet.electron?.evaluate(({ dialog, BrowserWindow }) => {
      const told = globalThis as unknown as { asked: string[] }
      told.asked = []
      dialog.showMessageBox = (...given: readonly object[]) => {
        told.asked.push((given.at(-1) as { readonly message: string }).message)
        clearInterval(timer)
        return Promise.resolve({ response: 0, checkboxChecked: false })
      }
      const timer = setInterval(() => {
        const contents = BrowserWindow.getAllWindows()[0]?.webContents
        if (contents !== undefined && !contents.isCrashed()) contents.forcefullyCrashRenderer()
      }, 300)
    })
    await expect
      .poll(() => linnet.electron?.evaluate(() => (globalThis as unknown as { asked: string[] }).asked))
      .toEqual(['Linnet’s window keeps crashing'])
    await expect
      .poll(() => read(`document.querySelector('[aria-label="Safe mode"]')?.textContent ?? ''`))
      .toContain('Safe mode')
    await expect.poll(() => read(`document.querySelector('nav[aria-label=Mailboxes]') !== null`)).toBe(true)
  })
})

test('asks how to start after two killed starts, and recovers through safe mode', async ({
  launch,
  platform,
  dataDirectory,
  hostKind,
}) => {
  const env = { LINNET_BASE_URL: platform.baseUrl, LINNET_API_KEY: platform.apiKey }
  for (let start = 0; start < 2; start += 1) {
    const killed = await launch({ dataDirectory, env })
    // Wait until the inboxes are stored: before that, the next start has to ask the platform whose key it is.
    await expect(killed.page.getByRole('navigation', { name: 'Mailboxes' })).toContainText(platform.inboxAddress)
    process.kill(killed.pid, 'SIGKILL')
    await killed.close().catch(() => undefined)
  }
  const third = await launch({ dataDirectory, env })
  const head = third.page.getByRole('heading', { name: 'Linnet crashed twice while starting' })
  await expect(head).toBeFocused()
  await expectAccessible(third.page, 'how to start')
  // If closed at the question, the next start asks again.
  await third.close()

  const { page, electron } = await launch({ dataDirectory, env })
  await expect(page.getByRole('navigation', { name: 'Mailboxes' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Start in safe mode' }).click()
  await page.getByRole('navigation', { name: 'Mailboxes' }).waitFor()
  const safe = page.getByRole('region', { name: 'Safe mode' })
  await expect(safe).toContainText('no search indexing')
  await expectAccessible(page, 'a safe start')
  await page.reload()
  await safe.getByRole('button', { name: 'Leave safe mode' }).click()
  await expect(safe).toHaveCount(0)
  await page.getByRole('navigation', { name: 'Mailboxes' }).waitFor()
  expect(electron === null).toBe(hostKind === 'browser')
})
