import { expectAccessible } from './expect-accessible.ts'
import { expect, goTo, test } from './linnet.ts'

test.use({ dataset: 'demo' })

test('every screen can be used with a keyboard and a screen reader, in both themes', async ({ linnet, platform }) => {
  test.setTimeout(120_000)
  const { page } = linnet
  const threads = page.getByRole('listbox', { name: 'Threads' }).getByRole('option')
  await threads.first().click()
  await page.getByRole('article').first().waitFor()
  await expectAccessible(page, 'a conversation')

  await page.getByRole('toolbar', { name: 'Thread actions' }).getByRole('button', { name: 'Share link' }).click()
  await page.getByRole('dialog', { name: 'Share link' }).waitFor()
  await expectAccessible(page, 'the share link')
  await page.keyboard.press('Escape')

  await goTo(page, '#/contacts')
  await page.getByRole('listbox', { name: 'Contacts' }).getByRole('option').first().click()
  await page.getByRole('switch').first().waitFor()
  await expectAccessible(page, 'a contact')

  await goTo(page, '#/received')
  await page.getByRole('listbox', { name: 'Received e-mails' }).getByRole('option').first().click()
  await page.getByRole('region', { name: 'Received e-mail' }).getByRole('heading', { level: 1 }).waitFor()
  await expectAccessible(page, 'a received e-mail')

  await goTo(page, '#/sent')
  await page.getByRole('listbox', { name: 'Sent e-mails' }).getByRole('option').first().click()
  await page.getByRole('region', { name: 'Sent e-mail' }).getByRole('article').waitFor()
  await expectAccessible(page, 'a sent e-mail')

  await goTo(page, `#/inboxes/${platform.inboxId}/search?query=nothing-has-this-word`)
  await expect(threads).toHaveCount(0)
  await expectAccessible(page, 'a search without a hit')

  await goTo(page, '#/settings')
  await page.getByRole('button', { name: 'Disconnect' }).waitFor()
  await expectAccessible(page, 'the settings')
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await expectAccessible(page, 'the keys')
})

test('the window before an account is accessible, too', async ({ launch, dataDirectory }) => {
  const { page } = await launch({ dataDirectory })
  await page.getByRole('button', { name: 'Try the demo' }).waitFor()
  await expectAccessible(page, 'onboarding')
})
