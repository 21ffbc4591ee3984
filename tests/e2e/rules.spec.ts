import type { Locator, Page } from '@playwright/test'
import type { Platform } from '../support/platform.ts'
import { expectAccessible } from './expect-accessible.ts'
import { deliverAll, expect, goTo, makeLabels, test, threadOn } from './linnet.ts'

const dialog = (page: Page, name: string | RegExp): Locator => page.getByRole('dialog', { name })
const threads = (page: Page): Locator => page.getByRole('listbox', { name: 'Threads' })
const row = (page: Page, subject: string): Locator => threads(page).getByRole('option', { name: new RegExp(subject) })
const rules = (page: Page): Locator => page.getByRole('list', { name: 'Rules' })
const log = (page: Page): Locator => dialog(page, /^(?:Rule log|Log for )/)

const bill = (subject: string) => ({ from: 'Ann Lee <ann@bills.example>', subject, text: 'Please pay.' })

const goToFolder = async (page: Page, { inboxId }: Platform, folder: string): Promise<void> => {
  await goTo(page, `#/inboxes/${inboxId}/${folder}`)
  await expect(page.getByRole('heading', { name: folder, level: 2 })).toBeVisible()
}

const makeByKeys = async (page: Page, platform: Platform): Promise<void> => {
  await goToFolder(page, platform, 'inbox')
  await deliverAll(page, platform, [bill('First bill')])
  await page.keyboard.press('Shift+f')
  const asked = dialog(page, 'New rule')
  const name = asked.getByRole('textbox', { name: 'Name' })
  await expect(name).toBeFocused()
  await expect(name).toHaveValue('Ann Lee')
  await expect(asked.getByRole('textbox', { name: 'When new mail matches' })).toHaveValue('from:<ann@bills.example>')
  await expect(asked.getByRole('status')).toHaveText('This search matches 1 thread on this computer.')
  await expect(asked.getByRole('button', { name: 'Save' })).toBeDisabled()
  await expectAccessible(page, 'the dialog of a rule')
  // However many labels there are, they are one Tab stop.
  await asked.getByRole('button', { name: 'Appeals' }).focus()
  await page.keyboard.press('ArrowRight')
  const bills = asked.getByRole('button', { name: 'Bills' })
  await expect(bills).toBeFocused()
  await page.keyboard.press('Space')
  await expect(bills).toHaveAttribute('aria-pressed', 'true')
  await page.keyboard.press('Tab')
  await expect(asked.getByRole('radio', { name: 'Don’t move' })).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(asked.getByRole('radio', { name: 'Archive' })).toBeChecked()
  await name.focus()
  await page.keyboard.press('Enter')
  await expect(asked).toHaveCount(0)
  await platform.deliver(bill('Second bill'))
  await page.keyboard.press('F5')
  await expect
    .poll(() => threadOn(platform, 'Second bill'), { timeout: 20_000 })
    .toMatchObject({
      folder: 'archive',
      labels: [{ name: 'Bills' }],
    })
  await expect(row(page, 'Second bill')).toHaveCount(0)
  await expect(row(page, 'First bill')).toHaveCount(1)
}

const makeByPointer = async (page: Page): Promise<void> => {
  for (const key of ['g', 'r']) await page.keyboard.press(key)
  await expect(page.getByRole('heading', { name: 'Rules', level: 2 })).toBeFocused()
  await expect(rules(page).getByRole('switch', { name: 'Ann Lee' })).toContainText('Changed 1 thread')
  await page.getByRole('button', { name: 'New rule' }).click()
  const asked = dialog(page, 'New rule')
  const search = asked.getByRole('textbox', { name: 'When new mail matches' })
  await asked.getByRole('textbox', { name: 'Name' }).fill('Nothing yet')
  await search.fill('is:unread bill')
  await expect(asked.getByRole('alert')).toContainText('Rules can’t use is:unread: it changes after mail arrives.')
  await expect(asked.getByRole('button', { name: 'Save' })).toBeDisabled()
  await search.fill('label:bills bill')
  await expect(asked.getByRole('alert')).toContainText('The rule “Ann Lee” adds the label “Bills”')
  await search.fill('subject:bill')
  await asked.getByRole('button', { name: 'Show matches' }).click()
  await expect(threads(page).getByRole('option')).toHaveCount(2)
  await page.keyboard.press('ControlOrMeta+k')
  await dialog(page, 'Command palette').getByRole('combobox').fill('new rule')
  await page.keyboard.press('Enter')
  await expect(search).toHaveValue('subject:bill')
  await asked.getByRole('radio', { name: 'Trash' }).check()
  await asked.getByRole('switch', { name: 'Mark as read' }).click()
  await asked.getByRole('button', { name: 'Save' }).click()
  await expect(asked).toHaveCount(0)
  await goTo(page, '#/settings/rules')
  await expect(rules(page).getByRole('listitem')).toHaveCount(2)
  await expectAccessible(page, 'rules')
  await rules(page).getByRole('button', { name: 'Move rule Nothing yet up' }).click()
  await expect(rules(page).getByRole('switch').first()).toHaveAccessibleName('Nothing yet')
  await rules(page).getByRole('button', { name: 'Move rule Nothing yet down' }).click()
  await expect(rules(page).getByRole('switch').first()).toHaveAccessibleName('Ann Lee')
  await rules(page).getByRole('button', { name: 'Delete rule Nothing yet' }).click()
  await expect(rules(page).getByRole('listitem')).toHaveCount(1)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(rules(page).getByRole('listitem')).toHaveCount(2)
  await rules(page).getByRole('switch', { name: 'Nothing yet' }).click()
  await expect(rules(page).getByRole('switch', { name: 'Nothing yet' })).not.toBeChecked()
}

const undoOffline = async (page: Page, platform: Platform): Promise<void> => {
  await platform.pause()
  await page.getByRole('button', { name: 'Show log' }).click()
  await expect(log(page).getByRole('listitem')).toHaveText([/Second bill.*Ann Lee:.*Labelled “Bills” and archived/s])
  await expectAccessible(page, 'the log of rules')
  await log(page).getByRole('button', { name: 'Undo “Second bill”' }).click()
  await expect(page.getByText('Undone.')).toBeVisible()
  await page.keyboard.press('Escape')
  await goToFolder(page, platform, 'inbox')
  await expect(row(page, 'Second bill')).toHaveCount(1)
  await platform.resume()
  await page.keyboard.press('F5')
  await expect
    .poll(() => threadOn(platform, 'Second bill'), { timeout: 40_000 })
    .toMatchObject({ folder: 'inbox', labels: [] })
}

const blockSender = async (page: Page, platform: Platform): Promise<void> => {
  await platform.deliver({ from: 'spam@loud.example', subject: 'Buy now', text: 'Now.' })
  await page.keyboard.press('F5')
  await expect(row(page, 'Buy now')).toHaveCount(1)
  await threads(page).focus()
  await page.keyboard.press('Home')
  await row(page, 'Buy now').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Block sender' }).click()
  await expect(page.getByText('Blocked spam@loud.example')).toBeVisible()
  await expect(row(page, 'Buy now')).toHaveCount(0)
  await platform.deliver({ from: 'spam@loud.example', subject: 'Buy more', text: 'More.' })
  await page.keyboard.press('F5')
  await expect.poll(() => threadOn(platform, 'Buy more'), { timeout: 20_000 }).toMatchObject({ folder: 'spam' })

  // Marking as spam offers to block the sender. A sender with the same ending is not blocked.
  await platform.deliver({ from: 'pam@lure.example', subject: 'Win a boat', text: 'Now.' })
  await page.keyboard.press('F5')
  await row(page, 'Win a boat').click()
  await page.keyboard.press('!')
  await page.locator('.toasts').getByRole('button', { name: 'Block sender' }).click()
  await expect(page.getByText('Blocked pam@lure.example')).toBeVisible()
  await platform.deliver({ from: 'Pam <pam@lure.example>', subject: 'Win a yacht', text: 'Now.' })
  await platform.deliver({ from: 'xpam@lure.example', subject: 'Not the same', text: 'Hello' })
  await page.keyboard.press('F5')
  await expect.poll(() => threadOn(platform, 'Win a yacht'), { timeout: 20_000 }).toMatchObject({ folder: 'spam' })
  await expect(row(page, 'Not the same')).toHaveCount(1)
  expect(await threadOn(platform, 'Not the same')).toMatchObject({ folder: 'inbox' })
}

test('creates rules by keys and pointer, applies them to new mail and undoes them, offline too', async ({
  linnet: { page },
  platform,
}) => {
  await makeLabels(platform, 'Appeals', 'Bills', 'Complaints', 'Deliveries')
  await test.step('a rule is created from a thread by keys and applies to the next message', () =>
    makeByKeys(page, platform))
  await test.step('another is created by pointer, validated while typing, reordered, deleted and restored', () =>
    makeByPointer(page))
  await test.step('the log undoes a rule’s effect offline', () => undoOffline(page, platform))
  await test.step('a row’s menu blocks a sender', () => blockSender(page, platform))
})
