import type { Locator, Page } from '@playwright/test'
import { asAssistant } from '../support/as-assistant.ts'
import { startPlatform, type Platform } from '../support/platform.ts'
import { expectAccessible } from './expect-accessible.ts'
import { connect, expect, focused, test, threadOn } from './linnet.ts'
import { watchFocus } from './watch-focus.ts'

const sideBar = (page: Page): Locator => page.getByRole('navigation', { name: 'Mailboxes' })
const accounts = (page: Page): Locator => sideBar(page).getByRole('list', { name: 'Accounts' }).getByRole('link')
const rows = (page: Page): Locator => page.getByRole('listbox', { name: 'Threads' }).getByRole('option')
const row = (page: Page, subject: string): Locator => rows(page).filter({ hasText: subject })
const subjects = (page: Page): Promise<readonly string[]> => rows(page).locator('.subject').allTextContents()
const conversation = (page: Page): Locator => page.getByRole('region', { name: 'Thread', exact: true })

test('shows the inboxes of all accounts as one list with shared search, selection and undo', async ({
  launch,
  platform: harbour,
  dataDirectory,
}) => {
  test.setTimeout(180_000)
  const ferry = await startPlatform('empty', ['--faults'])
  try {
    const desk = (await harbour.ask('/inboxes', {
      method: 'POST',
      body: { email_address: 'desk@linnet.example', from_name: 'Desk' },
    })) as { id: string }
    await harbour.ask(`/inboxes/${harbour.inboxId}/labels`, {
      method: 'POST',
      body: { name: 'Tide', color: '#30A46C' },
    })
    const deliver = async (to: Platform, subject: string): Promise<void> => {
      await to.deliver({ from: 'crew@pier.example', subject, text: `${subject} for everybody on the pier.` })
    }
    await deliver(harbour, 'Fog until noon')
    await deliver(ferry, 'Ferry at nine')
    await deliver(harbour, 'Lamps on the quay')
    await deliver(ferry, 'Fog on the river')
    expect(desk.id).not.toBe(harbour.inboxId)

    const first = await launch({ dataDirectory })
    const { page } = first
    const lostFocus = await watchFocus(page)
    await connect(page, harbour)
    await expect(row(page, 'Fog until noon')).toBeVisible()
    await sideBar(page).getByRole('button', { name: 'Switch account or inbox' }).click()
    await page.getByRole('menuitem', { name: 'Add account…' }).click()
    await connect(page, ferry)
    await expect(row(page, 'Fog on the river')).toBeVisible()

    for (const key of ['g', '0']) await page.keyboard.press(key)
    await expect(sideBar(page).getByRole('button', { name: 'Switch account or inbox' })).toContainText('All inboxes')
    const all = ['Fog on the river', 'Lamps on the quay', 'Ferry at nine', 'Fog until noon']
    await expect.poll(() => subjects(page)).toEqual(all)
    await expect(row(page, 'Ferry at nine')).toContainText(ferry.inboxAddress)
    await expect(row(page, 'Fog until noon')).toContainText(harbour.inboxAddress)
    await expect(accounts(page).first()).toHaveAttribute('aria-current', 'true')
    await expectAccessible(page, 'all inboxes')

    // New mail joins the list, and `j` moves on across accounts.
    await deliver(ferry, 'Snow on deck')
    await page.keyboard.press('F5')
    await expect.poll(() => subjects(page)).toEqual(['Snow on deck', ...all])
    await row(page, 'Snow on deck').click()
    const heading = conversation(page).getByRole('heading', { level: 1 })
    for (const subject of ['Fog on the river', 'Lamps on the quay', 'Ferry at nine']) {
      await page.keyboard.press('j')
      await expect(heading).toHaveText(subject)
      await expect(conversation(page).locator('article')).toContainText('for everybody on the pier')
    }
    await expect(conversation(page).getByRole('link', { name: ferry.inboxAddress })).toBeVisible()
    await expectAccessible(page, 'a thread of all inboxes')

    await page.keyboard.press('/')
    await page.keyboard.type('in:inbox fog')
    await page.keyboard.press('Enter')
    await expect.poll(() => subjects(page)).toEqual(['Fog on the river', 'Fog until noon'])
    await expect(page.getByRole('list', { name: 'Found in' }).getByRole('button')).toHaveText(['Inbox'])
    // Results appear while typing; Enter moves the focus.
    await expect.poll(() => focused(page)).toBe('Threads')

    // One selection, one change and one undo cover both platforms.
    await page.keyboard.press('Home')
    for (const key of ['x', 'j', 'x']) await page.keyboard.press(key)
    await page.keyboard.press('e')
    const folders = async (): Promise<readonly (string | undefined)[]> =>
      Promise.all([threadOn(ferry, 'Fog on the river'), threadOn(harbour, 'Fog until noon')]).then((found) =>
        found.map((thread) => thread?.folder),
      )
    await expect.poll(folders).toEqual(['archive', 'archive'])
    await expect(rows(page)).toHaveCount(0)
    await page.keyboard.press('z')
    await expect.poll(folders).toEqual(['inbox', 'inbox'])
    await expect.poll(() => subjects(page)).toEqual(['Fog on the river', 'Fog until noon'])

    // Applying one inbox's label in the other creates it there. Undo has restored the selection.
    await page.keyboard.press('l')
    await expect(page.getByRole('dialog')).toBeVisible()
    await page.keyboard.type('Tide')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    const labels = async (): Promise<readonly string[]> => {
      const found = await Promise.all([threadOn(ferry, 'Fog on the river'), threadOn(harbour, 'Fog until noon')])
      return found.flatMap((thread) => (thread?.labels ?? []).map(({ name }) => name))
    }
    await expect.poll(labels).toEqual(['Tide', 'Tide'])
    await sideBar(page).getByRole('link', { name: 'Tide' }).click()
    await expect.poll(() => subjects(page)).toEqual(['Fog on the river', 'Fog until noon'])

    // Marks are stored per account, but this list shows those of both.
    for (const key of ['g', '0']) await page.keyboard.press(key)
    for (const subject of ['Fog on the river', 'Fog until noon']) {
      await row(page, subject).click()
      await page.keyboard.press('s')
      await expect(row(page, subject)).toHaveAccessibleName(/starred/)
    }
    await page.keyboard.press('/')
    await page.keyboard.type('is:starred')
    await page.keyboard.press('Enter')
    await expect.poll(() => subjects(page)).toEqual(['Fog on the river', 'Fog until noon'])
    await row(page, 'Fog until noon').click()
    await page.keyboard.press('h')
    await page
      .getByRole('dialog', { name: 'Snooze until' })
      .getByRole('option', { name: /^Tomorrow/ })
      .click()
    await expect(row(page, 'Fog until noon')).toHaveAccessibleName(/snoozed until/)
    for (const key of ['g', '0']) await page.keyboard.press(key)
    await expect.poll(() => subjects(page)).toEqual(['Snow on deck', ...all.slice(0, -1)])
    // Undo returns to the list where the change was made.
    await page.keyboard.press('z')
    await expect.poll(() => subjects(page)).toEqual(['Fog on the river', 'Fog until noon'])
    await expect(row(page, 'Fog until noon')).not.toHaveAccessibleName(/snoozed/)
    for (const key of ['g', '0']) await page.keyboard.press(key)
    await expect.poll(() => subjects(page)).toEqual(['Snow on deck', ...all])

    // Unsubscribing uses the inbox that receives the list.
    await ferry.deliver({
      from: 'news@timetable.example',
      subject: 'Timetable',
      text: 'New times.',
      headers: { 'List-Unsubscribe': '<mailto:leave@timetable.example>' },
    })
    await page.keyboard.press('F5')
    await row(page, 'Timetable').click()
    await expect(
      conversation(page).getByRole('article').getByRole('button', { name: 'Unsubscribe', exact: true }),
    ).toBeVisible()
    await page.keyboard.press('q')
    await page.getByRole('dialog', { name: 'Unsubscribe' }).getByRole('button', { name: 'Write message' }).click()
    const leaving = page.getByRole('form', { name: 'New message' })
    await expect(leaving).toContainText('leave@timetable.example')
    await expect(leaving).toContainText(ferry.inboxAddress)
    await leaving.getByRole('button', { name: 'Discard draft' }).click()
    await page.keyboard.press('e')
    await expect.poll(() => subjects(page)).toEqual(['Snow on deck', ...all])
    expect(lostFocus()).toEqual([])

    // A restart opens all inboxes again. One platform is offline, but its mail is still shown.
    await first.close()
    await ferry.stop()
    const { page: again } = await launch({ dataDirectory })
    await expect(sideBar(again).getByRole('button', { name: 'Switch account or inbox' })).toContainText('All inboxes')
    await expect.poll(() => subjects(again)).toEqual(['Snow on deck', ...all])
    await row(again, 'Ferry at nine').click()
    await expect(conversation(again).locator('article')).toContainText('for everybody on the pier')

    await conversation(again).getByRole('link', { name: ferry.inboxAddress }).click()
    await expect(accounts(again).nth(2)).toHaveAttribute('aria-current', 'true')
    await expect(conversation(again).getByRole('heading', { level: 1 })).toHaveText('Ferry at nine')
    await again.evaluate(() => history.back())
    await expect.poll(() => subjects(again)).toEqual(['Snow on deck', ...all])

    // A proposal is accepted or rejected in the account it was made for.
    await asAssistant(dataDirectory, (file) => {
      const change = { kind: 'move', threadIds: ['lamps'], folder: 'archive' } as const
      return file.propose({ at: Date.now(), client: 'Helper', inboxId: harbour.inboxId, reason: 'Lit.', change })
    })
    const proposals = again.getByRole('region', { name: /^Proposals for / })
    await expect(proposals).toContainText(/Assistant proposals for .*: 1 move/)
    await expectAccessible(again, 'proposals over all inboxes')
    await proposals.getByRole('button', { name: 'Open account' }).click()
    await expect(again.getByRole('button', { name: 'Review…' })).toBeVisible()
    await expect(accounts(again).first()).not.toHaveAttribute('aria-current', 'true')
  } finally {
    await ferry.stop()
  }
})
