/** Two people answer one thread: who is second sees it before the message leaves. */
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
const questionIn = (page: Page): Locator => page.getByRole('group', { name: 'Answered elsewhere' })
const countSent = async (platform: Platform): Promise<number> => (await sentOf(platform)).length

/** The only thread, with mail of Ada's, open with a reply that is begun. */
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
    /** A colleague answers, with a client of theirs. */
    answer: (text: string) => ask(`${thread}/emails/${emailId}/reply`, { method: 'POST', body: { text } }),
  }
}

test('asks before a reply is sent to what somebody else has answered, and sends nothing by accident', async ({
  linnet: { page },
  platform,
}) => {
  const { answer } = await begin(page, platform, 'Berth 14 is free.')
  await answer('You can have berth 12.')
  await page.keyboard.press('ControlOrMeta+Enter')
  const question = questionIn(page)
  await expect(question).toContainText(
    /Someone answered from \S+ (just now|\d+ seconds? ago|a minute ago|\d+ minutes? ago) \(/,
  )
  await expect(question).toContainText('You can have berth 12.')
  const look = question.getByRole('button', { name: 'Look at it' })
  await expect(look).toBeFocused()
  await expectAccessible(page, 'the question about an answer from elsewhere')
  await takePictures(page, 'answered-elsewhere-question')
  for (const [width, height] of [
    [1024, 700],
    [320, 640],
  ] as const) {
    await page.setViewportSize({ width, height })
    // A window of the desktop takes its size in its own time.
    await expect.poll(() => layoutFaults(page), `${width}×${height}`).toEqual([])
    await takePictures(page, `answered-elsewhere-question-${width}`)
  }
  await page.setViewportSize({ width: 1440, height: 900 })

  // The key that sends asks again, and Esc goes on writing.
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(look).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(question).toHaveCount(0)
  await expect(formOf(page).getByRole('textbox', { name: 'Message' })).toBeFocused()
  await page.keyboard.type(' Or 15.')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(look).toBeFocused()

  // Enter looks, and sends nothing.
  await page.keyboard.press('Enter')
  const theirs = page.getByRole('article').filter({ hasText: 'You can have berth 12.' })
  await expect(theirs).toBeFocused()
  await expect(theirs).toBeInViewport()
  await expect(question).toHaveCount(0)
  await expect(formOf(page)).toContainText('Berth 14 is free. Or 15.')
  expect(await countSent(platform)).toBe(1)

  // What was looked at is known, and what comes after it is not.
  await answer('And a second one.')
  await formOf(page).getByRole('textbox', { name: 'Message' }).click()
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(question).toContainText('And a second one.')
  await expect(question).not.toContainText('You can have berth 12.')
  await question.getByRole('button', { name: 'Send anyway' }).click()
  await expect(formOf(page)).toHaveCount(0)
  await expect.poll(() => countSent(platform), SENT).toBe(3)
})

test('says so while the reply is written, and before it is scheduled', async ({ linnet: { page }, platform }) => {
  const { answer } = await begin(page, platform, 'Berth 14 is free.')
  await answer('You can have berth 12.')
  // What sync brings is said; it is asked for here, so that nobody waits for its pace.
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
  await expect(question.getByRole('button', { name: 'Look at it' })).toBeFocused()
  expect(await countSent(platform)).toBe(1)
  await question.getByRole('button', { name: 'Schedule anyway' }).click()
  await expect(formOf(page)).toHaveCount(0)
  await expect.poll(() => countSent(platform), SENT).toBe(2)
  expect((await sentOf(platform)).filter(({ last_event }) => last_event === 'scheduled')).toHaveLength(1)
})

test('sends and archives after it was asked, and asks nothing where nobody else has answered', async ({
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

test('is seen in the conversation, where nobody writes', async ({ linnet: { page }, platform }) => {
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

  // Below what is read, where it is long; here it is seen at once.
  await answer('You can have berth 12.')
  await page.keyboard.press('F5')
  await expect(page.getByRole('article').last()).toContainText('You can have berth 12.')
  await expect(page.locator('[data-announcer]')).toHaveText(/^Someone answered from \S+, below\./)
})
