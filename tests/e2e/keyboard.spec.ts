import type { Locator, Page } from '@playwright/test'
import type { Platform } from '../support/platform.ts'
import { deliverAll, expect, focused, goTo, test } from './linnet.ts'

const SUBJECTS = ['Gull on the antenna', 'Fog until noon', 'Fresh paint on the rail', 'Rope for the ferry']
const LONG = Array.from({ length: 400 }, (_, line) => `Line ${line} of the log of the harbour.`).join('\n')

const threads = (page: Page) => page.getByRole('listbox', { name: 'Threads' })
const row = (page: Page, subject: string) => threads(page).getByRole('option', { name: new RegExp(subject) })
const pane = (page: Page) => page.getByRole('region', { name: 'Thread', exact: true })
const heading = (page: Page) => pane(page).getByRole('heading', { level: 1 })
const toolbar = (page: Page) => page.getByRole('toolbar', { name: 'Thread actions' })
const scrolled = (page: Page): Promise<number> =>
  page.getByRole('group', { name: 'Messages in this thread' }).evaluate((element) => element.scrollTop)

const goToTopOfInbox = async (page: Page): Promise<void> => {
  for (const key of ['g', 'i']) await page.keyboard.press(key)
  await expect(threads(page).getByRole('option')).toHaveCount(SUBJECTS.length)
  await expect.poll(() => focused(page)).toBe('Threads')
  await expect(toolbar(page)).toHaveCount(0)
  await page.keyboard.press('Home')
}

const staysInTheWindow = async (page: Page): Promise<void> => {
  await page.reload()
  await expect(threads(page).getByRole('option')).toHaveCount(SUBJECTS.length)
  await expect.poll(() => focused(page)).toBe('Threads')
  await page.keyboard.press('Enter')
  await expect(heading(page)).toHaveText('Rope for the ferry')

  await row(page, 'Fog until noon').click()
  await toolbar(page).getByRole('button', { name: 'Archive' }).click()
  await expect(row(page, 'Fog until noon')).toHaveCount(0)
  await expect.poll(() => focused(page)).toBe('Archive')

  await page.getByRole('button', { name: 'Undo' }).focus()
  await page.keyboard.press('Enter')
  await expect(row(page, 'Fog until noon')).toHaveCount(1)
  await expect.poll(() => focused(page)).toBe('Threads')

  await toolbar(page).getByRole('button', { name: 'Close' }).focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => focused(page)).toBe('Threads')
  // “First steps” stays until dismissed for good; afterwards it is in the palette.
  await page.getByRole('region', { name: 'First steps' }).getByRole('button', { name: 'Got it' }).press('Enter')
  await expect(page.getByRole('region', { name: 'Waiting longest' })).toBeVisible()
  await expect.poll(() => focused(page)).toBe('Threads')
  await page.reload()
  await expect(page.getByRole('region', { name: 'Waiting longest' })).toBeVisible()
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('first steps')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'First steps' })).toContainText('Archive when you’re done.')
  await page.keyboard.press('Escape')
  await expect.poll(() => focused(page)).toBe('Threads')
}

const staysWhenTheLastRowGoes = async (page: Page): Promise<void> => {
  for (let left = SUBJECTS.length; left > 0; left -= 1) {
    await page.keyboard.press('e')
    await expect(threads(page).getByRole('option')).toHaveCount(left - 1)
    await expect.poll(() => focused(page)).not.toBe('nothing')
  }
  await expect(page.getByText('All done')).toBeVisible()
  await page.keyboard.press('z')
  await expect(threads(page).getByRole('option')).toHaveCount(1)
}

const isTakenWhileSomethingGoes = async (page: Page): Promise<void> => {
  const palette = page.getByRole('dialog', { name: 'Command palette' })
  const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  const menu = page.getByRole('menu')
  /** Slows the closing animation: a closed element stays in the window until its last frame. */
  const slowDown = (leaving: Locator): Promise<void> =>
    leaving.evaluate((element) => void element.animate([{ opacity: 1 }, { opacity: 0.5 }], 600_000))
  const hurry = (leaving: Locator): Promise<void> =>
    leaving.evaluate((element) => element.getAnimations().forEach((animation) => animation.finish()))

  await page.keyboard.press('ControlOrMeta+k')
  await expect(palette.getByRole('combobox')).toBeFocused()
  await slowDown(palette)
  await page.keyboard.press('Escape')
  await expect.poll(() => focused(page)).toBe('Threads')
  await page.keyboard.press('ControlOrMeta+k')
  await expect(palette).toHaveAttribute('data-state', 'open')
  await expect(palette.getByRole('combobox')).toBeFocused()
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  await expect(keys).toBeVisible()
  await expect(palette).toHaveAttribute('data-state', 'closed')
  await hurry(palette)
  await expect(palette).toHaveCount(0)

  await slowDown(keys)
  await page.keyboard.press('Escape')
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await expect(heading(page)).toHaveText(SUBJECTS[2] ?? '')
  await hurry(keys)
  await expect(keys).toHaveCount(0)

  await page.getByRole('button', { name: /^Search scope: / }).click()
  await slowDown(menu)
  await page.keyboard.press('Escape')
  await page.keyboard.press('k')
  await expect(heading(page)).toHaveText(SUBJECTS[3] ?? '')
  await hurry(menu)
  await expect(menu).toHaveCount(0)
}

const opensFromTheSideBar = async (page: Page): Promise<void> => {
  const link = (name: string) => page.getByRole('navigation', { name: 'Mailboxes' }).getByRole('link', { name })
  for (const { name, list } of [
    { name: 'All received', list: 'Received messages' },
    { name: 'Inbox', list: 'Threads' },
  ]) {
    await link(name).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('listbox', { name: list }).getByRole('option')).toHaveCount(SUBJECTS.length)
    await page.keyboard.press('j')
    await expect.poll(() => focused(page)).toBe(list)
    const active = await page.getByRole('listbox', { name: list }).getAttribute('aria-activedescendant')
    const chosen = (await page.locator(`[id="${active}"]`).textContent()) ?? ''
    const subject = SUBJECTS.find((each) => chosen.includes(each)) ?? 'one of them'
    // An e-mail whose thread is not known yet opens alone.
    await expect(async () => {
      await page.keyboard.press('Enter')
      await expect(heading(page)).toHaveText(subject, { timeout: 3000 })
    }).toPass()
    await pane(page).getByRole('group', { name: 'Messages in this thread' }).focus()
    await page.keyboard.press('Escape')
    await expect.poll(() => focused(page)).toBe(list)
    const row = page.locator(
      `[id="${await page.getByRole('listbox', { name: list }).getAttribute('aria-activedescendant')}"]`,
    )
    await expect(row).toHaveText(chosen)
  }
  // Fast typists don't have to wait for the window at each step.
  for (const key of ['g', 't', 'g', 'i', 'j', 'Enter']) await page.keyboard.press(key)
  await expect(heading(page)).toHaveText(SUBJECTS[2] ?? '')
}

const staysWhenALabelIsTakenOff = async (page: Page, platform: Platform): Promise<void> => {
  const label = (await platform.ask(`/inboxes/${platform.inboxId}/labels`, {
    method: 'POST',
    body: { name: 'Harbour', color: '#00A2C7' },
  })) as { id: string }
  const { data } = (await platform.ask(`/inboxes/${platform.inboxId}/threads`)) as { data: { id: string }[] }
  await platform.ask(`/inboxes/${platform.inboxId}/threads/${data[0]?.id ?? ''}/labels`, {
    method: 'POST',
    body: { labels: [label.id] },
  })
  await page.keyboard.press('F5')
  await goTo(page, `#/inboxes/${platform.inboxId}/inbox/threads/${data[0]?.id ?? ''}`)
  await page.getByRole('button', { name: 'Remove label Harbour' }).click()
  await expect(page.getByRole('button', { name: 'Remove label Harbour' })).toHaveCount(0)
  await expect.poll(() => focused(page)).toBe('Messages in this thread')
}

const readsOnInsideOfTheMail = async (page: Page, platform: Platform): Promise<void> => {
  await platform.deliver({
    from: 'pier@harbour.example',
    subject: 'The log as a page',
    html: LONG.split('\n')
      .map((line) => `<p>${line}</p>`)
      .join(''),
  })
  await page.keyboard.press('F5')
  await row(page, 'The log as a page').click()
  await page.getByRole('article').frameLocator('iframe').getByText('Line 3 of the log').click()
  await page.keyboard.press('Space')
  await expect.poll(() => scrolled(page)).toBeGreaterThan(100)
  await page.keyboard.press('e')
  await expect(row(page, 'The log as a page')).toHaveCount(0)
}

const readsOnFromTheList = async (page: Page): Promise<void> => {
  await row(page, 'Rope for the ferry').click()
  await expect(page.getByRole('article')).toContainText('Line 399')
  await threads(page).focus()
  await page.keyboard.press('Space')
  await expect.poll(() => scrolled(page)).toBeGreaterThan(100)
  const first = await scrolled(page)
  await page.keyboard.press('PageDown')
  await expect.poll(() => scrolled(page)).toBeGreaterThan(first)
  await expect(heading(page)).toHaveText('Rope for the ferry')
  await page.keyboard.press('Shift+Space')
  // Within a pixel, because fractions are rounded.
  await expect.poll(async () => Math.abs((await scrolled(page)) - first)).toBeLessThan(2)

  for (let page_ = 0; page_ < 60 && (await heading(page).textContent()) === 'Rope for the ferry'; page_ += 1) {
    await page.keyboard.press('Space')
  }
  await expect(heading(page)).not.toHaveText('Rope for the ferry')

  // While a thread is open, moving the cursor opens the thread under it, so `e` has one meaning.
  await page.keyboard.press('End')
  await expect(threads(page).getByRole('option').last()).toHaveAttribute('aria-selected', 'true')
  const last = (await heading(page).textContent()) ?? ''
  await page.keyboard.press('e')
  await expect(row(page, last)).toHaveCount(0)
}

const archivesOnePerRepeat = async (page: Page, platform: Platform): Promise<void> => {
  const count = 20
  const here = await threads(page).getByRole('option').count()
  const more = Array.from({ length: count - here }, (_, index) => `Bulletin ${index}`)
  for (const subject of more) await platform.deliver({ from: 'pier@harbour.example', subject, text: subject })
  await page.keyboard.press('F5')
  // Rows below the window's edge are not drawn.
  await expect(threads(page).getByRole('option').first()).toHaveAttribute('aria-setsize', String(count))
  await threads(page).getByRole('option').first().click()
  await page.getByRole('article').waitFor()
  await page.evaluate(async (times) => {
    for (let time = 0; time < times; time += 1) {
      const key = { key: 'e', code: 'KeyE', bubbles: true, cancelable: true, repeat: time > 0 }
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', key))
      await new Promise((resolve) => setTimeout(resolve, 35))
    }
  }, count)
  await expect(page.getByText('All done')).toBeVisible()
  await expect
    .poll(async () => {
      const { data } = (await platform.ask(`/inboxes/${platform.inboxId}/threads?folders=inbox`)) as {
        data: unknown[]
      }
      return data.length
    })
    .toBe(0)
}

test('gives keys a target at every moment, from the first look at the list to its last row', async ({
  linnet,
  platform,
}) => {
  const { page } = linnet
  await deliverAll(
    page,
    platform,
    SUBJECTS.map((subject, index) => ({
      from: 'pier@harbour.example',
      subject,
      text: index === 3 ? LONG : subject,
    })),
  )
  await test.step('the list has the focus at start, and the toolbar, Close and Undo keep it in the window', () =>
    staysInTheWindow(page))
  await goToTopOfInbox(page)
  await test.step('keys pressed while a dialog or menu closes are handled', () => isTakenWhileSomethingGoes(page))
  await goToTopOfInbox(page)
  await test.step('j, Enter and Esc work in a list opened from the side bar', () => opensFromTheSideBar(page))
  await goToTopOfInbox(page)
  await test.step('the focus stays in the conversation when a label is removed', () =>
    staysWhenALabelIsTakenOff(page, platform))
  await goToTopOfInbox(page)
  await test.step('Space scrolls the e-mail from the list, then opens the next one', () => readsOnFromTheList(page))
  await page.keyboard.press('z')
  await goToTopOfInbox(page)
  await test.step('Space scrolls on while the focus is in the mail', () => readsOnInsideOfTheMail(page, platform))
  await goToTopOfInbox(page)
  await test.step('the focus stays in the window when the last row is archived', () => staysWhenTheLastRowGoes(page))
  await test.step('a held key archives one thread per repeat', () => archivesOnePerRepeat(page, platform))
})
