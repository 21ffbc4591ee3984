import type { Browser, Page } from '@playwright/test'
import {
  frameLength,
  launchBenchBrowser,
  makeOfflineAccount,
  openPage,
  pressAndWatch,
  watchPaints,
  type OfflineAccount,
  type PaintsAfterKey,
} from './bench-window.ts'
import { median, percentile, type Figure } from './figure.ts'
import { fillInbox } from './filled-inbox.ts'

/** Number of e-mails: two per thread. */
const LARGE_EMAILS = 2 * Number(process.env.BENCH_THREADS ?? 100_000)
/** The smallest mailbox that can be generated: one page of 100 threads. */
const SMALL_EMAILS = 1
const ROUNDS = 6
/** Key presses per mailbox and round. */
const KEYS = 10
const SETTLED_MS = 400
/** Extra frames allowed per key among many threads. */
const MAX_FRAMES = 2
/** Frames for scrolling from top to bottom, like dragging the list's scroll bar. */
const SCROLL_FRAMES = 300
/** Pixels per frame while reading through a list. */
const READING_STEP = 40
const SCROLL_ROUNDS = 3
const MAX_LONGER = 1.2

const rowsOf = (page: Page) => page.getByRole('listbox', { name: 'Threads' }).getByRole('option')

interface Mailbox {
  readonly page: Page
  readonly threads: number
  readonly paints: PaintsAfterKey[]
  readonly close: () => Promise<void>
}

const openMailbox = async (account: OfflineAccount, browser: Browser): Promise<Mailbox> => {
  const { page, close } = await account.open(browser)
  await rowsOf(page).first().waitFor({ timeout: 120_000 })
  const threads = Number(await rowsOf(page).first().getAttribute('aria-setsize'))
  return { page, threads, paints: [], close }
}

/** Scrolls one step per frame. @returns frame lengths in milliseconds */
const scroll = (
  page: Page,
  by: { readonly step: number | null; readonly frames: number },
): Promise<readonly number[]> =>
  page.evaluate(
    ({ step, frames }) =>
      new Promise<number[]>((resolve) => {
        const list = document.querySelector('[role="listbox"]') ?? document.querySelector('main')
        if (list === null) throw new Error('There is nothing to scroll.')
        list.scrollTop = 0
        const stride = step ?? (list.scrollHeight - list.clientHeight) / frames
        const lengths: number[] = []
        let [before, at] = [0, 0]
        const next = (now: number): void => {
          if (at > 0) lengths.push(now - before)
          before = now
          if (at === frames) return resolve(lengths)
          at += 1
          list.scrollTop = at * stride
          requestAnimationFrame(next)
        }
        requestAnimationFrame(next)
      }),
    by,
  )

const openEmptyPage = async (browser: Browser, height: number): Promise<Page> => {
  const page = await openPage(browser)
  await page.setContent(
    `<!doctype html><main style="height: 100vh; overflow: auto"><div style="height: ${height}px"></div></main>`,
  )
  return page
}

/** Scrolls the list and an empty page alternately. @returns frame lengths of each, in milliseconds */
const scrollInTurns = async (
  list: Page,
  empty: Page,
  by: { readonly step: number | null; readonly frames: number },
): Promise<{ readonly list: readonly number[]; readonly empty: readonly number[] }> => {
  const frames = { list: [] as number[], empty: [] as number[] }
  for (let round = 0; round < SCROLL_ROUNDS; round += 1) {
    for (const [name, page] of [
      ['list', list],
      ['empty', empty],
    ] as const) {
      await page.bringToFront()
      await page.waitForTimeout(SETTLED_MS)
      frames[name].push(...(await scroll(page, by)))
    }
  }
  return frames
}

const inMs = (values: readonly number[]): string =>
  `p95 ${percentile(values, 0.95).toFixed(1)} ms, median ${median(values).toFixed(1)} ms of ${values.length}`

/**
 * Time from a key press to its painted change in Chromium, among many threads and among 100, and frame lengths while
 * scrolling a list and an empty page, in turns. Local mail only. Needs `npm run build`.
 */
export const measureKeys = async (): Promise<readonly Figure[]> => {
  const browser = await launchBenchBrowser()
  const accounts: OfflineAccount[] = []
  try {
    for (const emails of [SMALL_EMAILS, LARGE_EMAILS]) {
      accounts.push(await makeOfflineAccount(browser, (cache, inbox) => void fillInbox(cache, inbox, emails, 'inbox')))
    }
    const [smallAccount, largeAccount] = accounts
    if (smallAccount === undefined || largeAccount === undefined) throw new Error('Two accounts were made.')
    const [small, large] = [await openMailbox(smallAccount, browser), await openMailbox(largeAccount, browser)]
    const frame = await frameLength(small.page)
    for (const { page } of [small, large]) await watchPaints(page)
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const { page, paints } of [small, large]) {
        await page.bringToFront()
        await page.waitForTimeout(SETTLED_MS)
        for (let time = 0; time < KEYS; time += 1) paints.push(await pressAndWatch(page, 'e', SETTLED_MS))
      }
    }
    if ([small, large].some(({ paints }) => paints.some(({ first }) => first === 0)))
      throw new Error(`A key has painted nothing within ${SETTLED_MS} ms.`)
    const archived = await rowsOf(large.page).first().getAttribute('aria-setsize')
    if (Number(archived) !== large.threads - ROUNDS * KEYS) throw new Error('Not every key has archived its thread.')

    const empty = await openEmptyPage(browser, large.threads * 52)
    const dragged = await scrollInTurns(large.page, empty, { step: null, frames: SCROLL_FRAMES })
    const read = await scrollInTurns(large.page, empty, { step: READING_STEP, frames: SCROLL_FRAMES })
    for (const each of [small, large]) await each.close()

    const p95 = (values: readonly number[]): number => percentile(values, 0.95)
    const timesOf = ({ paints }: Mailbox, which: keyof PaintsAfterKey): readonly number[] =>
      paints.map((paint) => paint[which])
    const count = large.threads.toLocaleString('en')
    return [
      ...(['first', 'last'] as const).map((which): Figure => ({
        name: `archiving by a key among ${count} threads, until its ${which} change is painted, beyond the same among ${small.threads}`,
        measured: (p95(timesOf(large, which)) - p95(timesOf(small, which))) / frame,
        unit: 'frames',
        bound: { kind: 'at most', value: MAX_FRAMES },
        note: `${inMs(timesOf(large, which))}; among ${small.threads} ${inMs(timesOf(small, which))}; a frame ${frame.toFixed(1)} ms`,
      })),
      ...[
        { name: `from top to bottom of ${count} threads in ${SCROLL_FRAMES} frames`, frames: dragged },
        { name: `as a person reads through them, ${READING_STEP} pixels a frame`, frames: read },
      ].map(({ name, frames }): Figure => ({
        name: `a list scrolled ${name}: p95 of a frame, against an empty page`,
        measured: p95(frames.list) / p95(frames.empty),
        unit: '×',
        bound: { kind: 'at most', value: MAX_LONGER },
        note: `${inMs(frames.list)}; empty page ${inMs(frames.empty)}`,
      })),
    ]
  } finally {
    await browser.close()
    for (const account of accounts) account.remove()
  }
}
