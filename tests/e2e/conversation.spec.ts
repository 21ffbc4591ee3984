import type { Locator, Page } from '@playwright/test'
import type { Platform } from '../support/platform.ts'
import { expectAccessible } from './expect-accessible.ts'
import { runByPalette } from '../support/screens.ts'
import { expect, goTo, test, threadsOn } from './linnet.ts'
import { boxOf, topOf } from './measure.ts'

const ADA = '"Ada Quill" <ada@quill.example>'

const reader = (page: Page): Locator => page.getByRole('region', { name: 'Thread', exact: true })
const articles = (page: Page): Locator => reader(page).getByRole('article')

interface Letter {
  readonly from?: string
  readonly text?: string
  readonly html?: string
}

/** Delivers a thread with one e-mail per letter, numbered from `from`. */
const converse = async (platform: Platform, subject: string, letters: readonly Letter[], from = 0): Promise<void> => {
  const idOf = (place: number): string => `<${place}@${subject.replaceAll(' ', '-')}.example>`
  for (const [index, letter] of letters.entries()) {
    const place = from + index
    const above = place === 0 ? {} : { inReplyTo: idOf(place - 1), references: [idOf(0), idOf(place - 1)] }
    await platform.deliver({
      from: ADA,
      subject: place === 0 ? subject : `Re: ${subject}`,
      messageId: idOf(place),
      ...above,
      ...letter,
    })
  }
}

const markRead = async (platform: Platform): Promise<void> => {
  for (const { id } of await threadsOn(platform)) {
    await platform.ask(`/inboxes/${platform.inboxId}/threads/${id}`, { method: 'PATCH', body: { read: true } })
  }
}

/** Opens a thread once all its e-mails have arrived. Opened earlier, it would announce each new one. */
const openWhole = async (page: Page, subject: RegExp, emails: number): Promise<void> => {
  const row = page.getByRole('option', { name: subject })
  await expect(row).toHaveAccessibleName(new RegExp(`, ${emails} messages?,`))
  await row.click()
}

/** Highlighted matches in the window and in mail iframes, and the current one. */
const foundWords = (page: Page): Promise<{ readonly all: readonly string[]; readonly at: readonly string[] }> =>
  page.evaluate(() => {
    const views = [window, ...[...document.querySelectorAll('iframe')].map((frame) => frame.contentWindow)]
    const named = (part: RegExp): string[] =>
      views.flatMap((view) =>
        [...((view as (Window & typeof globalThis) | null)?.CSS.highlights ?? [])].flatMap(([name, highlight]) =>
          part.test(name) ? [...highlight].map((range) => (range as Range).toString()) : [],
        ),
      )
    return { all: named(/^find-(?!current)/), at: named(/^find-current/) }
  })

const findsInAllOfIt = async (page: Page, platform: Platform): Promise<void> => {
  await converse(platform, 'Harbour lights', [
    { text: 'The CAFÉ at the pier is closed.' },
    { html: '<p style="display:none">café unseen</p><p>A c<b>af</b>e\u0301 and a <i>Cafe</i>.</p>' },
    { text: 'Nothing here.' },
    {
      text: `Yes.\n${'line\n'.repeat(700)}the cafe behind the first page\n\nOn Friday Ada wrote:\n> The cafe is closed.`,
    },
  ])
  await markRead(platform)
  await page.keyboard.press('F5')
  await openWhole(page, /Harbour lights/, 4)
  await expect(articles(page)).toHaveCount(4)
  const unfolded = () => articles(page).evaluateAll((all) => all.map((each) => each.classList.contains('expanded')))
  await expect.poll(unfolded).toEqual([false, false, false, true])
  const threads = page.getByRole('listbox', { name: 'Threads' })
  await expect(threads).toBeFocused()

  await page.keyboard.press('ControlOrMeta+f')
  const bar = reader(page).getByRole('search', { name: 'Find in thread' })
  await expect(bar.getByRole('searchbox')).toBeFocused()
  await page.keyboard.type('cafe')
  // Preview texts in folded e-mails don't count.
  await expect(bar).toContainText('5 found')
  await page.keyboard.press('Enter')
  await expect(bar).toContainText('1 of 5')
  await expect.poll(unfolded).toEqual([true, false, false, true])
  await expect.poll(() => foundWords(page)).toEqual({ all: ['CAFÉ'], at: ['CAFÉ'] })
  await page.keyboard.press('Enter')
  await expect.poll(unfolded).toEqual([true, true, false, true])
  await expect.poll(async () => (await foundWords(page)).at).toEqual(['cafe\u0301'])
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await foundWords(page)).at).toEqual(['Cafe'])
  await expect(bar).toContainText('3 of 5')
  await page.keyboard.press('Enter')
  await expect(reader(page).getByText('the cafe behind the first page')).toBeInViewport()
  await expect(bar).toContainText('4 of 5')
  await page.keyboard.press('Enter')
  await expect(reader(page).getByText('The cafe is closed.')).toBeInViewport()
  await page.keyboard.press('Enter')
  await expect(bar).toContainText('1 of 5')
  await expect(articles(page).first()).toBeInViewport()
  await page.keyboard.press('Shift+Enter')
  await expect(bar).toContainText('5 of 5')
  await expectAccessible(page, 'a conversation in which something is found')
  await page.keyboard.type('teria')
  await expect(bar).toContainText('Not found')
  await page.keyboard.press('Escape')
  await expect(bar).toHaveCount(0)
  await expect(threads).toBeFocused()
  await expect.poll(() => foundWords(page)).toEqual({ all: [], at: [] })

  // The key also works in a single e-mail. On other screens it belongs to the browser.
  await goTo(page, '#/received')
  await expect(page.getByRole('listbox', { name: 'Received messages' }).getByRole('option')).toHaveCount(4)
  await page.getByRole('listbox', { name: 'Received messages' }).getByRole('option').last().click()
  await expect(page.getByRole('article')).toContainText('closed')
  await page.keyboard.press('ControlOrMeta+f')
  const own = page.getByRole('search', { name: 'Find in thread' })
  await page.keyboard.type('pier')
  await expect(own).toContainText('1 of 1')
  await goTo(page, '#/settings')
  await expect(own).toHaveCount(0)
  await page.goBack()
  await expect(page.getByRole('article')).toContainText('closed')
  await expect(own).toHaveCount(0)
  await goTo(page, '#/settings')
  await page.keyboard.press('ControlOrMeta+f')
  await expect(own).toHaveCount(0)
}

const keepsWhatIsUnfolded = async (page: Page, platform: Platform): Promise<void> => {
  const text = 'At noon.\n\nOn Monday Ada Quill wrote:\n> When is high water?'
  await converse(platform, 'High water', [{ text: 'When is high water?' }, { text }])
  await page.keyboard.press('F5')
  await openWhole(page, /High water/, 2)
  const answer = articles(page).nth(1)
  await answer.locator('summary', { hasText: 'Show quoted text' }).press('Enter')
  await expect(answer.getByText('When is high water?')).toBeVisible()
  await converse(platform, 'High water', [{ text: 'Thank you.' }], 2)
  await page.keyboard.press('F5')
  await expect(articles(page)).toHaveCount(3)
  await expect(answer.getByText('When is high water?')).toBeVisible()
}

const staysWhereItIsRead = async (page: Page, platform: Platform): Promise<void> => {
  const long = Array.from({ length: 80 }, (_, line) => `This is line ${line} of it.`).join('\n\n')
  await converse(platform, 'Tide table', [{ text: 'The first one.' }, { text: long }])
  await page.keyboard.press('F5')
  await openWhole(page, /Tide table/, 2)
  // Wait for this announcement: it would otherwise come after the one about the new mail.
  const announcer = page.locator('[data-announcer]')
  await expect(announcer).toHaveText(/^Thread opened: Tide table/)
  const line = reader(page).getByText('This is line 20 of it.')
  await line.evaluate((element) => element.scrollIntoView({ block: 'start', behavior: 'instant' }))
  const before = await topOf(line)

  const news = reader(page).getByRole('note', { name: 'New message' })
  await converse(platform, 'Tide table', [{ from: 'Ben <ben@pier.example>', text: 'Just now.' }], 2)
  await page.keyboard.press('F5')
  await expect(news).toContainText('New message from Ben below')
  expect(await topOf(line)).toBe(before)
  await expect(announcer).toHaveText('New message from Ben below.')
  await converse(platform, 'Tide table', [{ from: 'Ben <ben@pier.example>', text: 'And once more.' }], 3)
  await page.keyboard.press('F5')
  await expect(news).toContainText('2 new messages below')
  expect(await topOf(line)).toBe(before)
  await news.getByRole('button', { name: 'Go to new mail' }).click()
  await expect(news).toHaveCount(0)
  await expect(articles(page).nth(2)).toBeFocused()
  await expect(articles(page).nth(2)).toContainText('Just now.')

  // Someone else moves the thread: the conversation stays open and shows a notice.
  await line.evaluate((element) => element.scrollIntoView({ block: 'start', behavior: 'instant' }))
  const stays = await topOf(line)
  const data = await threadsOn(platform)
  const threadPath = `/inboxes/${platform.inboxId}/threads/${data.find(({ subject }) => subject.includes('Tide table'))?.id}`
  await platform.ask(threadPath, { method: 'PATCH', body: { folder: 'archive' } })
  await page.keyboard.press('F5')
  const moved = reader(page).getByRole('note', { name: 'Thread status' })
  await expect(moved).toContainText('This thread was moved to Archive elsewhere.')
  await expect(page.getByRole('option', { name: /Tide table/ })).toHaveCount(0)
  expect(await topOf(line)).toBe(stays)
  await moved.getByRole('button', { name: 'Move back to Inbox' }).click()
  await expect(moved).toHaveCount(0)
  await expect(page.getByRole('option', { name: /Tide table/ })).toBeVisible()
  await expect.poll(async () => ((await platform.ask(threadPath)) as { folder: string }).folder).toBe('inbox')
}

const hasRoomForItsMail = async (page: Page, platform: Platform): Promise<void> => {
  const cells = Array.from({ length: 40 }, (_, index) => `<td style="white-space:nowrap">High water ${index}</td>`)
  const html = `<p class="words">${'The tide comes in by the north pier. '.repeat(30)}</p>
    <table border="1"><tr>${cells.join('')}</tr></table><details class="more"><summary>More</summary>Low water at nine.</details>`
  const messages = [
    { from: 'ops@pier.example', subject: 'Wide as a river', text: 'See the formatted one.', html },
    { from: 'ops@pier.example', subject: 'In plain words', text: 'High water at 14:20.' },
  ]
  for (const message of messages) await platform.deliver(message)
  await page.keyboard.press('F5')
  // Wait for all rows: each arrival moves the others from under the pointer.
  for (const { subject } of messages) await expect(page.getByRole('option', { name: subject })).toBeVisible()
  await page.getByRole('option', { name: /Wide as a river/ }).click()
  const frame = page.getByRole('article').locator('iframe')
  const mail = frame.contentFrame().locator('#linnet-mail')
  const table = mail.getByRole('group', { name: 'Wide table, scrolls sideways' })
  const words = mail.locator('.words')
  const sizeOf = (element: Locator): Promise<number> =>
    element.evaluate((each) => Number.parseFloat(getComputedStyle(each).fontSize))

  await expect(table).toBeVisible()
  const widths = await table.evaluate((scroller) => {
    const around = scroller.closest('#linnet-mail')
    return {
      hidden: scroller.scrollWidth - scroller.clientWidth,
      hiddenOfMail: (around?.scrollWidth ?? 0) - (around?.clientWidth ?? 0),
      words: around?.querySelector('.words')?.getBoundingClientRect().width ?? 0,
      window: scroller.ownerDocument.documentElement.clientWidth,
    }
  })
  expect(widths.hidden).toBeGreaterThan(500)
  expect(widths.hiddenOfMail).toBe(0)
  expect(widths.words).toBeLessThanOrEqual(widths.window)
  await table.focus()
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => table.evaluate(({ scrollLeft }) => scrollLeft)).toBeGreaterThan(0)

  // Open a folded part, which would close if the iframe were reloaded.
  await mail.locator('.more').evaluate((fold) => fold.setAttribute('open', ''))
  const before = { words: await sizeOf(words), height: (await boxOf(frame)).height }
  await runByPalette(page, 'Text size: largest')
  await expect.poll(() => sizeOf(words)).toBeCloseTo(before.words * 1.3, 0)
  await expect.poll(async () => (await frame.boundingBox())?.height).toBeGreaterThan(before.height * 1.1)
  await expect(mail.locator('.more')).toHaveAttribute('open')
  await expect(table).toBeVisible()

  await page.getByRole('option', { name: /In plain words/ }).click()
  const plain = page.getByRole('article').locator('.prose').getByText('High water at 14:20.')
  const large = await sizeOf(plain)
  await runByPalette(page, 'Text size: normal')
  await expect.poll(() => sizeOf(plain)).toBeCloseTo(large / 1.3, 0)
}

const goesThroughALongOne = async (page: Page, platform: Platform): Promise<void> => {
  const count = 60
  await converse(
    platform,
    'A long talk',
    Array.from({ length: count }, (_, index) => ({ text: `Letter number ${index}.` })),
  )
  await markRead(platform)
  await page.keyboard.press('F5')
  await openWhole(page, /A long talk/, count)
  // The text itself has a space between the number and its word.
  await expect(page.getByRole('option', { name: /A long talk/ })).toContainText(`${count} messages`)
  const earlier = reader(page).getByRole('button', { name: /earlier messages?/ })
  await expect(earlier).toHaveText('50 earlier messages')
  await expect(articles(page)).toHaveCount(10)
  await expect(articles(page).last()).toContainText('Letter number 59.')

  // Moving up by key unfolds e-mails from the newer end.
  await articles(page).first().focus()
  await page.keyboard.press('p')
  await expect(earlier).toHaveText('10 earlier messages')
  await expect(articles(page).nth(39)).toBeFocused()
  await expect(articles(page).nth(39)).toContainText('Letter number 49.')
  await page.keyboard.press('n')
  await expect(articles(page).nth(40)).toBeFocused()

  // A button that disappears passes its focus on.
  await earlier.focus()
  await page.keyboard.press('Enter')
  await expect(earlier).toHaveCount(0)
  await expect(articles(page)).toHaveCount(count)
  await expect(
    articles(page)
      .first()
      .getByRole('button', { name: /^Ada Quill/ }),
  ).toBeFocused()
}

test('searches, updates and fits a conversation of any length', async ({ linnet, platform }) => {
  const { page } = linnet
  await test.step('find searches folded e-mails and quotes too, and returns the focus', () =>
    findsInAllOfIt(page, platform))
  await goTo(page, `#/inboxes/${platform.inboxId}/inbox`)
  await test.step('unfolded quotes stay open after a refresh', () => keepsWhatIsUnfolded(page, platform))
  await test.step('new mail is announced without scrolling, and changes by others can be undone', () =>
    staysWhereItIsRead(page, platform))
  await test.step('a wide table scrolls within its mail, and text size changes apply at once', () =>
    hasRoomForItsMail(page, platform))
  await test.step('a long conversation opens at its newest e-mails, and keys reach all of them', () =>
    goesThroughALongOne(page, platform))
})
