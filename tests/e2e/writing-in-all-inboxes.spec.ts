import type { Locator, Page } from '@playwright/test'
import { startPlatform } from '../support/platform.ts'
import { sentOf } from '../support/sent-emails.ts'
import { expectAccessible } from './expect-accessible.ts'
import { connect, draftsOn, expect, SENDING_AT_ONCE, test } from './linnet.ts'

test.use({ preferences: SENDING_AT_ONCE })

const sideBar = (page: Page): Locator => page.getByRole('navigation', { name: 'Mailboxes' })
const rows = (page: Page): Locator => page.getByRole('listbox', { name: 'Threads' }).getByRole('option')

test('gives a message with its file to another account and sends it only from there', async ({
  launch,
  platform: harbour,
  dataDirectory,
}) => {
  test.setTimeout(180_000)
  const ferry = await startPlatform('empty', ['--faults'])
  try {
    await harbour.deliver({ from: 'crew@pier.example', subject: 'Fog until noon', text: 'Fog.' })
    await ferry.deliver({ from: 'crew@pier.example', subject: 'Ferry at nine', text: 'Nine.' })
    const { page } = await launch({ dataDirectory })
    await connect(page, harbour)
    await expect(rows(page)).toHaveCount(1)
    await sideBar(page).getByRole('button', { name: 'Switch account or inbox' }).click()
    await page.getByRole('menuitem', { name: 'Add account…' }).click()
    await connect(page, ferry)
    await expect(rows(page)).toHaveText([/Ferry at nine/])
    for (const key of ['g', '0']) await page.keyboard.press(key)
    await expect(rows(page)).toHaveCount(2)

    await page.keyboard.press('c')
    const message = page.getByRole('form', { name: 'New message' })
    await expect(message.getByRole('combobox', { name: 'To', exact: true })).toBeFocused()
    const from = message.getByRole('combobox', { name: 'From' })
    await expect(from.getByRole('option')).toHaveText([
      new RegExp(harbour.inboxAddress),
      new RegExp(ferry.inboxAddress),
    ])
    await page.keyboard.type('ben@pier.example,')
    await message.getByRole('textbox', { name: 'Subject' }).fill('Ropes')
    const chosen = page.waitForEvent('filechooser')
    await message.getByRole('button', { name: 'Attach files' }).click()
    await (await chosen).setFiles({ name: 'ropes.txt', mimeType: 'text/plain', buffer: Buffer.from('Two of them.') })
    await expect(message.getByRole('list', { name: 'Attachments' })).toContainText('ropes.txt')
    await message.getByRole('textbox', { name: 'Message' }).click()
    await page.keyboard.type('We need ')
    await expect.poll(() => draftsOn(harbour), { timeout: 20_000 }).toEqual(['Ropes'])

    await from.selectOption({ index: 1 })
    await expect.poll(() => draftsOn(ferry), { timeout: 20_000 }).toEqual(['Ropes'])
    await expect.poll(() => draftsOn(harbour), { timeout: 20_000 }).toEqual([])
    await expect(from).toHaveValue(new RegExp(ferry.inboxId))
    await expectAccessible(page, 'a message of all inboxes')
    // The same composer, with the caret where it was.
    await message.getByRole('textbox', { name: 'Message' }).click()
    await page.keyboard.press('ControlOrMeta+End')
    await page.keyboard.type('two ropes.')
    await page.keyboard.press('ControlOrMeta+Enter')
    await expect(message).toHaveCount(0)
    await expect.poll(async () => (await sentOf(ferry)).length, { timeout: 60_000 }).toBe(1)
    const [sent] = await sentOf(ferry)
    expect(sent).toMatchObject({ subject: 'Ropes', to: ['ben@pier.example'] })
    expect(sent?.text).toContain('We need two ropes.')
    const { data } = (await ferry.ask(`/emails/${sent?.id ?? ''}/attachments`)) as {
      readonly data: readonly { readonly filename: string }[]
    }
    expect(data.map(({ filename }) => filename)).toEqual(['ropes.txt'])
    expect(await sentOf(harbour)).toEqual([])
    await expect.poll(() => draftsOn(ferry)).toEqual([])

    // A reply is sent only from its conversation's account.
    await rows(page).filter({ hasText: 'Fog until noon' }).click()
    await expect(page.getByRole('article').last()).toContainText('Fog.')
    await page.keyboard.press('r')
    const reply = page.getByRole('form', { name: 'Reply' })
    await expect(reply.getByRole('textbox', { name: 'Message' })).toBeFocused()
    await page.keyboard.press('ControlOrMeta+Shift+f')
    await expect(reply.getByRole('combobox', { name: 'From' })).toHaveCount(0)
  } finally {
    await ferry.stop()
  }
})
