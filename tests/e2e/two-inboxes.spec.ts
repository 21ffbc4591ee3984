import type { Locator, Page } from '@playwright/test'
import { expect, test } from './linnet.ts'

const SECOND = 'desk@linnet.example'

const switcher = (page: Page): Locator =>
  page.getByRole('navigation', { name: 'Mailboxes' }).getByRole('button', { name: 'Switch account or inbox' })

test.beforeEach(async ({ platform }) => {
  // The platform lists the newer inbox first; the new one has no mail.
  await platform.ask('/inboxes', { method: 'POST', body: { email_address: SECOND, from_name: 'Desk' } })
  await platform.deliver({ from: 'pier@harbour.example', subject: 'Fog until noon', text: 'Fog.' })
})

test('switches between two inboxes by pointer', async ({ linnet: { page }, platform }) => {
  const row = page.getByRole('option', { name: /Fog until noon/ })

  await test.step('the window starts in the inbox with mail, even if a newer one is empty', async () => {
    await expect(row).toBeVisible()
    await expect(switcher(page)).toContainText(platform.inboxAddress)
  })

  await test.step('the switcher changes the inbox, and the pointer keeps working', async () => {
    await switcher(page).click()
    await page.getByRole('menuitemradio', { name: new RegExp(SECOND) }).click()
    await expect(switcher(page)).toContainText(SECOND)
    await expect(page.getByText('Your inbox is empty')).toBeVisible()

    await switcher(page).click()
    await page.getByRole('menuitemradio', { name: new RegExp(platform.inboxAddress) }).click()
    await row.click()
    await expect(page.getByRole('heading', { level: 1, name: 'Fog until noon' })).toBeVisible()

    for (const leave of [() => page.keyboard.press('Escape'), () => page.mouse.click(900, 500)]) {
      await switcher(page).click()
      await page.getByRole('menuitemradio', { name: new RegExp(SECOND) }).waitFor()
      await leave()
      await expect(page.getByRole('menu')).toHaveCount(0)
      await page.getByRole('link', { name: 'Settings' }).click()
      await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
      await page.getByRole('link', { name: 'Inbox', exact: false }).first().click()
      await expect(row).toBeVisible()
    }
  })
})
