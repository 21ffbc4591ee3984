/** Moving threads between folders: by the picker of folders, and out of the trash again. */
import type { Locator, Page } from '@playwright/test'
import { deliverAll, expect, goTo, test } from './linnet.ts'

const SUBJECTS = ['Gull on the antenna', 'Fog until noon', 'Fresh paint on the rail']

const threads = (page: Page): Locator => page.getByRole('listbox', { name: 'Threads' })
const row = (page: Page, subject: string): Locator => threads(page).getByRole('option', { name: new RegExp(subject) })
const picker = (page: Page): Locator => page.getByRole('dialog', { name: 'Move to' })
const folders = (page: Page): Locator => picker(page).getByRole('listbox', { name: 'Folders' }).getByRole('option')

test('v moves to a folder that is typed or pointed at, never to sent, and the focus goes back to the list', async ({
  linnet,
  platform,
}) => {
  const { page } = linnet
  await deliverAll(page, platform, SUBJECTS)

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
  await expect(row(page, 'Fresh paint')).toHaveCount(0)
  await expect(threads(page)).toBeFocused()

  // Where it is already, it is not moved.
  await page.keyboard.press('v')
  await page.keyboard.type('inb')
  await expect(folders(page)).toHaveCount(1)
  await expect(folders(page)).toHaveAttribute('aria-disabled', 'true')
  await page.keyboard.press('Enter')
  await expect(picker(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(threads(page)).toBeFocused()

  // By the toolbar and the pointer: the button that opened it has the focus again.
  await row(page, 'Fog until noon').click()
  const move = page.getByRole('toolbar', { name: 'Thread actions' }).getByRole('button', { name: 'Move to…' })
  await move.click()
  await folders(page).filter({ hasText: 'Spam' }).click()
  await expect(row(page, 'Fog until noon')).toHaveCount(0)
  await expect(move).toBeFocused()

  await goTo(page, `#/inboxes/${platform.inboxId}/trash`)
  await row(page, 'Fresh paint').click()
  await expect(page.getByRole('region', { name: 'Conversation' })).toContainText('deleted within 30 days')
  await page.keyboard.press('v')
  await page.keyboard.type('restore')
  await page.keyboard.press('Enter')
  await expect(row(page, 'Fresh paint')).toHaveCount(0)
  await expect
    .poll(async () => {
      const { data } = (await platform.ask(`/inboxes/${platform.inboxId}/threads?folders=inbox`)) as {
        data: { subject: string }[]
      }
      return data.map(({ subject }) => subject).toSorted()
    })
    .toEqual(['Fresh paint on the rail', 'Gull on the antenna'])
})
