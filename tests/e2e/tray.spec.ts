/** Linnet in the tray and at the start of a session: only where a person asks for it. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ElectronApplication } from '@playwright/test'
import { expectAccessible } from './expect-accessible.ts'
import { expect, goTo, test } from './linnet.ts'

const windowCount = (electron: ElectronApplication | null): Promise<number> | undefined =>
  electron?.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)

test('in the tray Linnet goes on without a window, and starts with the session without one', async ({
  hostKind,
  launch,
  platform,
  dataDirectory,
}) => {
  test.skip(hostKind !== 'electron', 'A browser is not ours to keep or to start.')
  const config = join(dataDirectory, 'config')
  const env = { LINNET_BASE_URL: platform.baseUrl, LINNET_API_KEY: platform.apiKey, XDG_CONFIG_HOME: config }
  const data = join(dataDirectory, 'data')
  const { page, electron, close } = await launch({ dataDirectory: data, env })
  await goTo(page, '#/settings')
  const desktop = page.getByRole('region', { name: 'Desktop' })
  const inTray = desktop.getByRole('switch', { name: 'Show Linnet in the system tray' })
  const atLogin = desktop.getByRole('switch', { name: 'Start when you sign in' })
  await expect(inTray).toHaveAttribute('aria-checked', 'false')
  await expect(atLogin).toHaveAttribute('aria-checked', 'false')
  await inTray.click()
  await expect(inTray).toHaveAttribute('aria-checked', 'true')
  await expectAccessible(page, 'the settings of the desktop')

  const entry = join(config, 'autostart', 'linnet.desktop')
  await atLogin.click()
  await expect(atLogin).toHaveAttribute('aria-checked', 'true')
  expect(await readFile(entry, 'utf8')).toMatch(/^Exec=".+" .*"--hidden"$/m)
  await atLogin.click()
  await expect(atLogin).toHaveAttribute('aria-checked', 'false')
  await expect(readFile(entry, 'utf8')).rejects.toThrow('ENOENT')

  // Closing the last window leaves Linnet in the tray: another start brings the window back.
  await page.close()
  // The page is gone before its window is.
  await expect.poll(() => windowCount(electron)).toBe(0)
  const reopened = electron?.waitForEvent('window')
  await electron?.evaluate(({ app }) => void app.emit('second-instance', {}, []))
  await (await reopened)?.getByRole('navigation', { name: 'Mailboxes' }).waitFor()
  await close()
})

test('a browser offers nothing of the desktop’s', async ({ hostKind, linnet }) => {
  test.skip(hostKind !== 'browser', 'It is the browser’s case.')
  await goTo(linnet.page, '#/settings')
  await expect(linnet.page.getByRole('region', { name: 'Spelling' })).toBeVisible()
  await expect(linnet.page.getByRole('region', { name: 'Desktop' })).toHaveCount(0)
})
