import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, goTo, test } from './linnet.ts'

test('diagnostics are shown before they are copied, and name nothing of the mail', async ({
  linnet,
  platform,
  dataDirectory,
}) => {
  const { page, kind } = linnet
  await platform.deliver({ from: 'marked@secret.example', subject: 'Marked subject', text: 'Marked text' })
  await page.keyboard.press('F5')
  await page.getByRole('option', { name: /Marked subject/ }).waitFor()
  await goTo(page, '#/settings')
  await page.getByRole('button', { name: 'Copy diagnostics' }).click()
  const dialog = page.getByRole('dialog', { name: 'Diagnostics' })
  const text = await dialog.getByRole('textbox', { name: 'Diagnostics' }).inputValue()
  expect(text).toContain(kind === 'electron' ? 'Electron ' : 'Browser: Mozilla')
  expect(text).toMatch(/\n {2}threads: 1\n/)
  expect(text).not.toMatch(/marked|secret|re_/i)
  expect(text).not.toContain(dataDirectory)
  if (process.env.LINNET_TEST_PICTURES !== undefined) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.screenshot({ path: join(process.env.LINNET_TEST_PICTURES, `diagnostics-${kind}-${colorScheme}.png`) })
    }
  }
  await dialog.getByRole('button', { name: 'Copy', exact: true }).click()
  await expect(dialog.getByText('Copied', { exact: true })).toBeVisible()
  await dialog.getByRole('button', { name: 'Done' }).click()

  const detailed = page.getByRole('switch', { name: 'Detailed log' })
  await detailed.click()
  await expect(detailed).toBeChecked()
  expect(await readFile(join(dataDirectory, 'logs', 'level'), 'utf8')).toBe('debug\n')
})

test('the licences of everything that ships are shown', async ({ linnet: { page } }) => {
  await goTo(page, '#/settings')
  await page.getByRole('button', { name: 'Third-party notices' }).click()
  const notices = page.getByRole('dialog', { name: 'Third-party notices' })
  const text = await notices.getByRole('textbox', { name: 'Third-party notices' }).inputValue()
  for (const name of [
    '@hono/node-server',
    'better-sqlite3',
    'birpc',
    'bits-ui',
    'dompurify',
    'svelte',
    'undici',
    'ws',
    'zod',
  ]) {
    expect(text).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(.+\\)$`, 'm'))
  }
})
