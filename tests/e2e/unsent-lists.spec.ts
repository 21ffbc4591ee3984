import type { Locator, Page } from '@playwright/test'
import type { Platform } from '../support/platform.ts'
import { sentOf } from '../support/sent-emails.ts'
import { expectAccessible } from './expect-accessible.ts'
import { layoutFaults } from './layout-faults.ts'
import { expect, goTo, SENDING_AT_ONCE, test } from './linnet.ts'

test.use({ preferences: SENDING_AT_ONCE })

const form = (page: Page): Locator => page.getByRole('form', { name: 'New message' })
const list = (page: Page, name: string): Locator => page.getByRole('listbox', { name, exact: true })
const pane = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true })
const hashOf = (page: Page): Promise<string> => page.evaluate(() => location.hash)

const write = async (page: Page, subject: string, words: string): Promise<Locator> => {
  await expect(page.getByRole('button', { name: 'New message' })).toBeEnabled()
  await page.keyboard.press('c')
  const message = form(page)
  await message.getByRole('combobox', { name: 'To', exact: true }).fill('ben@pier.example')
  await message.getByRole('textbox', { name: 'Subject' }).fill(subject)
  await message.getByRole('textbox', { name: 'Message' }).click()
  await page.keyboard.type(words)
  await expect(message.getByText('Draft saved')).toBeVisible()
  return message
}

const putAway = async (page: Page, subject: string): Promise<void> => {
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: `Close draft “${subject}”` }).click()
  await expect(form(page)).toHaveCount(0)
  // Move the pointer away, so no tooltip opens for whatever appears under it.
  await page.mouse.move(0, 0)
}

const readDrafts = async (page: Page): Promise<void> => {
  for (const [subject, words] of [
    ['Ropes', 'Two of them.'],
    ['Paint', 'A can of it.'],
  ] as const) {
    await write(page, subject, words)
    await putAway(page, subject)
  }
  for (const key of ['g', 'd']) await page.keyboard.press(key)
  const draft = pane(page, 'Draft')
  await test.step('by keys: arrows show a draft, and Enter continues it beside the list', async () => {
    await expect(draft).toContainText('A can of it.')
    await expectAccessible(page, 'a list of drafts with a preview')
    await page.keyboard.press('ArrowDown')
    await expect(draft).toContainText('Two of them.')
    await page.keyboard.press('Enter')
    const words = form(page).getByRole('textbox', { name: 'Message' })
    await expect(words).toBeFocused()
    await page.keyboard.press('ControlOrMeta+End')
    await page.keyboard.type(' Or three.')
    await expect(form(page).getByText('Draft saved')).toBeVisible()
    await expectAccessible(page, 'a draft in the composer beside its list')
    await page.keyboard.press('Escape')
    await expect(draft).toContainText('Two of them. Or three.')
    await expect(list(page, 'Drafts')).toBeFocused()
  })
  await test.step('by pointer: a click opens a draft, and Back leads to the list', async () => {
    await list(page, 'Drafts').getByRole('option', { name: /Paint/ }).click()
    await expect(draft).toContainText('A can of it.')
    await expect.poll(() => hashOf(page)).toMatch(/#\/drafts\/.+/)
    await page.reload()
    await expect(draft).toContainText('A can of it.')
    await draft.getByRole('button', { name: 'Close' }).click()
    await expect.poll(() => hashOf(page)).toMatch(/#\/drafts$/)
    await list(page, 'Drafts').getByRole('option', { name: /Ropes/ }).click()
    await draft.getByRole('button', { name: 'Discard' }).click()
    await expect(draft).toContainText('A can of it.')
    await expect(list(page, 'Drafts').getByRole('option')).toHaveCount(1)
  })
}

const followScheduled = async (page: Page, platform: Platform): Promise<void> => {
  const message = await write(page, 'Tide table', 'For next week.')
  await message.getByRole('button', { name: 'Schedule' }).click()
  await page.keyboard.type('in 3 days')
  await page.keyboard.press('Enter')
  await expect(message).toHaveCount(0)
  for (const key of ['g', 'l']) await page.keyboard.press(key)
  const shown = pane(page, 'Scheduled message')
  await expect(shown).toContainText('For next week.')
  await list(page, 'Scheduled')
    .getByRole('option', { name: /Tide table/ })
    .click()
  await page.reload()
  await expect(shown).toContainText('For next week.')
  for (const [width, height] of [
    [1024, 700],
    [450, 600],
  ] as const) {
    await page.setViewportSize({ width, height })
    await expect.poll(() => layoutFaults(page), `${width}×${height}`).toEqual([])
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  await shown.getByRole('button', { name: 'Send now' }).click()
  await expect(page.getByText('Nothing scheduled')).toBeVisible()
  await expect
    .poll(async () => (await sentOf(platform)).map(({ last_event }) => last_event), { timeout: 60_000 })
    .toEqual(expect.arrayContaining(['canceled', expect.stringMatching(/^(?!canceled|scheduled)/)]))
  await expectAccessible(page, 'an empty list of scheduled messages')
}

const followOutbox = async (page: Page, platform: Platform): Promise<void> => {
  await platform.pause()
  await page.keyboard.press('F5')
  await expect(page.getByRole('status').getByText('Offline')).toBeVisible()
  const message = await write(page, 'Low water', 'At two.')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(message).toHaveCount(0)
  for (const key of ['g', 'o']) await page.keyboard.press(key)
  await list(page, 'Outbox')
    .getByRole('option', { name: /Low water/ })
    .click()
  const shown = pane(page, 'Unsent message')
  await expect(shown).toContainText('Waiting for a connection')
  await expect(shown).toContainText('At two.')
  const address = await hashOf(page)
  // The message is sent while it is open.
  await platform.resume()
  await expect(page.getByText('Nothing to send')).toBeVisible({ timeout: 60_000 })
  await expect.poll(() => hashOf(page)).toMatch(/#\/outbox$/)
  await goTo(page, address)
  await expect(page.getByRole('heading', { name: 'This message is no longer in Outbox' })).toBeAttached()
  await expectAccessible(page, 'a message that is no longer in the outbox')
  await page.getByRole('button', { name: 'Back to the list' }).click()
  await expect(page.getByText('Nothing to send')).toBeVisible()
}

test('reads and handles unsent messages beside their lists', async ({ linnet: { page }, platform }) => {
  await readDrafts(page)
  await test.step('a scheduled message is shown and sent now', () => followScheduled(page, platform))
  await test.step('a message that is sent while open leaves the outbox', () => followOutbox(page, platform))
})
