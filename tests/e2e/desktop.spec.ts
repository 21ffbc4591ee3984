import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ElectronApplication, Page } from '@playwright/test'
import { expectAccessible } from './expect-accessible.ts'
import { expect, goTo, test } from './linnet.ts'
import { outsideRequests } from './net-log.ts'
import { layPackagedApp } from './packaged-app.ts'

test.skip(({ hostKind }) => hostKind !== 'electron', 'Linnet doesn’t start or close browsers.')

const windowCount = (electron: ElectronApplication | null): Promise<number> | undefined =>
  electron?.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)

/** Turns on the tray icon and start at login in Settings, and checks what the desktop session would start. */
const chooseTrayAndLogin = async (page: Page, config: string): Promise<void> => {
  await goTo(page, '#/settings/desktop')
  const desktop = page.getByRole('region', { name: 'System' })
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
}

test('contacts nobody at start or in the tray', async ({ launch, platform, dataDirectory }) => {
  const netLog = join(dataDirectory, 'net-log.json')
  const config = join(dataDirectory, 'config')
  const { page, electron, close } = await launch({
    dataDirectory: join(dataDirectory, 'data'),
    env: { LINNET_BASE_URL: platform.baseUrl, LINNET_API_KEY: platform.apiKey, XDG_CONFIG_HOME: config },
    switches: [`--log-net-log=${netLog}`],
  })
  await page.getByRole('navigation', { name: 'Mailboxes' }).waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('speling')

  await test.step('Linnet stays in the tray without a window, and starts hidden at sign-in', async () => {
    await chooseTrayAndLogin(page, config)
    // Closing the last window leaves Linnet in the tray; another start reopens the window.
    await page.close()
    // The page closes before its window.
    await expect.poll(() => windowCount(electron)).toBe(0)
    const reopened = electron?.waitForEvent('window')
    await electron?.evaluate(({ app }) => void app.emit('second-instance', {}, []))
    await (await reopened)?.getByRole('navigation', { name: 'Mailboxes' }).waitFor()
  })

  await close()
  await test.step('a start requests nothing from outside: no dictionary, update or look-up', async () => {
    expect(outsideRequests(await readFile(netLog, 'utf8'))).toEqual([])
  })
})

test('exits the packaged app with a message when another program would debug it', async ({ dataDirectory }) => {
  const { command, args } = await layPackagedApp(join(dataDirectory, 'packaged'))
  for (const given of ['--remote-debugging-port=0', '--remote-debugging-pipe']) {
    const all = [...args, given, `--data-dir=${join(dataDirectory, 'data')}`]
    const child = spawn(command, all, { stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'] })
    let said = ''
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text))
    const code = await new Promise((resolve) => child.once('exit', resolve))
    expect(said).toContain('Linnet can’t run with --remote-debugging')
    expect(said).not.toContain('DevTools listening')
    expect(code).toBe(1)
  }
})
