import type { Locator, Page } from '@playwright/test'
import type { Platform } from '../support/platform.ts'
import { runByPalette, type Stage } from '../support/screens.ts'
import { expectAccessible } from './expect-accessible.ts'
import { deliverAll, expect, goTo, makeLabels, test, threadsOn } from './linnet.ts'

const GULL = 'Gull on the antenna'
const FOG = 'Fog until noon'
const PAINT = 'Fresh paint on the rail'

const threads = (page: Page): Locator => page.getByRole('listbox', { name: 'Threads' })
const row = (page: Page, subject: string): Locator => threads(page).getByRole('option', { name: new RegExp(subject) })
const picker = (page: Page): Locator => page.getByRole('dialog', { name: 'Assign to' })
const field = (page: Page): Locator => picker(page).getByRole('combobox', { name: 'Find or add a colleague' })
const colleagues = (page: Page): Locator =>
  picker(page).getByRole('listbox', { name: 'Colleagues' }).getByRole('option')
const assigned = (page: Page): Locator => page.getByRole('list', { name: 'Assigned' }).getByRole('link')
const notices = (page: Page): Locator => page.locator('.toasts')

const subjects = (page: Page): Locator => threads(page).getByRole('option')

/** Assignees of each thread, by subject, as stored on the platform. */
const peopleOnPlatform = async (platform: Platform): Promise<Record<string, readonly string[]>> => {
  return Object.fromEntries(
    (await threadsOn(platform)).map(({ subject, labels }) => [
      subject,
      labels
        .map(({ name }) => name)
        .filter((name) => name.startsWith('@'))
        .toSorted(),
    ]),
  )
}
const expectOnPlatform = (platform: Platform, subject: string, people: readonly string[]): Promise<void> =>
  expect.poll(async () => (await peopleOnPlatform(platform))[subject], { timeout: 60_000 }).toEqual(people)

const byKeys = async ({ page, platform }: Stage): Promise<void> => {
  await makeLabels(platform, '@mara', 'Weather')
  await page.keyboard.press('F5')
  await expect(assigned(page)).toHaveText([/Unassigned/, /mara/])
  // People aren't labels: they have their own section, and the label dialog doesn't list them.
  await expect(page.getByRole('list', { name: 'Labels' }).getByRole('link')).toHaveText([/Weather/])
  await row(page, FOG).click()
  await page.keyboard.press('@')
  await expect(field(page)).toBeFocused()
  await expect(colleagues(page)).toHaveText([/mara/, /No one/])
  await expect(colleagues(page).last()).toBeChecked()
  await expectAccessible(page, 'the picker of colleagues')
  await page.keyboard.press('Enter')
  await expect(picker(page)).toHaveCount(0)
  await expect(notices(page)).toContainText(`Assigned “${FOG}” to mara`)
  await expect(row(page, FOG)).toHaveAccessibleName(/assigned to mara/)
  await expectOnPlatform(platform, FOG, ['@mara'])

  // Offline, assigning someone new replaces the assignee. A single undo reverts both.
  await platform.pause()
  await page.keyboard.press('@')
  await page.keyboard.type('Theo Lind')
  await expect(colleagues(page)).toHaveText([/Assign to “Theo Lind”/])
  await page.keyboard.press('Enter')
  await expect(row(page, FOG)).toHaveAccessibleName(/assigned to Theo Lind/)
  await expect(row(page, FOG)).not.toHaveAccessibleName(/mara/)
  await expect(assigned(page)).toHaveText([/Unassigned/, /mara/, /Theo Lind/])
  await page.keyboard.press('z')
  await expect(row(page, FOG)).toHaveAccessibleName(/assigned to mara/)
  await expect(assigned(page)).toHaveText([/Unassigned/, /mara/])
  await page.keyboard.press('Control+Shift+z')
  await expect(row(page, FOG)).toHaveAccessibleName(/assigned to Theo Lind/)
  await platform.resume()
  await expectOnPlatform(platform, FOG, ['@Theo Lind'])
}

const byPointer = async ({ page, platform }: Stage): Promise<void> => {
  const conversation = page.getByRole('region', { name: 'Thread', exact: true })
  await row(page, FOG).click()
  const who = conversation.getByRole('group', { name: 'Assigned to' })
  await expect(who).toContainText('Theo Lind')
  await who.getByRole('button', { name: 'Unassign Theo Lind' }).click()
  await expect(who).toHaveCount(0)
  await expect(notices(page)).toContainText(`Unassigned “${FOG}”`)
  await conversation.getByRole('button', { name: /^Assign to…/ }).click()
  await colleagues(page).filter({ hasText: 'mara' }).click()
  await expect(who).toContainText('mara')
  await row(page, GULL).click({ button: 'right' })
  await page.getByRole('menuitem', { name: /Assign to…/ }).click()
  await colleagues(page).filter({ hasText: 'Theo' }).click()
  await expect(row(page, GULL)).toHaveAccessibleName(/assigned to Theo Lind/)
  await expectOnPlatform(platform, GULL, ['@Theo Lind'])
  await expectOnPlatform(platform, FOG, ['@mara'])
}

const asMe = async ({ page, platform }: Stage): Promise<void> => {
  await row(page, PAINT).click()
  await page.keyboard.press('t')
  const question = page.getByRole('dialog', { name: 'Set your name' })
  await expect(question.getByRole('textbox', { name: 'Your name' })).toBeFocused()
  await expectAccessible(page, 'who a person is')
  await page.keyboard.press('Control+a')
  await page.keyboard.type('Mara')
  await page.keyboard.press('Enter')
  await expect(question).toHaveCount(0)
  await expect(row(page, PAINT)).toHaveAccessibleName(/assigned to mara/)
  await expectOnPlatform(platform, PAINT, ['@mara'])
  // The question appears only once.
  await row(page, GULL).click()
  await page.keyboard.press('t')
  await expect(row(page, GULL)).toHaveAccessibleName(/assigned to mara/)
  await expect(question).toHaveCount(0)
  await expectOnPlatform(platform, GULL, ['@mara'])

  await threads(page).focus()
  await page.keyboard.press('Control+a')
  await runByPalette(page, 'Unassign')
  for (const subject of [GULL, FOG, PAINT]) {
    await expect(row(page, subject)).not.toHaveAccessibleName(/assigned to/)
    await expectOnPlatform(platform, subject, [])
  }
  await page.keyboard.press('z')
  for (const subject of [GULL, FOG, PAINT]) await expect(row(page, subject)).toHaveAccessibleName(/assigned to mara/)
  await page.keyboard.press('Escape')
}

const found = async ({ page, platform }: Stage): Promise<void> => {
  await row(page, GULL).click()
  await page.keyboard.press('@')
  await page.keyboard.type('nobody')
  await page.keyboard.press('Enter')
  await expectOnPlatform(platform, GULL, [])
  await page.keyboard.press('g')
  await page.keyboard.press('m')
  await expect(subjects(page)).toHaveCount(2)
  await expect(page.getByRole('combobox', { name: 'Search mail' })).toHaveValue('in:inbox assigned:me')
  await expect(assigned(page).filter({ hasText: 'Mine' })).toHaveAttribute('aria-current', 'page')
  await page.keyboard.press('g')
  await page.keyboard.press('n')
  await expect(subjects(page)).toHaveText([new RegExp(GULL)])
  // A thread that the user takes from the unassigned list leaves it.
  await threads(page).focus()
  await page.keyboard.press('t')
  await expect(subjects(page)).toHaveCount(0)
  await page.keyboard.press('z')
  await expect(subjects(page)).toHaveText([new RegExp(GULL)])

  await page.keyboard.press('/')
  const bar = page.getByRole('combobox', { name: 'Search mail' })
  await bar.fill('assigned:')
  await expect(page.getByRole('listbox', { name: 'Search suggestions' }).getByRole('option')).toHaveText([
    /me/,
    /nobody/,
    /mara/,
    /Theo Lind/,
  ])
  await bar.fill('assigned:mara fog')
  await page.keyboard.press('Enter')
  await expect(subjects(page)).toHaveText([new RegExp(FOG)])
  await bar.fill('in:inbox assigned:nobody')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Explain search' }).click()
  await expect(page.getByRole('region', { name: 'What is searched' })).toContainText('Checked on this computer')
  await page.keyboard.press('Escape')
  await bar.fill('assigned:marra')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Use “mara”' }).press('Enter')
  await expect(bar).toHaveValue('assigned:mara')
}

test('assigns threads to one person at a time and finds them by assignee', async ({
  linnet,
  platform,
  launch,
  dataDirectory,
}) => {
  const { page } = linnet
  const stage = { page, platform }
  await deliverAll(page, platform, [GULL, FOG, PAINT])
  await test.step('by @ alone, offline, with undo', () => byKeys(stage))
  await test.step('by pointer, from a row’s menu and in the thread', () => byPointer(stage))
  await test.step('to me, asking for my name once, and for a selection from the palette', () => asMe(stage))
  await test.step('found in the side bar, by g m and g n, and by assigned:', () => found(stage))
  await test.step('after an offline restart', async () => {
    await expect.poll(async () => page.getByText(/Waiting to sync|pending/).count()).toBe(0)
    await linnet.close()
    await platform.pause()
    const again = await launch({
      dataDirectory,
      env: { LINNET_BASE_URL: platform.baseUrl, LINNET_API_KEY: platform.apiKey },
    })
    await again.page.getByRole('navigation', { name: 'Mailboxes' }).waitFor()
    await goTo(again.page, `#/inboxes/${platform.inboxId}/search?query=${encodeURIComponent('in:inbox assigned:me')}`)
    await expect(threads(again.page).getByRole('option')).toHaveCount(2)
    await expect(row(again.page, FOG)).toHaveAccessibleName(/assigned to mara/)
  })
})
