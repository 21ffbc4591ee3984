/** The ten things to try on the documentation's first page, exactly as written and in order, with the demo mail. */
import { readFileSync } from 'node:fs'
import type { Locator, Page } from '@playwright/test'
import { goTo, expect, test } from './linnet.ts'

test.use({ dataset: 'demo' })

const PAGE = new URL('../../docs/first-start.md', import.meta.url)
const titles = [...readFileSync(PAGE, 'utf8').matchAll(/^\d+\. \*\*(.+?)\.\*\*/gm)].map(([, title]) => title)

const threads = (page: Page): Locator => page.getByRole('listbox', { name: 'Threads' })
const rows = (page: Page): Locator => threads(page).getByRole('option')
const articles = (page: Page): Locator => page.getByRole('article')
const first = (page: Page): Promise<string> => rows(page).first().innerText()
const count = async (page: Page): Promise<number> => Number(await rows(page).first().getAttribute('aria-setsize'))

/** Presses Esc until the search is left: it closes the suggestions, moves into the list, then ends the search. */
const leaveSearch = async (page: Page): Promise<void> => {
  await expect(async () => {
    await page.keyboard.press('Escape')
    await expect(page.getByRole('combobox', { name: 'Search mail' })).toHaveValue('', { timeout: 1000 })
  }).toPass()
  await expect(threads(page)).toBeFocused()
}

/** Tasks in the documentation page's order, by its own titles. */
const TASKS: Readonly<Record<string, (page: Page, pause: () => Promise<void>) => Promise<void>>> = {
  'Go through your mail': async (page) => {
    await page.keyboard.press('j')
    await page.keyboard.press('k')
    await page.keyboard.press('Enter')
    await expect(articles(page).last()).toBeVisible()
    await expect(
      page.getByRole('region', { name: 'Thread', exact: true }).getByRole('heading', { level: 1 }),
    ).not.toBeEmpty()
  },
  'Archive and undo': async (page) => {
    // An opened thread becomes read a moment later.
    await expect(rows(page).first()).not.toContainText('Unread')
    const before = await first(page)
    await page.keyboard.press('e')
    await expect.poll(() => first(page)).not.toBe(before)
    await page.keyboard.press('z')
    await expect.poll(() => first(page)).toBe(before)
  },
  Reply: async (page) => {
    const reply = page.getByRole('form', { name: 'Reply' })
    await page.keyboard.press('r')
    await expect(reply.getByRole('textbox', { name: 'Message' })).toBeFocused()
    await page.keyboard.type('We can do that on Monday.')
    await page.keyboard.press('ControlOrMeta+Enter')
    await expect(reply).toHaveCount(0)
    await expect(page.getByText(/Sending in \d+ s/)).toBeVisible()
    await page.keyboard.press('z')
    await expect(reply.getByRole('textbox', { name: 'Message' })).toHaveText('We can do that on Monday.')
    await page.keyboard.press('ControlOrMeta+Shift+d')
    await expect(reply).toHaveCount(0)
  },
  'Find something': async (page) => {
    await page.keyboard.press('/')
    await page.keyboard.type('invoice')
    await page.keyboard.press('Enter')
    await expect(rows(page).first()).toContainText(/invoice/i)
    await page.keyboard.press('/')
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('from:noo')
    const offers = page.getByRole('listbox', { name: 'Search suggestions' }).getByRole('option')
    await expect(offers.filter({ hasText: 'Noordkade' }).first()).toBeVisible()
    await leaveSearch(page)
  },
  Label: async (page) => {
    await page.keyboard.press('.')
    await page.keyboard.press('l')
    const picker = page.getByRole('dialog', { name: 'Labels' })
    await expect(picker.getByRole('combobox')).toBeFocused()
    await page.keyboard.type('part')
    await expect(picker.getByRole('option').first()).toHaveAccessibleName('Partners')
    await page.keyboard.press('Enter')
    await expect(page.getByText(/^Label “Partners” added to “.+”/)).toBeVisible()
  },
  'Archive several at once': async (page) => {
    const before = await count(page)
    await page.keyboard.press('x')
    for (const key of ['j', 'x', 'j', 'x']) await page.keyboard.press(key)
    await expect(page.getByRole('toolbar', { name: 'Selection' })).toContainText('3 selected')
    await page.keyboard.press('e')
    await expect(page.getByText('Archived 3 threads')).toBeVisible()
    await expect.poll(() => count(page)).toBe(before - 3)
  },
  'See who wrote': async (page) => {
    await page.keyboard.press('Enter')
    await expect(articles(page).last()).toBeVisible()
    await page.keyboard.press('ControlOrMeta+i')
    const card = page.getByRole('complementary', { name: 'Contact' })
    await expect(card.getByRole('list', { name: 'Threads with this person' })).toBeVisible()
    await expect(card.getByRole('heading', { name: 'Topics' })).toBeVisible()
  },
  'Write to someone new': async (page) => {
    const message = page.getByRole('form', { name: 'New message' })
    await page.keyboard.press('c')
    await expect(message.getByRole('combobox', { name: 'To', exact: true })).toBeFocused()
    await page.keyboard.type('delivered@resend.dev')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Hello')
    await page.keyboard.press('Tab')
    await page.keyboard.type('I am new here.')
    await page.keyboard.press('ControlOrMeta+Enter')
    await expect(message).toHaveCount(0)
    await expect(page.getByText(/Sending|Message sent/).first()).toBeVisible()
  },
  'Work without a network': async (page, pause) => {
    await pause()
    await expect(page.getByRole('status').getByText('Offline')).toBeVisible()
    const before = await count(page)
    await page.keyboard.press('e')
    await expect.poll(() => count(page)).toBe(before - 1)
    await expect(page.getByRole('status').getByText(/waiting to be sent/)).toBeVisible()
    await page.keyboard.press('/')
    await page.keyboard.type('invoice')
    await expect(rows(page).first()).toContainText(/invoice/i)
    await leaveSearch(page)
  },
  'Make it yours': async (page) => {
    await page.keyboard.press('ControlOrMeta+,')
    const pages = page.getByRole('navigation', { name: 'Settings pages' })
    await pages.getByRole('link', { name: 'Appearance' }).click()
    for (const name of ['Theme', 'Density']) await expect(page.getByRole('group', { name, exact: true })).toBeVisible()
    for (const name of ['Keyboard', 'Notifications']) {
      await pages.getByRole('link', { name, exact: true }).click()
      await expect(page.getByRole('heading', { name, exact: true })).toBeVisible()
    }
  },
}

test('performs the ten things to try as docs/first-start.md describes them', async ({ linnet, platform }) => {
  const { page } = linnet
  expect(Object.keys(TASKS)).toEqual(titles)
  await goTo(page, `#/inboxes/${platform.inboxId}/inbox`)
  await rows(page).nth(5).waitFor()
  await threads(page).focus()
  await page.keyboard.press('.')
  for (const [title, run] of Object.entries(TASKS)) await test.step(title, () => run(page, platform.pause))
})
