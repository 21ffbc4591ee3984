/** Several composers at once: beside each other, as tabs, open again after a restart; and files that are dropped on one. */
import type { Locator, Page } from '@playwright/test'
import { sentOf } from '../support/sent-emails.ts'
import { deliverAll, expect, goTo, SENDING_AT_ONCE, test } from './linnet.ts'

test.use({ preferences: SENDING_AT_ONCE })

const form = (page: Page, name: 'New message' | 'Reply'): Locator => page.getByRole('form', { name })
const wordsOf = (composer: Locator): Locator => composer.getByRole('textbox', { name: 'Message' })
const tabs = (page: Page): Locator =>
  page.getByRole('list', { name: 'Drafts that are open' }).getByRole('button', { name: /^(?!Close)/ })

const beginMessage = async (page: Page, to: string, subject: string): Promise<void> => {
  await page.getByRole('button', { name: 'New message' }).click()
  const message = form(page, 'New message')
  await expect(message.getByRole('combobox', { name: 'To', exact: true })).toBeFocused()
  await page.keyboard.type(`${to},`)
  await message.getByRole('textbox', { name: 'Subject' }).fill(subject)
  await wordsOf(message).click()
}

test('an answer and messages are written beside each other, are open again after a restart, and go out each with its own words', async ({
  launch,
  platform,
  dataDirectory,
}) => {
  const env = { LINNET_BASE_URL: platform.baseUrl, LINNET_API_KEY: platform.apiKey }
  const first = await launch({ dataDirectory, env })
  await first.page.setViewportSize({ width: 1440, height: 900 })
  await deliverAll(first.page, platform, [{ from: 'Ada <ada@quay.example>', subject: 'Berth four', text: 'Free?' }])
  await first.page.keyboard.press('Enter')
  await expect(first.page.getByRole('article').last().getByText('Free?')).toBeVisible()
  await first.page.keyboard.press('r')
  await expect(wordsOf(form(first.page, 'Reply'))).toBeFocused()
  await first.page.keyboard.type('It is free.')

  await beginMessage(first.page, 'ben@pier.example', 'Ropes')
  await first.page.keyboard.type('Two of them.')
  await first.page.getByRole('button', { name: 'Minimise' }).last().click()
  await expect(tabs(first.page)).toHaveText(['Ropes'])
  await beginMessage(first.page, 'cleo@pier.example', 'Paint')
  await first.page.keyboard.type('A can of it.')
  // Both are on the screen: each takes its own.
  await wordsOf(form(first.page, 'Reply')).press('ControlOrMeta+End')
  await first.page.keyboard.type(' From noon on.')
  await expect(wordsOf(form(first.page, 'New message'))).toHaveText('A can of it.')
  for (const name of ['Reply', 'New message'] as const) {
    await expect(form(first.page, name).getByText('Draft saved')).toBeVisible()
  }
  await first.close()

  const { page } = await launch({ dataDirectory, env })
  await page.setViewportSize({ width: 1440, height: 900 })
  const message = form(page, 'New message')
  await expect(wordsOf(message)).toHaveText('A can of it.')
  // Nobody has asked for it: keys go to the list.
  await expect(wordsOf(message)).not.toBeFocused()
  await page.reload()
  await expect(wordsOf(message)).toHaveText('A can of it.')
  await expect(tabs(page)).toHaveText(['Re: Berth four', 'Ropes'])
  await goTo(page, `#/inboxes/${platform.inboxId}/inbox`)
  await page.getByRole('option', { name: /Berth four/ }).click()
  await expect(wordsOf(form(page, 'Reply'))).toContainText('It is free. From noon on.')
  await expect(tabs(page)).toHaveText(['Ropes'])

  await wordsOf(message).press('ControlOrMeta+Enter')
  await expect(message).toHaveCount(0)
  await tabs(page).click()
  await expect(wordsOf(message)).toHaveText('Two of them.')
  await wordsOf(message).press('ControlOrMeta+Enter')
  await expect(message).toHaveCount(0)
  await wordsOf(form(page, 'Reply')).press('ControlOrMeta+Enter')
  await expect(form(page, 'Reply')).toHaveCount(0)
  await expect
    .poll(async () => (await sentOf(platform)).map(({ subject }) => subject).toSorted(), { timeout: 60_000 })
    .toEqual(['Paint', 'Re: Berth four', 'Ropes'])
  const sent = await sentOf(platform)
  const words = (subject: string): string => sent.find((each) => each.subject === subject)?.text ?? ''
  expect(words('Paint')).toContain('A can of it.')
  expect(words('Ropes')).toContain('Two of them.')
  expect(words('Re: Berth four')).toContain('It is free. From noon on.')

  // What was sent is not open again.
  await page.reload()
  await expect(page.getByRole('listbox', { name: 'Threads' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Writing' })).toHaveCount(0)
})
