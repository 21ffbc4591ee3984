import { existsSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser, type Page } from '@playwright/test'
import { ensureChromium } from '../../scripts/find-chromium.mjs'
import { openCache, type Cache } from '../../src/engine/store/cache.ts'
import type { InboxRef } from '../../src/engine/store/inboxes.ts'
import { root, startProgram } from '../support/program.ts'
import { startBenchPlatform } from './bench-platform.ts'

/** The data folder of an account whose platform is gone: what Linnet shows of it comes from this computer alone. */
export interface OfflineAccount {
  readonly inboxId: string
  readonly dataDirectory: string
  /** Names the account to a host that is started for it. */
  readonly environment: Readonly<Record<string, string>>
  /** Starts a host of its own for it, and opens its window in a browser. */
  readonly open: (browser: Browser) => Promise<{ readonly page: Page; readonly close: () => Promise<void> }>
  readonly remove: () => void
}

const VIEWPORT = { width: 1440, height: 900 }

export const launchBenchBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: ensureChromium().browser,
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  })

export const openPage = (browser: Browser): Promise<Page> => browser.newPage({ viewport: VIEWPORT })

/**
 * Connects an account to a platform without mail, lets the platform go, and fills the account's cache. Needs `npm run build`.
 * @param fill puts mail into the inbox of the cache, which is empty
 */
export const makeOfflineAccount = async (
  browser: Browser,
  fill: (cache: Cache, inbox: InboxRef) => void,
): Promise<OfflineAccount> => {
  if (!existsSync(join(root, 'out/main/browser.cjs'))) throw new Error('There is no build to measure: npm run build.')
  const dataDirectory = mkdtempSync(join(tmpdir(), 'linnet-bench-'))
  const remove = (): void => rmSync(dataDirectory, { recursive: true, force: true })
  const platform = await startBenchPlatform(0, 'off')
  const { inboxId } = platform
  const env = { LINNET_BASE_URL: platform.baseUrl, LINNET_API_KEY: platform.apiKey }
  const open: OfflineAccount['open'] = async (opening) => {
    const host = await startProgram('out/main/browser.cjs', ['--no-open', '--data-dir', dataDirectory], env)
    const page = await openPage(opening)
    await page.goto((JSON.parse(host.firstLine) as { url: string }).url)
    const close = async (): Promise<void> => {
      await page.close()
      await host.stop()
    }
    return { page, close }
  }
  try {
    try {
      const first = await open(browser)
      await first.page.getByText('Your inbox is empty').waitFor({ timeout: 60_000 })
      await first.close()
    } finally {
      await platform.stop()
    }
    const [file] = globSync(join(dataDirectory, '**/cache.sqlite'))
    if (file === undefined) throw new Error('The account has no cache.')
    const { cache } = openCache(file, {
      threads: { overlay: () => undefined, marks: () => undefined, confirmedSince: () => false },
      topics: () => new Map(),
    })
    fill(cache, { key: cache.inboxes.get(inboxId)?.key ?? -1, id: inboxId })
    cache.close()
  } catch (thrown) {
    remove()
    throw thrown
  }
  return { inboxId, dataDirectory, environment: env, open, remove }
}

/** The length of a frame in milliseconds, the median of sixty. */
export const frameLength = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const lengths: number[] = []
        let before = performance.now()
        const next = (now: number): void => {
          lengths.push(now - before)
          before = now
          if (lengths.length < 60) requestAnimationFrame(next)
          else resolve(lengths.toSorted((a, b) => a - b)[30] ?? 0)
        }
        requestAnimationFrame(next)
      }),
  )

/** What was painted after the last key, in milliseconds since then; zero where nothing was. */
export interface PaintsAfterKey {
  /** Of the first change. */
  readonly first: number
  /** Of the last one so far. */
  readonly last: number
}

/**
 * Notes from now on, for each key, when what it changed inside of a part of the window was painted.
 * @param part a selector: what changes elsewhere does not count, and the part itself may come and go
 */
export const watchPaints = (page: Page, part = 'main'): Promise<void> =>
  page.evaluate((within) => {
    let lastKey = 0
    const painted = { first: 0, last: 0 }
    Object.assign(window, { painted })
    addEventListener(
      'keydown',
      (event) => {
        lastKey = event.timeStamp
        Object.assign(painted, { first: 0, last: 0 })
      },
      { capture: true },
    )
    const elementOf = (node: Node): Element | null => (node instanceof Element ? node : node.parentElement)
    const isOfPart = ({ target, addedNodes }: MutationRecord): boolean =>
      (elementOf(target)?.closest(within) ?? null) !== null ||
      [...addedNodes].some((node) => node instanceof Element && (node.matches(within) || node.querySelector(within)))
    // From where a frame begins until it is handed over: what changes in between, as upon an observer of sizes, is shown by it as well.
    let isInFrame = false
    const handedOver = new MessageChannel()
    handedOver.port1.addEventListener('message', () => (isInFrame = false))
    handedOver.port1.start()
    new MutationObserver((changes) => {
      if (!changes.some(isOfPart)) return
      const key = lastKey
      // The frame that shows it has been handed over when the next one begins.
      const nextFrame = (now: number): void => {
        if (key !== lastKey) return
        painted.last = now - key
        if (painted.first === 0) painted.first = painted.last
      }
      if (isInFrame) requestAnimationFrame(nextFrame)
      else
        requestAnimationFrame(() => {
          isInFrame = true
          handedOver.port2.postMessage(null)
          requestAnimationFrame(nextFrame)
        })
    }).observe(document.body, { childList: true, subtree: true, characterData: true })
  }, part)

/** @param settledMs milliseconds in which whatever the key brings about has been painted */
export const pressAndWatch = async (page: Page, key: string, settledMs: number): Promise<PaintsAfterKey> => {
  await page.keyboard.press(key)
  await page.waitForTimeout(settledMs)
  return page.evaluate(() => ({ ...(window as unknown as { painted: PaintsAfterKey }).painted }))
}
