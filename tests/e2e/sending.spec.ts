import type { Locator, Page } from '@playwright/test'
import { drawPng } from '../support/drawn-pictures.ts'
import type { Platform } from '../support/platform.ts'
import { sentOf, type SentEmail } from '../support/sent-emails.ts'
import { SMALL_PDF } from '../support/small-pdf.ts'
import { expectAccessible } from './expect-accessible.ts'
import { layoutFaults } from './layout-faults.ts'
import { deliverAll, draftsOn, expect, goTo, SENDING_AT_ONCE, test, threadOn } from './linnet.ts'

/** Sending takes several requests, and the machine may be busy. */
const SENT = { timeout: 60_000 }

test.use({ preferences: SENDING_AT_ONCE })

const wordsOf = (composer: Locator): Locator => composer.getByRole('textbox', { name: 'Message' })

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
  // The key does nothing until there is an inbox to write from.
  await expect(page.getByRole('button', { name: 'New message' })).toBeEnabled()
  await page.keyboard.press('c')
  const message = form(page, 'New message')
  await message.getByRole('combobox', { name: 'To', exact: true }).fill(to)
  await message.getByRole('textbox', { name: 'Subject' }).fill(subject)
  await message.getByRole('textbox', { name: 'Message' }).click()
  await page.keyboard.type(words)
  return message
}

/** Sends a message. @returns the platform's new message */
const sentBy = async (platform: Platform, send: () => Promise<void>): Promise<SentEmail> => {
  const before = (await sentOf(platform)).map(({ id }) => id)
  await send()
  await expect.poll(async () => (await sentOf(platform)).length, SENT).toBe(before.length + 1)
  const [sent, ...others] = await sentOf(platform)
  expect(others.map(({ id }) => id)).toEqual(before)
  if (sent === undefined) throw new Error('nothing was sent')
  return sent
}

const pressSend = (message: Locator): Promise<void> =>
  message.getByRole('button', { name: 'Send', exact: true }).click()

const forwardWithFiles = async (page: Page, platform: Platform): Promise<void> => {
  const attachments = [
    { filename: 'plan.pdf', content: SMALL_PDF },
    { filename: 'pier.png', content: drawPng(64, 40) },
    { filename: 'crane.exe', content: Buffer.from('MZ') },
  ]
  const text = 'Everything for Friday.'
  await platform.deliver({ from: 'Ada <ada@quay.example>', subject: 'Papers', text, attachments })
  await page.keyboard.press('F5')
  await page.getByRole('option', { name: /Papers/ }).click()
  await expect(page.getByRole('article').last().getByText(text)).toBeVisible()
  await page.keyboard.press('f')
  const forwarded = form(page, 'Forward')
  await expect(forwarded.getByRole('combobox', { name: 'To', exact: true })).toBeFocused()
  await expect(forwarded.getByRole('list', { name: 'Attachments' })).toContainText('plan.pdf')
  await expect(forwarded.getByText('reject this kind of file')).toBeVisible()
  await page.keyboard.type('ben@pier.example,')
  await page.keyboard.press('ControlOrMeta+Enter')
  const asked = forwarded.getByRole('group', { name: 'Before you send' })
  await expect(asked).toContainText('“crane.exe” will not be sent.')
  await expectAccessible(page, 'questions before a message is sent')
  // In a small window, everything can be scrolled into view (W1).
  for (const [width, height] of [
    [320, 640],
    [450, 300],
  ] as const) {
    await page.setViewportSize({ width, height })
    // The window resizes asynchronously.
    await expect.poll(() => layoutFaults(page), `${width}×${height}`).toEqual([])
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  await asked.getByRole('button', { name: 'Send anyway' }).focus()
  const sent = await sentBy(platform, () => page.keyboard.press('Enter'))
  await expect(forwarded).toHaveCount(0)
  expect(sent).toMatchObject({ subject: 'Fwd: Papers', to: ['ben@pier.example'] })
  expect(sent.text).toContain(text)
  expect((await attachmentsOf(platform, sent.id)).map(({ filename }) => filename)).toEqual(['plan.pdf', 'pier.png'])
}

const attachMentionedFile = async (page: Page, platform: Platform): Promise<void> => {
  const message = await write(page, 'ben@pier.example', 'Blueprints', 'They are attached.')
  // Watching for the file chooser starts asynchronously, so it must begin before the key that opens it.
  const chooser = page.waitForEvent('filechooser')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(message.getByRole('button', { name: 'Attach files', exact: true }).first()).toBeFocused()
  await page.keyboard.press('Enter')
  await (await chooser).setFiles({ name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('The plan.') })
  // While a file is being added, sending asks to wait.
  await expect(message.getByRole('button', { name: 'Remove plan.txt' })).toBeVisible()
  await expect(wordsOf(message)).toBeFocused()
  const sent = await sentBy(platform, () => pressSend(message))
  expect((await attachmentsOf(platform, sent.id)).map(({ filename }) => filename)).toEqual(['plan.txt'])
}

const pastePicture = async (page: Page, platform: Platform): Promise<void> => {
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
  const sent = await sentBy(platform, () => pressSend(message))
  const [file] = await attachmentsOf(platform, sent.id)
  expect(file).toMatchObject({ filename: 'pier.png' })
  expect(sent.html).toContain(`src="cid:${file?.content_id ?? ''}"`)
  expect(sent.html).not.toContain('blob:')
}

const pasteTable = async (page: Page, platform: Platform): Promise<void> => {
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
  const sent = await sentBy(platform, () => pressSend(message))
  expect(sent.html).toMatch(/<table border="1" cellpadding="4" cellspacing="0"[^>]*border-collapse:collapse/)
  expect(sent.html).toContain('<td colspan="2">')
  const lines = ['What\tHow much', 'Boat\t12,50', 'Merged', 'two lines\t=A1']
  expect(sent.text).toContain(lines.join('\n'))
  expect(sent.text).toMatch(/Prices\n[^]*\nBerth\s+A place/)
}

const dropFiles = async (page: Page, platform: Platform): Promise<void> => {
  const message = await write(page, 'ben@pier.example', 'Plans', 'They are as follows.')
  const files = await page.evaluateHandle(() => {
    const carried = new DataTransfer()
    const add = (name: string, parts: readonly BlobPart[]): void => {
      carried.items.add(new File([...parts], name))
    }
    add('plan.txt', ['Berth four'])
    add('crane.exe', ['MZ'])
    // Files too large for a message, built in the page from one block.
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
  await expect(itemOf('harbour.mov').getByRole('alert')).toContainText('26 MB is left')
  await expect(list.getByRole('button', { name: 'Remove plan.txt' })).toBeVisible()
  await expectAccessible(page, 'files that were dropped')
  expect((await sentOf(platform)).map(({ subject }) => subject)).not.toContain('Plans')
  await list.getByRole('button', { name: 'Remove crane.exe' }).click()
  await list.getByRole('button', { name: 'Remove harbour.mov' }).click()
  const sent = await sentBy(platform, () => pressSend(message))
  expect(sent).toMatchObject({ subject: 'Plans', to: ['ben@pier.example'] })
  expect((await attachmentsOf(platform, sent.id)).map(({ filename }) => filename)).toEqual(['plan.txt'])
}

const sendLater = async (page: Page, platform: Platform): Promise<void> => {
  const message = await write(page, 'ben@pier.example', 'Tide table', 'For next week.')
  await message.getByRole('button', { name: 'Schedule' }).click()
  const dialog = page.getByRole('dialog', { name: 'Send later' })
  await dialog.getByRole('combobox', { name: 'Type a time' }).fill('someday')
  await page.keyboard.press('Enter')
  await expect(dialog).toContainText('Type a time such as')
  await dialog.getByRole('combobox', { name: 'Type a time' }).fill('yesterday')
  await page.keyboard.press('Enter')
  await expect(dialog).toContainText('This time has passed')
  await dialog.getByRole('combobox', { name: 'Type a time' }).fill('in 3 days')
  await expectAccessible(page, 'the choice of a time')
  await page.keyboard.press('Enter')
  await expect(message).toHaveCount(0)
  await expect
    .poll(async () => (await sentOf(platform)).map(({ last_event }) => last_event), SENT)
    .toEqual(['scheduled'])

  await page.getByRole('link', { name: /^Scheduled/ }).click()
  const row = page.getByRole('listbox', { name: 'Scheduled' }).getByRole('option', { name: /Tide table/ })
  await expect(row).toBeVisible()
  const pane = page.getByRole('region', { name: 'Scheduled message' })
  await expect(pane).toContainText('Scheduled for')
  await expect(pane).toContainText('For next week.')
  await expectAccessible(page, 'scheduled messages')
  const before = Date.parse((await sentOf(platform))[0]?.scheduled_at ?? '')
  await pane.getByRole('button', { name: 'Reschedule…' }).click()
  const again = page.getByRole('dialog', { name: 'Reschedule' })
  await expect(again.getByRole('combobox', { name: 'Type a time' })).toHaveValue(/^\d{4}-\d\d-\d\d \d\d:\d\d$/)
  await again.getByRole('combobox', { name: 'Type a time' }).fill('in 5 days')
  await expectAccessible(page, 'the choice of another time')
  await page.keyboard.press('Enter')
  await expect(again).toHaveCount(0)
  const twoDays = 2 * 24 * 60 * 60 * 1000
  await expect
    .poll(async () => Date.parse((await sentOf(platform))[0]?.scheduled_at ?? '') - before, SENT)
    .toBeGreaterThanOrEqual(twoDays)
  expect((await sentOf(platform)).map(({ last_event }) => last_event)).toEqual(['scheduled'])
  await pane.getByRole('button', { name: 'Cancel and edit' }).click()
  await expect(message.getByRole('textbox', { name: 'Message' })).toContainText('For next week.')
  await expect
    .poll(async () => (await sentOf(platform)).map(({ last_event }) => last_event), SENT)
    .toEqual(['canceled'])
  await page.keyboard.press('ControlOrMeta+Shift+d')
  await expect(message).toHaveCount(0)
  await expect.poll(() => draftsOn(platform)).toEqual([])
  for (const key of ['g', 'i']) await page.keyboard.press(key)
}

const meetRefusal = async (page: Page, platform: Platform): Promise<void> => {
  const message = 'The recipient is on the suppression list.'
  const refuse = { kind: 'error_422', method: 'POST', path: '/', message }
  const draft = await write(page, 'gone@pier.example', 'Ropes', 'Two of them.')
  await expect(draft.getByText('Draft saved')).toBeVisible()
  await expect.poll(() => draftsOn(platform)).toEqual(['Ropes'])
  await platform.ask('/_control/faults', { method: 'PUT', body: { faults: [refuse] } })
  const before = await sentOf(platform)
  await pressSend(draft)
  await expect(draft.getByRole('alert')).toContainText(message, SENT)
  expect(await sentOf(platform)).toEqual(before)
  await expectAccessible(page, 'a message that was refused')

  await platform.ask('/_control/faults', { method: 'PUT', body: { faults: [] } })
  await draft.getByRole('combobox', { name: 'To', exact: true }).focus()
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Backspace')
  await page.keyboard.type('ben@pier.example,')
  await expect(draft.getByRole('alert')).toHaveCount(0)
  const { to } = await sentBy(platform, () => page.keyboard.press('ControlOrMeta+Enter'))
  expect(to).toEqual(['ben@pier.example'])
}

const takeOver = async (page: Page, platform: Platform): Promise<void> => {
  await platform.deliver({ from: 'Ada <ada@quay.example>', subject: 'Berth four', text: 'Is it free?' })
  const threadId = (await threadOn(platform, 'Berth four'))?.id ?? ''
  const emails = (await platform.ask(`/inboxes/${platform.inboxId}/threads/${threadId}/emails`)) as {
    readonly data: readonly { readonly id: string }[]
  }
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
  const sent = await sentBy(platform, () => page.keyboard.press('ControlOrMeta+Enter'))
  expect(sent).toMatchObject({ subject: 'Re: Berth four', to: ['Ada <ada@quay.example>'] })
  expect(sent.text).toContain('From Monday on. The crane, too.')
  expect(await draftsOn(platform)).toEqual([])
}

test.describe('a platform that can reject requests', () => {
  test.use({ platformSwitches: ['--faults'] })

  test('sends scheduled, returned and colleague-started messages with attachments', async ({
    linnet: { page },
    platform,
  }) => {
    await test.step('a message is scheduled, listed, rescheduled and cancelled', () => sendLater(page, platform))
    await test.step('a rejected message returns with the reason, and can be corrected and sent', () =>
      meetRefusal(page, platform))
    await test.step('a colleague’s draft is taken over and sent as edited', () => takeOver(page, platform))
    await test.step('a forwarded e-mail keeps its files, except blocked types', () => forwardWithFiles(page, platform))
    await test.step('a mentioned file is asked for and attached', () => attachMentionedFile(page, platform))
    await test.step('a pasted picture appears in the text of the sent message', () => pastePicture(page, platform))
    await test.step('a pasted table stays a table, with tabs in the plain text', () => pasteTable(page, platform))
    await test.step('dropped files are attached, or rejected at once with a reason', () => dropFiles(page, platform))
  })
})

const tabs = (page: Page): Locator =>
  page.getByRole('list', { name: 'Open drafts' }).getByRole('button', { name: /^(?!Close)/ })

const beginMessage = async (page: Page, to: string, subject: string): Promise<void> => {
  await page.getByRole('button', { name: 'New message' }).click()
  const message = form(page, 'New message')
  await expect(message.getByRole('combobox', { name: 'To', exact: true })).toBeFocused()
  await page.keyboard.type(`${to},`)
  await message.getByRole('textbox', { name: 'Subject' }).fill(subject)
  await wordsOf(message).click()
}

const writeBesideEachOther = async (page: Page): Promise<void> => {
  await page.keyboard.press('Enter')
  await expect(page.getByRole('article').last().getByText('Free?')).toBeVisible()
  await page.keyboard.press('r')
  await expect(wordsOf(form(page, 'Reply'))).toBeFocused()
  await page.keyboard.type('It is free.')

  await beginMessage(page, 'ben@pier.example', 'Ropes')
  await page.keyboard.type('Two of them.')
  await page.getByRole('button', { name: 'Minimise' }).last().click()
  await expect(tabs(page)).toHaveText(['Ropes'])
  await beginMessage(page, 'cleo@pier.example', 'Paint')
  await page.keyboard.type('A can of it.')
  // Both forms are on the screen, and each receives its own keys.
  await wordsOf(form(page, 'Reply')).press('ControlOrMeta+End')
  await page.keyboard.type(' From noon on.')
  await expect(wordsOf(form(page, 'New message'))).toHaveText('A can of it.')
  for (const name of ['Reply', 'New message'] as const) {
    await expect(form(page, name).getByText('Draft saved')).toBeVisible()
  }
}

const sendOffline = async (page: Page, platform: Platform): Promise<void> => {
  await page.getByRole('option', { name: /Low water/ }).click()
  await expect(page.getByRole('article').last().getByText('When?')).toBeVisible()
  await platform.pause()
  await page.keyboard.press('F5')
  await expect(page.getByRole('status').getByText('Offline')).toBeVisible()
  await page.keyboard.press('r')
  const reply = form(page, 'Reply')
  await expect(wordsOf(reply)).toBeFocused()
  await page.keyboard.type('At two.')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(reply).toHaveCount(0)

  await page.keyboard.press('g')
  await page.keyboard.press('o')
  const row = page.getByRole('listbox', { name: 'Outbox' }).getByRole('option', { name: /Re: Low water/ })
  await expect(row).toContainText('Waiting for a connection', SENT)
  const pane = page.getByRole('region', { name: 'Unsent message' })
  await expect(pane).toContainText('At two.')
  await expectAccessible(page, 'the outbox offline')
  await pane.getByRole('button', { name: 'Cancel and edit' }).click()
  await expect(wordsOf(reply)).toContainText('At two.')
  await wordsOf(reply).press('ControlOrMeta+End')
  await page.keyboard.type(' Mind the steps.')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(reply).toHaveCount(0)
}

const seeItSentOnce = async (page: Page, platform: Platform): Promise<void> => {
  await expect.poll(async () => (await sentOf(platform)).map(({ subject }) => subject), SENT).toEqual(['Re: Low water'])
  expect((await sentOf(platform))[0]?.text).toContain('At two. Mind the steps.')
  await goTo(page, `#/inboxes/${platform.inboxId}/inbox`)
  // Opened earlier, the thread would show the new reply folded.
  await page
    .getByRole('option', { name: /Low water/ })
    .filter({ hasText: 'At two.' })
    .click()
  await expect(
    page.getByRole('article').last().frameLocator('iframe').getByText('At two. Mind the steps.'),
  ).toBeVisible()
  expect(await sentOf(platform)).toHaveLength(1)
  await goTo(page, '#/outbox')
  await expect(page.getByText('Nothing to send')).toBeVisible()
}

const findThemOpen = async (page: Page): Promise<void> => {
  const message = form(page, 'New message')
  await expect(wordsOf(message)).toHaveText('A can of it.')
  // Restored drafts don't take the focus, so keys go to the list.
  await expect(wordsOf(message)).not.toBeFocused()
  await page.reload()
  await expect(wordsOf(message)).toHaveText('A can of it.')
  await expect(tabs(page)).toHaveText(['Re: Berth four', 'Ropes'])
}

const sendAll = async (page: Page, platform: Platform): Promise<void> => {
  await goTo(page, `#/inboxes/${platform.inboxId}/inbox`)
  await page.getByRole('option', { name: /Berth four/ }).click()
  await expect(wordsOf(form(page, 'Reply'))).toContainText('It is free. From noon on.')
  await expect(tabs(page)).toHaveText(['Ropes'])
  const before = (await sentOf(platform)).map(({ subject }) => subject)
  const message = form(page, 'New message')
  await wordsOf(message).press('ControlOrMeta+Enter')
  await expect(message).toHaveCount(0)
  await tabs(page).click()
  await expect(wordsOf(message)).toHaveText('Two of them.')
  await wordsOf(message).press('ControlOrMeta+Enter')
  await expect(message).toHaveCount(0)
  await wordsOf(form(page, 'Reply')).press('ControlOrMeta+Enter')
  await expect(form(page, 'Reply')).toHaveCount(0)
  await expect
    .poll(async () => (await sentOf(platform)).map(({ subject }) => subject).toSorted(), SENT)
    .toEqual([...before, 'Paint', 'Re: Berth four', 'Ropes'].toSorted())
  const sent = await sentOf(platform)
  const words = (subject: string): string => sent.find((each) => each.subject === subject)?.text ?? ''
  expect(words('Paint')).toContain('A can of it.')
  expect(words('Ropes')).toContain('Two of them.')
  expect(words('Re: Berth four')).toContain('It is free. From noon on.')

  await page.reload()
  await expect(page.getByRole('listbox', { name: 'Threads' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Composer' })).toHaveCount(0)
}

test('keeps simultaneous and offline messages across a restart', async ({ launch, platform, dataDirectory }) => {
  const env = { LINNET_BASE_URL: platform.baseUrl, LINNET_API_KEY: platform.apiKey }
  const first = await launch({ dataDirectory, env })
  await first.page.setViewportSize({ width: 1440, height: 900 })
  await deliverAll(first.page, platform, [
    { from: 'Ben <ben@quay.example>', subject: 'Low water', text: 'When?' },
    { from: 'Ada <ada@quay.example>', subject: 'Berth four', text: 'Free?' },
  ])
  await test.step('a reply and new messages are written side by side', () => writeBesideEachOther(first.page))
  await test.step('a message sent offline waits in the outbox and can be edited there', () =>
    sendOffline(first.page, platform))
  await first.close()

  await platform.resume()
  expect(await sentOf(platform)).toEqual([])
  const { page } = await launch({ dataDirectory, env })
  await page.setViewportSize({ width: 1440, height: 900 })
  await test.step('open messages reopen after a restart', () => findThemOpen(page))
  await test.step('the offline message is sent once after a restart', () => seeItSentOnce(page, platform))
  await test.step('each message is sent with its own text', () => sendAll(page, platform))
})
