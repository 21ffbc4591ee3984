/** Mail of broken programs: what can be shown is shown, what cannot is named, and nothing keeps the window from going on. */
import { LARGEST_MESSAGE, MALFORMED_MESSAGES, wholeOf } from '../support/malformed-mail.ts'
import { expect, test } from './linnet.ts'

test('what can be read of malformed mail is read, what it carries is named, and what has no text says so', async ({
  linnet,
  platform,
}) => {
  const { page } = linnet
  const all = [...MALFORMED_MESSAGES, LARGEST_MESSAGE]
  const envelope = { from: 'program@broken.example', to: platform.inboxAddress }
  for (const message of all) await platform.deliver({ envelope, raw: wholeOf(message, platform.inboxAddress) })
  await page.keyboard.press('F5')
  const list = page.getByRole('listbox', { name: 'Threads' })
  await expect(list.getByRole('option').first()).toHaveAttribute('aria-setsize', String(all.length))
  const article = page.getByRole('article')
  await list.focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  let isSourceSeen = false
  for (const { name, shows, names = [], isDamaged = false } of all.toReversed()) {
    const heading = page.getByRole('region', { name: 'Conversation' }).getByRole('heading', { level: 1 })
    await expect(heading).toContainText(`Of ${name}`)
    await expect(article, name).toHaveCount(1)
    const frame = article.locator('iframe')
    if (shows === null) {
      // HTML of nothing but broken signs is shown as such.
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
})
