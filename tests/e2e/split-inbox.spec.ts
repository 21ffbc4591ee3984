import type { Page } from '@playwright/test'
import type { Platform } from '../support/platform.ts'
import { expectAccessible } from './expect-accessible.ts'
import { expect, test } from './linnet.ts'

const tablist = (page: Page) => page.getByRole('tablist', { name: 'Inbox tabs' })
const tab = (page: Page, name: string) => tablist(page).getByRole('tab', { name: new RegExp(`^${name}\\b`) })
const list = (page: Page) => page.getByRole('listbox', { name: 'Threads' })
const rows = (page: Page) => list(page).getByRole('option')

const isShown = async (page: Page, name: string, threads: number): Promise<void> => {
  await expect(tab(page, name)).toHaveAttribute('aria-selected', 'true')
  await expect(rows(page)).toHaveCount(threads)
}

const archived = async (platform: Platform): Promise<number> => {
  const path = `/inboxes/${platform.inboxId}/threads?folders=archive`
  return ((await platform.ask(path)) as { readonly data: readonly unknown[] }).data.length
}

const LIST = { 'List-Id': '<tides.harbour.example>' }
const ROBOT = { 'Auto-Submitted': 'auto-generated' }

test.beforeEach(async ({ platform }) => {
  await platform.deliver({ from: 'ada@quill.example', subject: 'Lunch at the pier', text: 'At noon?' })
  await platform.deliver({ from: 'tides@harbour.example', subject: 'Tides of the week', text: 'High.', headers: LIST })
  await platform.deliver({ from: 'tides@harbour.example', subject: 'Tides of May', text: 'Low.', headers: LIST })
  await platform.deliver({ from: 'gauge@harbour.example', subject: 'Gauge 7 is silent', text: '-', headers: ROBOT })
  await platform.deliver({ from: 'no-reply@harbour.example', subject: 'Your berth', text: 'Paid.' })
})

test('splits the inbox by a key and walks its tabs with Tab', async ({ linnet: { page } }) => {
  await expect(rows(page)).toHaveCount(5)
  await expect(tablist(page)).toHaveCount(0)
  await list(page).focus()
  await page.keyboard.press('Shift+T')
  await isShown(page, 'All', 5)
  await expect(tab(page, 'Newsletters')).toHaveAccessibleName('Newsletters , 2 unread threads')
  await expect(tab(page, 'Robots')).toHaveAccessibleName('Robots , 2 unread threads')
  await expect(tab(page, 'People')).toHaveAccessibleName('People , 1 unread thread')
  await expectAccessible(page, 'a split inbox')

  await page.keyboard.press('Tab')
  await isShown(page, 'People', 1)
  await expect(page.locator('[data-announcer]')).toHaveText(/^People: 1 thread\./)
  await page.keyboard.press('Tab')
  await isShown(page, 'Newsletters', 2)
  await page.keyboard.press('Tab')
  await isShown(page, 'Robots', 2)
  await expect(list(page)).toBeFocused()
  // After the last tab, the key belongs to the window again.
  await page.keyboard.press('Tab')
  await expect(list(page)).not.toBeFocused()
  await isShown(page, 'Robots', 2)
  await page.keyboard.press('Shift+Tab')
  await expect(list(page)).toBeFocused()
  for (const [name, threads] of [
    ['Newsletters', 2],
    ['People', 1],
    ['All', 5],
  ] as const) {
    await page.keyboard.press('Shift+Tab')
    await isShown(page, name, threads)
  }
  await page.keyboard.press('Shift+Tab')
  await expect(tab(page, 'All')).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await expect(tab(page, 'Robots')).toBeFocused()
  await isShown(page, 'Robots', 2)
  await page.keyboard.press('Home')
  await expect(tab(page, 'All')).toBeFocused()
  await page.goBack()
  await isShown(page, 'Robots', 2)
  await page.goForward()
  await isShown(page, 'All', 5)

  await list(page).focus()
  await page.keyboard.press('Tab')
  await isShown(page, 'People', 1)
  await page.keyboard.press('Shift+T')
  await expect(tablist(page)).toHaveCount(0)
  await expect(rows(page)).toHaveCount(5)
})

test('archives, selects and searches within a tab', async ({ linnet: { page }, platform }) => {
  await expect(rows(page)).toHaveCount(5)
  await list(page).focus()
  await page.keyboard.press('Shift+T')
  await tab(page, 'Newsletters').click()
  await isShown(page, 'Newsletters', 2)
  await list(page).focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Tides of May' })).toBeVisible()
  await page.keyboard.press('e')
  await expect(page.getByRole('heading', { name: 'Tides of the week' })).toBeVisible()
  await isShown(page, 'Newsletters', 1)
  await page.keyboard.press('g')
  await page.keyboard.press('a')
  await expect(rows(page)).toHaveCount(1)
  await page.keyboard.press('z')
  await isShown(page, 'Newsletters', 2)

  await page.keyboard.press('Escape')
  await list(page).focus()
  for (const key of ['*', '*']) await page.keyboard.press(key)
  await page.keyboard.press('e')
  await expect(page.getByText('Nothing in Newsletters')).toBeVisible()
  await expect.poll(() => archived(platform)).toBe(2)
  await page.keyboard.press('z')
  await isShown(page, 'Newsletters', 2)

  await page.keyboard.press('/')
  await page.keyboard.type('may')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Search results', level: 2 })).toBeVisible()
  await expect(rows(page)).toHaveCount(1)
  await expect(list(page)).toBeFocused()
  await page.keyboard.press('Escape')
  await isShown(page, 'Newsletters', 2)

  await platform.deliver({ from: 'bob@quill.example', subject: 'Dinner then?', text: 'At eight?' })
  await page.keyboard.press('F5')
  await expect(tab(page, 'People')).toHaveAccessibleName('People , 2 unread threads')
  await isShown(page, 'Newsletters', 2)
})

test('makes a saved search a tab by its menu, with undo, and keeps it after a restart', async ({
  linnet,
  launch,
  dataDirectory,
  platform,
}) => {
  const { page } = linnet
  await expect(rows(page)).toHaveCount(5)
  await page.keyboard.press('/')
  await page.keyboard.type('from:harbour')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Save search' }).click()
  await page.getByRole('dialog', { name: 'Save search' }).getByLabel('Name').fill('Harbour')
  await page.keyboard.press('Enter')
  // The heading appears before the dialog has closed, and the dialog receives the keys until then.
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'Harbour', level: 2 })).toBeVisible()
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('split inbox')
  await page.keyboard.press('Enter')
  await page.getByRole('main').getByRole('button', { name: 'Actions for Harbour' }).click()
  await page.getByRole('menuitem', { name: 'Show as tab' }).click()
  // The menu receives the keys until it is gone.
  await expect(page.getByRole('menu')).toHaveCount(0)
  await page.keyboard.press('g')
  await page.keyboard.press('i')
  await expect(tab(page, 'Harbour')).toHaveAccessibleName('Harbour , 4 unread threads')
  await page.keyboard.press('z')
  await expect(tab(page, 'Harbour')).toHaveCount(0)
  const saved = page.getByRole('list', { name: 'Saved searches' }).getByRole('link')
  await saved.click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Show as tab' }).click()
  await page.keyboard.press('g')
  await page.keyboard.press('i')
  await tab(page, 'Harbour').click()
  await isShown(page, 'Harbour', 4)
  await list(page).focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('e')
  await isShown(page, 'Harbour', 3)
  await linnet.close()

  const again = (
    await launch({
      dataDirectory,
      env: { LINNET_BASE_URL: platform.baseUrl, LINNET_API_KEY: platform.apiKey },
    })
  ).page
  await isShown(again, 'Harbour', 3)
  await again.keyboard.press('ControlOrMeta+k')
  await again.keyboard.type('robots')
  await again.keyboard.press('Enter')
  await expect(tab(again, 'Robots')).toHaveAttribute('aria-selected', 'true')
  await expect(rows(again)).toHaveCount(1)
})
