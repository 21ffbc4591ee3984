import type { Locator, Page } from '@playwright/test'
import type { Platform } from '../support/platform.ts'
import { drawPng } from '../support/drawn-pictures.ts'
import { sentOf } from '../support/sent-emails.ts'
import { expectAccessible } from './expect-accessible.ts'
import { expect, SENDING_AT_ONCE, test } from './linnet.ts'

const form = (page: Page, name: 'New message' | 'Reply' | 'Forward'): Locator => page.getByRole('form', { name })
const wordsOf = (composer: Locator): Locator => composer.getByRole('textbox', { name: 'Message' })
const isBarOf = (composer: Locator): Locator => composer.getByRole('toolbar', { name: 'Format' })

test.use({ preferences: SENDING_AT_ONCE })

/** Parts of a composer that are outside the window or pane, or covered. Expected to be empty. */
const outOfSight = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const pane = document.querySelector('[role=group][aria-label="Messages in this thread"]')
    const send = [...document.querySelectorAll('form button')].find(({ textContent }) => textContent.trim() === 'Send')
    const caret = getSelection()?.focusNode
    const line = (caret instanceof Element ? caret : caret?.parentElement)?.closest('p') ?? undefined
    const bounds = pane?.getBoundingClientRect()
    return Object.entries({ send, line }).flatMap(([name, element]) => {
      const place = element?.getBoundingClientRect()
      if (bounds === undefined || place === undefined || element === undefined) return [`no ${name}`]
      const top = Math.max(0, bounds.top)
      const bottom = Math.min(innerHeight, bounds.bottom)
      if (place.top < top || place.bottom > bottom)
        return [`${name} ${place.top} to ${place.bottom} of ${top} to ${bottom}`]
      const shown = document.elementFromPoint(place.left + 4, (place.top + place.bottom) / 2)
      return element.contains(shown) ? [] : [`${name} is covered`]
    })
  })

/** A newsletter of several screens, with typical table layout. */
const NEWSLETTER = `<body style="margin:0;background:#f4f1ea"><table role="presentation" width="100%"><tr><td align="center">
<table role="presentation" width="600" style="background:#fff">${Array.from(
  { length: 24 },
  (_, index) => `<tr><td style="padding:24px"><h2 style="margin:0 0 8px">Loaf ${index + 1}</h2>
<p style="margin:0;font:16px/1.6 Georgia,serif">${'Fold, rest and fold again, until the dough holds its own weight. '.repeat(5)}</p></td></tr>`,
).join('')}</table></td></tr></table></body>`

/** Controls covered by the toast. Expected to be empty. */
const belowToast = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const toast = document.querySelector('.toast')?.getBoundingClientRect()
    if (toast === undefined) return ['no toast']
    const controls = [...document.querySelectorAll('button, a[href], input, [role=option], [role=textbox]')]
    return controls.flatMap((control) => {
      const { left, top, right, bottom } = control.getBoundingClientRect()
      const isApart = left >= toast.right || right <= toast.left || top >= toast.bottom || bottom <= toast.top
      if (isApart || control.closest('.toast') !== null || !control.checkVisibility()) return []
      // Skip controls that are scrolled away or clipped.
      const shown = document.elementsFromPoint((left + right) / 2, Math.max(top, toast.top) + 2)
      return shown.includes(control) ? [control.outerHTML.slice(0, 80)] : []
    })
  })

const writeInOwnWindow = async (page: Page, platform: Platform): Promise<void> => {
  await page.getByRole('button', { name: 'New message' }).click()
  const message = form(page, 'New message')
  await expect(message.getByRole('combobox', { name: 'To', exact: true })).toBeFocused()
  await page.keyboard.type('ben@pier.example,')
  await page.keyboard.press('Tab')
  await expect(message.getByRole('textbox', { name: 'Subject' })).toBeFocused()
  await page.keyboard.type('Ropes')
  await page.keyboard.press('Tab')
  await expect(wordsOf(message)).toBeFocused()
  await page.keyboard.type('Two of')

  const opening = page.context().waitForEvent('page')
  await message.getByRole('button', { name: 'Write in a separate window' }).click()
  const own = await opening
  await expect(wordsOf(form(own, 'New message'))).toHaveText('Two of')
  await expect(own.getByRole('navigation', { name: 'Mailboxes' })).toHaveCount(0)
  await expect(message).toHaveCount(0)
  await expectAccessible(own, 'a message in a window of its own')
  await wordsOf(form(own, 'New message')).press('ControlOrMeta+End')
  await own.keyboard.type(' them.')
  const closing = own.waitForEvent('close')
  await own.keyboard.press('ControlOrMeta+Enter')
  await closing
  await expect.poll(async () => (await sentOf(platform)).length, { timeout: 40_000 }).toBe(1)
  const [sent] = await sentOf(platform)
  expect(sent).toMatchObject({ subject: 'Ropes', text: 'Two of them.' })
}

const answerNewsletter = async (page: Page, platform: Platform): Promise<void> => {
  await platform.deliver({ from: 'crumb@bakery.example', subject: 'The Proofing Drawer', html: NEWSLETTER })
  await page.keyboard.press('F5')
  await page.getByRole('option', { name: /The Proofing Drawer/ }).click()
  const pane = page.getByRole('group', { name: 'Messages in this thread' })
  await expect
    .poll(() => pane.evaluate(({ scrollHeight, clientHeight }) => scrollHeight / clientHeight))
    .toBeGreaterThan(3)
  const reply = form(page, 'Reply')
  const ways: readonly (readonly [name: string, begin: () => Promise<void>])[] = [
    ['r', () => page.keyboard.press('r')],
    [
      'the button',
      () =>
        page
          .getByRole('toolbar', { name: 'Thread actions' })
          .getByRole('button', { name: 'Reply', exact: true })
          .click(),
    ],
  ]
  for (const [width, height] of [
    [1440, 900],
    [1024, 700],
    [1024, 600],
    // 1440×900 and 1024×700 at 200 %.
    [720, 450],
    [512, 350],
  ] as const) {
    await page.setViewportSize({ width, height })
    for (const [way, begin] of ways) {
      await begin()
      await expect(wordsOf(reply)).toBeFocused()
      await expect.poll(() => outOfSight(page), `${width}×${height}, by ${way}`).toEqual([])
      for (let line = 1; line <= 20; line += 1) {
        await page.keyboard.insertText(`Line ${line}`)
        expect(await outOfSight(page), `${width}×${height}, by ${way}, line ${line}`).toEqual([])
        await page.keyboard.press('Enter')
      }
      // The toolbar leaves less room for the text.
      await page.keyboard.press('ControlOrMeta+b')
      await expect(isBarOf(reply)).toBeVisible()
      await expect.poll(() => outOfSight(page)).toEqual([])
      await page.keyboard.press('ControlOrMeta+Shift+d')
      await expect(reply).toHaveCount(0)
      // The toast covers no control (W10).
      await expect(page.getByText(/^Discarded draft/)).toBeVisible()
      expect(await belowToast(page), `${width}×${height}, by ${way}`).toEqual([])
    }
  }
}

test('fits the composer into its own window and below a long newsletter', async ({ linnet: { page }, platform }) => {
  await test.step('Tab moves through the fields, also in a separate window', () => writeInOwnWindow(page, platform))
  await test.step('the caret and Send stay visible while typing a reply', () => answerNewsletter(page, platform))
})

const answerLightly = async (page: Page, platform: Platform): Promise<void> => {
  const [ada, ben] = ['Ada <ada@quay.example>', 'Ben <ben@pier.example>']
  await platform.deliver({ from: ada, subject: 'Berth four', text: 'Is it free?', messageId: '<1@quay.example>' })
  const answered = { inReplyTo: '<1@quay.example>', references: '<1@quay.example>' }
  await platform.deliver({ ...answered, from: ben, subject: 'Re: Berth four', text: 'It has to be.' })
  await page.keyboard.press('F5')
  await page.getByRole('option', { name: /Berth four/ }).click()
  const articles = page.getByRole('article')
  await expect(articles.last().getByText('It has to be.')).toBeVisible()
  const reply = form(page, 'Reply')

  // Esc in an untouched reply leaves no trace.
  const had = page.getByRole('listbox', { name: 'Threads' })
  await had.focus()
  await page.keyboard.press('r')
  await expect(wordsOf(reply)).toBeFocused()
  await expect(reply.getByRole('heading')).toContainText('Reply to Ben')
  await page.keyboard.press('Escape')
  await expect(reply).toHaveCount(0)
  await expect(had).toBeFocused()
  await expect(page.getByRole('group', { name: 'Draft' })).toHaveCount(0)

  // The older message's own button opens the reply below it, before the newer one.
  const older = articles.filter({ hasText: 'Ada' }).first()
  await older.hover()
  await older.getByRole('button', { name: /^Reply: / }).click()
  await expect(reply.getByRole('heading')).toContainText('Reply to Ada')
  await expect(wordsOf(reply)).toBeFocused()
  expect(
    await reply.evaluate((element) => {
      const [first, last] = [...document.querySelectorAll('article')]
      const follows = (one: Element | undefined, other: Element): boolean =>
        ((one?.compareDocumentPosition(other) ?? 0) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
      return last !== undefined && follows(first, element) && follows(element, last)
    }),
  ).toBe(true)
  for (const name of ['Subject', 'Cc', 'Bcc', 'From'])
    await expect(reply.getByLabel(name, { exact: true })).toHaveCount(0)
  await expect(isBarOf(reply)).toHaveCount(0)
  await expectAccessible(page, 'a light answer')

  await page.keyboard.type('Yes')
  // After Esc the draft stays where it is, and moving through the e-mails by key reaches it (W12).
  await page.keyboard.press('Escape')
  const draft = page.getByRole('group', { name: 'Draft' })
  await expect(draft).toContainText('Yes')
  await articles.last().focus()
  await page.keyboard.press('p')
  await expect(draft.getByRole('button', { name: 'Continue' })).toBeFocused()
  await page.keyboard.press('p')
  await expect(articles.first()).toBeFocused()
  await page.keyboard.press('n')
  await page.keyboard.press('Enter')
  await expect(draft).toHaveCount(0)
  await expect(reply.getByRole('heading')).toContainText('Reply to Ada')
  await expect(wordsOf(reply)).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('ControlOrMeta+b')
  await expect(isBarOf(reply)).toBeVisible()
  await page.keyboard.type('it is.')
  await page.keyboard.press('ControlOrMeta+Shift+c')
  await expect(reply.getByRole('combobox', { name: 'Cc', exact: true })).toBeFocused()
  await page.keyboard.type('dora@pier.example,')
  await page.keyboard.press('ControlOrMeta+Shift+e')
  await expect(reply.getByRole('textbox', { name: 'Subject' })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(wordsOf(reply)).toBeFocused()

  // Resizing keeps the caret.
  await page.keyboard.press('ControlOrMeta+End')
  await reply.getByRole('button', { name: 'Expand' }).click()
  await expect(wordsOf(reply)).toBeFocused()
  await page.keyboard.type(' Surely')
  await page.keyboard.press('Escape')
  await expect(reply.getByRole('button', { name: 'Expand' })).toBeVisible()
  await page.keyboard.type('.')

  // Esc closes only the question; the message stays.
  await page.keyboard.press('ControlOrMeta+Shift+e')
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.press('Delete')
  await page.keyboard.press('ControlOrMeta+Enter')
  const question = reply.getByRole('group', { name: 'Before you send' })
  await expect(question).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(question).toHaveCount(0)
  await expect(reply).toBeVisible()
  await page.keyboard.press('ControlOrMeta+Shift+e')
  await page.keyboard.type('Re: Berth four')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(reply).toHaveCount(0)
  await expect.poll(async () => (await sentOf(platform)).length, { timeout: 40_000 }).toBe(1)
  const [sent] = await sentOf(platform)
  expect(sent).toMatchObject({ subject: 'Re: Berth four', to: ['Ada <ada@quay.example>'] })
  expect(sent?.text).toMatch(/^Yes\nit is\. Surely\./)
  expect(sent?.html).toContain('<p style="margin:0">Yes</p><p style="margin:0"><strong>it is. Surely.</strong></p>')

  // A reply to the user's own message goes to its recipients, and says so.
  await articles.filter({ hasText: 'it is. Surely.' }).last().focus()
  await page.keyboard.press('r')
  await expect(reply.getByRole('heading')).toContainText('Reply to Ada')
  await page.keyboard.press('Escape')
}

const typeAhead = async (page: Page, platform: Platform): Promise<void> => {
  await platform.deliver({ from: 'Ada <ada@quay.example>', subject: 'Berth five', text: 'Is five free?' })
  await page.keyboard.press('F5')
  const row = page.getByRole('option', { name: /Berth five/ })
  await row.click()
  await expect(page.getByRole('region', { name: 'Thread', exact: true }).getByRole('heading', { level: 1 })).toHaveText(
    'Berth five',
  )
  await expect(page.getByRole('article')).toBeVisible()
  await page.getByRole('listbox', { name: 'Threads' }).focus()
  // Typed at full speed. In the list, "e" archives, "j" leaves the thread and "#" moves it to the trash.
  const typed = 'jee#\nReady'
  const reply = form(page, 'Reply')
  await page.keyboard.type(`r${typed}`)
  await expect(wordsOf(reply)).toBeFocused()
  await page.keyboard.type(' at noon')
  await expect(wordsOf(reply).locator('p')).toHaveText(['jee#', 'Ready at noon'])
  await expect(row).toBeVisible()

  // Pressing "r" again focuses the reply with the caret where it was.
  await page.getByRole('listbox', { name: 'Threads' }).focus()
  await page.keyboard.type('r, e')
  await expect(wordsOf(reply).locator('p')).toHaveText(['jee#', 'Ready at noon, e'])

  // Each resize redraws the composer in another place.
  for (const name of ['Expand', 'Shrink']) {
    await reply.getByRole('button', { name }).click()
    await page.keyboard.type(' e')
  }
  await expect(wordsOf(reply).locator('p')).toHaveText(['jee#', 'Ready at noon, e e e'])
  await page.keyboard.press('ControlOrMeta+Shift+d')
  await expect(reply).toHaveCount(0)

  await page.getByRole('listbox', { name: 'Threads' }).focus()
  await page.keyboard.type('cben@pier.example')
  const message = form(page, 'New message')
  await expect(message.getByRole('combobox', { name: 'To', exact: true })).toBeFocused()
  await page.keyboard.type(',')
  await expect(message.getByRole('button', { name: /ben@pier\.example/ })).toBeVisible()
  await page.keyboard.press('ControlOrMeta+Shift+d')

  // With the thread closed and the focus in the list: the thread opens, and the text goes into the reply.
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('article')).toHaveCount(0)
  await page.getByRole('listbox', { name: 'Threads' }).focus()
  await page.keyboard.type('rE e')
  await expect(wordsOf(reply)).toHaveText('E e')
}

test('receives every key in a reply from the first', async ({ linnet: { page }, platform }) => {
  await test.step('a reply names its message and shows only the requested fields', () => answerLightly(page, platform))
  await test.step('text typed before the composer opens goes into it, not to commands', () => typeAhead(page, platform))
})

test('forwards the pictures of an e-mail where they were', async ({ linnet: { page }, platform }) => {
  await platform.deliver({
    from: 'Ann <ann@pier.example>',
    subject: 'The chart',
    html: '<p>Was <del>20</del>, is 15.</p><p><img src="cid:chart@pier.example" alt="Chart"> <img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" alt="Dot" width="20" height="20"></p>',
    attachments: [
      { filename: 'chart.png', content: drawPng(30, 20), cid: 'chart@pier.example' },
      { filename: 'notes.txt', content: 'Of the chart.' },
    ],
  })
  await page.keyboard.press('F5')
  await page.getByRole('option', { name: /The chart/ }).click()
  await page.keyboard.press('f')
  const forward = form(page, 'Forward')
  await expect(forward.getByRole('list', { name: 'Attachments' })).toContainText('notes.txt')
  await expect(forward.getByRole('list', { name: 'Attachments' })).not.toContainText('chart.png')
  await forward.getByRole('button', { name: 'Show quoted text' }).click()
  const picture = forward.frameLocator('iframe').getByRole('img', { name: 'Chart' })
  await expect.poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(30)
  await forward.getByRole('combobox', { name: 'To', exact: true }).fill('ben@pier.example')
  await forward.getByRole('button', { name: 'Send', exact: true }).click()
  await expect.poll(async () => (await sentOf(platform)).length).toBe(1)
  const [sent] = await sentOf(platform)
  expect(sent?.html).toContain('<s>20</s>')
  expect(sent?.html?.match(/<img [^>]*src="cid:/g)).toHaveLength(2)
})
