import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { INVITATION, type SPECIAL_MAIL, specialMessage } from '../support/special-mail.ts'
import { expectAccessible } from './expect-accessible.ts'
import { expect, saveTo, test } from './linnet.ts'

const NO_TEXT = 'This message has no text.'

/** Delivers a message and opens it. */
const open = async (
  page: Page,
  platform: { readonly deliver: (message: object) => Promise<void>; readonly inboxAddress: string },
  kind: keyof typeof SPECIAL_MAIL,
): Promise<Locator> => {
  await platform.deliver(specialMessage(kind, platform.inboxAddress))
  await page.keyboard.press('F5')
  await page.getByRole('option', { name: new RegExp(`Special ${kind}`) }).click()
  const article = page.getByRole('article', { name: 'E-mail from Nora Quill' })
  await expect(article).toHaveCount(1)
  await expect(page.getByRole('heading', { name: `Special ${kind}` })).toBeVisible()
  return article
}

test('an invitation is a card, and its file goes to the calendar (M3)', async ({ linnet, platform }) => {
  const { page } = linnet
  const article = await open(page, platform, 'invitation')
  const card = article.getByRole('region', { name: 'Invitation', exact: true })
  await expect(card).toContainText('Walk around the harbour')
  await expect(card).toContainText('(Asia/Kathmandu)')
  await expect(card).toContainText(/Every week on Tuesday, until .*2027/)
  await expect(card).toContainText('Pier 4, by the crane')
  await expect(card).toContainText('nora@away.example')
  await expect(card.getByRole('listitem')).toHaveText([
    /Ola Inner.*ola@away\.example.*\(accepted\)/s,
    /tove@away\.example.*\(may come\)/s,
    'inbox@linnet.example',
  ])
  await expect(card.getByRole('link', { name: 'https://meet.away.example/harbour' })).toBeVisible()
  await expect(article).not.toContainText(NO_TEXT)
  await expectAccessible(page, 'invitation')
  const folder = await mkdtemp(join(tmpdir(), 'linnet-saved-'))
  const saved = await saveTo(linnet, join(folder, 'attachment.ics'), () =>
    card.getByRole('button', { name: 'Add to calendar' }).click(),
  )
  // The platform keeps text with line feeds alone.
  expect(saved.toString()).toBe(INVITATION.replaceAll('\r\n', '\n'))

  const cancelled = (await open(page, platform, 'cancellation')).getByRole('region', { name: 'Event cancelled' })
  await expect(cancelled).toContainText('Walk around the harbour')
  await expect(cancelled.getByRole('button', { name: 'Add to calendar' })).toHaveCount(0)
  const answer = (await open(page, platform, 'answer')).getByRole('region', { name: 'Answer to an invitation' })
  await expect(answer).toContainText(/Ola Inner.*\(declined\)/s)
})

test('signed mail is read, with its files, and encrypted mail says so (M4)', async ({ linnet, platform }) => {
  const { page } = linnet
  const article = await open(page, platform, 'signed')
  await expect(article.locator('.prose')).toContainText('Signed words of the harbour master.')
  await expect(article).toContainText('signed with S/MIME. Linnet did not check the signature.')
  await expect(article.getByRole('list', { name: 'Attachments' }).getByRole('listitem')).toHaveText([
    /smime\.p7m/,
    /tides\.txt/,
  ])
  for (const [kind, by, name] of [
    ['enveloped', 'S/MIME', 'smime.p7m'],
    ['pgp', 'PGP', 'encrypted.asc'],
  ] as const) {
    const encrypted = await open(page, platform, kind)
    await expect(encrypted).toContainText(`This message is encrypted with ${by}. Linnet cannot read it.`)
    await expect(encrypted.getByRole('note').getByRole('button', { name: `Save ${name}` })).toBeVisible()
    await expect(encrypted).not.toContainText(NO_TEXT)
  }
  const armour = await open(page, platform, 'armour')
  await expect(armour).toContainText('This message is encrypted with PGP. Linnet cannot read it.')
  await expectAccessible(page, 'encrypted mail')
})

test('a report is text with a name, and winmail.dat is said to be what it is (M5, M6)', async ({
  linnet,
  platform,
}) => {
  const { page } = linnet
  const bounce = await open(page, platform, 'bounce')
  await bounce.getByText('Delivery report', { exact: true }).click()
  await expect(bounce.locator('pre').first()).toContainText('Status: 5.1.1')
  await expect(bounce.getByRole('button', { name: 'Open attachment.txt' })).toHaveCount(2)
  const outlook = await open(page, platform, 'outlook')
  await expect(outlook.getByRole('note')).toContainText('into winmail.dat. Linnet cannot open it.')
  await expect(outlook.getByRole('note').getByRole('button', { name: 'Save winmail.dat' })).toBeVisible()
})
