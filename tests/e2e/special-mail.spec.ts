import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { LARGEST_MESSAGE, MALFORMED_MESSAGES, wholeOf } from '../support/malformed-mail.ts'
import type { Platform } from '../support/platform.ts'
import { INVITATION, type SPECIAL_MAIL, specialMessage } from '../support/special-mail.ts'
import { expectAccessible } from './expect-accessible.ts'
import { expect, saveTo, test, type Linnet } from './linnet.ts'

const NO_TEXT = 'This message has no text.'

const open = async (page: Page, platform: Platform, kind: keyof typeof SPECIAL_MAIL): Promise<Locator> => {
  await platform.deliver(specialMessage(kind, platform.inboxAddress))
  await page.keyboard.press('F5')
  await page.getByRole('option', { name: new RegExp(`Special ${kind}`) }).click()
  const article = page.getByRole('article', { name: 'Message from Nora Quill' })
  await expect(article).toHaveCount(1)
  await expect(page.getByRole('heading', { name: `Special ${kind}` })).toBeVisible()
  return article
}

const isACard = async (linnet: Linnet, platform: Platform): Promise<void> => {
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
  expect(saved.toString()).toBe(INVITATION)

  const cancelled = (await open(page, platform, 'cancellation')).getByRole('region', { name: 'Event cancelled' })
  await expect(cancelled).toContainText('Walk around the harbour')
  await expect(cancelled.getByRole('button', { name: 'Add to calendar' })).toHaveCount(0)
  const answer = (await open(page, platform, 'answer')).getByRole('region', { name: 'Reply to an invitation' })
  await expect(answer).toContainText(/Ola Inner.*\(declined\)/s)
}

const saysWhatIsSealed = async (page: Page, platform: Platform): Promise<void> => {
  const article = await open(page, platform, 'signed')
  await expect(article.locator('.prose')).toContainText('Signed words of the harbour master.')
  await expect(article).toContainText('signed with S/MIME, but Linnet didn’t verify the signature.')
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
}

const namesReports = async (page: Page, platform: Platform): Promise<void> => {
  const bounce = await open(page, platform, 'bounce')
  await bounce.getByText('Delivery report', { exact: true }).click()
  await expect(bounce.locator('pre').first()).toContainText('Status: 5.1.1')
  await expect(bounce.getByRole('button', { name: 'Open attachment.txt' })).toHaveCount(2)
  const outlook = await open(page, platform, 'outlook')
  await expect(outlook.getByRole('note')).toContainText('into winmail.dat. Linnet cannot open it.')
  await expect(outlook.getByRole('note').getByRole('button', { name: 'Save winmail.dat' })).toBeVisible()
}

const readsWhatIsMalformed = async (page: Page, platform: Platform): Promise<void> => {
  const all = [...MALFORMED_MESSAGES, LARGEST_MESSAGE]
  const list = page.getByRole('listbox', { name: 'Threads' })
  const here = await list.getByRole('option').count()
  const envelope = { from: 'program@broken.example', to: platform.inboxAddress }
  for (const message of all) await platform.deliver({ envelope, raw: wholeOf(message, platform.inboxAddress) })
  await page.keyboard.press('F5')
  await expect(list.getByRole('option').first()).toHaveAttribute('aria-setsize', String(here + all.length))
  const article = page.getByRole('article')
  await list.focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  let isSourceSeen = false
  for (const { name, shows, names = [], isDamaged = false } of all.toReversed()) {
    const heading = page.getByRole('region', { name: 'Thread', exact: true }).getByRole('heading', { level: 1 })
    await expect(heading).toContainText(`Of ${name}`)
    await expect(article, name).toHaveCount(1)
    const frame = article.locator('iframe')
    if (shows === null) {
      // Mail whose HTML has nothing but broken characters shows a notice that it has no text.
      await expect(article.getByText('This message has no text').or(frame), name).toBeVisible()
      const showSource = article.getByRole('button', { name: 'Show source' })
      if (!isSourceSeen && (await showSource.isVisible())) {
        isSourceSeen = true
        await showSource.click()
        const source = page.getByRole('dialog', { name: 'Message source' })
        await expect(source).toContainText(`Of ${name}`)
        await page.keyboard.press('Escape')
        await expect(source).toHaveCount(0)
      }
    } else {
      await expect(article.locator('.prose'), name).toContainText(shows)
    }
    if (shows !== null) {
      const note = article.getByText('Some characters could not be read and are shown as \ufffd.')
      await expect(note, name).toHaveCount(isDamaged ? 1 : 0)
    }
    for (const attachment of names) await expect(article.getByText(attachment), name).toBeVisible()
    await page.keyboard.press('j')
  }
  expect(isSourceSeen).toBe(true)
}

test('reads unusual and malformed mail as far as possible', async ({ linnet, platform }) => {
  const { page } = linnet
  await test.step('an invitation is a card, and its file goes to the calendar', () => isACard(linnet, platform))
  await test.step('signed mail is readable with its files, and encrypted mail says so', () =>
    saysWhatIsSealed(page, platform))
  await test.step('delivery reports and winmail.dat are named and explained', () => namesReports(page, platform))
  await test.step('malformed mail shows its readable text and attachment names, or that it has no text', () =>
    readsWhatIsMalformed(page, platform))
})
