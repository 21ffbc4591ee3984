/** Several windows: each shows what it shows, menus and links are for the one in front, and all are there again. */
import type { ElectronApplication, Page } from '@playwright/test'
import { expect, test, type Linnet } from './linnet.ts'

test.skip(({ hostKind }) => hostKind !== 'electron', 'A browser has windows of its own.')

const rowsOf = (page: Page) => page.getByRole('listbox', { name: 'Threads' }).getByRole('option')
const headingOf = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

const appOf = ({ electron }: Linnet): ElectronApplication => {
  if (electron === null) throw new Error('this is the desktop')
  return electron
}

/** Has another window open, and waits for it. */
const opening = async (linnet: Linnet, open: () => Promise<unknown>): Promise<Page> => {
  const [page] = await Promise.all([appOf(linnet).waitForEvent('window'), open()])
  await page.getByRole('navigation', { name: 'Mailboxes' }).waitFor()
  return page
}

/** Has the window that shows this in front, as a person does who clicks into it. */
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

test('windows show what each shows; the menu and links are for the one in front, and the next start has them again', async ({
  launch,
  platform,
  dataDirectory,
}) => {
  const options = { dataDirectory, env: { LINNET_BASE_URL: platform.baseUrl, LINNET_API_KEY: platform.apiKey } }
  const linnet = await launch(options)
  const { page } = linnet
  await platform.deliver({ from: 'pier@harbour.example', subject: 'Fog until noon', text: 'Fog.' })
  await choose(linnet, 'sync.now')
  await expect(rowsOf(page)).toHaveCount(1)
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await expect(headingOf(page, 'Fog until noon')).toBeVisible()

  const second = await opening(linnet, () => choose(linnet, 'window.thread'))
  await expect(headingOf(second, 'Fog until noon')).toBeVisible()
  const third = await opening(linnet, () => page.keyboard.press('Control+Shift+n'))
  await expect(rowsOf(third)).toHaveCount(1)
  await expect(headingOf(third, 'Fog until noon')).toBeHidden()

  // What is chosen in the menu is done in the window in front alone; what it changes is seen in all.
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

  // A link is followed in the window in front.
  await turnTo(linnet, /settings/)
  await appOf(linnet).evaluate(({ app }) => app.emit('second-instance', {}, ['linnet://search?query=fog'], '.'))
  await expect(third.getByText('Search results')).toBeVisible()
  await expect(third).toHaveURL(/search/)
  expect(second.url()).not.toContain('search')

  await page.close()
  await linnet.close()
  const again = await launch(options)
  await expect.poll(() => appOf(again).windows().length).toBe(2)
  const urls = (): readonly string[] =>
    appOf(again)
      .windows()
      .map((each) => each.url())
  await expect.poll(() => urls().some((url) => url.includes('search'))).toBe(true)
  const places = await appOf(again).evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().map((each) => each.getBounds()),
  )
  expect(new Set(places.map(({ x, y }) => `${x} ${y}`)).size).toBe(2)
})
