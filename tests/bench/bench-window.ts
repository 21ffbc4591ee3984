import { existsSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { chromium, type Browser, type Page } from '@playwright/test'
import { ensureChromium } from '../../scripts/find-chromium.mjs'
import type { Cache } from '../../src/engine/store/cache.ts'
import type { InboxRef } from '../../src/engine/store/inboxes.ts'
import { openUnchangedCache } from '../support/open-cache.ts'
import { root, startProgram } from '../support/program.ts'
import { startBenchPlatform } from './bench-platform.ts'

/** Data folder of an account whose platform has been stopped, so Linnet shows local data only. */
export interface OfflineAccount {
  readonly inboxId: string
  readonly dataDirectory: string
  /** Environment variables that name the account for a host. */
  readonly environment: Readonly<Record<string, string>>
  /** Starts a separate host for the account and opens its window in a browser. */
  readonly open: (browser: Browser) => Promise<{ readonly page: Page; readonly close: () => Promise<void> }>
  readonly remove: () => void
}

const VIEWPORT = { width: 1440, height: 900 }

export const launchBenchBrowser = async (): Promise<Browser> =>
  chromium.launch({
    executablePath: (await ensureChromium()).browser,
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  })

export const openPage = (browser: Browser): Promise<Page> => browser.newPage({ viewport: VIEWPORT })

/**
 * Connects accounts to empty platforms, stops the platforms, and fills the accounts' caches. Needs `npm run build`.
 * @param fill adds mail to the empty inbox of each cache
 * @param count number of accounts in the data folder; hosts are started for the first
 */
export const makeOfflineAccount = async (
  browser: Browser,
  fill: (cache: Cache, inbox: InboxRef) => void,
  count = 1,
): Promise<OfflineAccount> => {
  if (!existsSync(join(root, 'out/main/browser.cjs'))) throw new Error('There is no build to measure: npm run build.')
  const dataDirectory = mkdtempSync(join(tmpdir(), 'linnet-bench-'))
  const remove = (): void => rmSync(dataDirectory, { recursive: true, force: true })
  const openWith =
    (env: Readonly<Record<string, string>>): OfflineAccount['open'] =>
    async (opening) => {
      const host = await startProgram('out/main/browser.cjs', ['--no-open', '--data-dir', dataDirectory], env)
      const page = await openPage(opening)
      await page.goto((JSON.parse(host.firstLine) as { url: string }).url)
      const close = async (): Promise<void> => {
        await page.close()
        await host.stop()
      }
      return { page, close }
    }
  const connect = async (): Promise<Pick<OfflineAccount, 'inboxId' | 'environment'>> => {
    const platform = await startBenchPlatform(0, 'off')
    try {
      const environment = { LINNET_BASE_URL: platform.baseUrl, LINNET_API_KEY: platform.apiKey }
      const first = await openWith(environment)(browser)
      await first.page.getByText('Your inbox is empty').waitFor({ timeout: 60_000 })
      // With several accounts, the text may belong to another account.
      const isRead = (): boolean =>
        platform.answered().some((request) => request.includes(`/${platform.inboxId}/threads`))
      for (const end = Date.now() + 60_000; !isRead() && Date.now() < end;) await sleep(50)
      await first.close()
      return { inboxId: platform.inboxId, environment }
    } finally {
      await platform.stop()
    }
  }
  try {
    const connected: Pick<OfflineAccount, 'inboxId' | 'environment'>[] = []
    for (let at = 0; at < count; at += 1) connected.push(await connect())
    const [shown] = connected
    const files = globSync(join(dataDirectory, '**/cache.sqlite'))
    if (shown === undefined || files.length !== count) throw new Error('An account has no cache.')
    for (const file of files) {
      const cache = openUnchangedCache(file)
      const own = connected.find(({ inboxId }) => cache.inboxes.get(inboxId) !== undefined)
      if (own === undefined) throw new Error('An account has no inbox.')
      fill(cache, { key: cache.inboxes.get(own.inboxId)?.key ?? -1, id: own.inboxId })
      cache.close()
    }
    return { ...shown, dataDirectory, open: openWith(shown.environment), remove }
  } catch (thrown) {
    remove()
    throw thrown
  }
}

/** Median length of sixty frames, in milliseconds. */
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

/** Paint times after the last key, in milliseconds; zero if nothing was painted. */
export interface PaintsAfterKey {
  readonly first: number
  readonly last: number
}

/** Records when each key's changes to part of the window are painted. @param part selector; it may come and go */
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
    // True from a frame's start until it is submitted: the frame also paints later changes, such as those of a
    // ResizeObserver.
    let isInFrame = false
    const handedOver = new MessageChannel()
    handedOver.port1.addEventListener('message', () => (isInFrame = false))
    handedOver.port1.start()
    new MutationObserver((changes) => {
      if (!changes.some(isOfPart)) return
      const key = lastKey
      // A frame has been submitted once the next one starts.
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

/** @param settledMs milliseconds to wait for all paints caused by the key */
export const pressAndWatch = async (page: Page, key: string, settledMs: number): Promise<PaintsAfterKey> => {
  await page.keyboard.press(key)
  await page.waitForTimeout(settledMs)
  return page.evaluate(() => ({ ...(window as unknown as { painted: PaintsAfterKey }).painted }))
}
