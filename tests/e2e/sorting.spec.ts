import type { Locator, Page } from '@playwright/test'
import type { Platform } from '../support/platform.ts'
import { runByPalette, type Stage } from '../support/screens.ts'
import { deliverAll, expect, goTo, test, threadOn, threadsOn, type Linnet } from './linnet.ts'
import { boxOf } from './measure.ts'

const GULL = 'Gull on the antenna'
const FOG = 'Fog until noon'
const PAINT = 'Fresh paint on the rail'
const SUBJECTS = [GULL, FOG, PAINT]

const foldersOf = async (platform: Platform): Promise<Record<string, string>> => {
  const data = await threadsOn(platform)
  return Object.fromEntries(data.map(({ subject, folder }) => [subject, folder]))
}

const row = (rows: Locator, subject: string): Locator => rows.filter({ hasText: subject })
const listOf = (page: Page): Locator => page.getByRole('listbox', { name: 'Threads' })
const picker = (page: Page): Locator => page.getByRole('dialog', { name: 'Move to' })
const folders = (page: Page): Locator => picker(page).getByRole('listbox', { name: 'Folders' }).getByRole('option')

const changeOffline = async ({ page, platform }: Stage): Promise<void> => {
  const list = listOf(page)
  const notices = page.locator('[aria-live="polite"].toasts')
  await list.focus()
  await platform.pause()
  const [first = '', second = ''] = (await list.getByRole('option').allTextContents()).map(
    (text) => SUBJECTS.find((subject) => text.includes(subject)) ?? '',
  )
  await page.keyboard.press('Control+Shift+z')
  await expect(notices).toContainText('There is nothing to redo.')
  await page.keyboard.press('e')
  await expect(row(list.getByRole('option'), first)).toHaveCount(0)
  await page.keyboard.press('e')
  await expect(row(list.getByRole('option'), second)).toHaveCount(0)

  await goTo(page, `#/inboxes/${platform.inboxId}/archive`)
  await expect(list.getByRole('option')).toHaveCount(2)
  const inbox = new RegExp(`/inboxes/${platform.inboxId}/inbox$`)
  const cursor = (): Promise<string> =>
    list.evaluate((box) => document.getElementById(box.getAttribute('aria-activedescendant') ?? '')?.textContent ?? '')
  await page.keyboard.press('z')
  // Undo returns to the list of the change, with the cursor on the thread.
  await expect(page).toHaveURL(inbox)
  await expect.poll(cursor).toContain(second)
  await page.keyboard.press('Control+z')
  await expect(notices.getByText(`Restored “${first}”`)).toHaveCount(1)
  await expect(notices.getByRole('button', { name: 'Redo' })).toHaveCount(1)
  await expect(list.getByRole('option')).toHaveCount(SUBJECTS.length)
  await expect.poll(cursor).toContain(first)
  await page.keyboard.press('z')
  await expect(notices).toContainText('There is nothing to undo.')
  await page.keyboard.press('Control+Shift+z')
  await expect(notices.getByText(`Archived “${first}” again`)).toBeVisible()
  await expect(notices.getByRole('button', { name: 'Undo' })).toBeVisible()
  // The last undone change is redone first.
  await expect(row(list.getByRole('option'), first)).toHaveCount(0)

  await platform.resume()
  await expect
    .poll(async () => await foldersOf(platform), { timeout: 60_000 })
    .toMatchObject({ [first]: 'archive', [second]: 'inbox' })
  await expect(page.getByRole('status').first()).not.toContainText(/\bchanges?\b/, { timeout: 60_000 })
  expect(await foldersOf(platform)).toMatchObject({ [first]: 'archive', [second]: 'inbox' })
}

const moveByPicker = async ({ page, platform }: Stage): Promise<void> => {
  const list = listOf(page)
  const rows = list.getByRole('option')
  await page.keyboard.press('v')
  await expect(picker(page).getByRole('combobox', { name: 'Find a folder' })).toBeFocused()
  await expect(folders(page)).toHaveText([/^\s*Inbox\s*already there/, /Archive\s*e/, /Trash\s*#/, /Spam\s*!/])
  await page.keyboard.type('sent')
  await expect(folders(page)).toHaveCount(0)
  await expect(picker(page).getByText('No folder has this name.')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('tra')
  await expect(folders(page).first()).toHaveAccessibleName('Trash, #')
  await page.keyboard.press('Enter')
  await expect(picker(page)).toHaveCount(0)
  await expect(row(rows, PAINT)).toHaveCount(0)
  await expect(list).toBeFocused()

  await page.keyboard.press('v')
  await page.keyboard.type('inb')
  await expect(folders(page)).toHaveCount(1)
  await expect(folders(page)).toHaveAttribute('aria-disabled', 'true')
  await page.keyboard.press('Enter')
  await expect(picker(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(list).toBeFocused()

  // With the toolbar and the pointer: the focus returns to the button.
  await row(rows, FOG).click()
  const move = page.getByRole('toolbar', { name: 'Thread actions' }).getByRole('button', { name: 'Move to…' })
  await move.click()
  await folders(page).filter({ hasText: 'Spam' }).click()
  await expect(row(rows, FOG)).toHaveCount(0)
  await expect(move).toBeFocused()

  await goTo(page, `#/inboxes/${platform.inboxId}/trash`)
  await row(rows, PAINT).click()
  await expect(page.getByRole('region', { name: 'Thread', exact: true })).toContainText('deleted within 30 days')
  await page.keyboard.press('v')
  await page.keyboard.type('restore')
  await page.keyboard.press('Enter')
  await expect(row(rows, PAINT)).toHaveCount(0)
  await expect.poll(() => foldersOf(platform)).toEqual({ [PAINT]: 'inbox', [GULL]: 'inbox', [FOG]: 'spam' })
}

/** Archives an open thread offline, and stays offline. */
const archiveOffline = async (linnet: Linnet, platform: Platform): Promise<void> => {
  const rows = listOf(linnet.page).getByRole('option')
  // Opening a thread marks it as read, a change of its own, and archiving opens the next thread. Get all of them read
  // and confirmed before going offline.
  for (const each of [PAINT, GULL]) {
    await row(rows, each).click()
    await expect(linnet.page.getByRole('article')).toContainText(each)
    await expect.poll(async () => (await threadOn(platform, each))?.read).toBe(true)
  }
  await expect(linnet.page.getByRole('status').first()).not.toContainText(/\bchanges?\b/)
  await platform.pause()
  await linnet.page.getByRole('toolbar', { name: 'Thread actions' }).getByRole('button', { name: 'Archive' }).click()
  await expect(row(rows, GULL)).toHaveCount(0)
  const waiting = linnet.page.getByRole('status').getByText(/[1-3] changes? waiting to be sent/)
  await expect(waiting).toBeVisible()
  if (linnet.kind === 'browser') {
    await linnet.page.setViewportSize({ width: 320, height: 640 })
    await runByPalette(linnet.page, 'Text size: largest')
    await expect(linnet.page.locator('html')).toHaveAttribute('data-text-size', 'largest')
    const line = await boxOf(linnet.page.getByRole('status'))
    const words = await boxOf(waiting)
    expect(words.x + words.width).toBeLessThanOrEqual(line.x + line.width)
    expect(words.y + words.height).toBeLessThanOrEqual(line.y + line.height)
    expect(line.y + line.height).toBeLessThanOrEqual(640)
  }
}

test('sorts threads by keys, buttons and picker, and the platform follows', async ({
  linnet,
  launch,
  platform,
  dataDirectory,
}) => {
  const stage = { page: linnet.page, platform }
  await deliverAll(linnet.page, platform, SUBJECTS)

  await test.step('two offline changes are undone and one redone from another screen, and the platform follows', async () => {
    await changeOffline(stage)
    await linnet.page.keyboard.press('z')
    await expect(listOf(linnet.page).getByRole('option')).toHaveCount(SUBJECTS.length)
  })
  await test.step('v moves to a typed or clicked folder, never to Sent, and returns the focus', async () => {
    await listOf(linnet.page).press('Home')
    await moveByPicker(stage)
    for (const key of ['g', 'i']) await linnet.page.keyboard.press(key)
    await expect(listOf(linnet.page).getByRole('option')).toHaveCount(SUBJECTS.length - 1)
  })
  await test.step('offline changes survive a restart and reach the platform later', async () => {
    await archiveOffline(linnet, platform)
    await linnet.close()
    await platform.resume()
    const env = { LINNET_BASE_URL: platform.baseUrl, LINNET_API_KEY: platform.apiKey }
    const { page } = await launch({ dataDirectory, env })
    await expect.poll(async () => (await foldersOf(platform))[GULL], { timeout: 60_000 }).toBe('archive')
    await goTo(page, `#/inboxes/${platform.inboxId}/archive`)
    await expect(page.getByRole('option', { name: new RegExp(GULL) })).toBeVisible()
  })
})
