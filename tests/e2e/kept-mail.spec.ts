/** After 31 days the platform has deleted everything, and all of it can still be read, found and sorted. */
import type { Page } from '@playwright/test'
import type { Platform } from '../support/platform.ts'
import type { Stage } from '../support/screens.ts'
import { expectAccessible } from './expect-accessible.ts'
import { layoutFaults } from './layout-faults.ts'
import { deliverAll, expect, goTo, makeLabels, test, threadsOn } from './linnet.ts'

const GULL = 'Gull on the antenna'
const FOG = 'Fog until noon'
const PAINT = 'Fresh paint on the rail'
const ROPE = 'Rope for the buoy'
const SUBJECTS = [GULL, FOG, PAINT, ROPE]
const KEPT_NOTE = 'The platform has deleted this thread. Your copy stays on this computer.'

test.use({ platformSwitches: ['--faults', '--retention', '30'] })

const rowsOf = (page: Page) => page.getByRole('listbox', { name: 'Threads' }).getByRole('option')
const onlyHereLink = (page: Page) =>
  page.getByRole('navigation', { name: 'Mailboxes' }).getByRole('link', { name: /^Only here/ })

const waitUntilStored = async (page: Page, platform: Platform): Promise<void> => {
  await goTo(page, '#/settings/kept')
  const section = page.getByRole('region', { name: 'Stored mail' })
  await expect(section.getByText(new RegExp(`^${SUBJECTS.length} messages stored`))).toBeVisible()
  await expect(section.getByText('All mail from the last 30 days is stored.')).toBeVisible()
  await goTo(page, `#/inboxes/${platform.inboxId}/inbox`)
}

/** Advances the platform's clock until it has dropped all mail, ends its faults, and waits for the list to show this. */
const passAMonth = async (page: Page, platform: Platform): Promise<void> => {
  const advance_ms = 31 * 24 * 60 * 60 * 1000
  await platform.ask('/_control/clock', { method: 'POST', body: { advance_ms } })
  await expect.poll(() => threadsOn(platform)).toEqual([])
  await platform.ask('/_control/faults', { method: 'PUT', body: { faults: [] } })
  await page.keyboard.press('F5')
  await expect(rowsOf(page).filter({ hasText: 'only on this computer' })).not.toHaveCount(0)
  await expect(rowsOf(page).filter({ hasNotText: 'only on this computer' })).toHaveCount(0)
}

const searchFor = async (page: Page, text: string): Promise<void> => {
  await page.getByRole('combobox', { name: 'Search mail' }).fill(text)
  await page.keyboard.press('Enter')
}

const listKeptMail = async (page: Page, where: string): Promise<void> => {
  await goTo(page, '#/settings/reading')
  await page
    .getByRole('group', { name: 'Mail kept only here' })
    .getByRole('radio', { name: where })
    .check({ force: true })
}

const sortKeptMail = async ({ page, platform }: Stage): Promise<void> => {
  await expect(onlyHereLink(page)).toHaveAccessibleName(/4 threads/)

  // Readable, without actions that need the platform.
  await rowsOf(page).filter({ hasText: GULL }).click()
  const conversation = page.getByRole('region', { name: 'Thread', exact: true })
  await expect(conversation.getByText(KEPT_NOTE)).toBeVisible()
  await expect(conversation.getByRole('article')).toContainText(GULL)
  await expect(conversation.getByRole('button', { name: /Share link/ })).toBeDisabled()

  await page.keyboard.press('l')
  await page.keyboard.type('Harb')
  await expect(page.getByRole('dialog').getByRole('option', { name: 'Harbour' })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(conversation.getByRole('list', { name: 'Labels' })).toContainText('Harbour')
  await page.keyboard.press('e')
  await expect(rowsOf(page).filter({ hasText: GULL })).toHaveCount(0)
  await goTo(page, `#/inboxes/${platform.inboxId}/inbox`)
  await rowsOf(page).filter({ hasText: FOG }).click()
  await expect(conversation.getByText(KEPT_NOTE)).toBeVisible()
  await page.keyboard.press('#')
  await expect(rowsOf(page).filter({ hasText: FOG })).toHaveCount(0)
  await expect(onlyHereLink(page)).toHaveAccessibleName(/3 threads/)
  await page.keyboard.press('z')
  await expect(rowsOf(page).filter({ hasText: FOG })).toHaveCount(1)
  await expect(onlyHereLink(page)).toHaveAccessibleName(/4 threads/)

  await searchFor(page, 'in:anywhere antenna')
  await expect(rowsOf(page)).toHaveCount(1)
  await searchFor(page, 'is:kept rail')
  await expect(rowsOf(page)).toHaveCount(1)
  await expect(rowsOf(page)).toContainText(PAINT)
  await onlyHereLink(page).click()
  await expect(rowsOf(page)).toHaveCount(SUBJECTS.length)
  await expect(page.getByRole('alert')).toHaveCount(0)
}

const leaveOutOfFolders = async ({ page, platform }: Stage): Promise<void> => {
  await listKeptMail(page, 'Only in “Only here”')
  await platform.deliver({ from: 'pier@harbour.example', subject: 'A new month', text: 'It begins.' })
  await goTo(page, `#/inboxes/${platform.inboxId}/inbox`)
  await page.keyboard.press('F5')
  await expect(rowsOf(page)).toHaveCount(1)
  await expect(rowsOf(page)).toContainText('A new month')
  const inbox = page.getByRole('navigation', { name: 'Mailboxes' }).getByRole('link', { name: /^Inbox\b/ })
  await expect(inbox).toHaveAccessibleName(/1 unread thread$/)
  await onlyHereLink(page).click()
  await expect(rowsOf(page)).toHaveCount(SUBJECTS.length)
  await rowsOf(page).first().click()
  await expect(page.getByText(KEPT_NOTE)).toBeVisible()
  await expectAccessible(page, 'what is only here')
  await listKeptMail(page, 'In its folders')
}

const deleteForGood = async ({ page, platform }: Stage): Promise<void> => {
  await goTo(page, `#/inboxes/${platform.inboxId}/inbox`)
  await rowsOf(page).filter({ hasText: FOG }).click()
  await expect(page.getByText(KEPT_NOTE)).toBeVisible()
  const question = page.getByRole('dialog', { name: 'Delete from this computer' })
  await page.keyboard.press('Shift+D')
  await expect(question).toContainText('1 message in 1 thread')
  await expect(question).toContainText('this is the only copy')
  await expectAccessible(page, 'the question before kept mail is deleted')
  await page.setViewportSize({ width: 320, height: 640 })
  await expect.poll(() => layoutFaults(page)).toEqual([])
  await page.setViewportSize({ width: 1440, height: 900 })
  // Enter cancels: the safe button has the focus first.
  await page.keyboard.press('Enter')
  await expect(question).toHaveCount(0)
  // The three kept threads, and the new month's one.
  await expect(rowsOf(page)).toHaveCount(4)

  await page.keyboard.press('Shift+D')
  await question.getByRole('button', { name: 'Delete for good' }).click()
  await expect(rowsOf(page).filter({ hasText: FOG })).toHaveCount(0)
  await expect(onlyHereLink(page)).toHaveAccessibleName(/3 threads/)
  await goTo(page, `#/inboxes/${platform.inboxId}/only-here`)
  await rowsOf(page).filter({ hasText: ROPE }).click({ button: 'right' })
  await page.getByRole('menuitem', { name: /^Delete from this computer/ }).click()
  await question.getByRole('button', { name: 'Delete for good' }).click()
  await expect(rowsOf(page)).toHaveCount(2)
  await page.keyboard.press('F5')
  await expect(rowsOf(page)).toContainText([PAINT, GULL])
}

const findAgain = async ({ page, platform }: Stage): Promise<void> => {
  await goTo(page, `#/inboxes/${platform.inboxId}/archive`)
  const archived = rowsOf(page).filter({ hasText: GULL })
  await expect(archived).toContainText('Harbour')
  await expect(archived).toContainText('only on this computer')
  await archived.click()
  await expect(page.getByRole('region', { name: 'Thread', exact: true }).getByText(KEPT_NOTE)).toBeVisible()
  await goTo(page, `#/inboxes/${platform.inboxId}/inbox`)
  await expect(rowsOf(page)).toContainText(['A new month', PAINT])
  await expect(page.getByRole('alert')).toHaveCount(0)
}

test('keeps mail that the platform has deleted, with the user’s changes', async ({
  linnet,
  launch,
  platform,
  dataDirectory,
}) => {
  const stage = { page: linnet.page, platform }
  await makeLabels(platform, 'Harbour')
  await deliverAll(linnet.page, platform, SUBJECTS)
  await waitUntilStored(linnet.page, platform)
  await passAMonth(linnet.page, platform)
  await test.step('mail deleted on the platform can be read, sorted with undo, searched and listed', () =>
    sortKeptMail(stage))
  await test.step('local-only mail can be hidden from folders, but stays in its own list', () =>
    leaveOutOfFolders(stage))
  await test.step('local-only mail is deleted for good after confirmation', () => deleteForGood(stage))
  await test.step('the kept mail survives a restart', async () => {
    await linnet.close()
    const env = { LINNET_BASE_URL: platform.baseUrl, LINNET_API_KEY: platform.apiKey }
    await findAgain({ page: (await launch({ dataDirectory, env })).page, platform })
  })
})

test('claims no copy of a thread that was deleted before its download', async ({ linnet: { page }, platform }) => {
  const refuse = { kind: 'error_500', method: 'GET', path: `/inboxes/${platform.inboxId}/threads/`, times: 1000 }
  await platform.ask('/_control/faults', { method: 'PUT', body: { faults: [refuse] } })
  await deliverAll(page, platform, [GULL])
  await passAMonth(page, platform)
  await rowsOf(page).filter({ hasText: GULL }).click()
  const thread = page.getByRole('region', { name: 'Thread', exact: true })
  await expect(thread.getByText('This thread was never downloaded')).toBeVisible()
  await expect(thread.getByText('1 message', { exact: true })).toBeVisible()
  await expect(thread.getByText(KEPT_NOTE)).toHaveCount(0)
})
