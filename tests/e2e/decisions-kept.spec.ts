import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { sentOf } from '../support/sent-emails.ts'
import { backUpInto, restoreFrom } from './backups.ts'
import { expect, goTo, makeLabels, SENDING_AT_ONCE, test } from './linnet.ts'

test.use({ preferences: SENDING_AT_ONCE })

const SUBJECTS = {
  star: 'Gull',
  snooze: 'Fog',
  remind: 'Paint',
  mute: 'Rope',
  mara: 'Oil',
  list: 'Tide',
  brief: 'Buoy',
}

const rows = (page: Page): Locator => page.getByRole('listbox', { name: 'Threads' }).getByRole('option')
const row = (page: Page, subject: string): Locator => rows(page).filter({ hasText: subject })
const option = (page: Page, name: RegExp): Locator => page.getByRole('dialog').getByRole('option', { name })
const inbox = (page: Page): Promise<void> =>
  page
    .getByRole('navigation', { name: 'Mailboxes' })
    .getByRole('link', { name: /^Inbox\b/ })
    .click()

const search = async (page: Page, text: string): Promise<void> => {
  await page.keyboard.press('/')
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(text)
  await page.keyboard.press('Enter')
}

const expectDecisions = async (page: Page): Promise<void> => {
  await inbox(page)
  await expect(rows(page).first()).toContainText(SUBJECTS.brief)
  await expect(rows(page).first()).toHaveAccessibleName(/unread/i)
  for (const [conditions, subject] of [
    ['is:starred', SUBJECTS.star],
    ['in:snoozed', SUBJECTS.snooze],
    ['is:reminder', SUBJECTS.remind],
    ['is:muted in:anywhere', SUBJECTS.mute],
    ['assigned:mara', SUBJECTS.mara],
    ['is:newsletter', SUBJECTS.list],
  ] as const) {
    await search(page, conditions)
    await expect(rows(page), conditions).toHaveCount(1)
    await expect(row(page, subject), conditions).toHaveCount(1)
  }
  await row(page, SUBJECTS.list).click()
  await expect(page.getByRole('note', { name: 'Mailing list' })).toContainText(
    'Sent an unsubscribe message to leave@tide.example',
  )
  await goTo(page, '#/settings/rules')
  await expect(page.getByRole('list', { name: 'Rules' }).getByRole('switch')).toHaveText([/Gull/])
}

test('keeps decisions about threads across a restart and a restored backup', async ({
  linnet,
  launch,
  platform,
  dataDirectory,
}) => {
  const { page } = linnet
  await makeLabels(platform, '@mara')
  const list = { 'List-Id': '<tide.example>', 'List-Unsubscribe': '<mailto:leave@tide.example>' }
  await platform.deliver({ from: 'Tide <news@tide.example>', subject: SUBJECTS.list, text: 'News', headers: list })
  const { list: _, ...others } = SUBJECTS
  for (const subject of Object.values(others)) {
    await platform.deliver({ from: `${subject} <${subject.toLowerCase()}@harbour.example>`, subject, text: subject })
  }
  await page.keyboard.press('F5')
  await expect(rows(page)).toHaveCount(7)

  await row(page, SUBJECTS.brief).click()
  await page.keyboard.press('h')
  await page.keyboard.type('in 1 minute')
  await expect(option(page, /in 1 minute/).first()).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(row(page, SUBJECTS.brief)).toHaveCount(0)
  const snoozedAt = Date.now()
  await row(page, SUBJECTS.list).click()
  await page.getByRole('article').getByRole('button', { name: 'Unsubscribe', exact: true }).click()
  await page.getByRole('dialog', { name: 'Unsubscribe' }).getByRole('button', { name: 'Write message' }).click()
  await page.getByRole('form', { name: 'New message' }).getByRole('button', { name: 'Send', exact: true }).click()
  await expect.poll(() => sentOf(platform)).toHaveLength(1)
  await row(page, SUBJECTS.star).click()
  await page.keyboard.press('Shift+f')
  await page.getByRole('dialog', { name: 'New rule' }).getByRole('radio', { name: 'Archive' }).check()
  await page.getByRole('dialog', { name: 'New rule' }).getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('dialog', { name: 'New rule' })).toHaveCount(0)

  await platform.pause()
  await row(page, SUBJECTS.star).click()
  await page.keyboard.press('s')
  await expect(row(page, SUBJECTS.star)).toHaveAccessibleName(/starred/)
  await row(page, SUBJECTS.remind).click()
  await page.keyboard.press('Shift+h')
  await option(page, /^In 3 days/).click()
  await expect(row(page, SUBJECTS.remind)).toHaveAccessibleName(/if no one replies/)
  await row(page, SUBJECTS.mara).click()
  await page.keyboard.press('@')
  await option(page, /mara/).click()
  await expect(row(page, SUBJECTS.mara)).toHaveAccessibleName(/assigned to mara/)
  await row(page, SUBJECTS.snooze).click()
  await page.keyboard.press('h')
  await option(page, /^Tomorrow/).click()
  await expect(row(page, SUBJECTS.snooze)).toHaveCount(0)
  await row(page, SUBJECTS.mute).click()
  await page.keyboard.press('m')
  await expect(row(page, SUBJECTS.mute)).toHaveCount(0)

  const backups = join(dataDirectory, 'backups')
  await mkdir(backups, { recursive: true })
  await backUpInto(linnet, backups)
  await linnet.close()

  // The one-minute snooze ends while Linnet is closed.
  await expect.poll(() => Date.now() - snoozedAt, { timeout: 70_000, intervals: [1_000] }).toBeGreaterThan(61_000)
  await test.step('in another folder', async () => {
    const other = await launch({ dataDirectory: join(dataDirectory, 'restored') })
    await restoreFrom(other, join(backups, (await readdir(backups))[0] ?? ''))
    await expectDecisions(other.page)
    await other.close()
  })
  await test.step('after a restart', async () => {
    const env = { LINNET_BASE_URL: platform.baseUrl, LINNET_API_KEY: platform.apiKey }
    await expectDecisions((await launch({ dataDirectory, env })).page)
  })
})
