import type { Locator, Page } from '@playwright/test'
import type { Platform } from '../support/platform.ts'
import type { Stage } from '../support/screens.ts'
import { expectAccessible } from './expect-accessible.ts'
import { deliverAll, expect, goTo, keptPreferences, makeLabels, test, threadsOn } from './linnet.ts'

const SUBJECTS = ['Gull on the antenna', 'Fog until noon', 'Fresh paint on the rail']

const threads = (page: Page): Locator => page.getByRole('listbox', { name: 'Threads' })
const row = (page: Page, subject: string): Locator => threads(page).getByRole('option', { name: new RegExp(subject) })
const picker = (page: Page): Locator => page.getByRole('dialog', { name: 'Labels' })
const field = (page: Page): Locator => picker(page).getByRole('combobox', { name: 'Find or create a label' })
const choices = (page: Page): Locator => picker(page).getByRole('listbox', { name: 'Labels' }).getByRole('option')
const notices = (page: Page): Locator => page.locator('.toasts')

const labelsOnPlatform = async (platform: Platform): Promise<Record<string, readonly string[]>> => {
  const data = await threadsOn(platform)
  return Object.fromEntries(data.map(({ subject, labels }) => [subject, labels.map(({ name }) => name).toSorted()]))
}

const links = (page: Page): Locator => page.getByRole('list', { name: 'Labels' }).getByRole('link')
const nameField = (page: Page): Locator => page.getByRole('dialog').getByRole('textbox', { name: 'Name' })

const expectFocusSomewhere = async (page: Page): Promise<void> => {
  await expect.poll(() => page.evaluate(() => document.activeElement !== document.body)).toBe(true)
}

const keepLabels = async ({ page, platform }: Stage): Promise<void> => {
  await page.getByRole('button', { name: 'New label' }).press('Enter')
  await expect(nameField(page)).toBeFocused()
  await page.keyboard.type('Harbour')
  await page.keyboard.press('Enter')
  await expect(links(page)).toHaveText([/Harbour/])
  await expect(page.getByRole('button', { name: 'New label' })).toBeFocused()

  await platform.pause()
  await page.keyboard.press('Enter')
  await page.keyboard.type('Harbour')
  await expect(nameField(page)).toHaveAccessibleDescription(/There is already a label “Harbour”/)
  await expectAccessible(page, 'a name that is taken')
  await page.keyboard.type(' master')
  await expect(nameField(page)).toHaveAccessibleDescription('')
  await page.getByRole('dialog').getByRole('radio', { name: 'Iris' }).check()
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click()
  await expect(links(page)).toHaveText([/Harbour/, /Harbour master/])

  await links(page).nth(1).focus()
  await page.keyboard.press('F2')
  await page.getByLabel('Other colour').fill('#123456')
  await nameField(page).fill('Pier')
  await page.keyboard.press('Enter')
  await expect(links(page)).toHaveText([/Harbour/, /Pier/])
  await expect(links(page).nth(1)).toBeFocused()

  // A new label's list stays open when the platform assigns the ID.
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Pier', level: 2 })).toBeVisible()
  await expect(page.getByText('Press l to add this label to a thread.')).toBeVisible()
  await page.goBack()
  await row(page, 'Fog until').click()
  await page.keyboard.press('l')
  await page.keyboard.type('pier')
  await page.keyboard.press('Enter')
  await page.goForward()
  await goTo(page, `#/inboxes/${platform.inboxId}/inbox`)
  await links(page).nth(1).click()
  await expect(threads(page).getByRole('option')).toHaveCount(1)
  await expect(page).toHaveURL(/labels\/new-/)
  await platform.resume()
  await expect(page).not.toHaveURL(/labels\/new-/, { timeout: 60_000 })
  await expect(threads(page).getByRole('option')).toHaveCount(1)
  await expect(links(page).nth(1)).toHaveAttribute('aria-current', 'page')
  await expect
    .poll(async () => (await labelsOnPlatform(platform))['Fog until noon'], { timeout: 60_000 })
    .toEqual(['Pier'])

  await page.getByRole('main').getByRole('button', { name: 'Actions for Pier' }).click()
  await page.getByRole('menuitem', { name: 'Delete…' }).click()
  const question = page.getByRole('dialog', { name: 'Delete label “Pier”' })
  await expect(question).toHaveAccessibleDescription(/removed from 1 thread/)
  await page.keyboard.press('Enter')
  await expect(links(page)).toHaveText([/Harbour/])
  await expect(page.getByRole('heading', { name: 'Inbox', level: 2 })).toBeVisible()
  await expect.poll(async () => (await labelsOnPlatform(platform))['Fog until noon'], { timeout: 60_000 }).toEqual([])
  await expectFocusSomewhere(page)
  await page.keyboard.press('z')
  await expect(links(page)).toHaveText([/Harbour/, /Pier/])
  // Undo returns to the list that the label was deleted from (W10).
  await expect(page.getByRole('heading', { name: 'Pier', level: 2 })).toBeVisible()
  await expect(threads(page).getByRole('option')).toHaveText(/Fog until/)

  // Deleted by someone else while its list is open.
  await expect
    .poll(async () => (await labelsOnPlatform(platform))['Fog until noon'], { timeout: 60_000 })
    .toEqual(['Pier'])
  await links(page).nth(1).click()
  await expect(threads(page).getByRole('option')).toHaveCount(1)
  const { data } = (await platform.ask(`/inboxes/${platform.inboxId}/labels`)) as {
    data: { id: string; name: string }[]
  }
  const pier = data.find(({ name }) => name === 'Pier')?.id ?? ''
  await platform.ask(`/inboxes/${platform.inboxId}/labels/${pier}`, { method: 'DELETE' })
  await page.keyboard.press('F5')
  await expect(page.getByText('This label no longer exists')).toBeVisible({ timeout: 60_000 })
  await expectAccessible(page, 'a label that is gone')
  await page.getByRole('main').getByRole('button', { name: 'Go to inbox' }).click()
  await expect(threads(page).getByRole('option')).toHaveCount(SUBJECTS.length)
  await expectFocusSomewhere(page)
}

const labelThreads = async ({ page, platform }: Stage): Promise<void> => {
  await makeLabels(platform, 'Weather')
  await page.keyboard.press('F5')
  await expect(page.getByRole('link', { name: 'Weather' })).toBeVisible()
  await threads(page).focus()
  // Go to the newest: the cursor has stayed with the thread that came first.
  await page.keyboard.press('.')
  await page.keyboard.press('l')
  await expect(field(page)).toBeFocused()
  await expect(choices(page)).toHaveText([/Harbour/, /Weather/])
  await page.keyboard.type('wea')
  await expect(choices(page)).toHaveText([/Weather/, /Create “wea”/])
  await page.keyboard.press('Enter')
  await expect(picker(page)).toHaveCount(0)
  await expect(threads(page)).toBeFocused()
  await expect(row(page, 'Fresh paint')).toHaveAccessibleName(/Weather/)
  await expect(notices(page)).toContainText('Label “Weather” added to “Fresh paint on the rail”')
  await expect.poll(async () => (await labelsOnPlatform(platform))['Fresh paint on the rail']).toEqual(['Weather'])

  await platform.pause()
  await page.keyboard.press('l')
  await expect(choices(page).first()).toHaveAccessibleName('Weather')
  await expect(choices(page).first()).toBeChecked()
  // The cursor starts on an unchecked label, so that keys remove nothing.
  await expect(choices(page).filter({ hasText: 'Harbour' })).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press(' ')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press(' ')
  await expect(choices(page).first()).not.toBeChecked()
  await page.keyboard.type('Quay 7')
  await expect(choices(page)).toHaveText([/Create “Quay 7”/])
  await page.keyboard.press('Enter')
  await expect(picker(page)).toHaveCount(0)
  await expect(notices(page)).toContainText(
    'Labels “Harbour” and “Quay 7” added to “Fresh paint on the rail”, label “Weather” removed',
  )
  await expect(row(page, 'Fresh paint')).toHaveAccessibleName(/Harbour.*Quay 7/)
  await expect(page.getByRole('link', { name: 'Quay 7' })).toBeVisible()
  await page.keyboard.press('z')
  await expect(row(page, 'Fresh paint')).toHaveAccessibleName(/Weather/)
  await expect(page.getByRole('link', { name: 'Quay 7' })).toHaveCount(0)
  await page.keyboard.press('Control+Shift+z')
  await expect(row(page, 'Fresh paint')).toHaveAccessibleName(/Harbour.*Quay 7/)

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
}

const fillTheSideBar = async ({ page, platform }: Stage, dataDirectory: string): Promise<void> => {
  // In addition to Harbour, Quay 7 and Weather.
  await makeLabels(platform, ...Array.from({ length: 97 }, (_, index) => `Wharf ${index + 4}`))
  await page.keyboard.press('F5')
  await expect(links(page)).toHaveCount(100, { timeout: 60_000 })
  await expectAccessible(page, 'a hundred labels')
  // The links below stay visible, and the labels are one tab stop.
  await expect(page.getByRole('link', { name: 'Settings' })).toBeInViewport()
  const filter = page.getByRole('searchbox', { name: 'Filter labels' })
  await filter.focus()
  await page.keyboard.press('Tab')
  await expect(links(page).first()).toBeFocused()
  await page.keyboard.press('End')
  await expect(links(page).last()).toBeFocused()
  await expect(links(page).last()).toBeInViewport()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Actions for Wharf 100' })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'New label' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(nameField(page)).toHaveAccessibleDescription(/^An inbox can have at most 100 labels/)
  await page.keyboard.press('Escape')

  await filter.fill('wharf 77')
  await expect(links(page)).toHaveText([/Wharf 77/])
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Wharf 77', level: 2 })).toBeVisible()
  await filter.focus()
  await page.keyboard.press('Escape')
  await expect(links(page)).toHaveCount(100)
  await expect(page.getByRole('link', { name: 'Wharf 77' })).toBeInViewport()

  await page.getByText('Labels', { exact: true }).click()
  await expect(links(page)).toHaveCount(0)
  await expect.poll(async () => (await keptPreferences(dataDirectory)).areLabelsShown).toBe(false)
  await page.reload()
  await page.getByRole('navigation', { name: 'Mailboxes' }).waitFor()
  await expect(page.getByText('Labels', { exact: true })).toBeVisible()
  await expect(links(page)).toHaveCount(0)
  await expectFocusSomewhere(page)
}

test('shows labels in the side bar, puts them on threads and copes with a hundred', async ({
  linnet: { page },
  platform,
  dataDirectory,
}) => {
  const stage = { page, platform }
  await deliverAll(page, platform, SUBJECTS)
  await test.step('labels are created, renamed, recoloured and deleted by keyboard while offline', () =>
    keepLabels(stage))
  await test.step('l adds several labels and a new one offline, and z undoes them', () => labelThreads(stage))
  await test.step('the side bar stays usable with a hundred labels', () => fillTheSideBar(stage, dataDirectory))
})
