import type { Locator, Page } from '@playwright/test'
import type { Platform } from '../support/platform.ts'
import { sentOf } from '../support/sent-emails.ts'
import { expectAccessible } from './expect-accessible.ts'
import { layoutFaults } from './layout-faults.ts'
import { expect, SENDING_AT_ONCE, test } from './linnet.ts'
import { takePictures } from './take-pictures.ts'

test.use({ preferences: SENDING_AT_ONCE, platformSwitches: ['--faults'] })

const SENT = { timeout: 60_000 }

const formOf = (page: Page): Locator => page.getByRole('form', { name: 'Reply' })
const noteIn = (page: Page): Locator => page.getByRole('group', { name: 'Not sent yet' })
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

test('holds a reply to what someone else has answered', async ({ linnet: { page }, platform }) => {
  const { answer } = await begin(page, platform, 'Berth 14 is free.')
  await answer('You can have berth 12.')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(formOf(page)).toHaveCount(0)
  const note = noteIn(page)
  await expect(note).toContainText(
    /Someone replied from \S+ (just now|\d+ seconds? ago|a minute ago|\d+ minutes? ago) \(/,
  )
  await expect(note).toContainText('You can have berth 12.')
  await expect(page.getByText('“Re: Berths” has not been sent.')).toBeVisible()
  await expectAccessible(page, 'a reply that waits for consent')
  await takePictures(page, 'answered-elsewhere-note-held')
  for (const [width, height] of [
    [1024, 700],
    [320, 640],
  ] as const) {
    await page.setViewportSize({ width, height })
    // A desktop window resizes asynchronously.
    await expect.poll(() => layoutFaults(page), `${width}×${height}`).toEqual([])
    await takePictures(page, `answered-elsewhere-held-${width}`)
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  expect(await countSent(platform)).toBe(1)

  // Opened again, it has its text and the caret, and can be changed.
  await note.getByRole('button', { name: 'Open' }).click()
  await expect(formOf(page).getByRole('textbox', { name: 'Message' })).toBeFocused()
  await page.keyboard.type(' Or 15.')
  await expect(formOf(page)).toContainText('Berth 14 is free. Or 15.')

  // A reply objects once; a later one objects again.
  await answer('And a second one.')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(note).toContainText('And a second one.')
  await expect(note).not.toContainText('You can have berth 12.')
  await note.getByRole('button', { name: 'Send anyway' }).click()
  await expect.poll(() => countSent(platform), SENT).toBe(3)
  await expect(note).toHaveCount(0)
  expect((await sentOf(platform)).filter(({ text }) => text?.includes('Berth 14 is free. Or 15.'))).toHaveLength(1)
})

test('notes another answer while writing, and sends after it was looked at', async ({ linnet: { page }, platform }) => {
  const { answer } = await begin(page, platform, 'Berth 14 is free.')
  await answer('You can have berth 12.')
  // The note appears after a sync. F5 starts one right away.
  await page.keyboard.press('F5')
  const written = formOf(page).getByRole('status').filter({ hasText: 'while you were writing.' })
  await expect(written).toBeVisible()
  await expectAccessible(page, 'a reply beside which another one was sent')
  await takePictures(page, 'answered-elsewhere-note')
  await formOf(page).getByRole('button', { name: 'Show reply' }).click()
  await expect(page.getByRole('article').filter({ hasText: 'You can have berth 12.' })).toBeFocused()
  await formOf(page).getByRole('textbox', { name: 'Message' }).click()
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect.poll(() => countSent(platform), SENT).toBe(2)
  await expect(noteIn(page)).toHaveCount(0)
})

test('shows another answer in the conversation when no reply is open', async ({ linnet: { page }, platform }) => {
  const { answer, threadId, emailId } = await begin(page, platform, '')
  await page.keyboard.press('Escape')
  await expect(formOf(page)).toHaveCount(0)
  const { ask, inboxId } = platform
  const place = { thread_id: threadId, reply_to_email_id: emailId }
  await ask(`/inboxes/${inboxId}/drafts`, { method: 'POST', body: { ...place, text: 'You can have' } })
  await page.getByRole('link', { name: /^Drafts/ }).click()
  await expect(page.getByRole('region', { name: 'Draft', exact: true }).getByText('You can have')).toBeVisible()
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

test('lets a message go at the key press and gives the next keys to the list', async ({
  linnet: { page },
  platform,
}) => {
  /** Key, the platform's distance, and the time between the send key and the key, both in milliseconds. */
  const courses = [
    ['j', 1_500, 0],
    ['r', 1_500, 0],
    ['Escape', 1_500, 120],
    ['r', 350, 250],
    ['e', 350, 450],
    ['j', 0, 30],
  ] as const
  for (const name of ['below', ...courses.keys()]) {
    await platform.deliver({ from: 'Ada Ferro <ada@quay.example>', subject: `Berth ${name}.`, text: 'Is it free?' })
    await page.keyboard.press('F5')
    await page.getByRole('option', { name: new RegExp(`Berth ${name}\\.`) }).waitFor()
  }
  const heading = page.getByRole('region', { name: 'Thread', exact: true }).getByRole('heading', { level: 1 })
  for (const [place, [key, distance, pause]] of courses.entries()) {
    const row = page.getByRole('option', { name: new RegExp(`Berth ${place}\\.`) })
    await row.click()
    await expect(heading).toHaveText(`Berth ${place}.`)
    await page.keyboard.press('r')
    await expect(formOf(page).getByRole('textbox', { name: 'Message' })).toBeFocused()
    await page.keyboard.type(`Note ${place}.`)
    const faults = distance === 0 ? [] : [{ kind: 'delay', path: '/', delay_ms: distance, times: 1_000 }]
    await platform.ask('/_control/faults', { method: 'PUT', body: { faults } })
    await page.keyboard.press('ControlOrMeta+Enter')
    await page.waitForTimeout(pause)
    await page.keyboard.press(key)
    if (key === 'j') await expect(heading).not.toHaveText(`Berth ${place}.`)
    if (key === 'Escape') await expect(heading).toHaveText('No thread is open')
    if (key === 'e') await expect(row).toHaveCount(0)
    if (key === 'r') {
      // Begins another reply and doesn't open the one that is being sent.
      await expect(formOf(page).getByRole('textbox', { name: 'Message' })).toBeFocused()
      await expect(formOf(page)).not.toContainText('Note')
      await page.keyboard.press('Escape')
    }
    await expect(formOf(page)).toHaveCount(0)
    await platform.ask('/_control/faults', { method: 'PUT', body: { faults: [] } })
    await expect.poll(() => countSent(platform), SENT).toBe(place + 1)
    // The answered thread moves to the top.
    if (key !== 'e') await expect(page.getByRole('option').first()).toContainText(`Berth ${place}.`)
  }
  const words = (await sentOf(platform)).map(({ text }) => text?.split('\n')[0])
  expect(words).toEqual(courses.map((_, place) => `Note ${place}.`).toReversed())
})

test('shows what others did about a reply in one banner', async ({ linnet: { page }, platform }) => {
  const { answer } = await begin(page, platform, 'Berth 14 is free.')
  const { ask, inboxId } = platform
  const drafts = `/inboxes/${inboxId}/drafts`
  const stored = async () => ((await ask(drafts)) as { readonly data: readonly { id: string }[] }).data
  await expect.poll(async () => (await stored()).length, SENT).toBe(1)
  const [draft] = await stored()
  await ask(`${drafts}/${draft?.id ?? ''}`, { method: 'PATCH', body: { html: null, text: 'Written by a colleague.' } })
  await answer('You can have berth 12.')
  await page.keyboard.press('F5')
  // The platform's version is read before the next one is saved.
  await page.keyboard.type(' Or 15.')
  const banner = formOf(page).getByRole('status').filter({ hasText: 'changed elsewhere' })
  await expect(banner).toContainText('Written by a colleague.')
  await expect(banner).toContainText('Someone replied from')
  await expectAccessible(page, 'a reply that others changed and answered')
  await takePictures(page, 'answered-elsewhere-banner')
  await page.setViewportSize({ width: 1024, height: 700 })
  await expect.poll(() => layoutFaults(page)).toEqual([])
  await takePictures(page, 'answered-elsewhere-banner-1024')
  await page.setViewportSize({ width: 1440, height: 900 })

  // Nothing is sent before the user has chosen.
  await formOf(page).getByRole('textbox', { name: 'Message' }).click()
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(formOf(page).getByText('Choose a version, then send it.')).toBeVisible()
  await formOf(page).getByRole('button', { name: 'Keep mine' }).click()
  await expect(formOf(page).getByText('changed elsewhere')).toHaveCount(0)
  await expect(formOf(page)).toContainText('Berth 14 is free. Or 15.')
  await expect.poll(async () => JSON.stringify(await ask(`${drafts}/${draft?.id ?? ''}`)), SENT).toContain('Or 15.')
  expect(await countSent(platform)).toBe(1)
})
