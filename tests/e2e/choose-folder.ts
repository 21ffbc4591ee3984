import { expectAccessible } from './expect-accessible.ts'
import { expect, type Linnet } from './linnet.ts'

/** Types a folder in a browser; on the desktop it is chosen with the dialog. @param label of its field */
export const chooseFolder = async (linnet: Linnet, label: string, folder: string): Promise<void> => {
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

/** Restores a backup from the first page. */
export const restoreFrom = async (linnet: Linnet, backup: string): Promise<void> => {
  await linnet.page.getByRole('button', { name: 'Restore from a backup…' }).click()
  await chooseFolder(linnet, 'Backup folder', backup)
  await expectAccessible(linnet.page, 'restoring a backup')
  await linnet.page.getByRole('button', { name: 'Restore', exact: true }).click()
  await linnet.page.getByRole('navigation', { name: 'Mailboxes' }).waitFor()
}
