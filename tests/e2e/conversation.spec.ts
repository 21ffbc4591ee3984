/** A conversation while it is read: however long it is, and whatever comes in. */
import type { Locator, Page } from '@playwright/test'
import type { Platform } from '../support/platform.ts'
import { expect, test } from './linnet.ts'

const ADA = '"Ada Quill" <ada@quill.example>'

const reader = (page: Page): Locator => page.getByRole('region', { name: 'Conversation' })
const articles = (page: Page): Locator => reader(page).getByRole('article')

interface Letter {
  readonly from?: string
  readonly text?: string
  readonly html?: string
}

/** Delivers a thread, an e-mail for each letter from `from` on. */
const converse = async (platform: Platform, subject: string, letters: readonly Letter[], from = 0): Promise<void> => {
  const idOf = (place: number): string => `<${place}@${subject.replaceAll(' ', '-')}.example>`
  for (const [index, letter] of letters.entries()) {
    const place = from + index
    const above = place === 0 ? {} : { inReplyTo: idOf(place - 1), references: [idOf(0), idOf(place - 1)] }
    await platform.deliver({
      from: ADA,
      subject: place === 0 ? subject : `Re: ${subject}`,
      messageId: idOf(place),
      ...above,
      ...letter,
    })
  }
}

const markRead = async (platform: Platform): Promise<void> => {
  const { data } = (await platform.ask(`/inboxes/${platform.inboxId}/threads`)) as { data: { id: string }[] }
  for (const { id } of data) {
    await platform.ask(`/inboxes/${platform.inboxId}/threads/${id}`, { method: 'PATCH', body: { read: true } })
  }
}

test('a long conversation opens with its newest e-mails, and the keys go through all of it', async ({
  linnet,
  platform,
}) => {
  const { page } = linnet
  const count = 60
  await converse(
    platform,
    'A long talk',
    Array.from({ length: count }, (_, index) => ({ text: `Letter number ${index}.` })),
  )
  await markRead(platform)
  await page.keyboard.press('F5')
  await page.getByRole('option', { name: /A long talk/ }).click()
  const earlier = reader(page).getByRole('button', { name: /earlier e-mails?/ })
  await expect(earlier).toHaveText('50 earlier e-mails')
  await expect(articles(page)).toHaveCount(10)
  await expect(articles(page).last()).toContainText('Letter number 59.')

  // Upwards the keys come to what is folded from its newer side.
  await articles(page).first().focus()
  await page.keyboard.press('p')
  await expect(earlier).toHaveText('10 earlier e-mails')
  await expect(articles(page).nth(39)).toBeFocused()
  await expect(articles(page).nth(39)).toContainText('Letter number 49.')
  await page.keyboard.press('n')
  await expect(articles(page).nth(40)).toBeFocused()

  // A button that is needed no more gives the focus on.
  await earlier.focus()
  await page.keyboard.press('Enter')
  await expect(earlier).toHaveCount(0)
  await expect(articles(page)).toHaveCount(count)
  await expect(
    articles(page)
      .first()
      .getByRole('button', { name: /Ada Quill/ }),
  ).toBeFocused()
})
