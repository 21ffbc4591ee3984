import type { Locator, Page } from '@playwright/test'
import type { Platform } from '../support/platform.ts'
import { expectAccessible } from './expect-accessible.ts'
import { deliverAll, expect, goTo, readClipboard, test, type Linnet } from './linnet.ts'
import { takePictures } from './take-pictures.ts'

const SUBJECTS = ['Gull on the antenna', 'Fog until noon', 'Fresh paint on the rail']

const threads = (page: Page): Locator => page.getByRole('listbox', { name: 'Threads' })
const row = (page: Page, subject: string): Locator => threads(page).getByRole('option', { name: new RegExp(subject) })
const menu = (page: Page): Locator => page.getByRole('menu', { name: 'Thread' })
const item = (page: Page, name: string): Locator => menu(page).getByRole('menuitem', { name, exact: true })

const hasMenusInTheSideBar = async (page: Page): Promise<void> => {
  const sideBar = page.getByRole('navigation', { name: 'Mailboxes' })
  const inboxLink = sideBar.getByRole('link', { name: /^Inbox\b/ })
  await expect(inboxLink).toContainText('3 unread threads')
  await inboxLink.click({ button: 'right' })
  const menuOf = (name: string): Locator => page.getByRole('menu', { name, exact: true })
  await expectAccessible(page, 'the menu of a folder')
  await menuOf('Inbox').getByRole('menuitem', { name: 'Mark all as read' }).click()
  await expect(page.getByText('Marked 3 threads in Inbox as read')).toBeVisible()
  await expect(inboxLink).not.toContainText('unread')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(inboxLink).toContainText('3 unread threads')

  await sideBar.getByRole('link', { name: 'Spam' }).focus()
  await page.keyboard.press('Shift+F10')
  await menuOf('Spam').getByRole('menuitem', { name: 'Mark all as read' }).press('Enter')
  await expect(page.getByText('No unread threads in Spam.')).toBeVisible()
  await expect(sideBar.getByRole('link', { name: 'Spam' })).toBeFocused()

  await sideBar.getByRole('button', { name: 'New label' }).click()
  await page.keyboard.type('Harbour')
  await page.keyboard.press('Enter')
  const label = sideBar.getByRole('link', { name: 'Harbour' })
  await label.click({ button: 'right' })
  await menuOf('Harbour').getByRole('menuitem', { name: 'Rename…' }).click()
  await page.getByRole('dialog', { name: 'Edit label' }).waitFor()
  await page.keyboard.press('Escape')
  await label.focus()
  await page.keyboard.press('ContextMenu')
  await expect(menuOf('Harbour').getByRole('menuitem', { name: 'Delete…' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(label).toBeFocused()
}

const actsOnTheRowPointedAt = async (page: Page): Promise<void> => {
  const heading = page.getByRole('region', { name: 'Thread', exact: true }).getByRole('heading', { level: 1 })
  await row(page, 'Fresh paint').click()
  await expect(heading).toHaveText('Fresh paint on the rail')

  await row(page, 'Fog until noon').click({ button: 'right' })
  await expect(item(page, 'Archive')).toBeVisible()
  await item(page, 'Archive').click()
  await expect(row(page, 'Fog until noon')).toHaveCount(0)
  await expect(row(page, 'Fresh paint')).toHaveCount(1)
  await expect(heading).toHaveText('Fresh paint on the rail')
  await expect(threads(page)).toBeFocused()

  // Acting on another row leaves the selection alone, and choosing a command for one row leaves the open thread alone.
  await row(page, 'Fresh paint').click({ modifiers: ['ControlOrMeta'] })
  const selection = page.getByRole('region', { name: 'Selected threads' }).getByRole('heading')
  await expect(selection).toHaveText('1 thread selected')
  await row(page, 'Gull').click({ button: 'right' })
  await expect(selection).toHaveText('1 thread selected')
  await item(page, 'Label…').click()
  await page.getByRole('dialog', { name: 'Labels' }).waitFor()
  await page.keyboard.press('Escape')
  await expect(threads(page)).toBeFocused()
  await expect(selection).toHaveText('1 thread selected')
  await page.keyboard.press('Escape')
  await row(page, 'Gull').click({ button: 'right' })
  await expect(heading).toHaveText('Fresh paint on the rail')
  await item(page, 'Move to…').click()
  await page.getByRole('dialog', { name: 'Move to' }).waitFor()
  await page.keyboard.press('Escape')
  await expect(threads(page)).toBeFocused()
  await expect(heading).toHaveText('Fresh paint on the rail')
  await expect(threads(page).getByRole('option', { selected: true })).toHaveCount(1)

  // By keyboard: the menu opens next to the row under the cursor, and closes without a trace.
  for (const keys of ['Shift+F10', 'ContextMenu']) {
    await page.keyboard.press('Home')
    await page.keyboard.press(keys)
    await expect(item(page, 'Archive')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(menu(page)).toHaveCount(0)
    await expect(threads(page)).toBeFocused()
  }
  await page.keyboard.press('Escape')
  await page.keyboard.press('Shift+F10')
  await item(page, 'Move to…').press('Enter')
  await page.getByRole('dialog', { name: 'Move to' }).waitFor()
  await page.keyboard.type('trash')
  await page.keyboard.press('Enter')
  await expect(row(page, 'Fresh paint')).toHaveCount(0)
  await expect(row(page, 'Gull')).toHaveCount(1)
}

const hasButtonsUnderThePointer = async (page: Page): Promise<void> => {
  const button = (subject: string, name: string): Locator => row(page, subject).locator(`[data-action="${name}"]`)
  const placeOf = (subject: string): Promise<readonly (number | undefined)[]> =>
    row(page, subject).evaluate((option) =>
      ['.from', '.subject', '.preview', 'time'].map(
        (selector) => option.querySelector(selector)?.getBoundingClientRect().left,
      ),
    )
  await page.mouse.move(0, 0)
  await expect(page.locator('[data-action]')).toHaveCount(0)
  const before = await placeOf('Fog until noon')
  await row(page, 'Fog until noon').hover()
  await expect(button('Fog until noon', 'Mark as read')).toBeVisible()
  expect(await placeOf('Fog until noon')).toEqual(before)
  // Row buttons are neither tab stops nor part of the option's name.
  expect(await page.locator('[data-action]').evaluateAll((all) => all.some((each) => each.matches('[tabindex]')))).toBe(
    false,
  )
  await expect(page.getByRole('listbox', { name: 'Threads' }).getByRole('button')).toHaveCount(0)
  await expectAccessible(page, 'buttons of a row')

  await button('Fog until noon', 'Mark as read').hover()
  await expect(page.getByRole('tooltip')).toContainText(/Mark as read\s+Shift I/)
  await button('Fog until noon', 'Mark as read').click()
  await expect(button('Fog until noon', 'Mark as unread')).toBeVisible()
  await button('Fog until noon', 'Label…').click()
  await page.getByRole('dialog', { name: 'Labels' }).waitFor()
  await page.keyboard.press('Escape')
  await expect(threads(page)).toBeFocused()
  await row(page, 'Fog until noon').hover()
  await button('Fog until noon', 'Move to trash').click()
  await expect(row(page, 'Fog until noon')).toHaveCount(0)
  // The next row has moved under the pointer, with its buttons.
  for (let left = SUBJECTS.length - 1; left > 0; left -= 1) {
    await threads(page).getByRole('option').first().hover()
    await page.locator('[data-action="Archive"]').click()
    if (left > 1) await expect(threads(page).getByRole('option')).toHaveCount(left - 1)
  }
  await expect(page.getByText('All done')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Waiting longest' })).toHaveCount(0)
  await expectAccessible(page, 'an inbox that is done')

  await page.getByRole('navigation', { name: 'Mailboxes' }).getByRole('link', { name: 'Archive' }).click()
  await expect(threads(page)).toBeFocused()
  const first = (await threads(page).getByRole('option').first().locator('.subject').textContent()) ?? ''
  await page.keyboard.press('Enter')
  const heading = page.getByRole('region', { name: 'Thread', exact: true }).getByRole('heading', { level: 1 })
  await expect(heading).toHaveText(first)
}

const hasAMenuOfAPerson = async (linnet: Linnet, platform: Platform): Promise<void> => {
  const { page } = linnet
  const ada = { email: 'ada@harbour.example', first_name: 'Ada', last_name: 'Quill' }
  await platform.ask('/contacts', { method: 'POST', body: ada })
  await deliverAll(page, platform, [
    { from: 'Pier, North <pier@harbour.example>', subject: 'Lantern on the pier', text: 'The lantern stays lit.' },
  ])
  const menuOf = (name: string): Locator => page.getByRole('menu', { name, exact: true })
  const choose = (name: string, action: string): Promise<void> =>
    menuOf(name).getByRole('menuitem', { name: action, exact: true }).click()
  const pier = 'Pier, North'

  await row(page, 'Lantern on the pier').click()
  const email = page.getByRole('article', { name: `Message from ${pier}` })
  await email.getByText('pier@harbour.example').first().click({ button: 'right' })
  await expect(menuOf(pier).getByRole('menuitem')).toHaveText([
    ...['Write', 'Search for mail from this person', 'Search for mail to this person'],
    ...['Add to contacts…', 'Copy address', 'Copy name and address'],
  ])
  await expectAccessible(page, 'the menu of a person')
  await takePictures(page, `person-menu-${linnet.kind}`)
  await choose(pier, 'Copy name and address')
  await expect(page.getByText('Name and address copied.')).toBeVisible()
  await expect.poll(() => readClipboard(linnet)).toBe('"Pier, North" <pier@harbour.example>')

  await email.getByRole('button', { expanded: true }).first().focus()
  await page.keyboard.press('Shift+F10')
  await choose(pier, 'Write')
  const message = page.getByRole('form', { name: 'New message' })
  await expect(message).toContainText(pier)
  await message.getByRole('button', { name: 'Discard draft' }).click()

  await row(page, 'Lantern on the pier').click()
  await email.getByText('Details').click()
  const recipient = email.getByRole('button', { name: platform.inboxAddress, exact: true })
  await recipient.focus()
  await page.keyboard.press('Enter')
  await menuOf(platform.inboxAddress).getByRole('menuitem', { name: 'Search for mail to this person' }).press('Enter')
  await expect(page).toHaveURL(/query|search/)
  await expect(row(page, 'Lantern on the pier')).toHaveCount(1)

  await goTo(page, '#/contacts')
  const contacts = page.getByRole('listbox', { name: 'Contacts' })
  await contacts.getByRole('option', { name: /Ada Quill/ }).click({ button: 'right' })
  await choose('Ada Quill', 'Copy address')
  await expect.poll(() => readClipboard(linnet)).toBe('ada@harbour.example')
  await expect(contacts).toBeFocused()
  await page.keyboard.press('ContextMenu')
  await menuOf('Ada Quill').getByRole('menuitem', { name: 'Open in Contacts' }).press('Enter')
  await expect(page.getByRole('region', { name: 'Contact' }).getByRole('heading', { level: 1 })).toHaveText('Ada Quill')
}

test('offers menus and buttons on rows, side bar entries and people', async ({ linnet, platform }) => {
  const { page } = linnet
  await deliverAll(page, platform, SUBJECTS)
  await test.step('side bar entries open menus by pointer and menu key', () => hasMenusInTheSideBar(page))
  await test.step('a row’s menu acts on that row, not the open one, and returns the focus', () =>
    actsOnTheRowPointedAt(page))
  for (const key of ['z', 'z']) await page.keyboard.press(key)
  await expect(threads(page).getByRole('option')).toHaveCount(SUBJECTS.length)
  await test.step('hover buttons move nothing, an emptied inbox says so, and a clicked folder takes keys (Look, First minutes)', () =>
    hasButtonsUnderThePointer(page))
  for (const key of ['g', 'i']) await page.keyboard.press(key)
  await test.step('people have a menu as sender, recipient and contact', () => hasAMenuOfAPerson(linnet, platform))
})
