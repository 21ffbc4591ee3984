// npm run screenshots: captures every screen in both themes, from the real window with the demo mailbox, in
// `screenshots/`. Takes these options after `--`: `--sizes` adds a small and a wide window, `--readme` adds the
// README's two screenshots, `--docs` takes those of `docs/` instead, and `NAME …` takes only these screens. A failed
// screen doesn't stop the others; the failures are listed at the end and the exit code is 1. Unknown names and switches
// are rejected immediately.
import { CLOCK_OF_PAGE } from './picture-clock.ts'
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium, type Locator, type Page } from '@playwright/test'
import sharp from 'sharp'
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
import { ensureChromium } from './find-chromium.mjs'

const flag = { type: 'boolean', default: false } as const
const { values: options, positionals: names } = parseArgs({
  allowPositionals: true,
  options: { readme: flag, docs: flag, sizes: flag },
})
const directory = options.docs ? join(root, 'docs', 'pictures') : join(root, 'screenshots')

interface Size {
  readonly width: number
  readonly height: number
}
/** Size of the window in CSS pixels. */
const USUAL: Size = options.docs ? { width: 1120, height: 680 } : { width: 1440, height: 900 }
/** Device pixels per CSS pixel: pictures in docs also look sharp on high-density screens. */
const SCALE = options.docs ? 1.5 : 1
/** Extra sizes for `--sizes`, by file name suffix. */
const OTHER_SIZES: Readonly<Record<string, Size>> = {
  '-1024': { width: 1024, height: 700 },
  '-1920': { width: 1920, height: 1080 },
}
/** Margin around a captured part, in pixels, to show some of its surroundings. */
const MARGIN = 24
/** Milliseconds until the theme has changed everywhere: the mail's iframe changes in its own animation frame. */
const SETTLED_MS = options.docs ? 500 : 150

interface Picture extends Screen {
  readonly size?: Size
  /** The part to capture for docs, with a margin; omit for the entire window. */
  readonly part?: (page: Page) => Locator
  /** Theme of a picture for docs. */
  readonly theme?: 'dark'
}

/** The same screen with another name, size, part or theme. */
const again = (name: string, changes: Partial<Picture> = {}): Picture => ({ ...screenNamed(name), ...changes })

const withDensity = (density: string): Picture => ({
  name: `density-${density}`,
  show: async (stage) => {
    await runByPalette(stage.page, `Density: ${density}`)
    await screenNamed('inbox').show(stage)
  },
  leave: async (stage) => {
    await goToInbox(stage)
    await runByPalette(stage.page, 'Density: normal')
  },
})

const chooseTextSize = async (page: Page, name: string): Promise<void> => {
  await goToHash(page, '#/settings/appearance')
  await page.getByRole('group', { name: 'Text size' }).getByRole('radio', { name, exact: true }).check({ force: true })
}

const ALL_PICTURES: readonly Picture[] = [
  ...SCREENS,
  withDensity('compact'),
  withDensity('roomy'),
  {
    name: 'text-largest',
    show: async (stage) => {
      await chooseTextSize(stage.page, 'Largest')
      await goToInbox(stage)
      await screenNamed('conversation').show(stage)
    },
    leave: ({ page }) => chooseTextSize(page, 'Normal'),
  },
  again('inbox', { name: 'narrow-inbox', size: { width: 320, height: 640 } }),
  again('conversation', { name: 'narrow-conversation', size: { width: 320, height: 640 } }),
  again('label-picker', { name: 'narrow-label-picker', size: { width: 320, height: 640 } }),
  again('selection', { name: 'small-selection', size: { width: 900, height: 600 } }),
  again('conversation', { name: 'small-conversation', size: { width: 900, height: 600 } }),
  again('settings-keys', { name: 'small-settings-keys', size: { width: 900, height: 600 } }),
  again('settings', { name: 'zoomed-settings', size: { width: 512, height: 350 } }),
  again('search-results', { name: 'zoomed-search-results', size: { width: 450, height: 300 } }),
  again('search-explained', { name: 'zoomed-search-explained', size: { width: 450, height: 300 } }),
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

const inDialog = (page: Page): Locator => page.getByRole('dialog').last()

/** Screenshot of a page of the settings. */
const ofSettings = (
  { id, heading }: { readonly id: string; readonly heading: string },
  as: string,
  prepare?: (part: Locator) => Promise<void>,
): Picture => {
  const part = (page: Page): Locator => page.getByRole('region', { name: heading, exact: true })
  return {
    name: as,
    part,
    show: async ({ page }) => {
      await goToHash(page, `#/settings/${id}`)
      await prepare?.(part(page))
    },
  }
}

const notifications = ofSettings({ id: 'notifications', heading: 'Notifications' }, 'notifications', async (part) => {
  await part.getByRole('radio', { name: 'Chosen' }).check({ force: true })
  await part.getByRole('switch', { name: 'Quiet hours' }).click()
})

/** In capture order. Screens whose changes persist come last. */
const DOCS_PICTURES: readonly Picture[] = [
  again('selection'),
  again('label-picker', { part: inDialog }),
  again('palette-typed', { name: 'palette', part: inDialog }),
  again('search-suggestions'),
  again('search-explained'),
  again('dark-mail', {
    theme: 'dark',
    part: (page) => page.getByRole('region', { name: 'Thread', exact: true }),
  }),
  again('link-question', { part: inDialog }),
  again('attachments', { part: (page) => page.getByRole('list', { name: 'Attachments' }).first() }),
  again('writing'),
  again('contacts'),
  again('sent'),
  again('share-links'),
  again('export', { part: inDialog }),
  again('settings'),
  ofSettings({ id: 'kept', heading: 'Stored mail' }, 'kept-mail', (part) =>
    part.getByText('is stored.').waitFor({ timeout: 120_000 }),
  ),
  ofSettings({ id: 'backup', heading: 'Backup' }, 'backup'),
  {
    ...notifications,
    leave: async ({ page }) => {
      const part = page.getByRole('region', { name: 'Notifications', exact: true })
      await part.getByRole('switch', { name: 'Quiet hours' }).click()
      await part.getByRole('radio', { name: 'All' }).check({ force: true })
    },
  },
  OFFLINE,
  {
    name: 'safe-start',
    show: async (stage) => {
      await runByPalette(stage.page, 'Continue in safe mode')
      await stage.page.getByRole('region', { name: 'Safe mode' }).waitFor()
      await goToInbox(stage)
      await screenNamed('conversation').show(stage)
    },
    leave: async ({ page }) => {
      await page.getByRole('button', { name: 'Leave safe mode' }).click()
      await page.getByRole('region', { name: 'Safe mode' }).waitFor({ state: 'hidden' })
    },
  },
  again('all-inboxes'),
]

const PICTURES = options.docs ? DOCS_PICTURES : ALL_PICTURES
const known = ['onboarding', ...PICTURES.map(({ name }) => name)]
const unknown = names.filter((name) => !known.includes(name))
if (unknown.length > 0) {
  console.error(`There is no screen "${unknown.join('", "')}". There are: ${known.join(', ')}.`)
  process.exit(2)
}

ensureBuilt()
if (!options.docs) await rm(directory, { recursive: true, force: true })
await mkdir(directory, { recursive: true })
const dataDirectory = await mkdtemp(join(tmpdir(), 'linnet-screenshots-'))
const platform = await startPlatform('demo')
await prepareMailbox(platform)
const browser = await chromium.launch({
  executablePath: (await ensureChromium()).browser,
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  // Keep the scroll bars that users see.
  ignoreDefaultArgs: ['--hide-scrollbars'],
})

const clipAround = async (part: Locator): Promise<{ x: number; y: number } & Size> => {
  const box = (await part.boundingBox()) ?? { x: 0, y: 0, ...USUAL }
  const { width, height } = part.page().viewportSize() ?? USUAL
  const [x, y] = [Math.max(0, box.x - MARGIN), Math.max(0, box.y - MARGIN)]
  return {
    x,
    y,
    width: Math.min(width - x, box.width + 2 * MARGIN),
    height: Math.min(height - y, box.height + 2 * MARGIN),
  }
}

/** Captures the window in both themes, or for docs a part of it in one. */
const take = async (page: Page, { name, part, theme }: Pick<Picture, 'name' | 'part' | 'theme'>): Promise<void> => {
  // In a corner the pointer draws no element in its hover state.
  const { width, height } = page.viewportSize() ?? USUAL
  await page.mouse.move(width - 1, height - 1)
  const themes: readonly ('light' | 'dark')[] = options.docs ? [theme ?? 'light'] : ['light', 'dark']
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.waitForTimeout(SETTLED_MS)
    const clip = options.docs && part !== undefined ? { clip: await clipAround(part(page)) } : {}
    const drawn = await page.screenshot({ ...clip, caret: 'hide', animations: options.docs ? 'disabled' : 'allow' })
    if (options.docs) {
      await writeFile(join(directory, `${name}.webp`), await sharp(drawn).webp({ quality: 54, effort: 6 }).toBuffer())
    } else await writeFile(join(directory, `${name}-${colorScheme}.png`), drawn)
  }
  await page.emulateMedia({ colorScheme: 'light' })
}

const failures: string[] = []

/** Takes one screenshot. On failure, reloads the page for the next one. */
const attempt = async (page: Page, name: string, draw: () => Promise<void>): Promise<void> => {
  if (names.length > 0 && !names.includes(name)) return
  console.log(name)
  try {
    await draw()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    console.error(`${name} failed: ${reason}`)
    failures.push(`  ${name}: ${reason.split('\n')[0] ?? ''}`)
    await page.setViewportSize(USUAL)
    await page.reload()
  }
}

const openHost = async (dataFolder: string, environment: Readonly<Record<string, string>>) => {
  const host = await startProgram('out/main/browser.cjs', ['--no-open', '--data-dir', dataFolder], environment)
  const page = await browser.newPage({
    viewport: USUAL,
    deviceScaleFactor: SCALE,
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
      await take(page, { name: 'onboarding', part: () => page.getByRole('main').locator('> div') })
    })
    await host.stop()
    await page.close()
  }
  const ofSecond = join(dataDirectory, 'second')
  const env = { LINNET_BASE_URL: platform.baseUrl, LINNET_API_KEY: platform.apiKey }
  const { host, page } = await openHost(ofSecond, env)
  try {
    page.setDefaultTimeout(30_000)
    const stage = { page, platform, dataDirectory: ofSecond }
    await page.getByRole('status').getByText('Online').waitFor({ timeout: 120_000 })
    for (const picture of PICTURES) {
      const { name, size = USUAL, theme, show, leave } = picture
      await attempt(page, name, async () => {
        if (name !== 'search-without-the-platform') await goToInbox(stage)
        await page.emulateMedia({ colorScheme: theme ?? 'light', reducedMotion: 'reduce' })
        await show(stage)
        // Some screens set their own window size, so they aren't taken at the other sizes.
        const isUsual = size === USUAL && page.viewportSize()?.width === USUAL.width
        if (size !== USUAL) await page.setViewportSize(size)
        await take(page, picture)
        for (const [suffix, other] of options.sizes && isUsual ? Object.entries(OTHER_SIZES) : []) {
          await page.setViewportSize(other)
          await take(page, { name: `${name}${suffix}` })
        }
        await page.setViewportSize(USUAL)
        await leave?.(stage)
      })
    }
    for (const theme of options.readme ? ['light', 'dark'] : []) {
      await copyFile(join(directory, `conversation-${theme}.png`), join(root, 'resources', `screenshot-${theme}.png`))
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
  console.error(`\n${failures.length} of the pictures could not be taken:\n${failures.join('\n')}`)
  process.exitCode = 1
}
