import { join } from 'node:path'
import type { Page } from '@playwright/test'

/** Takes screenshots of the window in both themes if `LINNET_TEST_PICTURES` names a folder. */
export const takePictures = async (page: Page, name: string): Promise<void> => {
  const folder = process.env.LINNET_TEST_PICTURES
  if (folder === undefined) return
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.screenshot({ path: join(folder, `${name}-${colorScheme}.png`) })
  }
  await page.emulateMedia({ colorScheme: 'light' })
}
