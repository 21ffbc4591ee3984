import type { Locator, Page } from '@playwright/test'
import type { Platform } from '../support/platform.ts'
import { sentOf } from '../support/sent-emails.ts'
import { expectAccessible } from './expect-accessible.ts'
import { deliverAll, draftsOn, expect, goTo, SENDING_AT_ONCE, test } from './linnet.ts'

const form = (page: Page, name: string): Locator => page.getByRole('form', { name })

const openAgain = (page: Page, subject: string): Promise<void> =>
  page.getByRole('list', { name: 'Open drafts' }).getByRole('button', { name: subject, exact: true }).click()

/** Closes the composer and leaves a draft. */
const putAway = async (page: Page, subject: string): Promise<void> => {
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: `Close draft “${subject}”` }).click()
  // Move the pointer away, so no tooltip opens for whatever appears under it.
  await page.mouse.move(0, 0)
}

const answerAll = async (page: Page, platform: Platform): Promise<void> => {
  await deliverAll(page, platform, [{ from: 'Ada <ada@quay.example>', subject: 'Berth four', text: 'Is it free?' }])
  await page.keyboard.press('Enter')
  await expect(page.getByRole('article').last().getByText('Is it free?')).toBeVisible()
  await page.keyboard.press('a')
  const reply = form(page, 'Reply')
  await expect(reply.getByRole('textbox', { name: 'Message' })).toBeFocused()
  await page.keyboard.type('It is free from noon on.')
  await expect(reply.getByText('Draft saved')).toBeVisible()
  await expectAccessible(page, 'an answer')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(reply).toHaveCount(0)
  await expect
    .poll(async () => (await sentOf(platform)).map(({ subject, to }) => [subject, to]), { timeout: 40_000 })
    .toEqual([['Re: Berth four', ['Ada <ada@quay.example>']]])
  await expect(page.getByRole('article').last()).toContainText('It is free from noon on.')
}

const answerList = async (page: Page, platform: Platform): Promise<void> => {
  const posted = {
    ...{ from: 'Ada <ada@quay.example>', replyTo: 'Crew <crew@lists.example>' },
    ...{ subject: 'Ropes', text: 'Who has them?' },
  }
  await platform.deliver(posted)
  await page.keyboard.press('F5')
  await page.getByRole('option', { name: /Ropes/ }).click()
  await expect(page.getByRole('article').last().getByText('Who has them?')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Reply to sender only', exact: true })).toBeVisible()
  const reply = form(page, 'Reply')
  await page.keyboard.press('r')
  await expect(reply.getByRole('textbox', { name: 'Message' })).toBeFocused()
  await expect(reply).toContainText('crew@lists.example')
  await page.keyboard.type('They lie in the shed.')
  await expect(reply.getByText('Draft saved')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(reply).toHaveCount(0)
  await page.keyboard.press('Shift+R')
  await expect(reply.getByRole('textbox', { name: 'Message' })).toBeFocused()
  await expect(reply).not.toContainText('crew@lists.example')
  await page.keyboard.type('I have lost them.')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(reply).toHaveCount(0)
  await expect
    .poll(async () => (await sentOf(platform)).map(({ subject, to }) => [subject, to]), { timeout: 40_000 })
    .toEqual([
      ['Re: Ropes', ['Ada <ada@quay.example>']],
      ['Re: Berth four', ['Ada <ada@quay.example>']],
    ])
}

const answerElsewhere = async (page: Page, platform: Platform): Promise<void> => {
  const from = 'Boss <boss@bank.example>'
  const replyTo = '"boss@bank.example" <thief@evil.example>'
  await platform.deliver({ from, replyTo, subject: 'Berth five', text: 'Is five free?' })
  await page.keyboard.press('F5')
  await page.getByRole('option', { name: /Berth five/ }).click()
  await expect(page.getByRole('article').last().getByText('Is five free?')).toBeVisible()
  await page.keyboard.press('r')
  const reply = form(page, 'Reply')
  await expect(reply.getByRole('list', { name: 'To, added' })).toHaveText(/boss@bank\.example\s*thief@evil\.example/)
  const warnings = reply.getByRole('note', { name: 'About the recipients' })
  await expect(warnings).toContainText('Your reply would go to thief@evil.example')
  await expectAccessible(page, 'an answer that goes elsewhere')
  await page.keyboard.type('It is.')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(reply.getByRole('group', { name: 'Before you send' })).toContainText(
    'The name says boss@bank.example, but the address is thief@evil.example.',
  )
  await warnings.getByRole('button', { name: 'Write anyway' }).click()
  await expect(warnings).toHaveCount(0)
  await expect(reply.getByRole('textbox', { name: 'Message' })).toBeFocused()
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(reply).toHaveCount(0)
}

test.describe('without an undo delay', () => {
  test.use({ preferences: SENDING_AT_ONCE })

  test('addresses replies to the right people or explains why not', async ({ linnet: { page }, platform }) => {
    await test.step('a reply to all is sent by keyboard alone and joins its thread', () => answerAll(page, platform))
    await test.step('a list message is answered to its sender alone, next to a draft to the list', () =>
      answerList(page, platform))
    await test.step('a reply to another address warns until confirmed', () => answerElsewhere(page, platform))
  })
})

const takeBack = async (page: Page, platform: Platform): Promise<void> => {
  await expect(page.getByRole('button', { name: 'New message' })).toBeEnabled()
  await page.keyboard.press('c')
  const message = form(page, 'New message')
  await message.getByRole('combobox', { name: 'To', exact: true }).fill('ben@pier.example')
  await message.getByRole('textbox', { name: 'Subject' }).fill('Ropes')
  await message.getByRole('textbox', { name: 'Message' }).click()
  await page.keyboard.type('Two of them.')
  await message.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(message.getByRole('textbox', { name: 'Message' })).toContainText('Two of them.')
  expect(await sentOf(platform)).toEqual([])
  await expect.poll(() => draftsOn(platform)).toEqual(['Ropes'])

  await page.keyboard.press('Escape')
  await expect(message).toHaveCount(0)
  await goTo(page, '#/drafts')
  await expect(page.getByRole('listbox', { name: 'Drafts' }).getByRole('option', { name: /Ropes/ })).toBeVisible()
  await openAgain(page, 'Ropes')
  await message.getByRole('button', { name: 'Send', exact: true }).click()
  await expect
    .poll(async () => (await sentOf(platform)).map(({ subject }) => subject), { timeout: 40_000 })
    .toEqual(['Ropes'])
  expect(await draftsOn(platform)).toEqual([])
  for (const key of ['g', 'i']) await page.keyboard.press(key)
}

const listDrafts = async (page: Page, platform: Platform): Promise<void> => {
  await deliverAll(page, platform, [{ from: 'Ada <ada@quay.example>', subject: 'Berth four', text: 'Is it free?' }])
  const drafts = page.getByRole('navigation', { name: 'Mailboxes' }).getByRole('link', { name: /^Drafts/ })
  await page.keyboard.press('Enter')
  await expect(page.getByRole('article').last().getByText('Is it free?')).toBeVisible()
  for (const [key, name] of [
    ['r', 'Reply'],
    ['c', 'New message'],
  ] as const) {
    await page.keyboard.press(key)
    await expect(form(page, name)).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(form(page, name)).toHaveCount(0)
  }
  await expect(page.getByRole('region', { name: 'Composer' })).toHaveCount(0)
  await expect(drafts).toHaveAccessibleName('Drafts')

  for (const subject of ['Ropes', 'Paint']) {
    await page.keyboard.press('c')
    await form(page, 'New message').getByRole('textbox', { name: 'Subject' }).fill(subject)
    await putAway(page, subject)
  }
  await expect(drafts).toHaveAccessibleName(/^Drafts ?, 2 drafts$/)
  await drafts.click()
  const list = page.getByRole('listbox', { name: 'Drafts' })
  await expect(list.getByRole('option')).toHaveText([/Paint/, /Ropes/])
  await expectAccessible(page, 'the list of drafts')
  await list.focus()
  await page.keyboard.press('j')
  await page.keyboard.press('#')
  await expect(list.getByRole('option')).toHaveText([/Paint/])
  await expect(drafts).toHaveAccessibleName(/^Drafts ?, 1 draft$/)
  await page.keyboard.press('z')
  await expect(list.getByRole('option')).toHaveText([/Paint|Ropes/, /Paint|Ropes/])
  await list.getByRole('option', { name: /Paint/ }).click()
  await page.keyboard.press('Enter')
  await expect(form(page, 'New message').getByRole('textbox', { name: 'Subject' })).toHaveValue('Paint')
  await expect.poll(async () => (await draftsOn(platform)).length).toBe(2)
  await page.keyboard.press('Escape')
  await expect(form(page, 'New message')).toHaveCount(0)
}

const writeToTooMany = async (page: Page, platform: Platform): Promise<void> => {
  const people = Array.from({ length: 51 }, (_, at) => `p${at}@pier.example`).join(', ')
  const before = await draftsOn(platform)
  await page.keyboard.press('c')
  const message = form(page, 'New message')
  const to = message.getByRole('combobox', { name: 'To', exact: true })
  await to.fill(people)
  await to.press('Enter')
  await message.getByRole('textbox', { name: 'Subject' }).fill('Nets')
  const told = page
    .getByRole('region', { name: 'Composer' })
    .getByText('On this computer only. The platform rejected the request:')
  await expect(told).toBeVisible({ timeout: 20_000 })
  await expectAccessible(page, 'a draft that is not kept')
  await page.keyboard.press('Escape')
  await goTo(page, '#/drafts')
  await expect(page.getByRole('listbox', { name: 'Drafts' }).getByRole('option', { name: /Nets/ })).toContainText(
    'On this computer only. The platform rejected the request:',
  )
  await expectAccessible(page, 'a list with a draft that is not kept')
  expect(await draftsOn(platform)).toEqual(before)
  await openAgain(page, 'Nets')
  await expect(told).toBeVisible()
  await message.getByRole('combobox', { name: 'To', exact: true }).focus()
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Backspace')
  await expect(told).toHaveCount(0)
  await expect.poll(async () => (await draftsOn(platform)).toSorted()).toEqual([...before, 'Nets'].toSorted())
  await putAway(page, 'Nets')
}

const checkNothing = async (page: Page): Promise<void> => {
  await page.keyboard.press('c')
  const message = form(page, 'New message')
  const words = message.getByRole('textbox', { name: 'Message' })
  await expect(words).toHaveAttribute('spellcheck', 'true')
  await expectAccessible(page, 'a new message')
  await goTo(page, '#/settings/spelling')
  await page.getByRole('switch', { name: 'Check spelling' }).click()
  await expect(page.getByRole('switch', { name: 'Check spelling' })).not.toBeChecked()
  await expectAccessible(page, 'the settings')
  await goTo(page, '#/')
  await expect(words).toHaveAttribute('spellcheck', 'false')
  await expect(message.getByRole('textbox', { name: 'Subject' })).toHaveAttribute('spellcheck', 'false')
}

const pasteMuch = async (page: Page): Promise<void> => {
  const message = form(page, 'New message')
  await message.getByRole('textbox', { name: 'Subject' }).fill('Log')
  await message.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Plain text' }).click()
  // The rich-text editor of the same name remains until its text is plain.
  const words = message.getByRole('textbox', { name: 'Message' }).and(page.locator('textarea'))
  // Like a paste: typing this much through Playwright takes the browser minutes.
  await words.evaluate(
    (element: HTMLTextAreaElement, text) => {
      element.value = text
      element.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertFromPaste' }))
    },
    `${'a line of a log, '.repeat(60)}\n`.repeat(2_000),
  )
  await expect(message.getByText('Draft saved')).toBeVisible()
  await page.reload()
  await expect.poll(() => words.inputValue().then(({ length }) => length)).toBeGreaterThan(2_000_000)
}

test('keeps and lists drafts or explains why not', async ({ linnet: { page }, platform }) => {
  await test.step('sending waits for undo, and undo restores the draft', () => takeBack(page, platform))
  await test.step('untouched drafts leave nothing behind, and drafts are listed like mail', () =>
    listDrafts(page, platform))
  await test.step('a draft that the platform rejects shows why until corrected', () => writeToTooMany(page, platform))
  await test.step('spell checking can be turned off', () => checkNothing(page))
  await test.step('two pasted megabytes are kept', () => pasteMuch(page))
})

test('undoes a reply with its text, and restores one that archived its thread', async ({ linnet, platform }) => {
  const { page } = linnet
  const threads = page.getByRole('listbox', { name: 'Threads' })
  const heading = page.getByRole('region', { name: 'Thread', exact: true }).getByRole('heading', { level: 1 })
  const toasts = page.locator('.toasts')
  await deliverAll(page, platform, [
    { from: 'Ada <ada@quay.example>', subject: 'Berth four', text: 'Is it free?' },
    { from: 'Ben <ben@quay.example>', subject: 'Refund for May', text: 'Where is it?' },
  ])
  await page.keyboard.press('Enter')
  await expect(page.getByRole('article').last().getByText('Where is it?')).toBeVisible()
  const reply = form(page, 'Reply')
  const words = reply.getByRole('textbox', { name: 'Message' })
  await page.keyboard.press('r')
  await expect(words).toBeFocused()
  await page.keyboard.type('It is on its way')
  await expect.poll(async () => (await draftsOn(platform)).length).toBe(1)
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(reply).toHaveCount(0)
  // The message being sent is in its final place, and isn't a draft here or in the list.
  const underWay = page.getByRole('article', { name: 'Message being sent' })
  await expect(underWay).toContainText(/It is on its way.*/)
  await expect(underWay).toContainText(/Sending in \d+ s/)
  await expect(page.getByRole('group', { name: 'Draft' })).toHaveCount(0)
  await expect(threads.getByRole('option', { name: /Refund for May/ })).not.toHaveAccessibleName(/has a draft/)
  await expect(toasts).toContainText('Sending “Re: Refund for May”…')
  await expectAccessible(page, 'a message on its way')
  await page.keyboard.press('z')
  await expect(words).toBeFocused()
  await page.keyboard.type(', Ben.')
  await expect(words).toHaveText('It is on its way, Ben.')

  await page.keyboard.press('ControlOrMeta+Shift+Enter')
  await expect(heading).toHaveText('Berth four')
  await expect(threads.getByRole('option', { name: /Refund for May/ })).toHaveCount(0)
  await expect(toasts.getByRole('button', { name: 'Undo' })).toHaveCount(1)
  await page.keyboard.press('z')
  await expect(heading).toHaveText('Refund for May')
  await expect(words).toBeFocused()
  await expect(words).toHaveText('It is on its way, Ben.')
  await expect(threads.getByRole('option', { name: /Refund for May/ })).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByText('elsewhere')).toHaveCount(0)
  expect(await sentOf(platform)).toEqual([])

  await page.keyboard.press('ControlOrMeta+Shift+Enter')
  await expect(heading).toHaveText('Berth four')
  await expect
    .poll(async () => (await sentOf(platform)).map(({ subject }) => subject), { timeout: 40_000 })
    .toEqual(['Re: Refund for May'])
  await expect(toasts).toContainText('Message sent')
  await page.keyboard.press('z')
  await expect(toasts).toContainText('Already sent: “Re: Refund for May”')
  await expect(threads.getByRole('option')).toHaveCount(1)
  await expect(page.getByText('elsewhere')).toHaveCount(0)
})
