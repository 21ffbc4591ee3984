import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { chromium, type Page } from '@playwright/test'
import { findElectron } from '../../scripts/find-electron.mjs'
import { root } from '../support/program.ts'
import { startApp, writeEmptyApp } from './bench-electron.ts'
import {
  frameLength,
  launchBenchBrowser,
  makeOfflineAccount,
  openPage,
  type OfflineAccount,
  pressAndWatch,
  watchPaints,
} from './bench-window.ts'
import { median, percentile, type Figure } from './figure.ts'
import { fillInbox, wordOfRank } from './filled-inbox.ts'

const EMAILS = Number(process.env.BENCH_EMAILS ?? 100_000)
const ROUNDS = 3
/** Ranks of common, middling and rare words, typed letter by letter. */
const RANKS = [2, 6, 150, 260, 16_000, 19_000]
/** Milliseconds to wait after a key for all its paints. */
const SETTLED_MS = 500
/** Maximum number of frames by which complete rows may lag behind a letter typed into an empty page. */
const MAX_FRAMES = 1.75
/** The same limit with a million e-mails. */
const MAX_FRAMES_OF_MANY = 2.5
/** The same limit while another program keeps one core busy. */
const MAX_FRAMES_BUSY = 4

/** A page where a letter changes a line of text and nothing else. */
const EMPTY_PAGE =
  '<!doctype html><main><input id="field" oninput="line.textContent = this.value"><p id="line"></p></main>'

/** Types a word. @returns milliseconds per letter until its last change was painted */
const typeWord = async (page: Page, word: string): Promise<readonly number[]> => {
  const times: number[] = []
  for (const letter of word) times.push((await pressAndWatch(page, letter, SETTLED_MS)).last)
  return times.filter((time) => time > 0)
}

interface Typed {
  /** Milliseconds per letter that changed something. */
  readonly linnet: readonly number[]
  readonly empty: readonly number[]
  readonly frame: number
}

const typeInTurns = async (page: Page, empty: Page): Promise<Typed> => {
  const frame = await frameLength(empty)
  const times = { linnet: [] as number[], empty: [] as number[] }
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
  return { ...times, frame }
}

/**
 * Types alternately into a window with a mailbox and into an empty page, first with nothing else running, then while
 * another program keeps one core busy.
 */
const typeInBoth = async (page: Page, empty: Page): Promise<Readonly<Record<'alone' | 'busy', Typed>>> => {
  await page.getByRole('listbox', { name: 'Threads' }).getByRole('option').first().waitFor({ timeout: 60_000 })
  await empty.setContent(EMPTY_PAGE)
  // Watch the list only: folder counts and people suggestions wait until typing stops.
  await watchPaints(page, '[role="listbox"][aria-label="Threads"]')
  await watchPaints(empty)
  const alone = await typeInTurns(page, empty)
  const loop = new Worker('for (;;);', { eval: true })
  try {
    return { alone, busy: await typeInTurns(page, empty) }
  } finally {
    await loop.terminate()
  }
}

const windowOf = async (endpoint: string): Promise<Page> => {
  const [context] = (await chromium.connectOverCDP(endpoint)).contexts()
  const page = context?.pages()[0] ?? (await context?.waitForEvent('page'))
  if (page === undefined) throw new Error('The app has no window.')
  return page
}

/** Opens Linnet and an empty app in Electron, each with a window. */
export const withElectronPages = async <Value>(
  electron: string,
  { dataDirectory, environment }: Pick<OfflineAccount, 'dataDirectory' | 'environment'>,
  work: (page: Page, empty: Page) => Promise<Value>,
): Promise<Value> => {
  const directory = mkdtempSync(join(tmpdir(), 'linnet-bench-empty-'))
  const apps = [
    startApp(electron, [`--data-dir=${dataDirectory}`, root], environment),
    startApp(electron, [`--user-data-dir=${join(directory, 'data')}`, writeEmptyApp(directory)]),
  ] as const
  try {
    const [page, empty] = await Promise.all(apps.map(async ({ endpoint }) => windowOf(await endpoint)))
    if (page === undefined || empty === undefined) throw new Error('There are two.')
    return await work(page, empty)
  } finally {
    await Promise.all(apps.map((app) => app.stop()))
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Time from a key to painted rows, with a large local mailbox and no platform. Needs `npm run build`. */
export const measureTyping = async (): Promise<readonly Figure[]> => {
  const browser = await launchBenchBrowser()
  let emails = 0
  const account = await makeOfflineAccount(browser, (cache, inbox) => {
    emails = fillInbox(cache, inbox, EMAILS).emails
  })
  const figureOf = (place: string, most: number, { linnet, empty, frame }: Typed): Figure => {
    const p95 = { linnet: percentile(linnet, 0.95), empty: percentile(empty, 0.95) }
    return {
      name: `a letter of a search among ${emails.toLocaleString('en')} e-mails in ${place}, until its rows are painted, beyond a letter in an empty page`,
      measured: (p95.linnet - p95.empty) / frame,
      unit: 'frames',
      bound: { kind: 'at most', value: most },
      note: `p95 ${p95.linnet.toFixed(0)} ms, median ${median(linnet).toFixed(0)} ms of ${linnet.length} letters; empty page p95 ${p95.empty.toFixed(0)} ms, median ${median(empty).toFixed(0)} ms; a frame ${frame.toFixed(1)} ms`,
    }
  }
  const figuresOf = (host: string, { alone, busy }: Awaited<ReturnType<typeof typeInBoth>>): readonly Figure[] => [
    figureOf(host, EMAILS > 100_000 ? MAX_FRAMES_OF_MANY : MAX_FRAMES, alone),
    figureOf(`${host} beside a program that keeps one core busy`, MAX_FRAMES_BUSY, busy),
  ]
  try {
    const { page, close } = await account.open(browser)
    const inBrowser = await typeInBoth(page, await openPage(browser))
    await close()
    await browser.close()
    const electron = findElectron()
    return [
      ...figuresOf('Chromium', inBrowser),
      ...(electron === null ? [] : figuresOf('Electron', await withElectronPages(electron, account, typeInBoth))),
    ]
  } finally {
    await browser.close()
    account.remove()
  }
}
