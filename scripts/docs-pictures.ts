// Pictures for the pages in `docs/`: which screens, which part of the window, and how they are compressed.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import sharp from 'sharp'
import { root } from '../tests/support/program.ts'
import {
  goToHash,
  goToInbox,
  OFFLINE,
  runByPalette,
  screenNamed,
  type Screen,
  type ScreenStage,
} from '../tests/support/screens.ts'

interface DocsPicture extends Screen {
  /** The part to capture, with a margin; omit for the entire window. */
  readonly part?: (page: Page) => Locator
  readonly theme?: 'dark'
}

/** Window size in CSS pixels. DOCS_SCALE adds device pixels, so screenshots look sharp on high-density screens. */
export const DOCS_WINDOW = { width: 1120, height: 680 } as const
export const DOCS_SCALE = 1.5
/** Margin around a captured part, in pixels, to show some of its surroundings. */
const MARGIN = 24

const again = (name: string, as: string, other: Pick<DocsPicture, 'part' | 'theme'> = {}): DocsPicture => ({
  ...screenNamed(name),
  ...other,
  name: as,
})

const inDialog = (page: Page): Locator => page.getByRole('dialog').last()

/** Screenshot of a section of Settings, found by its heading. */
const ofSettings = (heading: string, as: string, prepare?: (part: Locator) => Promise<void>): DocsPicture => {
  const part = (page: Page): Locator => page.getByRole('region', { name: heading, exact: true })
  return {
    name: as,
    part,
    show: async ({ page }) => {
      await goToHash(page, '#/settings')
      await prepare?.(part(page))
      await part(page).evaluate((element) =>
        element.scrollIntoView({ block: element.clientHeight > innerHeight / 2 ? 'start' : 'center' }),
      )
    },
  }
}

const notifications = ofSettings('Notifications', 'notifications', async (part) => {
  await part.getByRole('radio', { name: 'Chosen' }).check({ force: true })
  await part.getByRole('switch', { name: 'Quiet hours' }).click()
})

/** In capture order. Screens whose changes persist come last. */
export const DOCS_PICTURES: readonly DocsPicture[] = [
  again('selection', 'selection'),
  again('label-picker', 'label-picker', { part: inDialog }),
  again('palette-typed', 'palette', { part: inDialog }),
  again('search-suggestions', 'search-suggestions'),
  again('search-explained', 'search-explained'),
  again('dark-mail', 'dark-mail', {
    theme: 'dark',
    part: (page) => page.getByRole('region', { name: 'Thread', exact: true }),
  }),
  again('link-question', 'link-question', { part: inDialog }),
  again('attachments', 'attachments', { part: (page) => page.getByRole('list', { name: 'Attachments' }).first() }),
  again('writing', 'writing'),
  again('contacts', 'contacts'),
  again('sent', 'sent'),
  again('share-links', 'share-links'),
  again('export', 'export', { part: inDialog }),
  again('settings', 'settings'),
  ofSettings('Stored mail', 'kept-mail', (part) => part.getByText('is stored.').waitFor({ timeout: 120_000 })),
  ofSettings('Backup', 'backup'),
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
  again('all-inboxes', 'all-inboxes'),
]

/** Moves the pointer to a corner, so no element is drawn in its hover state. */
export const restPointer = async (page: Page): Promise<void> => {
  const { width, height } = page.viewportSize() ?? DOCS_WINDOW
  await page.mouse.move(width - 1, height - 1)
}

export const drawForDocs = async (page: Page, name: string, part?: Locator): Promise<void> => {
  const box = part === undefined ? null : await part.boundingBox()
  const { width, height } = page.viewportSize() ?? DOCS_WINDOW
  await restPointer(page)
  const clip =
    box === null
      ? { x: 0, y: 0, width, height }
      : {
          x: Math.max(0, box.x - MARGIN),
          y: Math.max(0, box.y - MARGIN),
          width: Math.min(width - Math.max(0, box.x - MARGIN), box.width + 2 * MARGIN),
          height: Math.min(height - Math.max(0, box.y - MARGIN), box.height + 2 * MARGIN),
        }
  const drawn = await page.screenshot({ clip, caret: 'hide', animations: 'disabled' })
  await writeFile(
    join(root, 'docs', 'pictures', `${name}.webp`),
    await sharp(drawn).webp({ quality: 54, effort: 6 }).toBuffer(),
  )
}

export const drawPicture = async (
  stage: ScreenStage,
  { name, theme, part, show, leave }: DocsPicture,
): Promise<void> => {
  const { page } = stage
  await goToInbox(stage)
  await page.emulateMedia({ colorScheme: theme ?? 'light', reducedMotion: 'reduce' })
  await show(stage)
  // The mail's iframe updates its colours and height in its own animation frame.
  await page.waitForTimeout(500)
  await drawForDocs(page, name, part?.(page))
  await leave?.(stage)
}
