import type { Locator, Page } from '@playwright/test'
import { runByPalette, type Stage } from '../support/screens.ts'
import { expectAccessible } from './expect-accessible.ts'
import { deliverAll, expect, goTo, test } from './linnet.ts'

const OLDEST = 'Gull on the antenna'
const MIDDLE = 'Fog until noon'
const NEWEST = 'Fresh paint on the rail'
const CATALOGUE = 'Ropes in all colours'

const list = (page: Page): Locator => page.getByRole('listbox', { name: 'Threads' })
const rows = (page: Page): Locator => list(page).getByRole('option')
const row = (page: Page, subject: string): Locator => rows(page).filter({ hasText: subject })
const sort = (page: Page): Locator => page.getByRole('button', { name: /^Sort: / })
const selectAll = (page: Page): Locator => page.getByRole('checkbox', { name: 'Select all shown threads' })
const quickLook = (page: Page): Locator => page.getByRole('dialog')
const cursor = (page: Page): Promise<string> =>
  list(page).evaluate(
    (box) => document.getElementById(box.getAttribute('aria-activedescendant') ?? '')?.textContent ?? '',
  )

const sortsTheList = async ({ page, platform }: Stage): Promise<void> => {
  await expect(rows(page).first()).toContainText(NEWEST)
  await sort(page).click()
  await page.getByRole('menuitemradio', { name: 'Oldest first' }).click()
  await expect(rows(page).first()).toContainText(OLDEST)
  await expect(rows(page).last()).toContainText(NEWEST)
  await expect(sort(page)).toHaveAccessibleName('Sort: oldest first')

  // New mail comes last, and nothing moves.
  await list(page).focus()
  await page.keyboard.press('j')
  await expect.poll(() => cursor(page)).toContain(MIDDLE)
  await platform.deliver({ from: 'pier@harbour.example', subject: 'The ferry is late', text: 'By an hour.' })
  await page.keyboard.press('F5')
  await expect(rows(page).last()).toContainText('The ferry is late')
  await expect(rows(page).first()).toContainText(OLDEST)
  await expect.poll(() => cursor(page)).toContain(MIDDLE)

  // The order stays, for this list and others like it.
  await goTo(page, `#/inboxes/${platform.inboxId}/archive`)
  await expect(sort(page)).toHaveAccessibleName('Sort: newest first')
  await goTo(page, `#/inboxes/${platform.inboxId}/inbox`)
  await expect(rows(page).first()).toContainText(OLDEST)
  await page.reload()
  await expect(rows(page).first()).toContainText(OLDEST)

  // A filtered list is a search, which is always sorted newest first.
  await page.getByRole('button', { name: 'Unread', exact: true }).click()
  await expect(rows(page).first()).toContainText('The ferry is late')
  await expect(sort(page)).toBeDisabled()
  await page.getByRole('button', { name: 'Unread', exact: true }).click()
  await expect(rows(page).first()).toContainText(OLDEST)

  await list(page).focus()
  await runByPalette(page, 'Sort: newest first')
  await expect(rows(page).first()).toContainText('The ferry is late')
  await expect(rows(page).last()).toContainText(OLDEST)
}

const selectsAll = async ({ page }: Stage): Promise<void> => {
  const count = await rows(page).count()
  await expect(selectAll(page)).not.toBeChecked()
  await selectAll(page).click()
  await expect(list(page).getByRole('option', { selected: true })).toHaveCount(count)
  await expect(selectAll(page)).toBeChecked()
  // The box keeps its place and the focus, so a second press takes it back.
  await page.keyboard.press('Space')
  await expect(list(page).getByRole('option', { selected: true })).toHaveCount(0)
  await expect(selectAll(page)).not.toBeChecked()
  await expect(selectAll(page)).toBeFocused()

  // By pointer, one row at a time: its box appears under the pointer.
  await row(page, MIDDLE).hover()
  await row(page, MIDDLE).click({ position: { x: 12, y: 12 } })
  await expect(selectAll(page)).toBeChecked({ indeterminate: true })
  await selectAll(page).click()
  await expect(list(page).getByRole('option', { selected: true })).toHaveCount(0)
}

const looksQuickly = async ({ page, platform }: Stage): Promise<void> => {
  await platform.deliver({
    ...{ from: 'Shop <news@shop.example>', subject: CATALOGUE },
    html: '<p>Now in red</p><img src="https://pictures.shop.example/red.png" width="40" height="40">',
  })
  await page.keyboard.press('F5')
  await expect(row(page, CATALOGUE)).toHaveCount(1)
  // Even a sender whose pictures are always shown can't learn of a quick look.
  await row(page, CATALOGUE).click()
  await page.getByRole('button', { name: /^Always show from/ }).click()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('article')).toHaveCount(0)

  await list(page).focus()
  await page.keyboard.press('Home')
  await expect.poll(() => cursor(page)).toContain(CATALOGUE)
  await page.keyboard.press('Space')
  await expect(quickLook(page)).toHaveAccessibleName(CATALOGUE)
  await expect(quickLook(page).frameLocator('iframe').getByText('Now in red')).toBeVisible()
  await expect(quickLook(page).getByRole('note', { name: 'Blocked content' })).toContainText('1 picture blocked')
  await expectAccessible(page, 'quick look')
  await page.keyboard.press('ArrowDown')
  await expect(quickLook(page)).toHaveAccessibleName('The ferry is late')
  await expect(quickLook(page)).toContainText('By an hour.')
  await expect(quickLook(page)).toContainText('2 of 5 threads')
  await page.keyboard.press('Space')
  await expect(quickLook(page)).toHaveCount(0)
  await expect(list(page)).toBeFocused()
  await expect.poll(() => cursor(page)).toContain('The ferry is late')
  await expect(row(page, 'The ferry is late')).toContainText('Unread')

  // By pointer, from the row's menu. Enter opens the thread, which marks it read.
  await row(page, OLDEST).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Quick look' }).click()
  await expect(quickLook(page)).toHaveAccessibleName(OLDEST)
  await page.keyboard.press('Escape')
  await expect(quickLook(page)).toHaveCount(0)
  await expect(row(page, OLDEST)).toContainText('Unread')
  await list(page).focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('article')).toHaveCount(1)
  await expect(row(page, OLDEST)).not.toContainText('Unread')
  await page.keyboard.press('Escape')
}

test('sorts a list, selects all of it, and looks at messages without opening them', async ({ linnet, platform }) => {
  const { page } = linnet
  await deliverAll(page, platform, [OLDEST, MIDDLE, NEWEST])
  await test.step('sorts', () => sortsTheList({ page, platform }))
  await test.step('selects', () => selectsAll({ page, platform }))
  await test.step('quick look', () => looksQuickly({ page, platform }))
})

test.describe('in a mailbox with customers', () => {
  test.use({ dataset: 'demo' })

  test('names the threads that wait for an answer, and sorts them first', async ({ linnet }) => {
    const { page } = linnet
    await expect(rows(page).filter({ hasText: 'waiting for an answer for' })).not.toHaveCount(0)
    await runByPalette(page, 'Sort: longest waiting first')
    await expect(rows(page).first()).toHaveAccessibleName(/waiting for an answer for \d+ (hours?|days?)/)
    await page.getByRole('link', { name: 'Archive', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'Archive' })).toBeVisible()
    await expect(rows(page).first()).toBeVisible()
    await expect(rows(page).filter({ hasText: 'waiting for an answer for' })).toHaveCount(0)
    await sort(page).click()
    await expect(page.getByRole('menuitemradio')).toHaveText(['Newest first', 'Oldest first'])
  })

  test('names no row with stray commas, and scrolls the side bar as one', async ({ linnet }) => {
    const { page } = linnet
    for (const name of await rows(page).allTextContents()) expect(name).not.toMatch(/ ,|,,|, ,|,\s*$/)
    const scrollers = await page
      .getByRole('navigation', { name: 'Mailboxes' })
      .evaluate(
        (nav) =>
          [...nav.querySelectorAll('*')].filter((each) => /auto|scroll/.test(getComputedStyle(each).overflowY)).length,
      )
    expect(scrollers).toBe(1)
  })
})
