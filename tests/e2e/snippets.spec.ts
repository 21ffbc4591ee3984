import type { Locator, Page } from '@playwright/test'
import type { Platform } from '../support/platform.ts'
import { sentOf } from '../support/sent-emails.ts'
import { expectAccessible } from './expect-accessible.ts'
import { deliverAll, expect, goTo, SENDING_AT_ONCE, test } from './linnet.ts'

test.use({ preferences: SENDING_AT_ONCE })

const dialog = (page: Page, name: string | RegExp): Locator => page.getByRole('dialog', { name })

const writeReply = async (page: Page, name: string, words: string): Promise<void> => {
  await page.getByRole('button', { name: 'New canned reply' }).click()
  const asked = dialog(page, 'New canned reply')
  await asked.getByRole('textbox', { name: 'Name' }).fill(name)
  await asked.getByRole('textbox', { name: 'Text' }).click()
  await page.keyboard.type(words)
  await asked.getByRole('button', { name: 'Save' }).click()
  await expect(asked).toHaveCount(0)
}

const importOne = async (page: Page): Promise<void> => {
  await goTo(page, '#/settings/canned')
  const file = {
    format: 'linnet-snippets',
    version: 1,
    signatures: [],
    cannedReplies: [{ name: 'Thanks', html: '<p>Thank <b>you</b>.<img src="https://x.example/a.png"></p>' }],
  }
  const choosing = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Import…' }).click()
  await (
    await choosing
  ).setFiles({ name: 'replies.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(file)) })
  await expect(page.getByRole('list', { name: 'Canned replies' })).toContainText('Thank you.')

  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'New message' })).toBeEnabled()
  await page.keyboard.press('c')
  const message = page.getByRole('form', { name: 'New message' })
  await message.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Plain text' }).click()
  const words = message.getByRole('textbox', { name: 'Message' })
  await words.click()
  await page.keyboard.type('Well: ')
  await page.keyboard.press('ControlOrMeta+k')
  await dialog(page, 'Command palette').getByRole('combobox').fill('insert thanks')
  await page.keyboard.press('Enter')
  await expect(words).toHaveValue('Well: Thank you.')
  await page.keyboard.press('Enter')
  await page.keyboard.type(';tha')
  await expect(page.getByRole('listbox', { name: 'Canned replies' })).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(words).toHaveValue('Well: Thank you.\nThank you.')
  await page.keyboard.press('ControlOrMeta+Shift+d')
  await expect(message).toHaveCount(0)
}

const writeInSettings = async (page: Page): Promise<void> => {
  await goTo(page, '#/settings/signatures')
  await page
    .getByRole('button', { name: /^Write signature for/ })
    .first()
    .click()
  const signature = dialog(page, /^Signature for/)
  await expect(signature.getByRole('textbox', { name: 'Signature' })).toBeFocused()
  await page.keyboard.type('The harbour office')
  await expectAccessible(page, 'the signature')
  await signature.getByRole('button', { name: 'Save' }).click()
  await goTo(page, '#/settings/canned')
  await writeReply(page, 'Berth is free', 'Dear {first_name|customer}, it is free. {nothing}')
  await writeReply(page, 'Closed', 'We are closed.')
  const replies = page.getByRole('list', { name: 'Canned replies' })
  await page.getByRole('button', { name: 'New canned reply' }).click()
  const written = dialog(page, 'New canned reply')
  await written.getByRole('textbox', { name: 'Text' }).click()
  await page.keyboard.type('Not to be lost')
  await page.keyboard.press('Escape')
  const question = dialog(page, 'Leave without saving?')
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await expectAccessible(page, 'the question before a canned reply is left')
  await page.keyboard.press('Escape')
  await expect(question).toHaveCount(0)
  await expect(written.getByRole('textbox', { name: 'Text' })).toHaveText('Not to be lost')
  await expect(written.getByRole('textbox', { name: 'Text' })).toBeFocused()
  await written.getByRole('button', { name: 'Cancel' }).click()
  await question.getByRole('button', { name: 'Leave' }).click()
  await expect(written).toHaveCount(0)
  await page.getByRole('button', { name: 'New canned reply' }).click()
  await expect(written.getByRole('textbox', { name: 'Text' })).toHaveText('')
  await page.keyboard.press('Escape')
  await expect(written).toHaveCount(0)
  await expect(replies.getByRole('listitem')).toHaveCount(3)
  await replies.getByRole('button', { name: 'Delete canned reply Closed' }).click()
  await expect(replies.getByRole('listitem')).toHaveCount(2)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(replies.getByRole('listitem')).toHaveCount(3)
  // Away from the button under the closed dialog, whose tooltip belongs to no region.
  await page.mouse.move(0, 0)
  await expect(page.getByRole('tooltip')).toHaveCount(0)
  await expectAccessible(page, 'canned replies')
}

const answerWithOne = async (page: Page, platform: Platform): Promise<void> => {
  await platform.ask('/contacts', { method: 'POST', body: { email: 'ada@quay.example', first_name: 'Ada' } })
  await goTo(page, '#/contacts')
  await page.keyboard.press('F5')
  await expect(page.getByRole('main').getByText('ada@quay.example')).toBeVisible()

  await goTo(page, `#/inboxes/${platform.inboxId}/inbox`)
  await deliverAll(page, platform, [{ from: 'Ada <ada@quay.example>', subject: 'Berth four', text: 'Is it free?' }])
  await page.keyboard.press('Enter')
  await expect(page.getByRole('article').last().getByText('Is it free?')).toBeVisible()
  await page.keyboard.press('r')
  const reply = page.getByRole('form', { name: 'Reply' })
  const words = reply.getByRole('textbox', { name: 'Message' })
  await expect(words).toBeFocused()
  await expect(words).toHaveText('The harbour office')
  const offers = page.getByRole('listbox', { name: 'Canned replies' })
  await page.keyboard.type(';')
  await expect(offers.getByRole('option')).toHaveText([/^\s*Berth is free/, /^\s*Closed/, /^\s*Thanks/])
  await page.keyboard.press('Escape')
  await expect(offers).toHaveCount(0)
  await expect(reply).toBeVisible()
  await page.keyboard.press('Backspace')
  await page.keyboard.type(';ber')
  await expect(offers.getByRole('option', { selected: true })).toHaveText(/^\s*Berth is free/)
  await expectAccessible(page, 'canned replies that are offered')
  await page.keyboard.press('Enter')
  await expect(words.getByRole('paragraph')).toHaveText(['Dear Ada, it is free. {nothing}', '', 'The harbour office'])

  await page.keyboard.press('ControlOrMeta+Enter')
  const questions = reply.getByRole('group', { name: 'Before you send' })
  await expect(questions).toContainText('“{nothing}” looks like a placeholder')
  await questions.getByRole('button', { name: 'Keep writing' }).click()
  for (const _ of '{nothing}') await page.keyboard.press('Backspace')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(reply).toHaveCount(0)
  const sent = async () => (await sentOf(platform)).map(({ text }) => text?.split('\n\nOn ')[0])
  await expect.poll(sent, { timeout: 40_000 }).toEqual(['Dear Ada, it is free.\n\nThe harbour office'])
}

test('writes, inserts, sends and transfers canned replies', async ({ linnet: { page }, platform }) => {
  await test.step('the palette inserts a reply into plain text, and a file transfers it', () => importOne(page))
  await test.step('a signature and canned replies are written in Settings', () => writeInSettings(page))
  await test.step('; inserts a reply with the recipient’s name, above the signature', () =>
    answerWithOne(page, platform))
})
