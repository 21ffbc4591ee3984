import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expectAccessible } from './expect-accessible.ts'
import { expect, test } from './linnet.ts'
import { readMbox } from '../support/read-mbox.ts'
import { runByPalette } from '../support/screens.ts'

test('mail is exported by the keyboard alone, into a file that has all of it', async ({ linnet, platform }) => {
  const { page, electron } = linnet
  const folder = await mkdtemp(join(tmpdir(), 'linnet-export-'))
  const target = join(folder, 'mail.mbox')
  await platform.deliver({ subject: 'To be taken along', messageId: '<along@example.com>', text: 'From here on.' })
  await page.keyboard.press('F5')
  await expect(page.getByRole('option', { name: /To be taken along/ })).toBeVisible()
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
    // On the desktop it is told of until it is put away.
    await expect(dialog.getByRole('button', { name: 'Remove from list' })).toBeVisible()
    await expect(dialog.getByRole('list', { name: 'Exports' })).toContainText(/mail\.mbox.*\d messages?, /s)
  } else {
    const file = await download
    expect(basename(file.suggestedFilename())).toMatch(/^Mail \d{4}-\d\d-\d\d\.mbox$/)
    await file.saveAs(target)
  }
  const messages = readMbox(await readFile(target))
  expect(messages.map(({ headers }) => headers.get('message-id'))).toContain('<along@example.com>')
  const { data } = (await platform.ask(`/inboxes/${platform.inboxId}/threads?folders=inbox&limit=100`)) as {
    data: readonly { readonly email_count: number }[]
  }
  expect(messages.length).toBe(data.reduce((sum, { email_count: count }) => sum + count, 0))
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await rm(folder, { recursive: true, force: true })
})
