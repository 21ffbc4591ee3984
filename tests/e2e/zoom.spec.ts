import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ElectronApplication, Page } from '@playwright/test'
import type { Platform } from '../support/platform.ts'
import { goToInbox, openThread, prepareMailbox } from '../support/screens.ts'
import { layoutFaults } from './layout-faults.ts'
import { expect, goTo, test, type Linnet } from './linnet.ts'

test.use({ dataset: 'demo' })

test.skip(({ hostKind }) => hostKind !== 'electron', 'Browsers have their own zoom.')

/** Zoom of all windows in per cent, in Electron's order. */
const zooms = (electron: ElectronApplication | null): Promise<readonly number[]> | undefined =>
  electron?.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().map(({ webContents }) => Math.round(webContents.getZoomFactor() * 100)),
  )

/** Captures the window itself: a page's screenshot is cropped to the size without zoom. */
const takeZoomed = async (electron: ElectronApplication | null, name: string): Promise<void> => {
  const folder = process.env.LINNET_TEST_PICTURES
  if (folder === undefined) return
  const png = await electron?.evaluate(async ({ BrowserWindow }) =>
    (await BrowserWindow.getAllWindows()[0]?.webContents.capturePage())?.toPNG().toString('base64'),
  )
  await writeFile(join(folder, `${name}.png`), Buffer.from(png ?? '', 'base64'))
}

const press = async (page: Page, keys: string, times: number): Promise<void> => {
  for (let time = 0; time < times; time += 1) await page.keyboard.press(keys)
}

const seeEverySize = async ({ page, electron }: Linnet, platform: Platform): Promise<void> => {
  const stage = { page, platform }
  await prepareMailbox(platform)
  await page.keyboard.press('F5')
  await page.getByRole('link', { name: 'Waiting for ice' }).waitFor()
  const screens = {
    inbox: () => goToInbox(stage),
    conversation: async () => {
      await goToInbox(stage)
      await openThread(stage)
    },
    settings: async () => {
      await goTo(page, '#/settings/appearance')
      await page.getByRole('group', { name: 'Zoom' }).evaluate((group) => group.scrollIntoView({ block: 'center' }))
    },
  }
  const shown = (): Promise<number> => page.evaluate(() => innerWidth)
  const usual = await shown()
  for (const [keys, times, percent] of [
    ['Control+-', 5, 50],
    ['Control+=', 8, 150],
    ['Control+=', 2, 200],
  ] as const) {
    await press(page, keys, times)
    await expect.poll(() => zooms(electron)).toEqual([percent])
    await expect.poll(async () => Math.abs((await shown()) - (usual * 100) / percent)).toBeLessThan(2)
    for (const [name, show] of Object.entries(screens)) {
      await show()
      // Drawing is one frame behind.
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
      await takeZoomed(electron, `zoom-${percent}-${name}`)
      await expect.poll(() => layoutFaults(page), `${name} at ${percent} %`).toEqual([])
    }
  }
}

const changeSize = async ({ page, electron }: Linnet): Promise<void> => {
  await goTo(page, '#/settings/appearance')
  const zoom = page.getByRole('group', { name: 'Zoom' })
  await expect(zoom).toContainText('100%')
  await page.keyboard.press('Control+=')
  await expect(zoom).toContainText('110%')
  await page.keyboard.press('Control+Shift++')
  await expect.poll(() => zooms(electron)).toEqual([125])
  await zoom.getByRole('button', { name: 'Zoom out' }).click()
  await expect.poll(() => zooms(electron)).toEqual([110])
  await zoom.getByRole('button', { name: 'Actual size' }).click()
  await expect.poll(() => zooms(electron)).toEqual([100])
  await expect(zoom.getByRole('button', { name: 'Actual size' })).toBeDisabled()
  await expect(zoom.getByRole('button', { name: 'Actual size' })).toBeFocused()

  // Zooming works in a text field, and below an open dialog.
  await page.getByRole('combobox', { name: 'Search mail' }).focus()
  await page.keyboard.press('Control+-')
  await expect.poll(() => zooms(electron)).toEqual([90])
  await page.keyboard.press('Escape')
  await page.getByRole('heading', { name: 'Appearance' }).focus()
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  await page.keyboard.press('Control+-')
  await expect.poll(() => zooms(electron)).toEqual([80])
  await electron?.evaluate(({ Menu }) => {
    Menu.getApplicationMenu()?.getMenuItemById('view.zoom.out')?.click()
  })
  await expect.poll(() => zooms(electron)).toEqual([70])
  await page.keyboard.press('Escape')

  const another = electron?.waitForEvent('window')
  await page.keyboard.press('Control+Shift+n')
  await (await another)?.getByRole('navigation', { name: 'Mailboxes' }).waitFor()
  await expect.poll(() => zooms(electron)).toEqual([70, 70])
  await electron?.evaluate(({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents
    contents?.emit('zoom-changed', { preventDefault: () => undefined }, 'in')
  })
  await expect.poll(() => zooms(electron)).toEqual([80, 80])
  await press(page, 'Control+-', 9)
  await expect.poll(() => zooms(electron)).toEqual([50, 50])
  await press(page, 'Control+=', 20)
  await expect.poll(() => zooms(electron)).toEqual([200, 200])
}

test('zooms the desktop’s windows and remembers the zoom', async ({ linnet, launch, platform, dataDirectory }) => {
  await test.step('the layout holds from 50 % to 200 %', () => seeEverySize(linnet, platform))
  await linnet.page.keyboard.press('Control+0')
  await test.step('keys, menu and wheel zoom all windows, in dialogs too', () => changeSize(linnet))
  await linnet.close()

  const again = await launch({
    dataDirectory,
    env: { LINNET_BASE_URL: platform.baseUrl, LINNET_API_KEY: platform.apiKey },
  })
  await again.page.getByRole('navigation', { name: 'Mailboxes' }).waitFor()
  expect(await zooms(again.electron)).toEqual([200, 200])
})
