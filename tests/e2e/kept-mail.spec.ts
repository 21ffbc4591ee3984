/** Thirty-one days later: the platform has deleted everything, and all of it is here, found, and sorted. */
import type { Page } from '@playwright/test'
import type { Platform } from '../support/platform.ts'
import { expectAccessible } from './expect-accessible.ts'
import { layoutFaults } from './layout-faults.ts'
import { deliverAll, expect, goTo, makeLabels, test } from './linnet.ts'

const SUBJECTS = ['Gull on the antenna', 'Fog until noon', 'Fresh paint on the rail'] as const
const KEPT_NOTE = 'The platform has deleted this conversation. Your copy stays on this computer.'

test.use({ platformSwitches: ['--faults', '--retention', '30'] })

const rowsOf = (page: Page) => page.getByRole('listbox', { name: 'Threads' }).getByRole('option')
const onlyHereLink = (page: Page) =>
  page.getByRole('navigation', { name: 'Mailboxes' }).getByRole('link', { name: /^Only here/ })

/** The platform's clock goes on until it has dropped everything, and the list says so. */
const passAMonth = async (page: Page, platform: Platform): Promise<void> => {
  const advance_ms = 31 * 24 * 60 * 60 * 1000
  await platform.ask('/_control/clock', { method: 'POST', body: { advance_ms } })
  await expect
    .poll(async () => {
      const { data } = (await platform.ask(`/inboxes/${platform.inboxId}/threads`)) as { data: readonly unknown[] }
      return data.length
    })
    .toBe(0)
  await page.keyboard.press('F5')
  await expect(rowsOf(page).filter({ hasText: 'only on this computer' })).toHaveCount(SUBJECTS.length)
}

const searchFor = async (page: Page, text: string): Promise<void> => {
  await page.getByRole('combobox', { name: 'Search mail' }).fill(text)
  await page.keyboard.press('Enter')
}

test.beforeEach(async ({ linnet, platform }) => {
  await makeLabels(platform, 'Harbour')
  await deliverAll(linnet.page, platform, SUBJECTS)
})

test('mail that the platform has deleted is read, sorted, taken back, found and listed by itself, and after a restart', async ({
  linnet,
  launch,
  platform,
  dataDirectory,
}) => {
  const { page } = linnet
  const [gull, fog, paint] = SUBJECTS
  const inbox = `#/inboxes/${platform.inboxId}/inbox`
  await passAMonth(page, platform)
  await expect(onlyHereLink(page)).toHaveAccessibleName(/3 threads/)

  // Read, without anything that only the platform could do.
  await rowsOf(page).filter({ hasText: gull }).click()
  const conversation = page.getByRole('region', { name: 'Conversation' })
  await expect(conversation.getByText(KEPT_NOTE)).toBeVisible()
  await expect(conversation.getByRole('article')).toContainText(gull)
  await expect(conversation.getByRole('button', { name: /Share link/ })).toBeDisabled()

  // Labelled, archived; another one thrown away, and taken back.
  await page.keyboard.press('l')
  await page.keyboard.type('Harb')
  await expect(page.getByRole('dialog').getByRole('option', { name: 'Harbour' })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(conversation.getByRole('list', { name: 'Labels' })).toContainText('Harbour')
  await page.keyboard.press('e')
  await expect(rowsOf(page).filter({ hasText: gull })).toHaveCount(0)
  await goTo(page, inbox)
  await rowsOf(page).filter({ hasText: fog }).click()
  await expect(conversation.getByText(KEPT_NOTE)).toBeVisible()
  await page.keyboard.press('#')
  await expect(rowsOf(page).filter({ hasText: fog })).toHaveCount(0)
  await expect(onlyHereLink(page)).toHaveAccessibleName(/2 threads/)
  await page.keyboard.press('z')
  await expect(rowsOf(page).filter({ hasText: fog })).toHaveCount(1)
  await expect(onlyHereLink(page)).toHaveAccessibleName(/3 threads/)

  // Found, in every folder and by itself.
  await searchFor(page, 'in:anywhere antenna')
  await expect(rowsOf(page)).toHaveCount(1)
  await searchFor(page, 'is:kept rail')
  await expect(rowsOf(page)).toHaveCount(1)
  await expect(rowsOf(page)).toContainText(paint)
  await onlyHereLink(page).click()
  await expect(rowsOf(page)).toHaveCount(3)
  await expect(page.getByRole('alert')).toHaveCount(0)

  await linnet.close()
  const again = await launch({
    dataDirectory,
    env: { LINNET_BASE_URL: platform.baseUrl, LINNET_API_KEY: platform.apiKey },
  })
  await goTo(again.page, `#/inboxes/${platform.inboxId}/archive`)
  const archived = rowsOf(again.page).filter({ hasText: gull })
  await expect(archived).toContainText('Harbour')
  await expect(archived).toContainText('only on this computer')
  await archived.click()
  await expect(again.page.getByRole('region', { name: 'Conversation' }).getByText(KEPT_NOTE)).toBeVisible()
  await goTo(again.page, inbox)
  await expect(rowsOf(again.page)).toHaveCount(2)
  await expect(again.page.getByRole('alert')).toHaveCount(0)
})

test('folders leave out what is only here where a person chooses that, and the list of it has all', async ({
  linnet,
  platform,
}) => {
  const { page } = linnet
  await passAMonth(page, platform)
  await goTo(page, '#/settings')
  await page
    .getByRole('group', { name: 'Mail kept only here' })
    .getByRole('radio', { name: 'Only in “Only here”' })
    .check({ force: true })
  await platform.deliver({ from: 'pier@harbour.example', subject: 'A new month', text: 'It begins.' })
  await goTo(page, `#/inboxes/${platform.inboxId}/inbox`)
  await page.keyboard.press('F5')
  await expect(rowsOf(page)).toHaveCount(1)
  await expect(rowsOf(page)).toContainText('A new month')
  const inbox = page.getByRole('navigation', { name: 'Mailboxes' }).getByRole('link', { name: /^Inbox/ })
  await expect(inbox).toHaveAccessibleName(/1 unread thread$/)
  await onlyHereLink(page).click()
  await expect(rowsOf(page)).toHaveCount(SUBJECTS.length)
  await rowsOf(page).first().click()
  await expect(page.getByText(KEPT_NOTE)).toBeVisible()
  await expectAccessible(page, 'what is only here')
})

test('what is only here is deleted for good once a person has read what that means, and does not come back', async ({
  linnet,
  launch,
  platform,
  dataDirectory,
}) => {
  const { page } = linnet
  const [gull, fog, paint] = SUBJECTS
  await passAMonth(page, platform)
  await rowsOf(page).filter({ hasText: gull }).click()
  await expect(page.getByText(KEPT_NOTE)).toBeVisible()
  const question = page.getByRole('dialog', { name: 'Delete from this computer' })
  await page.keyboard.press('Shift+D')
  await expect(question).toContainText('1 message of 1 thread')
  await expect(question).toContainText('nobody else has it')
  await expectAccessible(page, 'the question before kept mail is deleted')
  await page.setViewportSize({ width: 320, height: 640 })
  expect(await layoutFaults(page)).toEqual([])
  await page.setViewportSize({ width: 1440, height: 900 })
  // Enter leaves it: the way out has the focus first.
  await page.keyboard.press('Enter')
  await expect(question).toHaveCount(0)
  await expect(rowsOf(page)).toHaveCount(SUBJECTS.length)

  await page.keyboard.press('Shift+D')
  await question.getByRole('button', { name: 'Delete for good' }).click()
  await expect(rowsOf(page).filter({ hasText: gull })).toHaveCount(0)
  await expect(onlyHereLink(page)).toHaveAccessibleName(/2 threads/)
  // By the menu of a row, with the selection of all that are left.
  await goTo(page, `#/inboxes/${platform.inboxId}/only-here`)
  await rowsOf(page).filter({ hasText: fog }).click({ button: 'right' })
  await page.getByRole('menuitem', { name: /^Delete from this computer/ }).click()
  await question.getByRole('button', { name: 'Delete for good' }).click()
  await expect(rowsOf(page)).toHaveCount(1)
  await page.keyboard.press('F5')
  await expect(rowsOf(page)).toContainText(paint)
  await linnet.close()

  const again = await launch({
    dataDirectory,
    env: { LINNET_BASE_URL: platform.baseUrl, LINNET_API_KEY: platform.apiKey },
  })
  await goTo(again.page, `#/inboxes/${platform.inboxId}/inbox`)
  await expect(rowsOf(again.page)).toHaveCount(1)
  await expect(rowsOf(again.page)).toContainText(paint)
  await expect(again.page.getByRole('alert')).toHaveCount(0)
})
