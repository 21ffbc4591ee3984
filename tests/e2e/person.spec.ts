import type { Page } from '@playwright/test'
import type { Platform } from '../support/platform.ts'
import { deliverAll, expect, goTo, test } from './linnet.ts'

const ANN = 'ann@harbour.example'

/** Ann, a contact with a topic to choose, and an invoice that a program has sent to her. */
const prepare = async ({ ask, inboxAddress }: Platform): Promise<void> => {
  const post = (path: string, body: unknown) => ask(path, { method: 'POST', body })
  await post('/contacts', { email: ANN, first_name: 'Ann', last_name: 'Lee' })
  await post('/topics', { name: 'Tide tables', default_subscription: 'opt_out' })
  await post('/topics', { name: 'Product news', default_subscription: 'opt_in' })
  await post('/emails', { from: inboxAddress, to: ANN, subject: 'Invoice 7', text: 'Due on Friday.' })
}

const subscriptions = async ({ ask }: Platform): Promise<unknown> => {
  const { data } = (await ask(`/contacts/${ANN}/topics`)) as {
    readonly data: readonly { readonly name: string; readonly subscription: string }[]
  }
  return data.find(({ name }) => name === 'Tide tables')?.subscription
}

const panelOf = (page: Page) => page.getByRole('complementary', { name: 'Contact' })

test('beside the conversation stands who wrote: a topic is chosen there and taken back, and all of it is there offline', async ({
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

  const topics = panel.getByRole('list', { name: 'Topics' })
  const tides = topics.getByRole('switch', { name: 'Tide tables' })
  await expect(tides).not.toBeChecked()
  await expect(topics.getByRole('switch', { name: 'Product news' })).toBeChecked()
  await tides.click()
  await expect(tides).toBeChecked()
  await expect(page.getByText('Subscribed Ann Lee to Tide tables.')).toBeVisible()
  await expect.poll(() => subscriptions(platform)).toBe('opt_in')
  await page.keyboard.press('z')
  await expect(tides).not.toBeChecked()
  await expect.poll(() => subscriptions(platform)).toBe('opt_out')

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

  await platform.pause()
  await page.keyboard.press('F5')
  await expect(page.getByRole('status').filter({ hasText: 'Offline' })).toBeVisible()
  await page.reload()
  await goTo(page, `#/inboxes/${platform.inboxId}/inbox`)
  await page.getByRole('option', { name: /The invoice/ }).click()
  await expect(panel.getByRole('heading', { name: 'Ann Lee' })).toBeVisible()
  await expect(panel.getByText(/^Checked/)).toBeVisible()
  await expect(tides).not.toBeChecked()
  await expect(panel.getByRole('list', { name: 'Sent to this person' })).toContainText('Invoice 7')
})
