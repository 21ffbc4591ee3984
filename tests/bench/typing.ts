import { existsSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { openCache } from '../../src/engine/store/cache.ts'
import { ensureChromium } from '../../scripts/find-chromium.mjs'
import { root, startProgram } from '../support/program.ts'
import { startBenchPlatform } from './bench-platform.ts'
import { percentile, type Figure } from './figure.ts'
import { fillInbox, wordOfRank } from './filled-inbox.ts'

const EMAILS = Number(process.env.BENCH_EMAILS ?? 100_000)
const ROUNDS = 3
/** Common, middling and rare words of the mailbox, typed letter by letter. */
const RANKS = [2, 6, 150, 260, 16_000, 19_000]
/** After a key, milliseconds in which whatever it brings about has been painted. */
const SETTLED_MS = 500
/** Frames that rows may come later than a letter alone. */
const MOST_FRAMES = 3

/** A page in which a letter changes a line of text, and nothing else. */
const EMPTY_PAGE =
  '<!doctype html><main><input id="field" oninput="line.textContent = this.value"><p id="line"></p></main>'

/** Notes, for each key, when what it changed inside of `main` was last painted. */
const watchPaints = (page: Page): Promise<void> =>
  page.evaluate(() => {
    let lastKey = 0
    const painted = { after: 0, frame: 0 }
    Object.assign(window, { painted })
    addEventListener(
      'keydown',
      (event) => {
        lastKey = event.timeStamp
        painted.after = 0
      },
      { capture: true },
    )
    new MutationObserver(() => {
      const key = lastKey
      // The frame that shows it has been handed over when the next one begins.
      requestAnimationFrame(() =>
        requestAnimationFrame((now) => {
          if (key === lastKey) painted.after = now - key
        }),
      )
    }).observe(document.querySelector('main') ?? document.body, { childList: true, subtree: true, characterData: true })
  })

/** Types a word. @returns for each letter, milliseconds until the last change that it brought about was painted */
const typeWord = async (page: Page, word: string): Promise<readonly number[]> => {
  const times: number[] = []
  for (const letter of word) {
    await page.keyboard.press(letter)
    await page.waitForTimeout(SETTLED_MS)
    times.push(await page.evaluate(() => (window as unknown as { painted: { after: number } }).painted.after))
  }
  // A letter that changed nothing has painted nothing.
  return times.filter((time) => time > 0)
}

/** The length of a frame in milliseconds, the median of sixty. */
const frameLength = (page: Page): Promise<number> =>
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

/** From a key to painted rows in Chromium, with a large mailbox on this computer and no platform. Needs `npm run build`. */
export const measureTyping = async (): Promise<readonly Figure[]> => {
  if (!existsSync(join(root, 'out/main/browser.cjs'))) throw new Error('There is no build to measure: npm run build.')
  const dataDirectory = mkdtempSync(join(tmpdir(), 'linnet-typing-'))
  const platform = await startBenchPlatform(0, 'off')
  const env = { LINNET_BASE_URL: platform.baseUrl, LINNET_API_KEY: platform.apiKey }
  const openWindow = async () => {
    const host = await startProgram('out/main/browser.cjs', ['--no-open', '--data-dir', dataDirectory], env)
    const { url } = JSON.parse(host.firstLine) as { url: string }
    const browser = await chromium.launch({
      executablePath: ensureChromium(),
      args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    })
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    await page.goto(url)
    const close = async (): Promise<void> => {
      await browser.close()
      await host.stop()
    }
    return { browser, page, close }
  }
  try {
    const first = await openWindow()
    await first.page.getByText('Your inbox is empty').waitFor({ timeout: 60_000 })
    await first.close()
    await platform.stop()

    const [file] = globSync(join(dataDirectory, '**/cache.sqlite'))
    if (file === undefined) throw new Error('The account has no cache.')
    const { cache } = openCache(file, {
      threads: { overlay: () => undefined, confirmedSince: () => false },
      topics: () => new Map(),
    })
    const inbox = { key: cache.inboxes.get(platform.inboxId)?.key ?? -1, id: platform.inboxId }
    const { emails } = fillInbox(cache, inbox, EMAILS)
    cache.close()

    const { browser, page, close } = await openWindow()
    await page.getByRole('listbox', { name: 'Threads' }).getByRole('option').first().waitFor({ timeout: 60_000 })
    const empty = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    await empty.setContent(EMPTY_PAGE)
    const frame = await frameLength(empty)
    const times = { linnet: [] as number[], empty: [] as number[] }
    for (const each of [page, empty]) await watchPaints(each)
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const word of RANKS.map(wordOfRank)) {
        await page.bringToFront()
        await page.getByRole('combobox', { name: 'Search mail' }).fill('')
        await page.waitForTimeout(SETTLED_MS)
        times.linnet.push(...(await typeWord(page, word)))
        await empty.bringToFront()
        await empty.locator('#field').fill('')
        await empty.locator('#field').focus()
        times.empty.push(...(await typeWord(empty, word)))
      }
    }
    await close()
    const p95 = { linnet: percentile(times.linnet, 0.95), empty: percentile(times.empty, 0.95) }
    return [
      {
        name: `a letter of a search among ${emails.toLocaleString('en')} e-mails, until its rows are painted, beyond a letter in an empty page`,
        measured: (p95.linnet - p95.empty) / frame,
        unit: 'frames',
        bound: { kind: 'at most', value: MOST_FRAMES },
        note: `p95 ${p95.linnet.toFixed(0)} ms, median ${percentile(times.linnet, 0.5).toFixed(0)} ms of ${times.linnet.length} letters; empty page p95 ${p95.empty.toFixed(0)} ms, median ${percentile(times.empty, 0.5).toFixed(0)} ms; a frame ${frame.toFixed(1)} ms`,
      },
    ]
  } finally {
    await platform.stop()
    rmSync(dataDirectory, { recursive: true, force: true })
  }
}
