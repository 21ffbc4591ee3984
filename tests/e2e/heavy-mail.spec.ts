import { measureKey, measureOpening } from '../support/blocked-frames.ts'
import { heavyMail } from '../support/heavy-mail.ts'
import { expect, test } from './linnet.ts'

// A trace inspects the page at each step, which would be measured as well.
test.use({ trace: 'off' })

/** Timeout of any step, in milliseconds: a window blocked for longer hangs. The bench measures the exact time. */
const BOUND = 30_000

/** One message of each kind of heavy mail: length, depth and an attribute. */
const TO_TEXT_AND_BACK = ['Ten megabytes', 'Nested elements', 'A long attribute']

test('stays responsive with heavy mail, as text, formatted and as text again', async ({ linnet, platform }) => {
  test.setTimeout(180_000)
  const { page, kind } = linnet
  // Make all rows visible at once.
  await page.setViewportSize({ width: 1440, height: 1600 })
  const from = 'Heavy <heavy@sender.example>'
  // The list continues below the heavy mail, so it can be scrolled from there as well.
  for (let at = 0; at < 30; at += 1)
    await platform.deliver({ from: 'ada@quay.example', subject: `Rope ${at}`, text: 'Rope.' })
  await Promise.all(heavyMail.map(({ name, ...body }) => platform.deliver({ from, subject: name, ...body })))
  await platform.deliver({
    from,
    subject: 'Ten thousand rows',
    // More than is loaded along with a conversation.
    html: `<h1 style="color: teal">Rows</h1><table>${'<tr><td class="first column">one</td><td class="second column">two</td></tr>'.repeat(10_000)}</table>`,
  })
  await platform.deliver({
    from,
    subject: 'Long letter',
    text: 'a line\n'.repeat(3000) + 'the end',
  })
  await page.keyboard.press('F5')
  const article = page.getByRole('article', { name: 'Message from Heavy' })
  const list = page.getByRole('listbox', { name: /Threads|Inbox/ })
  // Arrivals move the rows below them, so wait for all mail before clicking.
  for (const name of [...heavyMail.map((mail) => mail.name), 'Ten thousand rows', 'Long letter']) {
    await expect(page.getByRole('option', { name: new RegExp(name) })).toBeVisible({ timeout: 60_000 })
  }
  /** Replies to the open message, and closes it. */
  const replyTo = async (name: string): Promise<void> => {
    const replied = await measureKey(page, 'r', 'form[aria-label="Reply"] [role="textbox"][aria-label="Message"]')
    console.log(kind, name.padEnd(24), 'reply', JSON.stringify(replied))
    expect.soft(Math.max(replied.longest, replied.untilShown), `reply to ${name}`).toBeLessThan(BOUND)
    const reply = page.getByRole('form', { name: 'Reply' })
    await expect(reply.getByRole('button', { name: 'Show quoted text' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(reply).toHaveCount(0)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('article')).toBeHidden()
    await list.evaluate((element) => element.scrollTo({ top: 0, behavior: 'instant' }))
  }
  await page.getByRole('option', { name: /Rope 29/ }).click()
  await expect(page.getByRole('article').getByText('Rope.')).toBeVisible()
  await replyTo('An ordinary message')
  for (const { name } of heavyMail) {
    const row = page.getByRole('option', { name: new RegExp(name) })
    await expect(row).toBeVisible({ timeout: 30_000 })
    const blocked = await measureOpening(page, row, 'article .prose, article iframe')
    const { longest, untilScrolled } = blocked
    // The bench reads this line.
    console.log(kind, name.padEnd(24), JSON.stringify(blocked))
    expect.soft(longest, name).toBeLessThan(BOUND)
    expect.soft(untilScrolled, name).toBeLessThan(BOUND)
    if (TO_TEXT_AND_BACK.includes(name)) {
      await article.getByRole('button', { name: 'Show formatted message' }).click()
      await expect(article.locator('iframe')).toBeVisible()
      await article.getByRole('button', { name: 'Show plain text' }).click()
      await expect(article.locator('.prose'), name).toBeVisible()
    }
    await replyTo(name)
  }

  await page.getByRole('option', { name: /Ten thousand rows/ }).click()
  await expect(article.getByText('Rows', { exact: true })).toBeVisible()
  await expect(article.locator('iframe')).toHaveCount(0)
  await article.getByRole('button', { name: 'Show formatted message' }).click()
  await expect(article.frameLocator('iframe').getByRole('heading', { name: 'Rows' })).toBeVisible()
  await article.getByRole('button', { name: 'Show plain text' }).click()
  await expect(article.locator('iframe')).toHaveCount(0)

  await page.getByRole('option', { name: /Long letter/ }).click()
  const more = article.getByRole('button', { name: 'Show more' })
  await expect(more).toBeVisible()
  await expect(article.getByText('the end')).toBeHidden()
  await more.click()
  await more.click()
  await more.click()
  await expect(article.getByText('the end')).toBeVisible()
  await expect(more).toBeHidden()

  // Only its beginning is quoted, so its text is attached. It isn't the user's own, so no draft is kept.
  await page.keyboard.press('f')
  const forwarded = page.getByRole('form', { name: 'Forward' })
  await expect(forwarded.getByRole('list', { name: 'Attachments' })).toContainText('Whole message.txt')
  await expect(forwarded.getByRole('progressbar')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(forwarded).toHaveCount(0)
  await page.getByRole('link', { name: /^Drafts/ }).click()
  await expect(page.getByText('No drafts')).toBeVisible()
})
