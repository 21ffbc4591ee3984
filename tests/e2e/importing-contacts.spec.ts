import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Platform } from '../support/platform.ts'
import { expectAccessible } from './expect-accessible.ts'
import { expect, goTo, test } from './linnet.ts'

const addressesOf = async (platform: Platform): Promise<readonly string[]> =>
  ((await platform.ask('/contacts')) as { readonly data: readonly { readonly email: string }[] }).data
    .map(({ email }) => email)
    .toSorted()

test('previews, imports and undoes a table with chosen columns', async ({
  linnet: { page, kind },
  platform,
  dataDirectory,
}) => {
  await platform.ask('/contacts', { method: 'POST', body: { email: 'ann@pier.example', first_name: 'Ann' } })
  await platform.ask('/contact-properties', { method: 'POST', body: { key: 'company', type: 'string' } })
  const file = join(dataDirectory, 'people.csv')
  const lines = [
    'Mail;Rufname;Company',
    'ann@pier.example;Anna;Gull',
    'bob@pier.example;Bob;"Herring; Sons"',
    'nobody;No;',
  ]
  await writeFile(file, Buffer.from(lines.join('\r\n'), 'latin1'))
  await goTo(page, '#/contacts')
  await page.keyboard.press('F5')
  await expect(page.getByRole('option', { name: 'Ann' })).toBeVisible()

  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Import contacts' }).click(),
  ])
  await chooser.setFiles(file)
  const dialog = page.getByRole('dialog', { name: 'Import contacts' })
  await expect(dialog.getByRole('status')).toContainText('1 new contact. 1 contact changed. 1 line skipped.')
  const heading = dialog.getByRole('switch', { name: 'First line is a header' })
  await heading.click()
  await expect(dialog.getByRole('status')).toContainText('2 lines skipped.')
  await heading.click()
  await dialog.getByRole('combobox', { name: 'Rufname' }).selectOption('First name')
  await expect(dialog.getByRole('list', { name: 'Changes' })).toContainText('First name: Ann Anna')
  await expect(dialog.getByRole('list', { name: 'Skipped lines' })).toContainText(
    'Line 4: “nobody” is not an email address.',
  )
  await expectAccessible(page, 'the preview of an import')
  if (kind === 'browser') {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Save skipped lines' }).click(),
    ])
    expect(await readFile(await download.path(), 'utf8')).toContain('4,“nobody” is not an email address.,nobody,No')
  }
  await dialog.getByRole('button', { name: 'Import 2 contacts' }).click()
  await expect(dialog).toBeHidden()
  await expect.poll(() => addressesOf(platform)).toEqual(['ann@pier.example', 'bob@pier.example'])
  await page.keyboard.press('z')
  await expect.poll(() => addressesOf(platform)).toEqual(['ann@pier.example'])
  await expect
    .poll(async () => ((await platform.ask('/contacts/ann@pier.example')) as { first_name: string }).first_name)
    .toBe('Ann')
})
