import type { Page } from '@playwright/test'
import type { Platform } from '../support/platform.ts'
import { deliverAll, expect, test } from './linnet.ts'

const ANN = 'ann@harbour.example'

/** Ann, a contact, to whom a program has sent an invoice, and a topic. */
const prepare = async ({ ask, inboxAddress }: Platform): Promise<void> => {
  const post = (path: string, body: unknown) => ask(path, { method: 'POST', body })
  await post('/contacts', { email: ANN, first_name: 'Ann', last_name: 'Lee' })
  await post('/topics', { name: 'Tide tables', default_subscription: 'opt_out' })
  await post('/emails', { from: inboxAddress, to: ANN, subject: 'Invoice 7', text: 'Due on Friday.' })
}

const panelOf = (page: Page) => page.getByRole('complementary', { name: 'Contact' })

test('beside the conversation stands who wrote, whoever is read next, and can be added to the contacts', async ({
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
  await expect(page.getByRole('article', { name: /E-mail from Annie/ })).toBeVisible()
  await expect(panel).toBeHidden()
  await page.keyboard.press('ControlOrMeta+i')
  await expect(panel.getByRole('heading', { name: 'Ann Lee' })).toBeVisible()
  await expect(panel.getByRole('list', { name: 'Sent to this person' })).toContainText('Invoice 7')
  await expect(panel.getByRole('list', { name: 'Threads with this person' })).toContainText('Open now')

  // The panel goes along with what is read, from the keys as well.
  await page.keyboard.press('j')
  await expect(panel.getByRole('heading', { name: 'Joan Pier' })).toBeVisible()
  await expect(panel).toContainText('Not a contact')
  await panel.getByRole('button', { name: 'Add', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Add contact' })
  await expect(dialog.getByLabel('First name')).toHaveValue('Joan')
  await dialog.getByLabel('Last name').fill('Pierce')
  await page.keyboard.press('Enter')
  await expect(panel.getByRole('heading', { name: 'Joan Pierce' })).toBeVisible()
  await expect(panel.getByRole('switch', { name: 'Tide tables' })).toBeVisible()
})
