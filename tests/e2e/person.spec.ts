import type { Page } from '@playwright/test'
import type { Platform } from '../support/platform.ts'
import { deliverAll, expect, test } from './linnet.ts'

const ANN = 'ann@harbour.example'

/** Creates Ann as a contact who was sent an invoice by a program, and a topic. */
const prepare = async ({ ask, inboxAddress }: Platform): Promise<void> => {
  const post = (path: string, body: unknown) => ask(path, { method: 'POST', body })
  await post('/contacts', { email: ANN, first_name: 'Ann', last_name: 'Lee' })
  await post('/topics', { name: 'Tide tables', default_subscription: 'opt_out' })
  await post('/emails', { from: inboxAddress, to: ANN, subject: 'Invoice 7', text: 'Due on Friday.' })
}

const panelOf = (page: Page) => page.getByRole('complementary', { name: 'Contact' })

test('shows the sender next to the conversation, with “Write” first, and adds contacts', async ({
  linnet: { page },
  platform,
}) => {
  await prepare(platform)
  await deliverAll(page, platform, [
    { from: 'Joan Pier <joan@pier.example>', subject: 'Ferry', text: 'At noon.' },
    { from: `Annie <${ANN}>`, subject: 'The invoice', text: 'Did I get it?' },
  ])
  const panel = panelOf(page)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('article', { name: /Message from Annie/ })).toBeVisible()
  await expect(panel).toBeHidden()
  await page.getByRole('button', { name: 'Show contact' }).click()
  await expect(panel.getByRole('heading', { name: 'Ann Lee' })).toBeVisible()
  await expect(panel.getByRole('list', { name: 'Sent to this person' })).toContainText('Invoice 7')
  const mail = panel.getByRole('list', { name: 'Threads with this person' })
  await expect(mail).toContainText('Currently open')
  const tops = await Promise.all(
    [panel.getByRole('button', { name: 'Write' }), mail, panel.getByRole('heading', { name: 'Topics' })].map((part) =>
      part.evaluate((element) => element.getBoundingClientRect().top),
    ),
  )
  expect(tops).toEqual(tops.toSorted((a, b) => a - b))

  // The panel follows what is read, by keyboard too.
  await page.keyboard.press('j')
  await expect(panel.getByRole('heading', { name: 'Joan Pier' })).toBeVisible()
  await expect(panel).toContainText('Not a contact')
  await panel.getByRole('button', { name: 'Add contact', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Add contact' })
  await expect(dialog.getByLabel('First name')).toHaveValue('Joan')
  await dialog.getByLabel('Last name').fill('Pierce')
  await page.keyboard.press('Enter')
  await expect(panel.getByRole('heading', { name: 'Joan Pierce' })).toBeVisible()
  await expect(panel.getByRole('switch', { name: 'Tide tables' })).toBeVisible()

  // Without an open thread, nothing takes space next to the list.
  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()

  await page.keyboard.press('g')
  await page.keyboard.press('c')
  await page.getByRole('option', { name: /Ann Lee/ }).click()
  const card = page.getByRole('region', { name: 'Contact', exact: true })
  const row = card.getByRole('link', { name: /The invoice/ })
  await row.click()
  await expect(page.getByRole('article', { name: /Message from Annie/ })).toBeVisible()
  await page.keyboard.press('u')
  await expect(row).toBeVisible()
  await row.focus()
  await page.keyboard.press('e')
  await expect(card.getByRole('list', { name: 'Threads with this person' })).toContainText('Archive')
  await row.hover()
  await card.locator('[data-action="Move to inbox"]').click()
  await expect(card.getByRole('list', { name: 'Threads with this person' })).toContainText('Inbox')
  await page.keyboard.press('c')
  await expect(page.getByRole('form', { name: 'New message' })).toContainText('Ann Lee')
})
