import type { ElectronApplication, Locator, Page } from '@playwright/test'
import type { Platform } from '../support/platform.ts'
import { sentOf } from '../support/sent-emails.ts'
import { expectAccessible } from './expect-accessible.ts'
import { expect, test, type Linnet } from './linnet.ts'

test.use({ preferences: { undoSend: '5' } })

test.skip(({ hostKind }) => hostKind !== 'electron', 'Browsers manage their own windows.')

const rowsOf = (page: Page) => page.getByRole('listbox', { name: 'Threads' }).getByRole('option')
const headingOf = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

const appOf = ({ electron }: Linnet): ElectronApplication => {
  if (electron === null) throw new Error('This test needs Electron.')
  return electron
}

const opening = async (linnet: Linnet, open: () => Promise<unknown>): Promise<Page> => {
  const [page] = await Promise.all([appOf(linnet).waitForEvent('window'), open()])
  await page.getByRole('navigation', { name: 'Mailboxes' }).waitFor()
  return page
}

/** Brings the window with this address to the front, like a click. */
const turnTo = (linnet: Linnet, address: RegExp): Promise<void> =>
  appOf(linnet).evaluate(({ BrowserWindow }, source) => {
    const window = BrowserWindow.getAllWindows().find(({ webContents }) =>
      new RegExp(source).test(webContents.getURL()),
    )
    window?.emit('focus')
  }, address.source)

const choose = (linnet: Linnet, id: string): Promise<void> =>
  appOf(linnet).evaluate(({ Menu }, wanted) => {
    Menu.getApplicationMenu()?.getMenuItemById(wanted)?.click()
  }, id)

/** @returns the window with the thread, and the one in front, which follows links */
const openWindows = async (
  linnet: Linnet,
  platform: Platform,
): Promise<{ readonly second: Page; readonly third: Page }> => {
  const { page } = linnet
  await platform.deliver({ from: 'pier@harbour.example', subject: 'Fog until noon', text: 'Fog.' })
  await choose(linnet, 'sync.now')
  await expect(rowsOf(page)).toHaveCount(1)
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await expect(headingOf(page, 'Fog until noon')).toBeVisible()

  const second = await opening(linnet, () => rowsOf(page).first().dblclick())
  await expect(headingOf(second, 'Fog until noon')).toBeVisible()
  const third = await opening(linnet, () => page.keyboard.press('Control+Shift+n'))
  await expect(rowsOf(third)).toHaveCount(1)
  await expect(headingOf(third, 'Fog until noon')).toBeHidden()

  // Menu choices apply only to the window in front; changes show in all.
  await expect
    .poll(() =>
      appOf(linnet).evaluate(({ Menu }) => Menu.getApplicationMenu()?.getMenuItemById('thread.archive')?.enabled),
    )
    .toBe(true)
  await choose(linnet, 'go.settings')
  await expect(headingOf(third, 'Settings')).toBeVisible()
  await expect(headingOf(page, 'Settings')).toBeHidden()
  await second.keyboard.press('e')
  await expect(rowsOf(page)).toHaveCount(0)

  await turnTo(linnet, /settings/)
  await appOf(linnet).evaluate(({ app }) => app.emit('second-instance', {}, ['linnet://search?query=fog'], '.'))
  await expect(third.getByText('Search results')).toBeVisible()
  await expect(third).toHaveURL(/search/)
  expect(second.url()).not.toContain('search')
  return { second, third }
}

const wordsIn = (page: Page): Locator =>
  page.getByRole('form', { name: 'New message' }).getByRole('textbox', { name: 'Message' })
const isWriting = (page: Page): boolean => page.url().includes('/write/')
const titles = (linnet: Linnet): Promise<readonly string[]> =>
  appOf(linnet).evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().map((window) => window.getTitle()))
const popOut = async (linnet: Linnet, from: Page): Promise<Page> => {
  const form = from.getByRole('form', { name: 'New message' })
  const own = form.getByRole('button', { name: 'Write in a separate window' })
  const [page] = await Promise.all([appOf(linnet).waitForEvent('window'), own.click()])
  await expect(form).toHaveCount(0)
  return page
}

const writeInOwnWindow = async (linnet: Linnet, page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'New message' }).click()
  const message = page.getByRole('form', { name: 'New message' })
  await expect(message.getByRole('combobox', { name: 'To', exact: true })).toBeFocused()
  await page.keyboard.type('ben@pier.example,')
  await message.getByRole('textbox', { name: 'Subject' }).fill('Ropes')
  await wordsIn(page).click()
  await page.keyboard.type('Two of')
  const own = await popOut(linnet, page)
  await expect(wordsIn(own)).toHaveText('Two of')
  await expect(own.getByText('ben@pier.example')).toBeVisible()
  await expect.poll(() => titles(linnet)).toContain('Ropes – Linnet')
  await expect(own.getByRole('navigation', { name: 'Mailboxes' })).toHaveCount(0)
  await expectAccessible(own, 'a message in a window of its own')

  await wordsIn(own).press('ControlOrMeta+End')
  await own.keyboard.type(' them.')
  await own.keyboard.press('ControlOrMeta+Enter')
  await expect(own.getByText('This window will close once the message is sent.')).toBeVisible()
  await own.keyboard.press('z')
  await expect(wordsIn(own)).toHaveText('Two of them.')
  await expect(wordsIn(own)).toBeFocused()

  // The window may be wide, but lines stay readable.
  await appOf(linnet).evaluate(({ BrowserWindow }) => {
    BrowserWindow.getAllWindows()
      .find(({ webContents }) => webContents.getURL().includes('/write/'))
      ?.setContentSize(1300, 700)
  })
  await expect.poll(() => own.evaluate(() => innerWidth)).toBe(1300)
  expect((await own.getByRole('form').boundingBox())?.width).toBeLessThanOrEqual(900)

  // The window is closed right after typing.
  await own.keyboard.press('ControlOrMeta+End')
  await own.keyboard.type(' And a hook.')
  const closing = own.waitForEvent('close')
  await appOf(linnet).evaluate(({ BrowserWindow }) => {
    BrowserWindow.getAllWindows()
      .find(({ webContents }) => webContents.getURL().includes('/write/'))
      ?.close()
  })
  await closing
  await page.keyboard.press('g')
  await page.keyboard.press('d')
  await expect(page.getByRole('option', { name: /Ropes/ })).toContainText('Two of them. And a hook.')
  await page.keyboard.press('Enter')
  await expect(wordsIn(page)).toHaveText('Two of them. And a hook.')
  const again = await popOut(linnet, page)
  await wordsIn(again).press('ControlOrMeta+End')
  await again.keyboard.type(' And a line.')
}

const findWindowsAgain = async (again: Linnet): Promise<void> => {
  await expect.poll(() => appOf(again).windows().length).toBe(3)
  const urls = (): readonly string[] =>
    appOf(again)
      .windows()
      .map((each) => each.url())
  await expect.poll(() => urls().some((url) => url.includes('search'))).toBe(true)
  const places = await appOf(again).evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().map((each) => each.getBounds()),
  )
  expect(new Set(places.map(({ x, y }) => `${x} ${y}`)).size).toBe(3)
}

const sendKept = async (again: Linnet, platform: Platform): Promise<void> => {
  await expect.poll(() => appOf(again).windows().filter(isWriting).length).toBe(1)
  const kept = appOf(again).windows().find(isWriting) ?? again.page
  await expect(wordsIn(kept)).toHaveText('Two of them. And a hook. And a line.')
  const leaving = kept.waitForEvent('close')
  await wordsIn(kept).press('ControlOrMeta+Enter')
  await leaving
  await expect.poll(async () => (await sentOf(platform)).length).toBe(1)
  expect((await sentOf(platform))[0]).toMatchObject({
    subject: 'Ropes',
    text: 'Two of them. And a hook. And a line.',
  })
}

test('keeps several windows independent and restores them at the next start', async ({
  launch,
  platform,
  dataDirectory,
}) => {
  const options = { dataDirectory, env: { LINNET_BASE_URL: platform.baseUrl, LINNET_API_KEY: platform.apiKey } }
  const linnet = await launch(options)
  const { second, third } =
    await test.step('windows are independent, and the menu and links act on the front window', () =>
      openWindows(linnet, platform))
  await linnet.page.close()
  await test.step('a separate message window keeps its text and title through undo and closing', () =>
    writeInOwnWindow(linnet, second))
  await expect(third).toHaveURL(/search/)
  await linnet.close()
  const again = await launch(options)
  await test.step('the next start restores the windows', () => findWindowsAgain(again))
  await test.step('a separate message window keeps its text after quitting', () => sendKept(again, platform))
})
