import type { Platform } from '../support/platform.ts'
import { expectAccessible } from './expect-accessible.ts'
import { deliverAll, expect, test } from './linnet.ts'

const EVE = 'eve@pier.example'

const suppress = ({ ask }: Platform): Promise<unknown> => ask('/suppressions', { method: 'POST', body: { email: EVE } })
const onList = async ({ ask }: Platform): Promise<readonly string[]> =>
  ((await ask('/suppressions')) as { readonly data: readonly { readonly email: string }[] }).data.map(
    ({ email }) => email,
  )

test('warns about a suppressed address before sending, and unblocks it after confirmation', async ({
  linnet: { page },
  platform,
}) => {
  await suppress(platform)
  await deliverAll(page, platform, [{ from: `Eve Pier <${EVE}>`, subject: 'Berths', text: 'Any left?' }])
  await page.keyboard.press('Enter')
  await expect(page.getByRole('article', { name: /Message from Eve/ })).toBeVisible()

  await test.step('the contact panel warns about the address', async () => {
    await page.getByRole('button', { name: 'Show contact' }).click()
    const panel = page.getByRole('complementary', { name: 'Contact' })
    await expect(panel.getByRole('note', { name: 'About mail to this address' })).toContainText(
      /eve@pier\.example has been on the suppression list since .*: the platform won’t send to this address\./,
    )
    await expectAccessible(page, 'a person on the suppression list')
  })

  const composer = page.getByRole('form', { name: 'Reply' })
  const note = composer.getByRole('note', { name: 'About the recipients' })
  const chip = composer.getByRole('button', { name: /eve@pier\.example>?, suppressed, remove/ })
  const remove = note.getByRole('button', { name: /^Remove from list… ?, eve@pier\.example$/ })
  await test.step('the composer warns too, and asks before sending', async () => {
    await page.getByRole('article').last().click()
    await page.keyboard.press('r')
    await expect(composer).toBeVisible()
    await expect(note).toContainText('the platform won’t send to this address')
    await expect(chip).toBeVisible()
    await expect(remove).toBeVisible()
    await page.keyboard.type('Two are left.')
    await page.keyboard.press('ControlOrMeta+Enter')
    const question = composer.getByRole('group', { name: 'Before you send' })
    await expect(question).toContainText('the platform won’t send to this address')
    await expectAccessible(page, 'a recipient on the suppression list')
    await question.getByRole('button', { name: 'Keep writing' }).click()
  })

  await test.step('removing the address asks first, with Cancel focused, and undo restores it', async () => {
    await remove.click()
    const dialog = page.getByRole('dialog', { name: 'Send to this address again?' })
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await expectAccessible(page, 'the question before an address is taken off the suppression list')
    await page.keyboard.press('Enter')
    await expect(dialog).toBeHidden()
    await expect(chip).toBeVisible()
    await remove.click()
    await dialog.getByRole('button', { name: 'Remove from list' }).click()
    await expect(chip).toBeHidden()
    await expect(note).toBeHidden()
    await expect.poll(() => onList(platform)).toEqual([])
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(chip).toBeVisible()
    await expect.poll(() => onList(platform)).toEqual([EVE])
  })

  await test.step('an offline removal waits to sync', async () => {
    await platform.pause()
    await remove.click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove from list' }).click()
    await expect(chip).toBeHidden()
    await expect(page.getByRole('note', { name: 'About mail to this address' })).toContainText('waiting to sync')
    await platform.resume()
    await expect.poll(() => onList(platform), { timeout: 60_000 }).toEqual([])
  })
})
