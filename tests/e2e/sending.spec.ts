/** Messages on their way, as a person meets them: with files and pictures, offline, later, taken over, and refused. */
import type { Locator, Page } from '@playwright/test'
import { drawPng } from '../support/drawn-pictures.ts'
import type { Platform } from '../support/platform.ts'
import { sentOf } from '../support/sent-emails.ts'
import { SMALL_PDF } from '../support/small-pdf.ts'
import { expectAccessible } from './expect-accessible.ts'
import { layoutFaults } from './layout-faults.ts'
import { deliverAll, expect, goTo, SENDING_AT_ONCE, test } from './linnet.ts'

/** A message takes some requests, and the machine may have other things to do. */
const SENT = { timeout: 60_000 }

test.use({ preferences: SENDING_AT_ONCE })

const attachmentsOf = async ({ ask }: Platform, emailId: string) =>
  (
    (await ask(`/emails/${emailId}/attachments`)) as {
      readonly data: readonly {
        readonly filename: string
        readonly content_id: string | null
        readonly content_disposition: string
      }[]
    }
  ).data

const form = (page: Page, name: 'New message' | 'Reply' | 'Forward'): Locator => page.getByRole('form', { name })

const write = async (page: Page, to: string, subject: string, words: string): Promise<Locator> => {
  // A key that is pressed before there is an inbox to write from does nothing.
  await expect(page.getByRole('button', { name: 'New message' })).toBeEnabled()
  await page.keyboard.press('c')
  const message = form(page, 'New message')
  await message.getByRole('combobox', { name: 'To', exact: true }).fill(to)
  await message.getByRole('textbox', { name: 'Subject' }).fill(subject)
  await message.getByRole('textbox', { name: 'Message' }).click()
  await page.keyboard.type(words)
  return message
}

test('an e-mail is forwarded with its files, but for the one that mail services do not carry', async ({
  linnet,
  platform,
}) => {
  const { page } = linnet
  const attachments = [
    { filename: 'plan.pdf', content: SMALL_PDF },
    { filename: 'pier.png', content: drawPng(64, 40) },
    { filename: 'crane.exe', content: Buffer.from('MZ') },
  ]
  const text = 'Everything for Friday.'
  await deliverAll(page, platform, [{ from: 'Ada <ada@quay.example>', subject: 'Papers', text, attachments }])
  await page.keyboard.press('Enter')
  await expect(page.getByRole('article').last().getByText(text)).toBeVisible()
  await page.keyboard.press('f')
  const forwarded = form(page, 'Forward')
  await expect(forwarded.getByRole('combobox', { name: 'To', exact: true })).toBeFocused()
  await expect(forwarded.getByRole('list', { name: 'Attachments' })).toContainText('plan.pdf')
  await expect(forwarded.getByText('reject this kind of file')).toBeVisible()
  await page.keyboard.type('ben@pier.example,')
  await page.keyboard.press('ControlOrMeta+Enter')
  const asked = forwarded.getByRole('group', { name: 'Before it is sent' })
  await expect(asked).toContainText('“crane.exe” is not sent with it.')
  await expectAccessible(page, 'questions before a message is sent')
  // Where there is no room for all of it, all of it can be scrolled to (W1).
  for (const [width, height] of [
    [320, 640],
    [450, 300],
  ] as const) {
    await page.setViewportSize({ width, height })
    expect(await layoutFaults(page), `${width}×${height}`).toEqual([])
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  await asked.getByRole('button', { name: 'Send anyway' }).focus()
  await page.keyboard.press('Enter')
  await expect(forwarded).toHaveCount(0)
  await expect.poll(async () => (await sentOf(platform)).length, SENT).toBe(1)
  const [sent] = await sentOf(platform)
  expect(sent).toMatchObject({ subject: 'Fwd: Papers', to: ['ben@pier.example'] })
  expect(sent?.text).toContain(text)
  expect((await attachmentsOf(platform, sent?.id ?? '')).map(({ filename }) => filename)).toEqual([
    'plan.pdf',
    'pier.png',
  ])
})

test('a picture that is pasted stands in the text of the message that is sent', async ({ linnet, platform }) => {
  const { page } = linnet
  const message = await write(page, 'ben@pier.example', 'The pier', 'It looks so: ')
  await message.getByRole('textbox', { name: 'Message' }).evaluate(
    (element, bytes) => {
      const clipboardData = new DataTransfer()
      clipboardData.items.add(new File([new Uint8Array(bytes)], 'pier.png', { type: 'image/png' }))
      element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    },
    [...drawPng(64, 40)],
  )
  const picture = message.getByRole('img', { name: 'pier.png' })
  await expect(picture).toBeVisible()
  await expect.poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(64)
  await message.getByRole('button', { name: 'Send', exact: true }).click()
  await expect.poll(async () => (await sentOf(platform)).length, SENT).toBe(1)
  const [sent] = await sentOf(platform)
  const [file] = await attachmentsOf(platform, sent?.id ?? '')
  expect(file).toMatchObject({ filename: 'pier.png' })
  expect(sent?.html).toContain(`src="cid:${file?.content_id ?? ''}"`)
  expect(sent?.html).not.toContain('blob:')
})

test('a table of a spreadsheet stays one in the message that is sent, and has tabs in its plain text (S5)', async ({
  linnet,
  platform,
}) => {
  const { page } = linnet
  const message = await write(page, 'ben@pier.example', 'Prices', 'They are:')
  const html =
    '<meta charset="utf-8"><table border="0" style="width:96pt"><caption>Prices</caption><colgroup><col width="64"></colgroup>' +
    '<thead><tr><th>What</th><th>How much</th></tr></thead><tbody><tr><td class="xl65">Boat</td><td align="right">12,50</td></tr>' +
    '<tr><td colspan="2">Merged</td></tr><tr><td>two<br>lines</td><td>=A1</td></tr></tbody></table>' +
    '<dl><dt>Berth</dt><dd>A place</dd></dl>'
  await message.getByRole('textbox', { name: 'Message' }).evaluate((element, pasted) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/html', pasted)
    clipboardData.setData('text/plain', 'What\tHow much')
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, html)
  const table = message.getByRole('table')
  await expect(table.getByRole('columnheader')).toHaveText(['What', 'How much'])
  await expect(table.getByRole('cell')).toHaveText(['Boat', '12,50', 'Merged', /two\s*lines/, '=A1'])
  await expectAccessible(page, 'a table in a message')
  await message.getByRole('button', { name: 'Send', exact: true }).click()
  await expect.poll(async () => (await sentOf(platform)).length, SENT).toBe(1)
  const [sent] = await sentOf(platform)
  expect(sent?.html).toMatch(/<table border="1" cellpadding="4" cellspacing="0"[^>]*border-collapse:collapse/)
  expect(sent?.html).toContain('<td colspan="2">')
  const lines = ['What\tHow much', 'Boat\t12,50', 'Merged', 'two lines\t=A1']
  expect(sent?.text).toContain(lines.join('\n'))
  expect(sent?.text).toMatch(/Prices\n[^]*\nBerth\s+A place/)
})

test('files that are dropped go along, but for those that are refused at once with the reason', async ({
  linnet,
  platform,
}) => {
  const { page } = linnet
  const message = await write(page, 'ben@pier.example', 'Plans', 'They are as follows.')
  const files = await page.evaluateHandle(() => {
    const carried = new DataTransfer()
    const add = (name: string, parts: readonly BlobPart[]): void => {
      carried.items.add(new File([...parts], name))
    }
    add('plan.txt', ['Berth four'])
    add('crane.exe', ['MZ'])
    // Beyond what a message takes, made in the page from one piece.
    const piece = new Blob([new Uint8Array(1024 * 1024)])
    add(
      'harbour.mov',
      Array.from({ length: 26 }, () => piece),
    )
    return carried
  })
  await message.dispatchEvent('dragover', { dataTransfer: files })
  await message.dispatchEvent('drop', { dataTransfer: files })
  const list = message.getByRole('list', { name: 'Attachments' })
  const itemOf = (name: string): Locator => list.getByRole('listitem').filter({ hasText: name })
  await expect(itemOf('crane.exe').getByRole('alert')).toContainText('reject this kind of file')
  await expect(itemOf('harbour.mov').getByRole('alert')).toContainText('are left')
  await expect(list.getByRole('button', { name: 'Remove plan.txt' })).toBeVisible()
  await expectAccessible(page, 'files that were dropped')
  expect(await sentOf(platform)).toEqual([])
  await list.getByRole('button', { name: 'Remove crane.exe' }).click()
  await list.getByRole('button', { name: 'Remove harbour.mov' }).click()
  await message.getByRole('button', { name: 'Send', exact: true }).click()
  await expect.poll(async () => (await sentOf(platform)).length, SENT).toBe(1)
  const [sent] = await sentOf(platform)
  expect(sent).toMatchObject({ subject: 'Plans', to: ['ben@pier.example'] })
  expect((await attachmentsOf(platform, sent?.id ?? '')).map(({ filename }) => filename)).toEqual(['plan.txt'])
})

test('what is sent offline waits in the outbox, is read and changed there, and goes once after a restart', async ({
  launch,
  platform,
  dataDirectory,
}) => {
  const env = { LINNET_BASE_URL: platform.baseUrl, LINNET_API_KEY: platform.apiKey }
  const first = await launch({ dataDirectory, env })
  await deliverAll(first.page, platform, [{ from: 'Ada <ada@quay.example>', subject: 'Berth four', text: 'Free?' }])
  await first.page.keyboard.press('Enter')
  await expect(first.page.getByRole('article').last().getByText('Free?')).toBeVisible()
  await platform.pause()
  await first.page.keyboard.press('F5')
  await expect(first.page.getByRole('status').getByText('Offline')).toBeVisible()
  await first.page.keyboard.press('r')
  const reply = form(first.page, 'Reply')
  await expect(reply.getByRole('textbox', { name: 'Message' })).toBeFocused()
  await first.page.keyboard.type('It is free.')
  await first.page.keyboard.press('ControlOrMeta+Enter')
  await expect(reply).toHaveCount(0)

  await first.page.keyboard.press('g')
  await first.page.keyboard.press('o')
  const row = first.page.getByRole('main').getByRole('listitem').filter({ hasText: 'Re: Berth four' })
  await expect(row).toContainText('Waiting for the connection', SENT)
  await expectAccessible(first.page, 'the outbox offline')
  await row.getByRole('button', { name: 'Take back and edit' }).click()
  await expect(reply.getByRole('textbox', { name: 'Message' })).toContainText('It is free.')
  await reply.getByRole('textbox', { name: 'Message' }).press('ControlOrMeta+End')
  await first.page.keyboard.type(' From noon on.')
  await first.page.keyboard.press('ControlOrMeta+Enter')
  await expect(reply).toHaveCount(0)
  await first.close()

  await platform.resume()
  expect(await sentOf(platform)).toEqual([])
  const { page } = await launch({ dataDirectory, env })
  await expect
    .poll(async () => (await sentOf(platform)).map(({ subject }) => subject), SENT)
    .toEqual(['Re: Berth four'])
  expect((await sentOf(platform))[0]?.text).toContain('It is free. From noon on.')
  await goTo(page, `#/inboxes/${platform.inboxId}/inbox`)
  await page.getByRole('option', { name: /Berth four/ }).click()
  await expect(
    page.getByRole('article').last().frameLocator('iframe').getByText('It is free. From noon on.'),
  ).toBeVisible()
  // It was sent once, and nothing of it is left.
  expect(await sentOf(platform)).toHaveLength(1)
  await goTo(page, '#/outbox')
  await expect(page.getByText('Nothing waits to be sent')).toBeVisible()
})

test('a message is scheduled, listed with its time, given another time, and cancelled', async ({
  linnet,
  platform,
}) => {
  const { page } = linnet
  const message = await write(page, 'ben@pier.example', 'Tide table', 'For next week.')
  await message.getByRole('button', { name: 'Schedule' }).click()
  const dialog = page.getByRole('dialog', { name: 'Send later' })
  await dialog.getByRole('textbox', { name: 'Or at' }).fill('yesterday')
  await page.keyboard.press('Enter')
  await expect(dialog).toContainText('Type a time such as')
  await dialog.getByRole('textbox', { name: 'Or at' }).fill('in 3 days')
  await expectAccessible(page, 'the choice of a time')
  await page.keyboard.press('Enter')
  await expect(message).toHaveCount(0)
  await expect
    .poll(async () => (await sentOf(platform)).map(({ last_event }) => last_event), SENT)
    .toEqual(['scheduled'])

  await page.getByRole('link', { name: /Outbox/ }).click()
  const row = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Tide table' })
  await expect(row).toContainText('Scheduled for')
  const before = Date.parse((await sentOf(platform))[0]?.scheduled_at ?? '')
  await row.getByRole('button', { name: 'Reschedule…' }).click()
  const again = page.getByRole('dialog', { name: 'Reschedule' })
  await expect(again.getByRole('textbox', { name: 'Or at' })).toHaveValue(/^\d{4}-\d{2}-\d{2} \d{1,2}:\d{2}$/)
  await again.getByRole('textbox', { name: 'Or at' }).fill('in 5 days')
  await expectAccessible(page, 'the choice of another time')
  await page.keyboard.press('Enter')
  await expect(again).toHaveCount(0)
  const twoDays = 2 * 24 * 60 * 60 * 1000
  await expect
    .poll(async () => Date.parse((await sentOf(platform))[0]?.scheduled_at ?? '') - before, SENT)
    .toBeGreaterThanOrEqual(twoDays)
  expect((await sentOf(platform)).map(({ last_event }) => last_event)).toEqual(['scheduled'])
  await row.getByRole('button', { name: 'Cancel and edit' }).click()
  await expect(message.getByRole('textbox', { name: 'Message' })).toContainText('For next week.')
  await expect
    .poll(async () => (await sentOf(platform)).map(({ last_event }) => last_event), SENT)
    .toEqual(['canceled'])
})

test('a draft that a colleague began is taken over, and sent as it then reads', async ({ linnet, platform }) => {
  const { page } = linnet
  await deliverAll(page, platform, [{ from: 'Ada <ada@quay.example>', subject: 'Berth four', text: 'Is it free?' }])
  const threads = (await platform.ask(`/inboxes/${platform.inboxId}/threads`)) as {
    readonly data: readonly { readonly id: string }[]
  }
  const { data } = threads
  const threadId = data[0]?.id ?? ''
  const emails = (await platform.ask(`/inboxes/${platform.inboxId}/threads/${threadId}/emails`)) as typeof threads
  await platform.ask(`/inboxes/${platform.inboxId}/drafts`, {
    method: 'POST',
    body: {
      ...{ thread_id: threadId, reply_to_email_id: emails.data[0]?.id },
      ...{ subject: 'Re: Berth four', html: '<p>From Monday on.</p>' },
    },
  })
  await page.keyboard.press('F5')
  await page.getByRole('option', { name: /Berth four/ }).click()
  const begun = page.getByRole('group', { name: 'Draft' })
  await expect(begun).toContainText('From Monday on.')
  await begun.getByRole('button', { name: 'Take over' }).click()
  const words = form(page, 'Reply').getByRole('textbox', { name: 'Message' })
  await expect(words).toContainText('From Monday on.')
  await words.press('ControlOrMeta+End')
  await page.keyboard.type(' The crane, too.')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect.poll(async () => (await sentOf(platform)).length, SENT).toBe(1)
  const [sent] = await sentOf(platform)
  expect(sent).toMatchObject({ subject: 'Re: Berth four', to: ['Ada <ada@quay.example>'] })
  expect(sent?.text).toContain('From Monday on. The crane, too.')
  const drafts = (await platform.ask(`/inboxes/${platform.inboxId}/drafts`)) as { readonly data: readonly unknown[] }
  expect(drafts.data).toEqual([])
})

test.describe('a platform that refuses', () => {
  test.use({ platformSwitches: ['--faults'] })

  test('gives a message back with the reason at its field, and takes it once that is mended', async ({
    linnet,
    platform,
  }) => {
    const { page } = linnet
    const message = 'The recipient is on the suppression list.'
    const refuse = { kind: 'error_422', method: 'POST', path: '/', message }
    const draft = await write(page, 'gone@pier.example', 'Ropes', 'Two of them.')
    await expect(draft.getByText('Draft saved')).toBeVisible()
    const drafts = `/inboxes/${platform.inboxId}/drafts`
    await expect.poll(async () => ((await platform.ask(drafts)) as { data: readonly unknown[] }).data.length).toBe(1)
    await platform.ask('/_control/faults', { method: 'PUT', body: { faults: [refuse] } })
    await draft.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(draft.getByRole('alert')).toContainText(message, SENT)
    expect(await sentOf(platform)).toEqual([])
    await expectAccessible(page, 'a message that was refused')

    await platform.ask('/_control/faults', { method: 'PUT', body: { faults: [] } })
    await draft.getByRole('combobox', { name: 'To', exact: true }).focus()
    await page.keyboard.press('Backspace')
    await page.keyboard.press('Backspace')
    await page.keyboard.type('ben@pier.example,')
    await expect(draft.getByRole('alert')).toHaveCount(0)
    await page.keyboard.press('ControlOrMeta+Enter')
    await expect.poll(async () => (await sentOf(platform)).map(({ to }) => to), SENT).toEqual([['ben@pier.example']])
  })
})
