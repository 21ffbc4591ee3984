import type { Page } from '@playwright/test'
import type { Platform } from '../support/platform.ts'
import { expectAccessible } from './expect-accessible.ts'
import { expect, goTo, SENDING_AT_ONCE, test } from './linnet.ts'

/** Sending takes several requests, and the machine may be busy. */
const SENT = { timeout: 60_000 }

test.use({ preferences: SENDING_AT_ONCE })

/** Sends to one of the platform's test addresses, which decides the delivery status, and opens the sent message. */
const sendTo = async (page: Page, { ask, inboxId }: Platform, address: string, subject: string): Promise<void> => {
  await expect(page.getByRole('button', { name: 'New message' })).toBeEnabled()
  await page.keyboard.press('c')
  const message = page.getByRole('form', { name: 'New message' })
  await message.getByRole('combobox', { name: 'To', exact: true }).fill(address)
  await message.getByRole('textbox', { name: 'Subject' }).fill(subject)
  await message.getByRole('textbox', { name: 'Message' }).click()
  await page.keyboard.type('Two of them, please.')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(message).toHaveCount(0)
  const threadId = async (): Promise<string> => {
    const { data } = (await ask(`/inboxes/${inboxId}/threads?folders=sent`)) as {
      readonly data: readonly { readonly id: string; readonly subject: string | null }[]
    }
    return data.find((thread) => thread.subject === subject)?.id ?? ''
  }
  await expect.poll(threadId, SENT).not.toBe('')
  await goTo(page, `#/inboxes/${inboxId}/sent/threads/${await threadId()}`)
}

test('shows the delivery status of a sent message in its conversation', async ({ linnet: { page }, platform }) => {
  await test.step('an open message shows that it was delivered', async () => {
    await sendTo(page, platform, 'delivered@resend.dev', 'Anchors')
    const delivery = page.getByRole('article').last().getByRole('note', { name: 'Delivery' })
    await expect(delivery).toHaveText('Delivered', SENT)
    await expect(page.getByRole('list', { name: 'Problems' })).toHaveCount(0)
    await expectAccessible(page, 'a message that arrived')
  })

  await test.step('a bounced message shows the reason, also offline, and notifies the sender', async () => {
    await sendTo(page, platform, 'bounced@resend.dev', 'Ropes')
    const article = page.getByRole('article').last()
    const delivery = article.getByRole('note', { name: 'Delivery' })
    await expect(delivery).toContainText('Bounced: the recipient’s server rejected the message', SENT)
    const problems = page.getByRole('list', { name: 'Problems' })
    await expect(problems).toContainText('“Ropes” to bounced@resend.dev was not delivered', SENT)
    await expectAccessible(page, 'a message that bounced')

    await article.getByRole('button', { expanded: true }).first().click()
    await expect(delivery).toBeHidden()
    await expect(article.getByText('Bounced', { exact: true })).toBeVisible()

    await platform.pause()
    await page.reload()
    await expect(delivery).toContainText('Bounced: the recipient’s server rejected the message')
    await problems.getByRole('button', { name: 'Dismiss' }).click()
    await expect(problems).toHaveCount(0)
  })
})
