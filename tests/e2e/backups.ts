import type { Locator, Page } from '@playwright/test'
import { expectAccessible } from './expect-accessible.ts'
import { expect, goTo, type Linnet } from './linnet.ts'

export const backupSection = (page: Page): Locator =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: 'Backup' }) })

/** Types the folder in a browser; chooses it in the dialog on the desktop. @param label of the text field */
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

export const backUpInto = async (linnet: Linnet, folder: string): Promise<void> => {
  await goTo(linnet.page, '#/settings/backup')
  await chooseFolder(linnet, 'Backup folder', folder)
  const section = backupSection(linnet.page)
  await section.getByRole('button', { name: 'Back up now' }).click()
  await expect(section.getByRole('group', { name: 'Last backup' })).toContainText(` in ${folder}`)
}

export const restoreFrom = async (linnet: Linnet, backup: string): Promise<void> => {
  await linnet.page.getByRole('button', { name: 'Restore from a backup…' }).click()
  await chooseFolder(linnet, 'Backup folder', backup)
  await expectAccessible(linnet.page, 'restoring a backup')
  await linnet.page.getByRole('button', { name: 'Restore backup', exact: true }).click()
  await linnet.page.getByRole('navigation', { name: 'Mailboxes' }).waitFor()
}
