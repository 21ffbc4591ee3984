// npm run screenshots: captures every screen in both themes, from the real window with the demo mailbox, in
// `screenshots/`. Takes these options after `--`: `--sizes` adds a small and a wide window, `--readme` adds the
// README's two screenshots, `--docs` takes those of `docs/` instead, and `NAME …` takes only these screens. A failed
// screen doesn't stop the others; the failures are listed at the end and the exit code is 1. Unknown names and switches
// are rejected immediately.
import { CLOCK_OF_PAGE } from './picture-clock.ts'
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium, type Page } from '@playwright/test'
import { startPlatform } from '../tests/support/platform.ts'
import { root, startProgram } from '../tests/support/program.ts'
import {
  goToHash,
  goToInbox,
  OFFLINE,
  prepareMailbox,
  runByPalette,
  screenNamed,
  SCREENS,
  type Screen,
} from '../tests/support/screens.ts'
import { ensureBuilt } from './build.mjs'
import { DOCS_PICTURES, DOCS_SCALE, DOCS_WINDOW, drawForDocs, drawPicture, restPointer } from './docs-pictures.ts'
import { ensureChromium } from './find-chromium.mjs'

const flag = { type: 'boolean', default: false } as const
const { values, positionals: names } = parseArgs({
  allowPositionals: true,
  options: { readme: flag, docs: flag, sizes: flag },
})
const { readme: isForReadme, docs: isForDocs, sizes: isInAllSizes } = values
const directory = join(root, 'screenshots')

interface Size {
  readonly width: number
  readonly height: number
}
const LARGE: Size = { width: 1440, height: 900 }
/** Extra sizes for `--sizes`, by file name suffix. */
const OTHER_SIZES: Readonly<Record<string, Size>> = {
  '1024': { width: 1024, height: 700 },
  '1920': { width: 1920, height: 1080 },
}

interface Picture extends Screen {
  readonly size?: Size
}

/** The same screen at another size or with another appearance setting. */
const again = (
  name: string,
  { as, size, chosen }: { readonly as: string; readonly size?: Size; readonly chosen?: readonly [string, string] },
): Picture => {
  const { show, leave } = screenNamed(name)
  return {
    name: as,
    ...(size === undefined ? {} : { size }),
    show: async (stage) => {
      if (chosen !== undefined) await runByPalette(stage.page, chosen[0])
      await show(stage)
    },
    leave: async (stage) => {
      await leave?.(stage)
      if (chosen === undefined) return
      await goToInbox(stage)
      await runByPalette(stage.page, chosen[1])
    },
  }
}

const chooseTextSize = async (page: Page, name: string): Promise<void> => {
  await goToHash(page, '#/settings')
  await page.getByRole('group', { name: 'Text size' }).getByRole('radio', { name, exact: true }).check({ force: true })
}

const PICTURES: readonly Picture[] = [
  ...SCREENS,
  again('settings', { as: 'settings-whole', size: { width: 1440, height: 2600 } }),
  again('inbox', { as: 'density-compact', chosen: ['Density: compact', 'Density: normal'] }),
  again('inbox', { as: 'density-roomy', chosen: ['Density: roomy', 'Density: normal'] }),
  {
    name: 'text-largest',
    show: async (stage) => {
      await chooseTextSize(stage.page, 'Largest')
      await goToInbox(stage)
      await screenNamed('conversation').show(stage)
    },
    leave: ({ page }) => chooseTextSize(page, 'Normal'),
  },
  again('inbox', { as: 'narrow-inbox', size: { width: 320, height: 640 } }),
  again('conversation', { as: 'narrow-conversation', size: { width: 320, height: 640 } }),
  again('label-picker', { as: 'narrow-label-picker', size: { width: 320, height: 640 } }),
  again('selection', { as: 'small-selection', size: { width: 900, height: 600 } }),
  again('conversation', { as: 'small-conversation', size: { width: 900, height: 600 } }),
  again('settings-keys', { as: 'small-settings-keys', size: { width: 900, height: 600 } }),
  again('search-results', { as: 'zoomed-search-results', size: { width: 450, height: 300 } }),
  again('search-explained', { as: 'zoomed-search-explained', size: { width: 450, height: 300 } }),
  {
    name: 'labels-100',
    show: async ({ page, platform: { ask, inboxId } }) => {
      const { data } = (await ask(`/inboxes/${inboxId}/labels`)) as { data: readonly { name: string }[] }
      for (let no = data.length + 1; no <= 100; no += 1) {
        await ask(`/inboxes/${inboxId}/labels`, { method: 'POST', body: { name: `Pier ${no}`, color: '#00A2C7' } })
      }
      await page.keyboard.press('F5')
      await page.getByRole('link', { name: 'Pier 100' }).waitFor()
    },
  },
  { name: OFFLINE.name, show: OFFLINE.show },
  {
    name: 'search-without-the-platform',
    show: async ({ page, platform }) => {
      await goToHash(page, `#/inboxes/${platform.inboxId}/search?query=no-letter-has-this-word`)
      await page.getByRole('button', { name: 'Try again' }).first().waitFor({ timeout: 60_000 })
    },
  },
]

const known = ['onboarding', ...(isForDocs ? DOCS_PICTURES : PICTURES).map(({ name }) => name)]
const unknown = names.filter((name) => !known.includes(name))
if (unknown.length > 0) {
  console.error(`There is no screen "${unknown.join('", "')}". There are: ${known.join(', ')}.`)
  process.exit(2)
}

ensureBuilt()
if (!isForDocs) await rm(directory, { recursive: true, force: true })
await mkdir(isForDocs ? join(root, 'docs', 'pictures') : directory, { recursive: true })
const dataDirectory = await mkdtemp(join(tmpdir(), 'linnet-screenshots-'))
const platform = await startPlatform('demo')
await prepareMailbox(platform)
const env = { LINNET_BASE_URL: platform.baseUrl, LINNET_API_KEY: platform.apiKey }
const browser = await chromium.launch({
  executablePath: (await ensureChromium()).browser,
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  // Keep the scroll bars that users see.
  ignoreDefaultArgs: ['--hide-scrollbars'],
})

/** Milliseconds until the theme has changed everywhere. */
const THEME_MS = 150

const take = async (page: Page, name: string): Promise<void> => {
  await restPointer(page)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    // The mail's iframe changes its theme in its own animation frame.
    await page.waitForTimeout(THEME_MS)
    await page.screenshot({ path: join(directory, `${name}-${colorScheme}.png`) })
  }
  await page.emulateMedia({ colorScheme: 'light' })
}

interface Failure {
  readonly name: string
  readonly reason: string
}
const failures: Failure[] = []

/** Takes one screenshot. On failure, reloads the page for the next one. */
const attempt = async (page: Page, name: string, draw: () => Promise<void>): Promise<void> => {
  if (names.length > 0 && !names.includes(name)) return
  console.log(name)
  try {
    await draw()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    console.error(`${name} failed: ${reason}`)
    failures.push({ name, reason })
    await page.setViewportSize(isForDocs ? DOCS_WINDOW : LARGE)
    await page.reload()
  }
}

const openHost = async (dataFolder: string, environment: Readonly<Record<string, string>>) => {
  const host = await startProgram('out/main/browser.cjs', ['--no-open', '--data-dir', dataFolder], environment)
  const page = await browser.newPage({
    viewport: isForDocs ? DOCS_WINDOW : LARGE,
    deviceScaleFactor: isForDocs ? DOCS_SCALE : 1,
    colorScheme: 'light',
    locale: 'en-GB',
    timezoneId: 'UTC',
  })
  await page.addInitScript(CLOCK_OF_PAGE)
  await page.goto((JSON.parse(host.firstLine) as { url: string }).url)
  return { host, page }
}

try {
  if (names.length === 0 || names.includes('onboarding')) {
    const { host, page } = await openHost(join(dataDirectory, 'first'), {})
    await attempt(page, 'onboarding', async () => {
      await page.getByRole('button', { name: 'Try the demo' }).waitFor()
      if (isForDocs) await drawForDocs(page, 'onboarding', page.getByRole('main').locator('> div'))
      else await take(page, 'onboarding')
    })
    await host.stop()
    await page.close()
  }
  const ofSecond = join(dataDirectory, 'second')
  const { host, page } = await openHost(ofSecond, env)
  try {
    page.setDefaultTimeout(30_000)
    const stage = { page, platform, dataDirectory: ofSecond }
    await page.getByRole('status').getByText('Online').waitFor({ timeout: 120_000 })
    for (const picture of isForDocs ? DOCS_PICTURES : []) {
      await attempt(page, picture.name, () => drawPicture(stage, picture))
    }
    for (const { name, size = LARGE, show, leave } of isForDocs ? [] : PICTURES) {
      await attempt(page, name, async () => {
        if (name !== 'search-without-the-platform') await goToInbox(stage)
        await show(stage)
        // Some screens set their own window size, so they aren't taken at the other sizes.
        const isUsual = size === LARGE && page.viewportSize()?.width === LARGE.width
        if (size !== LARGE) await page.setViewportSize(size)
        await take(page, name)
        for (const [added, other] of isInAllSizes && isUsual ? Object.entries(OTHER_SIZES) : []) {
          await page.setViewportSize(other)
          await take(page, `${name}-${added}`)
        }
        await page.setViewportSize(LARGE)
        await leave?.(stage)
      })
    }
    if (isForReadme && failures.every(({ name }) => name !== 'conversation')) {
      for (const theme of ['light', 'dark']) {
        await copyFile(join(directory, `conversation-${theme}.png`), join(root, 'resources', `screenshot-${theme}.png`))
      }
    }
  } finally {
    await host.stop()
  }
} finally {
  await browser.close()
  await platform.stop().catch(() => undefined)
  await rm(dataDirectory, { recursive: true, force: true })
}

if (failures.length > 0) {
  const lines = failures.map(({ name, reason }) => `  ${name}: ${reason.split('\n')[0] ?? ''}`)
  console.error(`\n${failures.length} of the pictures could not be taken:\n${lines.join('\n')}`)
  process.exitCode = 1
}
