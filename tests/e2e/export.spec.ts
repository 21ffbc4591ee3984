import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Page } from '@playwright/test'
import type { Platform } from '../support/platform.ts'
import { readMbox } from '../support/read-mbox.ts'
import { runByPalette } from '../support/screens.ts'
import { backupSection, backUpInto, restoreFrom } from './backups.ts'
import { expectAccessible } from './expect-accessible.ts'
import { deliverAll, expect, test, threadsOn, type Linnet } from './linnet.ts'

const SUBJECTS = ['Rope and tar', 'Lamp oil'] as const
const ALONG = 'To be taken along'

const rowsOf = (page: Page) => page.getByRole('listbox', { name: 'Threads' }).getByRole('option')

const exportMail = async ({ page, electron }: Linnet, platform: Platform, folder: string): Promise<void> => {
  const target = join(folder, 'mail.mbox')
  await platform.deliver({ subject: ALONG, messageId: '<along@example.com>', text: 'From here on.' })
  await page.keyboard.press('F5')
  await expect(rowsOf(page).filter({ hasText: ALONG })).toBeVisible()
  await electron?.evaluate(({ dialog }, path) => {
    dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath: path })
  }, target)

  await runByPalette(page, 'Export…')
  const dialog = page.getByRole('dialog', { name: 'Export' })
  await expect(dialog.getByRole('radio', { name: 'This list' })).toBeFocused()
  await expectAccessible(page, 'export')
  const download = electron === null ? page.waitForEvent('download') : null
  await page.keyboard.press('Enter')
  await expect(page.getByText(/\d messages? exported\./).first()).toBeVisible()
  if (download === null) {
    await expect(dialog.getByRole('button', { name: 'Remove from list' })).toBeVisible()
    await expect(dialog.getByRole('list', { name: 'Exports' })).toContainText(/mail\.mbox.*\d messages?, /s)
  } else {
    const file = await download
    expect(basename(file.suggestedFilename())).toMatch(/^Mail \d{4}-\d\d-\d\d\.mbox$/)
    await file.saveAs(target)
  }
  const messages = readMbox(await readFile(target))
  expect(messages.map(({ headers }) => headers.get('message-id'))).toContain('<along@example.com>')
  const inbox = (await threadsOn(platform)).filter(({ folder }) => folder === 'inbox')
  expect(messages.length).toBe(inbox.reduce((sum, { email_count: count }) => sum + count, 0))
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
}

const backUp = async (linnet: Linnet, dataDirectory: string): Promise<string> => {
  const { page } = linnet
  await rowsOf(page).filter({ hasText: SUBJECTS[0] }).click()
  await expect(page.getByRole('article')).toContainText(SUBJECTS[0])
  const backups = join(dataDirectory, 'elsewhere', 'backups')
  await mkdir(backups, { recursive: true })

  await backUpInto(linnet, backups)
  const section = backupSection(page)
  const daily = section.getByRole('radio', { name: 'Every day' })
  await daily.click({ force: true })
  await expect(daily).toBeChecked()
  const [name = ''] = await readdir(backups)
  await expect(section.getByRole('status')).toContainText(name)
  expect(name).toMatch(/^Linnet inbox@/)

  // A missing folder is reported, and nothing is lost.
  await rm(backups, { recursive: true })
  await section.getByRole('button', { name: 'Back up now' }).click()
  await expect(section.getByText(`There is no folder ${backups}`)).toBeVisible()
  await mkdir(backups)
  await section.getByRole('button', { name: 'Back up now' }).click()
  await expect.poll(async () => (await readdir(backups)).filter((each) => !each.endsWith('.part')).length).toBe(1)
  await expect(section.getByText(`There is no folder ${backups}`)).toHaveCount(0)
  return join(backups, (await readdir(backups))[0] ?? '')
}

const restore = async (other: Linnet, backup: string): Promise<void> => {
  await restoreFrom(other, backup)
  await expect(rowsOf(other.page)).toHaveCount([...SUBJECTS, ALONG].length)
  await rowsOf(other.page).filter({ hasText: SUBJECTS[0] }).click()
  await expect(other.page.getByRole('article')).toContainText(SUBJECTS[0])
  await expect(other.page.getByText(/Enter the account’s API key to sync/)).toBeVisible()
}

test('exports mail to a file and to a backup', async ({ linnet, launch, platform, dataDirectory }) => {
  await deliverAll(linnet.page, platform, SUBJECTS)
  await test.step('the keyboard alone exports all mail to a file', () => exportMail(linnet, platform, dataDirectory))

  await test.step('a backup is created, reported and restored elsewhere, readable without a key', async () => {
    const backup = await backUp(linnet, dataDirectory)
    await linnet.close()
    await restore(await launch({ dataDirectory: join(dataDirectory, 'restored') }), backup)
  })
})
