import type { Locator, Page } from '@playwright/test'
import type { Platform } from '../support/platform.ts'
import { sentOf } from '../support/sent-emails.ts'
import { expectAccessible } from './expect-accessible.ts'
import { layoutFaults } from './layout-faults.ts'
import { expect, SENDING_AT_ONCE, test } from './linnet.ts'
import { takePictures } from './take-pictures.ts'

test.use({ preferences: SENDING_AT_ONCE })

const SENT = { timeout: 60_000 }

const formOf = (page: Page): Locator => page.getByRole('form', { name: 'Reply' })
const questionIn = (page: Page): Locator => page.getByRole('group', { name: 'Replied elsewhere' })
const countSent = async (platform: Platform): Promise<number> => (await sentOf(platform)).length

/** Opens the only thread, with mail from Ada, and starts a reply. */
const begin = async (page: Page, platform: Platform, words: string) => {
  await platform.deliver({ from: 'Ada Ferro <ada@quay.example>', subject: 'Berths', text: 'Which one is free?' })
  await page.keyboard.press('F5')
  await page.getByRole('option', { name: /Berths/ }).click()
  await expect(page.getByRole('article').last().getByText('Which one is free?')).toBeVisible()
  await page.keyboard.press('r')
  await expect(formOf(page).getByRole('textbox', { name: 'Message' })).toBeFocused()
  if (words !== '') {
    await page.keyboard.type(words)
    await expect(formOf(page).getByText('Draft saved')).toBeVisible()
  }
  const { ask, inboxId } = platform
  const { data: threads } = (await ask(`/inboxes/${inboxId}/threads`)) as { readonly data: readonly { id: string }[] }
  const thread = `/inboxes/${inboxId}/threads/${threads[0]?.id ?? ''}`
  const { data: emails } = (await ask(`${thread}/emails`)) as { readonly data: readonly { id: string }[] }
  const emailId = emails[0]?.id ?? ''
  return {
    ...{ threadId: threads[0]?.id ?? '', emailId },
    answer: (text: string) => ask(`${thread}/emails/${emailId}/reply`, { method: 'POST', body: { text } }),
  }
}

test('asks before sending a reply to what someone else has answered', async ({ linnet: { page }, platform }) => {
  const { answer } = await begin(page, platform, 'Berth 14 is free.')
  await answer('You can have berth 12.')
  await page.keyboard.press('ControlOrMeta+Enter')
  const question = questionIn(page)
  await expect(question).toContainText(
    /Someone replied from \S+ (just now|\d+ seconds? ago|a minute ago|\d+ minutes? ago) \(/,
  )
  await expect(question).toContainText('You can have berth 12.')
  const look = question.getByRole('button', { name: 'Read reply first' })
  await expect(look).toBeFocused()
  await expectAccessible(page, 'the question about an answer from elsewhere')
  await takePictures(page, 'answered-elsewhere-question')
  for (const [width, height] of [
    [1024, 700],
    [320, 640],
  ] as const) {
    await page.setViewportSize({ width, height })
    // A desktop window resizes asynchronously.
    await expect.poll(() => layoutFaults(page), `${width}×${height}`).toEqual([])
    await takePictures(page, `answered-elsewhere-question-${width}`)
  }
  await page.setViewportSize({ width: 1440, height: 900 })

  // The send key asks again; Esc returns to the message.
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(look).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(question).toHaveCount(0)
  await expect(formOf(page).getByRole('textbox', { name: 'Message' })).toBeFocused()
  await page.keyboard.type(' Or 15.')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(look).toBeFocused()

  // Enter shows the other reply and sends nothing.
  await page.keyboard.press('Enter')
  const theirs = page.getByRole('article').filter({ hasText: 'You can have berth 12.' })
  await expect(theirs).toBeFocused()
  await expect(theirs).toBeInViewport()
  await expect(question).toHaveCount(0)
  await expect(formOf(page)).toContainText('Berth 14 is free. Or 15.')
  expect(await countSent(platform)).toBe(1)

  // A reply that was viewed isn't shown again; a later one is.
  await answer('And a second one.')
  await formOf(page).getByRole('textbox', { name: 'Message' }).click()
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(question).toContainText('And a second one.')
  await expect(question).not.toContainText('You can have berth 12.')
  await question.getByRole('button', { name: 'Send anyway' }).click()
  await expect(formOf(page)).toHaveCount(0)
  await expect.poll(() => countSent(platform), SENT).toBe(3)
})

test('notes another answer while writing and before scheduling', async ({ linnet: { page }, platform }) => {
  const { answer } = await begin(page, platform, 'Berth 14 is free.')
  await answer('You can have berth 12.')
  // The note appears after a sync. F5 starts one right away.
  await page.keyboard.press('F5')
  const note = formOf(page).getByRole('status').filter({ hasText: 'while you were writing.' })
  await expect(note).toBeVisible()
  await expectAccessible(page, 'a reply beside which another one was sent')
  await takePictures(page, 'answered-elsewhere-note')
  await formOf(page).getByRole('button', { name: 'Schedule' }).click()
  const dialog = page.getByRole('dialog', { name: 'Send later' })
  await dialog.getByRole('textbox', { name: 'Or at' }).fill('in 3 days')
  await page.keyboard.press('Enter')
  const question = questionIn(page)
  await expect(question.getByRole('button', { name: 'Read reply first' })).toBeFocused()
  expect(await countSent(platform)).toBe(1)
  await question.getByRole('button', { name: 'Schedule anyway' }).click()
  await expect(formOf(page)).toHaveCount(0)
  await expect.poll(() => countSent(platform), SENT).toBe(2)
  expect((await sentOf(platform)).filter(({ last_event }) => last_event === 'scheduled')).toHaveLength(1)
})

test('sends and archives after confirmation, and asks only if someone else answered', async ({
  linnet: { page },
  platform,
}) => {
  const { answer } = await begin(page, platform, 'Berth 14 is free.')
  await answer('You can have berth 12.')
  await page.keyboard.press('ControlOrMeta+Shift+Enter')
  await questionIn(page).getByRole('button', { name: 'Send anyway' }).click()
  await expect.poll(() => countSent(platform), SENT).toBe(2)
  await expect(page.getByRole('option', { name: /Berths/ })).toHaveCount(0)

  await platform.deliver({ from: 'Ben <ben@pier.example>', subject: 'Ropes', text: 'How many?' })
  await page.keyboard.press('F5')
  await page.getByRole('option', { name: /Ropes/ }).click()
  await expect(page.getByRole('article').last().getByText('How many?')).toBeVisible()
  await page.keyboard.press('r')
  await expect(formOf(page).getByRole('textbox', { name: 'Message' })).toBeFocused()
  await page.keyboard.type('Two of them.')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(formOf(page)).toHaveCount(0)
  await expect.poll(() => countSent(platform), SENT).toBe(3)
})

test('shows another answer in the conversation when no reply is open', async ({ linnet: { page }, platform }) => {
  const { answer, threadId, emailId } = await begin(page, platform, '')
  await page.keyboard.press('Escape')
  await expect(formOf(page)).toHaveCount(0)
  const { ask, inboxId } = platform
  const place = { thread_id: threadId, reply_to_email_id: emailId }
  await ask(`/inboxes/${inboxId}/drafts`, { method: 'POST', body: { ...place, text: 'You can have' } })
  await page.getByRole('link', { name: /^Drafts/ }).click()
  await expect(page.getByRole('main').getByText('You can have')).toBeVisible()
  await page.goBack()
  const draft = page.getByRole('group', { name: 'Draft' })
  await expect(draft).toContainText(/Someone else’s draft\s+changed (just now|\d+ minutes? ago)/)
  await takePictures(page, 'answered-elsewhere-draft')

  // In a long conversation the reply is below the visible part; here it is visible immediately.
  await answer('You can have berth 12.')
  await page.keyboard.press('F5')
  await expect(page.getByRole('article').last()).toContainText('You can have berth 12.')
  await expect(page.locator('[data-announcer]')).toHaveText(/^Someone replied from \S+, below\./)
})
