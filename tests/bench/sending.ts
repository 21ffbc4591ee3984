import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { findElectron } from '../../scripts/find-electron.mjs'
import { startProgram } from '../support/program.ts'
import { startBenchPlatform, type BenchPlatform } from './bench-platform.ts'
import { frameLength, launchBenchBrowser, openPage } from './bench-window.ts'
import { median, percentile, type Figure } from './figure.ts'
import { askPlatform } from './platforms.ts'
import { withElectronPages } from './typing.ts'

/** Distances to the platform: milliseconds that each of its answers takes. */
const DISTANCES_MS = [0, 350, 1_500]
const ROUNDS = 12
/** Milliseconds after which a draft is saved here, and its upload has begun. */
const SAVED_MS = 1_500
const MAX_FRAMES = 2

/** A page where Enter removes a form and nothing else. */
const EMPTY_PAGE = `<!doctype html><main id="main"></main>`

/** Records the time from Enter to the frame without the selected element. */
const watchRemoval = (page: Page, selector: string): Promise<void> =>
  page.evaluate((selector) => {
    let pressed = 0
    const removal = { after: 0 }
    Object.assign(window, { removal })
    addEventListener(
      'keydown',
      ({ key, timeStamp }) => {
        if (key !== 'Enter') return
        pressed = timeStamp
        removal.after = 0
      },
      { capture: true },
    )
    new MutationObserver(() => {
      if (pressed === 0 || document.querySelector(selector) !== null) return
      const since = pressed
      pressed = 0
      // A frame has been submitted once the next one starts.
      requestAnimationFrame(() => requestAnimationFrame((now) => (removal.after = now - since)))
    }).observe(document.body, { childList: true, subtree: true })
  }, selector)

/** Presses Ctrl+Enter. @returns milliseconds until the element was gone */
const measureRemoval = async (page: Page): Promise<number> => {
  await page.keyboard.press('ControlOrMeta+Enter')
  await page.waitForFunction(() => (window as unknown as { removal: { after: number } }).removal.after > 0)
  return page.evaluate(() => (window as unknown as { removal: { after: number } }).removal.after)
}

const sendOne = async (page: Page, round: number): Promise<number> => {
  await page.getByRole('button', { name: 'New message' }).click()
  const message = page.getByRole('form', { name: 'New message' })
  await message.getByRole('combobox', { name: 'To', exact: true }).fill('ada@quay.example')
  await message.getByRole('textbox', { name: 'Subject' }).fill(`Berth ${round}`)
  await message.getByRole('textbox', { name: 'Message' }).click()
  await page.keyboard.type('From Monday on.')
  await page.waitForTimeout(SAVED_MS)
  await page.keyboard.type(' The crane, too.')
  return measureRemoval(page)
}

interface Sent {
  readonly distance: number
  /** Milliseconds per message. */
  readonly linnet: readonly number[]
  readonly empty: readonly number[]
  readonly frame: number
}

const sendAtDistances = async (page: Page, empty: Page, platform: BenchPlatform): Promise<readonly Sent[]> => {
  await page.getByRole('button', { name: 'New message' }).waitFor({ timeout: 60_000 })
  await empty.setContent(EMPTY_PAGE)
  await watchRemoval(page, 'form[aria-label="New message"]')
  await watchRemoval(empty, 'form')
  await empty.evaluate(() =>
    addEventListener('keydown', ({ key }) => key === 'Enter' && document.querySelector('form')?.remove()),
  )
  await empty.bringToFront()
  const frame = await frameLength(empty)
  const sent: Sent[] = []
  for (const distance of DISTANCES_MS) {
    const faults = distance === 0 ? [] : [{ kind: 'delay', path: '/', delay_ms: distance }]
    await askPlatform(platform, '/_control/faults', 'PUT', { faults })
    const times = { linnet: [] as number[], empty: [] as number[] }
    for (let round = 0; round < ROUNDS; round += 1) {
      await page.bringToFront()
      times.linnet.push(await sendOne(page, round))
      await empty.bringToFront()
      await empty.evaluate(() => document.querySelector('main')?.append(document.createElement('form')))
      times.empty.push(await measureRemoval(empty))
    }
    sent.push({ distance, frame, ...times })
  }
  return sent
}

const figuresOf = (host: string, sent: readonly Sent[]): readonly Figure[] =>
  sent.map(({ distance, linnet, empty, frame }) => {
    const p95 = { linnet: percentile(linnet, 0.95), empty: percentile(empty, 0.95) }
    return {
      name: `Ctrl+Enter in ${host} with the platform ${distance} ms away, until the form is gone, beyond one in an empty page`,
      measured: (p95.linnet - p95.empty) / frame,
      unit: 'frames',
      bound: { kind: 'at most', value: MAX_FRAMES },
      note: `p95 ${p95.linnet.toFixed(0)} ms, median ${median(linnet).toFixed(0)} ms of ${linnet.length} messages; empty page p95 ${p95.empty.toFixed(0)} ms, median ${median(empty).toFixed(0)} ms; a frame ${frame.toFixed(1)} ms`,
    }
  })

/** Runs `work` with a platform of its own and an empty data folder. */
const withPlatform = async <Value>(
  work: (platform: BenchPlatform, dataDirectory: string, env: Readonly<Record<string, string>>) => Promise<Value>,
): Promise<Value> => {
  const platform = await startBenchPlatform(0, 'off', '--faults')
  const dataDirectory = mkdtempSync(join(tmpdir(), 'linnet-bench-'))
  try {
    return await work(platform, dataDirectory, { LINNET_BASE_URL: platform.baseUrl, LINNET_API_KEY: platform.apiKey })
  } finally {
    await platform.stop()
    rmSync(dataDirectory, { recursive: true, force: true })
  }
}

/** Time from the send key to a window without the message, at several distances. Needs `npm run build`. */
export const measureSending = async (): Promise<readonly Figure[]> => {
  const browser = await launchBenchBrowser()
  try {
    const inChromium = await withPlatform(async (platform, dataDirectory, env) => {
      const host = await startProgram('out/main/browser.cjs', ['--no-open', '--data-dir', dataDirectory], env)
      try {
        const page = await openPage(browser)
        await page.goto((JSON.parse(host.firstLine) as { url: string }).url)
        return await sendAtDistances(page, await openPage(browser), platform)
      } finally {
        await host.stop()
      }
    })
    const electron = findElectron()
    if (electron === null) return figuresOf('Chromium', inChromium)
    const inElectron = await withPlatform((platform, dataDirectory, environment) =>
      withElectronPages(electron, { dataDirectory, environment }, (page, empty) =>
        sendAtDistances(page, empty, platform),
      ),
    )
    return [...figuresOf('Chromium', inChromium), ...figuresOf('Electron', inElectron)]
  } finally {
    await browser.close()
  }
}
