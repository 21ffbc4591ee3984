import type { Locator, Page } from '@playwright/test'
import { sentOf } from '../support/sent-emails.ts'
import { expectAccessible } from './expect-accessible.ts'
import { expect, goTo, SENDING_AT_ONCE, test } from './linnet.ts'

const part = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true })

test.use({ preferences: SENDING_AT_ONCE })

test('shows the remaining quota and asks before a message exceeds it', async ({ linnet: { page }, platform }) => {
  const many = (count: number, name: string): readonly string[] =>
    Array.from({ length: count }, (_none, index) => `${name}${index}@pier.example`)
  for (const [count, name] of [
    [50, 'ann'],
    [48, 'bea'],
  ] as const) {
    await platform.ask('/emails', {
      method: 'POST',
      body: { from: platform.inboxAddress, to: many(count, name), subject: 'Regatta', text: 'It begins at nine.' },
    })
  }
  await goTo(page, '#/settings/usage')
  const usage = part(page, 'Usage')
  await expect(usage).toContainText('98 of 100 messages used, 2 left')
  await expect(usage).toContainText('per second')
  await expect(usage).toContainText('As of just now')
  await expectAccessible(page, 'usage')

  await page.keyboard.press('c')
  const form = page.getByRole('form', { name: 'New message' })
  await form.getByRole('combobox', { name: 'To' }).fill('a@quay.example, b@quay.example, c@quay.example,')
  await form.getByRole('textbox', { name: 'Subject' }).fill('Three berths')
  await form.getByRole('textbox', { name: 'Message' }).click()
  await page.keyboard.type('They are free.')
  await form.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(form).toHaveCount(0)
  const excess = 'This message counts as 3 messages, but you have 2 left today'
  await expect(page.getByText(`“Three berths” has not been sent. ${excess}`)).toBeVisible()
  await goTo(page, '#/outbox')
  const waiting = page.getByRole('region', { name: 'Unsent message' })
  await expect(waiting).toContainText(`Not sent yet: ${excess}`)
  await expectAccessible(page, 'a message over the quota')
  await waiting.getByRole('button', { name: 'Send anyway' }).click()
  await expect
    .poll(async () => (await sentOf(platform)).map(({ subject }) => subject), { timeout: 40_000 })
    .toContain('Three berths')
})

test('creates, renames and deletes an inbox but keeps its local mail', async ({ linnet: { page }, platform }) => {
  await platform.deliver({ from: 'ada@quay.example', subject: 'Berth four', text: 'Is it free?' })
  await page.keyboard.press('F5')
  await expect(page.getByRole('option', { name: /Berth four/ })).toBeVisible()
  await goTo(page, '#/settings/inboxes')
  const inboxes = part(page, 'Inboxes')
  const addressed = platform.inboxAddress
  const domain = addressed.slice(addressed.indexOf('@'))

  await inboxes.getByRole('button', { name: 'New inbox…' }).click()
  const made = page.getByRole('dialog', { name: 'New inbox' })
  await made.getByRole('textbox', { name: 'Address' }).fill('harbour')
  await made.getByRole('button', { name: 'Create inbox' }).click()
  await expect(made).toContainText('Type an email address at your own domain.')
  await made.getByRole('textbox', { name: 'Address' }).fill(`harbour${domain}`)
  await made.getByRole('textbox', { name: 'Sender name' }).fill('The harbour')
  await expectAccessible(page, 'a new inbox')
  await made.getByRole('button', { name: 'Create inbox' }).click()
  await expect(made).toHaveCount(0)
  await expect(inboxes).toContainText('Sends as The harbour')

  await inboxes.getByRole('button', { name: `Edit… harbour${domain}` }).click()
  const edited = page.getByRole('dialog', { name: 'Edit inbox' })
  await expect(edited.getByRole('textbox', { name: 'Sender name' })).toHaveValue('The harbour')
  await edited.getByRole('textbox', { name: 'Name', exact: true }).fill('Harbour master')
  await edited.getByRole('button', { name: 'Save' }).click()
  await expect(inboxes).toContainText('Harbour master')

  await inboxes.getByRole('button', { name: `Delete… ${addressed}` }).click()
  const doomed = page.getByRole('dialog', { name: 'Delete inbox' })
  await expect(doomed.getByRole('button', { name: 'Delete inbox' })).toBeDisabled()
  await expectAccessible(page, 'an inbox that is to be deleted')
  await doomed.getByRole('textbox').fill(addressed)
  await doomed.getByRole('button', { name: 'Delete inbox' }).click()
  await expect(doomed).toHaveCount(0)
  await expect(inboxes).toContainText('No longer on the platform. Its mail is still on this computer.')
  const { data } = (await platform.ask('/inboxes')) as { readonly data: readonly { readonly email_address: string }[] }
  expect(data.map(({ email_address }) => email_address)).toEqual([`harbour${domain}`])
  await goTo(page, `#/inboxes/${platform.inboxId}/inbox`)
  await expect(page.getByRole('option', { name: /Berth four/ })).toBeVisible()
})

test('links to the thread that has waited longest for an answer', async ({ linnet: { page }, platform }) => {
  await platform.deliver({ from: 'ada@quay.example', subject: 'Berth four', text: 'Is it free?' })
  await platform.deliver({ from: 'bea@quay.example', subject: 'Lunch', text: 'At noon?' })
  await page.keyboard.press('F5')
  await expect(page.getByRole('option', { name: /Lunch/ })).toBeVisible()
  await goTo(page, '#/settings/answers')
  const answers = part(page, 'Reply times')
  const link = answers.getByRole('link', { name: 'Berth four' })
  // A thread is listed before its messages arrive, and has no answer times until then.
  await expect(async () => {
    await answers.getByRole('button', { name: 'Calculate reply times' }).click()
    await expect(link).toBeVisible({ timeout: 1_000 })
  }).toPass()
  await expect(answers).toContainText('No replies')
  await expectAccessible(page, 'answer times')
  await link.click()
  await expect(page.getByRole('article').last().getByText('Is it free?')).toBeVisible()
})
