import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Platform } from '../support/platform.ts'
import { root } from '../support/program.ts'
import { runByPalette } from '../support/screens.ts'
import { expect, goTo, test, type Linnet } from './linnet.ts'
import { takePictures } from './take-pictures.ts'

const readDiagnostics = async ({ page, kind }: Linnet, platform: Platform, dataDirectory: string): Promise<void> => {
  await platform.deliver({ from: 'marked@secret.example', subject: 'Marked subject', text: 'Marked text' })
  await page.keyboard.press('F5')
  await page.getByRole('option', { name: /Marked subject/ }).waitFor()
  await goTo(page, '#/settings/help')
  await page.getByRole('button', { name: 'Copy diagnostics' }).click()
  const dialog = page.getByRole('dialog', { name: 'Diagnostics' })
  const text = await dialog.getByRole('textbox', { name: 'Diagnostics' }).inputValue()
  expect(text).toContain(kind === 'electron' ? 'Electron ' : 'Browser: Mozilla')
  expect(text).toMatch(/\n {2}threads: 1\n/)
  expect(text).not.toMatch(/marked|secret|re_/i)
  expect(text).not.toContain(dataDirectory)
  await takePictures(page, `diagnostics-${kind}`)
  await dialog.getByRole('button', { name: 'Copy', exact: true }).click()
  await expect(dialog.getByText('Copied', { exact: true })).toBeVisible()
  await dialog.getByRole('button', { name: 'Done' }).click()

  const detailed = page.getByRole('switch', { name: 'Detailed log' })
  await detailed.click()
  await expect(detailed).toBeChecked()
  expect(await readFile(join(dataDirectory, 'logs', 'level'), 'utf8')).toBe('debug\n')
}

/** By keyboard only: someone troubleshooting may have no pointer. */
const testConnection = async ({ page, kind }: Linnet, platform: Platform): Promise<void> => {
  await goTo(page, '#/settings/network')
  await page.getByRole('button', { name: 'Test the connection' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Test the connection' })
  const steps = dialog.getByRole('list', { name: 'Steps' }).getByRole('listitem')
  await expect(dialog.getByRole('status')).toHaveText('Everything works.')
  await expect(steps).toContainText([
    'Route OK.',
    'Name OK.',
    'Connection OK.',
    'Certificate OK.',
    'Platform OK.',
    'API key OK.',
  ])
  await takePictures(page, `connection-test-${kind}`)
  await platform.pause()
  const again = dialog.getByRole('button', { name: 'Test again' })
  for (let step = 0; step < 3; step += 1) await page.keyboard.press('Tab')
  await expect(again).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('status')).toHaveText('Failed: Connection')
  await expect(again).toBeFocused()
  await expect(steps.nth(2)).toContainText('Failed.')
  await expect(steps.last()).toContainText('Not tried.')
  await takePictures(page, `connection-test-failed-${kind}`)
  await platform.resume()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Test the connection' })).toBeFocused()
}

const readLicences = async ({ page, kind, electron }: Linnet): Promise<void> => {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
  await runByPalette(page, 'About Linnet')
  const about = page.getByRole('dialog', { name: 'About Linnet' })
  await expect(about).toContainText(`Version ${version}`)
  const parts = kind === 'electron' ? ['Electron', 'Chromium', 'Node.js', 'SQLite'] : ['Node.js', 'SQLite']
  await expect(about.getByRole('term')).toHaveText(parts)
  for (const told of await about.getByRole('definition').all()) await expect(told).toHaveText(/^\d+\.\d+\.\d+/)
  await takePictures(page, `about-${kind}`)

  await about.getByRole('button', { name: 'Licence', exact: true }).click()
  const licence = page.getByRole('dialog', { name: 'Licence', exact: true })
  await expect(licence.getByRole('textbox')).toHaveValue(/^MIT License/)
  await page.keyboard.press('Escape')
  await expect(licence).toHaveCount(0)
  await expect(about).toBeVisible()

  await about.getByRole('button', { name: 'Third-party notices' }).click()
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
  await page.keyboard.press('Escape')
  await expect(about.getByRole('button', { name: 'Copy diagnostics' })).toBeVisible()

  const ofElectron = about.getByRole('button', { name: 'Licences of Electron and Chromium' })
  if (electron === null) return expect(ofElectron).toHaveCount(0)
  await electron.evaluate(({ shell }) => {
    const opened: string[] = []
    Object.assign(globalThis, { opened })
    shell.openPath = (path) => {
      opened.push(path)
      return Promise.resolve('')
    }
  })
  await ofElectron.click()
  const opened = (): Promise<readonly string[]> =>
    electron.evaluate(() => (globalThis as unknown as { opened: readonly string[] }).opened)
  await expect.poll(opened).toHaveLength(1)
  expect(await readFile((await opened())[0] ?? '', 'utf8')).toContain('Chromium')
}

test('shows diagnostics, version and licences', async ({ linnet, platform, dataDirectory }) => {
  await test.step('diagnostics are shown before copying and contain nothing from the mail', () =>
    readDiagnostics(linnet, platform, dataDirectory))
  await test.step('the connection test runs by keys and can be repeated', () => testConnection(linnet, platform))
  await test.step('About Linnet shows versions and the licences of everything shipped', () => readLicences(linnet))
})
