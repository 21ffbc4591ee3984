import type { Locator, Page } from '@playwright/test'
import { drawPng } from '../support/drawn-pictures.ts'
import type { Platform } from '../support/platform.ts'
import { sentOf } from '../support/sent-emails.ts'
import { expectAccessible } from './expect-accessible.ts'
import { deliverAll, expect, goTo, SENDING_AT_ONCE, test } from './linnet.ts'

test.use({ preferences: SENDING_AT_ONCE })

const list = (page: Page, name: string): Locator => page.getByRole('listbox', { name, exact: true })

const write = async (page: Page): Promise<{ readonly message: Locator; readonly words: Locator }> => {
  await expect(page.getByRole('button', { name: 'New message' })).toBeEnabled()
  await page.keyboard.press('c')
  const message = page.getByRole('form', { name: 'New message' })
  const words = message.getByRole('textbox', { name: 'Message' })
  await words.click()
  return { message, words }
}

const send = async (page: Page, message: Locator, platform: Platform, subject: string) => {
  await message.getByRole('textbox', { name: 'Subject' }).fill(subject)
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(message).toHaveCount(0)
  const sent = async () => (await sentOf(platform)).find((each) => each.subject === subject)
  await expect.poll(sent, { timeout: 40_000 }).toBeDefined()
  const found = await sent()
  return { html: found?.html ?? '', text: found?.text ?? '', to: found?.to }
}

const addContact = async (page: Page, platform: Platform): Promise<void> => {
  await platform.ask('/contacts', {
    method: 'POST',
    body: { email: 'mara@quay.example', first_name: 'Mara', last_name: 'Lind' },
  })
  await goTo(page, '#/contacts')
  await page.keyboard.press('F5')
  await expect(page.getByRole('main').getByText('mara@quay.example')).toBeVisible()
  await goTo(page, `#/inboxes/${platform.inboxId}/inbox`)
}

const writeByKeys = async (page: Page, platform: Platform): Promise<void> => {
  const { message, words } = await write(page)
  await page.keyboard.type('Dear @mar')
  await expect(list(page, 'People').getByRole('option', { selected: true })).toHaveText(
    /Mara Lind\s*mara@quay\.example/,
  )
  await expectAccessible(page, 'people to mention')
  await page.keyboard.press('Tab')
  await expect(words).toHaveText('Dear @Mara Lind')
  await expect(message.getByRole('list', { name: 'To, added' })).toHaveText(/Mara Lind/)
  await expect(message.getByText('Mara Lind added to To.')).toBeAttached()

  await page.keyboard.type(':tad')
  await expect(list(page, 'Emoji').getByRole('option').first()).toHaveText(/🎉\s*tada\s*party popper/)
  await page.keyboard.press('Enter')
  await page.keyboard.type(' :+1: at 10:30, 24/7, :D ')
  await expect(words).toHaveText('Dear @Mara Lind 🎉 👍 at 10:30, 24/7, :D ')
  await page.keyboard.press('ControlOrMeta+u')
  await page.keyboard.type('soon')
  await page.keyboard.press('Enter')

  await page.keyboard.type('/')
  await expect(list(page, 'Insert').getByRole('option', { name: 'Table', exact: true })).toBeVisible()
  await expect(list(page, 'Insert').getByRole('option', { selected: true })).toHaveCount(0)
  await expectAccessible(page, 'the menu of a slash')
  await page.keyboard.type('tab')
  await expect(list(page, 'Insert').getByRole('option', { selected: true })).toHaveText('Table')
  await page.keyboard.press('Enter')
  await expect(words.getByRole('row')).toHaveCount(3)
  const cells = ['Berth', 'Free', 'Length', 'Four', 'yes', '20 m', 'Five', 'no', '12 m', 'Six']
  for (const [at, cell] of cells.entries()) {
    if (at > 0) await page.keyboard.press('Tab')
    await page.keyboard.type(cell)
  }
  await expect(words.getByRole('row')).toHaveText(['BerthFreeLength', 'Fouryes20 m', 'Fiveno12 m', 'Six'])
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.type('/delete row')
  await page.keyboard.press('Enter')
  await expect(words.getByRole('row')).toHaveText(['BerthFreeLength', 'Fouryes20 m', 'Six'])
  const tools = message.getByRole('toolbar', { name: 'Table' })
  await tools.getByRole('button', { name: 'Header row' }).click()
  await expect(words.getByRole('columnheader')).toHaveText(['Berth', 'Free', 'Length'])
  await expectAccessible(page, 'a table in a message')
  await tools.getByRole('button', { name: 'Column before' }).click()
  await expect(words.getByRole('columnheader')).toHaveCount(4)
  await page.keyboard.press('Shift+Tab')
  await tools.getByRole('button', { name: 'Delete column' }).click()
  await expect(words.getByRole('columnheader')).toHaveText(['Berth', 'Free', 'Length'])
  await page.keyboard.press('ControlOrMeta+End')
  await expect(tools).toHaveCount(0)
  await page.keyboard.type('Until then.')

  const { html, text, to } = await send(page, message, platform, 'Berths')
  expect(to).toEqual(['Mara Lind <mara@quay.example>'])
  expect(html).toContain('Dear @Mara Lind 🎉 👍 at 10:30, 24/7, :D <u>soon</u>')
  expect(html).toMatch(/<table border="1".*<th><p style="margin:0">Berth<\/p><\/th>.*<\/table>.*Until then\./s)
  expect(text).toContain('Dear @Mara Lind 🎉 👍 at 10:30, 24/7, :D soon')
  expect(text).toContain('Berth\tFree\tLength\nFour\tyes\t20 m')
}

const addPicture = async (page: Page, platform: Platform): Promise<void> => {
  const { message, words } = await write(page)
  await page.keyboard.type('See ')
  const choosing = page.waitForEvent('filechooser')
  await page.keyboard.type('/pic')
  await page.keyboard.press('Enter')
  await (await choosing).setFiles({ name: 'plan.png', mimeType: 'image/png', buffer: drawPng(600, 300) })
  const picture = words.getByRole('img', { name: 'plan.png' })
  await expect(picture).toHaveJSProperty('naturalWidth', 600)
  await picture.click()
  const bar = message.getByRole('group', { name: 'Picture' })
  await expect(bar.getByRole('button', { name: 'Original' })).toHaveAttribute('aria-pressed', 'true')

  const handle = words.locator('[data-resize-handle="bottom-right"]')
  const [from, before] = [await handle.boundingBox(), await picture.boundingBox()]
  if (from === null || before === null) throw new Error('The picture is on the screen.')
  await page.mouse.move(from.x + 6, from.y + 6)
  await page.mouse.down()
  await page.mouse.move(from.x + 6 - 100, from.y + 6, { steps: 5 })
  await page.mouse.up()
  await expect.poll(async () => (await picture.boundingBox())?.width).toBe(before.width - 100)
  const small = await picture.boundingBox()
  expect((small?.height ?? 0) / (small?.width ?? 1)).toBeCloseTo(0.5, 1)

  await page.keyboard.press('Enter')
  await expect(bar.getByRole('textbox', { name: 'Describe the picture' })).toBeFocused()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('Plan of the "quay"')
  await expectAccessible(page, 'a selected picture')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(words).toBeFocused()
  await expect.poll(async () => (await words.getByRole('img').boundingBox())?.width).toBe(240)
  await expect(bar.getByRole('button', { name: 'Small' })).toHaveAttribute('aria-pressed', 'true')

  await expect(message.getByText('Draft saved')).toBeVisible()
  await page.reload()
  await expect(words.getByRole('img', { name: 'Plan of the "quay"' })).toHaveJSProperty('offsetWidth', 240)
  await message.getByRole('combobox', { name: 'To', exact: true }).fill('mara@quay.example')
  const { html } = await send(page, message, platform, 'Plan')
  expect(html).toMatch(
    /<img (?=[^>]*src="cid:)(?=[^>]*alt="Plan of the &quot;quay&quot;")(?=[^>]*width="240")(?=[^>]*max-width:100%)[^>]*>/,
  )
  expect(html).not.toMatch(/<img [^>]*height="/)
}

const answer = async (page: Page, platform: Platform): Promise<void> => {
  await deliverAll(page, platform, [{ from: 'Ada <ada@quay.example>', subject: 'Berth four', text: 'Is it free?' }])
  await page.keyboard.press('Enter')
  await expect(page.getByRole('article').last().getByText('Is it free?')).toBeVisible()
  await page.keyboard.press('r')
  const reply = page.getByRole('form', { name: 'Reply' })
  const words = reply.getByRole('textbox', { name: 'Message' })
  await expect(words).toBeFocused()
  const button = reply.getByRole('button', { name: 'Insert canned reply' })
  await button.click()
  await page.getByRole('option', { name: 'New canned reply' }).click()
  const asked = page.getByRole('dialog', { name: 'New canned reply' })
  await asked.getByRole('textbox', { name: 'Name' }).fill('Thanks')
  await asked.getByRole('textbox', { name: 'Text' }).click()
  await page.keyboard.type('Thank you, {{first_name}.')
  await asked.getByRole('button', { name: 'Save' }).click()
  await expect(asked).toHaveCount(0)
  await button.click()
  await page.getByRole('option', { name: /^Thanks/ }).click()
  await expect(words).toHaveText('Thank you, {first_name}.')
  await expect(words).toBeFocused()

  await page.keyboard.type(' Ask @mara')
  await list(page, 'People').getByRole('option').click()
  await expect(words).toHaveText('Thank you, {first_name}. Ask @Mara Lind')
  await expect(reply.getByRole('list', { name: 'Cc, added' })).toHaveText(/Mara Lind/)
  await expect(reply.getByRole('list', { name: 'To, added' })).not.toHaveText(/Mara/)

  await reply.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Plain text' }).click()
  await words.and(page.locator('textarea')).click()
  await page.keyboard.press('ControlOrMeta+End')
  await page.keyboard.type(' :rocke')
  await expect(list(page, 'Emoji').getByRole('option')).toHaveCount(1)
  await page.keyboard.press('Enter')
  await page.keyboard.type(' /tha')
  await expect(list(page, 'Insert').getByRole('option')).toHaveText([/Thanks/])
  await page.keyboard.press('Escape')
  await expect(reply).toBeVisible()
  await expect(words).toHaveValue(/Ask @Mara Lind\s+🚀 \/tha$/)
}

test('inserts people, emoji, tables, pictures and canned replies', async ({ linnet: { page }, platform }) => {
  await addContact(page, platform)
  await test.step('@, : and / insert by keys alone, and the mail carries it', () => writeByKeys(page, platform))
  await test.step('a picture is resized by its handle, described, and keeps both', () => addPicture(page, platform))
  await test.step('a button inserts a canned reply, and a mention copies in its person', () => answer(page, platform))
})
