/** A backup made in the window, by the built host, and opened in another Linnet with another data folder. */
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expectAccessible } from './expect-accessible.ts'
import { deliverAll, expect, goTo, test, type Linnet } from './linnet.ts'

const SUBJECTS = ['Rope and tar', 'Lamp oil'] as const

/** Types a folder in a browser; on the desktop it is chosen with the dialog. */
const chooseFolder = async (linnet: Linnet, label: string, folder: string): Promise<void> => {
  const field = linnet.page.getByRole('textbox', { name: label })
  if (linnet.electron === null) {
    await expect(linnet.page.getByRole('button', { name: 'Choose…' })).toHaveCount(0)
    await field.fill(folder)
    return
  }
  await linnet.electron.evaluate(({ dialog }, path) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [path] })
  }, folder)
  await linnet.page.locator('section').filter({ has: field }).getByRole('button', { name: 'Choose…' }).click()
  await expect(field).toHaveValue(folder)
}

const rowsOf = (page: Page) => page.getByRole('listbox', { name: 'Threads' }).getByRole('option')

test('is made, told, and restored elsewhere, where all of it can be read without a key', async ({
  linnet,
  launch,
  platform,
  dataDirectory,
}) => {
  const { page } = linnet
  await deliverAll(page, platform, SUBJECTS)
  await rowsOf(page).filter({ hasText: SUBJECTS[0] }).click()
  await expect(page.getByRole('article')).toContainText(SUBJECTS[0])
  const backups = join(dataDirectory, 'elsewhere', 'backups')
  await mkdir(backups, { recursive: true })

  await goTo(page, '#/settings')
  await chooseFolder(linnet, 'Folder for backups', backups)
  const section = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Backup' }) })
  await section.getByRole('button', { name: 'Back up now' }).click()
  await expect(section.getByRole('status')).toContainText(/Last backup:/)
  const daily = section.getByRole('radio', { name: 'Every day' })
  await daily.click({ force: true })
  await expect(daily).toBeChecked()
  const [name = ''] = await readdir(backups)
  await expect(section.getByRole('status')).toContainText(name)
  expect(name).toMatch(/^Linnet inbox@/)

  // A folder that is gone is told in words, and nothing is lost.
  await rm(backups, { recursive: true })
  await section.getByRole('button', { name: 'Back up now' }).click()
  await expect(section.getByText(`There is no folder ${backups}`)).toBeVisible()
  await mkdir(backups)
  await section.getByRole('button', { name: 'Back up now' }).click()
  await expect.poll(async () => (await readdir(backups)).filter((each) => !each.endsWith('.part')).length).toBe(1)
  await expect(section.getByText(`There is no folder ${backups}`)).toHaveCount(0)
  const backup = join(backups, (await readdir(backups))[0] ?? '')
  await linnet.close()

  const other = await launch({ dataDirectory: join(dataDirectory, 'restored') })
  await other.page.getByRole('button', { name: 'Restore from a backup…' }).click()
  await chooseFolder(other, 'Backup folder', backup)
  await expectAccessible(other.page, 'restoring a backup')
  await other.page.getByRole('button', { name: 'Restore', exact: true }).click()
  await other.page.getByRole('navigation', { name: 'Mailboxes' }).waitFor()
  await expect(rowsOf(other.page)).toHaveCount(SUBJECTS.length)
  await rowsOf(other.page).filter({ hasText: SUBJECTS[0] }).click()
  await expect(other.page.getByRole('article')).toContainText(SUBJECTS[0])
  await expect(other.page.getByText(/Enter its API key to sync/)).toBeVisible()
})
