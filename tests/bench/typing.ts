import type { Page } from '@playwright/test'
import {
  frameLength,
  launchBenchBrowser,
  makeOfflineAccount,
  openPage,
  pressAndWatch,
  watchPaints,
} from './bench-window.ts'
import { percentile, type Figure } from './figure.ts'
import { fillInbox, wordOfRank } from './filled-inbox.ts'

const EMAILS = Number(process.env.BENCH_EMAILS ?? 100_000)
const ROUNDS = 3
/** Common, middling and rare words of the mailbox, typed letter by letter. */
const RANKS = [2, 6, 150, 260, 16_000, 19_000]
/** After a key, milliseconds in which whatever it brings about has been painted. */
const SETTLED_MS = 500
/** Frames that rows, with all that they show, may come later than a letter alone. */
const MOST_FRAMES = 2

/** A page in which a letter changes a line of text, and nothing else. */
const EMPTY_PAGE =
  '<!doctype html><main><input id="field" oninput="line.textContent = this.value"><p id="line"></p></main>'

/** Types a word. @returns for each letter, milliseconds until the last change that it brought about was painted */
const typeWord = async (page: Page, word: string): Promise<readonly number[]> => {
  const times: number[] = []
  for (const letter of word) times.push((await pressAndWatch(page, letter, SETTLED_MS)).last)
  // A letter that changed nothing has painted nothing.
  return times.filter((time) => time > 0)
}

/** From a key to painted rows in Chromium, with a large mailbox on this computer and no platform. Needs `npm run build`. */
export const measureTyping = async (): Promise<readonly Figure[]> => {
  const browser = await launchBenchBrowser()
  let emails = 0
  const account = await makeOfflineAccount(browser, (cache, inbox) => {
    emails = fillInbox(cache, inbox, EMAILS).emails
  })
  try {
    const { page, close } = await account.open(browser)
    await page.getByRole('listbox', { name: 'Threads' }).getByRole('option').first().waitFor({ timeout: 60_000 })
    const empty = await openPage(browser)
    await empty.setContent(EMPTY_PAGE)
    const frame = await frameLength(empty)
    const times = { linnet: [] as number[], empty: [] as number[] }
    // Folders and people are counted and suggested once nobody types.
    await watchPaints(page, '[role="listbox"][aria-label="Threads"]')
    await watchPaints(empty)
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
    await browser.close()
    account.remove()
  }
}
