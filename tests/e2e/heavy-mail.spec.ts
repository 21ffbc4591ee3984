import { measureOpening } from '../support/blocked-frames.ts'
import { heavyMail } from '../support/heavy-mail.ts'
import { expect, test } from './linnet.ts'

test.use({ dataset: 'demo' })

/** Milliseconds: far above what it takes, far below what a frozen window takes. The figure itself is the bench's. */
const BOUND = 3000

test('heavy mail never takes the window with it', async ({ linnet, platform }) => {
  test.setTimeout(180_000)
  const { page, kind } = linnet
  for (const { name, ...body } of heavyMail) {
    await platform.deliver({ from: 'Heavy <heavy@sender.example>', subject: name, ...body })
  }
  await page.keyboard.press('F5')
  const list = page.getByRole('listbox', { name: /Threads|Inbox/ })
  for (const { name, text } of heavyMail) {
    const row = page.getByRole('option', { name: new RegExp(name) })
    await expect(row).toBeVisible({ timeout: 30_000 })
    const article = page.getByRole('article', { name: 'E-mail from Heavy' })
    const blocked = await measureOpening(page, row, list, async () => {
      await expect(article).toBeVisible()
      const body = article.locator('.prose, iframe').first()
      await expect(body).toBeVisible({ timeout: 30_000 })
    })
    console.log(kind, name.padEnd(24), JSON.stringify(blocked), (text ?? '').length)
    expect.soft(blocked.longest, name).toBeLessThan(BOUND)
    expect.soft(blocked.untilScrolled, name).toBeLessThan(BOUND)
    await page.keyboard.press('Escape')
    await expect(article).toBeHidden()
    await list.hover()
    await page.mouse.wheel(0, -5000)
  }
})
