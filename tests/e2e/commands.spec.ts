import type { Locator, Page } from '@playwright/test'
import type { Platform } from '../support/platform.ts'
import { deliverAll, expect, focused, goTo, makeLabels, test } from './linnet.ts'

const SUBJECTS = ['Gull on the antenna', 'Fog until noon', 'Fresh paint on the rail']

const threads = (page: Page): Locator => page.getByRole('listbox', { name: 'Threads' })
const palette = (page: Page): Locator => page.getByRole('dialog', { name: 'Command palette' })
const field = (page: Page): Locator => palette(page).getByRole('combobox', { name: 'Type a command' })
const entries = (page: Page): Locator => palette(page).getByRole('listbox', { name: 'Commands' }).getByRole('option')
const heading = (page: Page): Locator =>
  page.getByRole('region', { name: 'Thread', exact: true }).getByRole('heading', { level: 1 })

const choose = async (page: Page, typed: string, name: RegExp): Promise<void> => {
  await page.keyboard.press('ControlOrMeta+k')
  await expect(field(page)).toBeFocused()
  await page.keyboard.type(typed)
  await expect(entries(page).first()).toHaveAccessibleName(name)
  await page.keyboard.press('Enter')
  await expect(palette(page)).toHaveCount(0)
}

const goToTopOfInbox = async (page: Page): Promise<void> => {
  for (const key of ['g', 'i']) await page.keyboard.press(key)
  await expect(page.getByRole('heading', { name: 'Inbox', level: 2 })).toBeVisible()
  await expect.poll(() => focused(page)).toBe('Threads')
  await page.keyboard.press('Home')
}

const runsWhatItIsTold = async (page: Page): Promise<void> => {
  await page.keyboard.press('Enter')
  await expect(heading(page)).toHaveText(SUBJECTS[2] ?? '')
  await expect(threads(page).getByRole('option').first()).not.toContainText('Unread')
  await choose(page, 'mark unread', /^Mark as unread/)
  await expect(threads(page).getByRole('option').first()).toContainText('Unread')
  await expect.poll(() => focused(page)).toBe('Threads')
  await choose(page, 'arch', /^Archive/)
  await expect(threads(page).getByRole('option')).toHaveCount(2)
  await expect.poll(() => focused(page)).toBe('Threads')

  await page.keyboard.press('ControlOrMeta+k')
  await expect(entries(page).first()).toHaveAccessibleName(/^Archive, e$/)
  await expect(palette(page).getByText('Recent')).toBeVisible()
  // Unavailable commands are found but do nothing.
  await page.keyboard.type('redo')
  const last = await field(page).getAttribute('aria-activedescendant')
  await expect(page.locator(`[id="${last}"]`)).toHaveAttribute('aria-selected', 'true')
  await expect(page.locator(`[id="${last}"]`)).toHaveAttribute('aria-disabled', 'true')
  await page.keyboard.press('Enter')
  await expect(palette(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(palette(page)).toHaveCount(0)
  await expect.poll(() => focused(page)).toBe('Threads')

  // The palette opens from a text field; the same key closes it.
  await page.keyboard.press('/')
  await page.keyboard.press('ControlOrMeta+k')
  await expect(field(page)).toBeFocused()
  await page.keyboard.press('ControlOrMeta+k')
  await expect.poll(() => focused(page)).toBe('Search mail')
}

const leadsAnywhere = async (page: Page): Promise<void> => {
  await page.keyboard.press('Enter')
  await expect(heading(page)).toHaveText(SUBJECTS[2] ?? '')

  await choose(page, 'harbour', /^Harbour, Label/)
  await expect(page).toHaveURL(/\/labels\//)
  await choose(page, 'fresh', /^Fresh paint on the rail, Ada Quill/)
  await expect(heading(page)).toHaveText(SUBJECTS[2] ?? '')
  await choose(page, 'ada', /^Ada Quill, ada@harbour\.example · Mail from/)
  await expect(page.getByRole('combobox', { name: 'Search mail' })).toHaveValue('from:ada@harbour.example')
  await expect(threads(page).getByRole('option')).toHaveCount(3)
  await choose(page, 'save search', /^Save search/)
  await page.getByRole('dialog', { name: 'Save search' }).getByRole('textbox', { name: 'Name' }).fill('From the quay')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('link', { name: /From the quay/ })).toBeVisible()
  await choose(page, 'go to inbox', /^Go to inbox/)
  await choose(page, 'quay', /^From the quay, Saved search/)
  await expect(page.getByRole('combobox', { name: 'Search mail' })).toHaveValue('from:ada@harbour.example')
  await choose(page, 'juno', /^Juno, juno@tide\.example · Contact/)
  await expect(page.getByRole('region', { name: 'Contact' }).getByRole('heading', { name: 'Juno' })).toBeVisible()
  await choose(page, 'settings notif', /^Notifications, Settings/)
  await expect(page.getByRole('heading', { name: 'Notifications', level: 2 })).toBeFocused()
  await choose(page, 'quiet hours', /^Quiet hours, Settings › Notifications/)
  await expect(page.getByRole('switch', { name: 'Quiet hours' })).toBeFocused()
  await choose(page, 'copy diagnostics', /^Copy diagnostics, Settings › Help/)
  const help = page.getByRole('heading', { name: 'Help', level: 2 })
  await expect(help).toBeInViewport()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Copy diagnostics' })).toBeFocused()
  await expect(page.getByRole('switch', { name: 'Detailed log' })).toBeInViewport()
  await choose(page, 'antenna zzz', /^Search mail for “antenna zzz”/)
  await expect(page.getByRole('combobox', { name: 'Search mail' })).toHaveValue('antenna zzz')
  await expect(page.getByText('No mail matches')).toBeVisible()
}

const changesKeys = async (page: Page): Promise<void> => {
  await page.keyboard.press('ControlOrMeta+,')
  await page.getByRole('link', { name: 'Keyboard', exact: true }).click()
  const change = page.getByRole('button', { name: 'Change keys for Archive' })
  await change.click()
  await expect(page.getByRole('button', { name: 'Keys for Archive', exact: true })).toBeFocused()
  await page.keyboard.press('j')
  await expect(page.getByRole('alert')).toContainText('Already used by “Next thread”.')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(change).toBeFocused()
  await change.press('Enter')
  await page.keyboard.press('y')
  await page.keyboard.press('e')
  await expect(change).toBeFocused()
  await page.reload()
  await page
    .getByRole('navigation', { name: 'Mailboxes' })
    .getByRole('link', { name: /^Inbox\b/ })
    .click()
  await expect(threads(page).getByRole('option')).toHaveCount(SUBJECTS.length)
  await page.keyboard.press('x')
  const toolbar = page.getByRole('toolbar', { name: 'Thread actions' })
  for (const [name, keys] of [
    ['Archive', /^Archive\s*y\s*e$/],
    ['Move to trash', /^Move to trash\s*#$/],
    ['Label…', /^Label…\s*l$/],
  ] as const) {
    await toolbar.getByRole('button', { name, exact: true }).hover()
    await expect(page.getByRole('tooltip')).toHaveText(keys)
  }
  await page.getByRole('link', { name: 'Archive', exact: true }).hover()
  await expect(page.getByRole('link', { name: 'Archive', exact: true })).toHaveAttribute('title', 'Archive (g a)')
  await threads(page).press('Escape')
  await page.keyboard.press('e')
  await page.keyboard.press('y')
  await page.keyboard.press('e')
  await expect(threads(page).getByRole('option')).toHaveCount(SUBJECTS.length - 1)
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toContainText(/Archive\s*y\s*e/)
  await page.keyboard.press('Escape')
}

const goesThroughAThread = async (page: Page, platform: Platform): Promise<void> => {
  for (let index = 0; index < 4; index += 1) {
    const thread = index === 0 ? {} : { inReplyTo: '<0@harbour.example>', references: '<0@harbour.example>' }
    await platform.deliver({
      from: `Keeper ${index} <keeper${index}@harbour.example>`,
      subject: 'The log',
      text: `Watch ${index}.\n`.repeat(60),
      messageId: `<${index}@harbour.example>`,
      ...thread,
    })
  }
  await page.keyboard.press('F5')
  await expect(threads(page).getByRole('option', { name: /The log/ })).toHaveAccessibleName(/, 4 messages,/)
  await goToTopOfInbox(page)
  await page.keyboard.press('Enter')
  const article = (index: number): Locator => page.getByRole('article', { name: `Message from Keeper ${index}` })
  await expect(article(3)).toBeVisible()
  // Read it once, so that the older e-mails are folded next time.
  await expect(threads(page).getByRole('option', { name: /The log/ })).not.toContainText('Unread')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Enter')
  await expect(article(0).getByRole('button', { expanded: false }).first()).toBeVisible()
  await page.keyboard.press('p')
  const at = async (): Promise<string> => (await focused(page)).replace(/^Message from Keeper (\d), \d of 4$/, '$1')
  await expect.poll(at).toMatch(/^[0-3]$/)
  for (let step = 0; step < 4; step += 1) await page.keyboard.press('p')
  await expect.poll(at).toBe('0')
  await expect(article(0)).toContainText('Watch 0.')
  await page.keyboard.press('n')
  await expect.poll(at).toBe('1')
  await expect(article(1)).toBeInViewport()
  await expect(article(1).getByRole('button', { expanded: true }).first()).toBeVisible()
  await page.keyboard.press('o')
  await expect(article(1).getByRole('button', { expanded: false }).first()).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(article(1).getByRole('button', { expanded: true }).first()).toBeVisible()

  await page.keyboard.press('g')
  const begun = page.locator('[data-pending-keys]')
  await expect(begun).toHaveText(/g\s+then\s+r d w l o i a t s h m n c/)
  await expect(begun).toHaveCount(0)
  await page.keyboard.press('g')
  await page.keyboard.press('c')
  await expect(page).toHaveURL(/#\/contacts$/)
  await goTo(page, `#/inboxes/${platform.inboxId}/inbox`)
  await expect(threads(page)).toBeVisible()
}

test('runs every command by palette and by customisable keys', async ({ linnet, platform }) => {
  const { page } = linnet
  const step = (title: string, show: () => Promise<void>): Promise<void> =>
    test.step(title, async () => {
      await show()
      // When a list disappears, its replacement gets the focus in the next frame.
      await expect.poll(() => focused(page)).not.toBe('nothing')
    })
  await makeLabels(platform, 'Harbour')
  await platform.ask('/contacts', { method: 'POST', body: { email: 'juno@tide.example', first_name: 'Juno' } })
  await deliverAll(
    page,
    platform,
    SUBJECTS.map((subject) => ({ from: 'Ada Quill <ada@harbour.example>', subject, text: subject })),
  )
  await step('the palette acts on the focus and lists frequent commands first', () => runsWhatItIsTold(page))
  // Leaves the suggestions, then the search bar.
  for (const key of ['Escape', 'Escape']) await page.keyboard.press(key)
  await expect.poll(() => focused(page)).toBe('Threads')
  await page.keyboard.press('z')
  await expect(threads(page).getByRole('option')).toHaveCount(SUBJECTS.length)
  await goToTopOfInbox(page)
  await step('the palette opens labels, people, contacts, saved searches, threads and searches', () =>
    leadsAnywhere(page),
  )
  await step('key changes show conflicts and survive a reload', () => changesKeys(page))
  await step('n and p step through and unfold e-mails, and partial key sequences are shown', () =>
    goesThroughAThread(page, platform),
  )
})
