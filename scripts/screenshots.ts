// npm run screenshots: the README's pictures, taken from the real window with the demo mailbox in it.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { root, startProgram } from '../tests/support/program.ts'
import { ensureBuilt } from './build.mjs'
import { ensureChromium } from './find-chromium.mjs'

ensureBuilt()
const dataDirectory = await mkdtemp(join(tmpdir(), 'linnet-screenshots-'))
const host = await startProgram('out/main/browser.cjs', ['--no-open', '--data-dir', dataDirectory])
const { url } = JSON.parse(host.firstLine) as { url: string }
const browser = await chromium.launch({
  executablePath: ensureChromium(),
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
})
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, deviceScaleFactor: 1 })
  await page.goto(url)
  await page.getByRole('button', { name: 'Try the demo' }).click()
  const rows = page.getByRole('listbox', { name: 'Threads' }).getByRole('option')
  await rows.nth(10).waitFor()
  await page.getByRole('status').getByText('Online').waitFor({ timeout: 120_000 })
  await rows.filter({ hasText: 'SSO for 140 people' }).click()
  await page.getByRole('article').first().waitFor()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.screenshot({ path: join(root, 'resources', `screenshot-${colorScheme}.png`) })
  }
} finally {
  await browser.close()
  await host.stop()
  await rm(dataDirectory, { recursive: true, force: true })
}
