/** Labels: put on threads by the picker, kept in the side bar, looked through in lists of their own. */
import type { Locator, Page } from '@playwright/test'
import type { Platform } from '../support/platform.ts'
import { expectAccessible } from './expect-accessible.ts'
import { expect, test } from './linnet.ts'

const SUBJECTS = ['Gull on the antenna', 'Fog until noon', 'Fresh paint on the rail']

const threads = (page: Page): Locator => page.getByRole('listbox', { name: 'Threads' })
const row = (page: Page, subject: string): Locator => threads(page).getByRole('option', { name: new RegExp(subject) })
const picker = (page: Page): Locator => page.getByRole('dialog', { name: 'Labels' })
const field = (page: Page): Locator => picker(page).getByRole('combobox', { name: 'Find or create a label' })
const choices = (page: Page): Locator => picker(page).getByRole('listbox', { name: 'Labels' }).getByRole('option')
const notices = (page: Page): Locator => page.locator('.toasts')

/** The labels of each thread, by subject, as the platform itself has them. */
const labelsOnPlatform = async (platform: Platform): Promise<Record<string, readonly string[]>> => {
  const { data } = (await platform.ask(`/inboxes/${platform.inboxId}/threads`)) as {
    data: { subject: string; labels: { name: string }[] }[]
  }
  return Object.fromEntries(data.map(({ subject, labels }) => [subject, labels.map(({ name }) => name).toSorted()]))
}
const makeOnPlatform = async (platform: Platform, ...names: readonly string[]): Promise<void> => {
  for (const name of names) {
    await platform.ask(`/inboxes/${platform.inboxId}/labels`, { method: 'POST', body: { name, color: '#12A594' } })
  }
}

const expectFocusSomewhere = async (page: Page): Promise<void> => {
  await expect.poll(() => page.evaluate(() => document.activeElement !== document.body)).toBe(true)
}

test.beforeEach(async ({ linnet, platform }) => {
  for (const subject of SUBJECTS) await platform.deliver({ from: 'pier@harbour.example', subject, text: subject })
  await linnet.page.keyboard.press('F5')
  await expect(threads(linnet.page).getByRole('option')).toHaveCount(SUBJECTS.length)
})

test('l labels a thread by the keyboard alone, offline, several at once and a new one, and z takes all of it back', async ({
  linnet,
  platform,
}) => {
  const { page } = linnet
  await makeOnPlatform(platform, 'Harbour', 'Weather')
  await page.keyboard.press('F5')
  await expect(page.getByRole('link', { name: 'Weather' })).toBeVisible()
  await threads(page).focus()
  await page.keyboard.press('l')
  await expect(field(page)).toBeFocused()
  await expect(choices(page)).toHaveText([/Harbour/, /Weather/])
  await expectAccessible(page, 'the picker of labels')
  await page.keyboard.type('wea')
  await expect(choices(page)).toHaveText([/Weather/, /Create “wea”/])
  await page.keyboard.press('Enter')
  await expect(picker(page)).toHaveCount(0)
  await expect(threads(page)).toBeFocused()
  await expect(row(page, 'Fresh paint')).toHaveAccessibleName(/Weather/)
  await expect(notices(page)).toContainText('Label “Weather” added.')
  await expect.poll(async () => (await labelsOnPlatform(platform))['Fresh paint on the rail']).toEqual(['Weather'])

  await platform.pause()
  await page.keyboard.press('l')
  await expect(choices(page).first()).toHaveAccessibleName('Weather')
  await expect(choices(page).first()).toBeChecked()
  await page.keyboard.press(' ')
  await expect(choices(page).first()).not.toBeChecked()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press(' ')
  await page.keyboard.type('Quay 7')
  await expect(choices(page)).toHaveText([/Create “Quay 7”/])
  await page.keyboard.press('Enter')
  await expect(picker(page)).toHaveCount(0)
  await expect(notices(page)).toContainText('Labels “Harbour” and “Quay 7” added, label “Weather” removed.')
  await expect(row(page, 'Fresh paint')).toHaveAccessibleName(/Harbour.*Quay 7/)
  await expect(page.getByRole('link', { name: 'Quay 7' })).toBeVisible()
  await page.keyboard.press('z')
  await expect(row(page, 'Fresh paint')).toHaveAccessibleName(/Weather/)
  await expect(page.getByRole('link', { name: 'Quay 7' })).toHaveCount(0)
  await page.keyboard.press('Control+Shift+z')
  await expect(row(page, 'Fresh paint')).toHaveAccessibleName(/Harbour.*Quay 7/)

  // Closed without a word, nothing is changed.
  await page.keyboard.press('l')
  await page.keyboard.press(' ')
  await page.keyboard.press('Escape')
  await expect(picker(page)).toHaveCount(0)
  await expect(threads(page)).toBeFocused()
  await platform.resume()
  await expect
    .poll(async () => (await labelsOnPlatform(platform))['Fresh paint on the rail'], { timeout: 60_000 })
    .toEqual(['Harbour', 'Quay 7'])
  await expectFocusSomewhere(page)
})
