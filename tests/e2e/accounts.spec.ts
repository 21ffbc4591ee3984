import { readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { startPlatform, type Platform } from '../support/platform.ts'
import { expectAccessible } from './expect-accessible.ts'
import { expect, focused, test, threadOn, threadsOn } from './linnet.ts'
import { watchFocus } from './watch-focus.ts'

const PLUM = 'rgb(171, 74, 186)'
const HARBOUR = /Fog over the harbour/
const FERRY = /Ferry at nine/
const KEPT = /Ferry at ten/

const sideBar = (page: Page): Locator => page.getByRole('navigation', { name: 'Mailboxes' })
const accounts = (page: Page): Locator =>
  sideBar(page).getByRole('list', { name: 'Accounts' }).getByRole('link').filter({ hasNotText: 'All inboxes' })
const row = (page: Page, name: RegExp): Locator => page.getByRole('option', { name })

const newKey = async ({ ask }: Platform, name: string): Promise<{ readonly id: string; readonly token: string }> =>
  (await ask('/api-keys', { method: 'POST', body: { name, permission: 'full_access' } })) as {
    id: string
    token: string
  }

const press = async (button: Locator): Promise<void> => {
  await button.focus()
  await button.page().keyboard.press('Enter')
}

const addByKeys = async (page: Page, baseUrl: string, apiKey: string): Promise<void> => {
  await press(sideBar(page).getByRole('button', { name: 'Switch account or inbox' }))
  await expect(page.getByRole('menuitemradio').first()).toBeFocused()
  await page.keyboard.press('End')
  await expect(page.getByRole('menuitem').last()).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(page.getByRole('menuitem', { name: 'Add account…' })).toBeFocused()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Add account' })
  await expect(dialog.getByRole('button', { name: 'Sign in with your browser' })).toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(baseUrl)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.type(apiKey)
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
}

/** Makes a platform count reads of single e-mails and of this thread from now on. */
const countReads = async ({ ask, inboxId }: Platform, threadId: string): Promise<void> => {
  const paths = ['/emails/receiving/', `/inboxes/${inboxId}/threads/${threadId}`]
  const faults = paths.map((path) => ({ kind: 'delay', method: 'GET', path, delay_ms: 1 }))
  await ask('/_control/faults', { method: 'PUT', body: { faults } })
}
const readsOf = async ({ ask }: Platform): Promise<number> => {
  const { faults } = (await ask('/_control/faults')) as { faults: readonly { readonly met: number }[] }
  return faults.reduce((sum, { met }) => sum + met, 0)
}

test('manages two accounts side by side from adding to removal', async ({
  launch,
  platform: harbour,
  dataDirectory,
}) => {
  test.setTimeout(180_000)
  const ferry = await startPlatform('empty', ['--faults'])
  try {
    const folders = (): Promise<readonly string[]> => readdir(join(dataDirectory, 'accounts'))
    await harbour.ask('/inboxes', { method: 'POST', body: { email_address: 'desk@linnet.example', from_name: 'Desk' } })
    await harbour.deliver({ from: 'pier@harbour.example', subject: 'Fog over the harbour', text: 'Until noon.' })
    await ferry.deliver({ from: 'crew@ferry.example', subject: 'Ferry at ten', text: 'Kept as it is.' })
    await ferry.deliver({ from: 'crew@ferry.example', subject: 'Ferry at nine', text: 'From the north pier.' })
    const kept = (await threadOn(ferry, 'Ferry at ten'))?.id ?? ''
    await countReads(ferry, kept)

    const first = await launch({ dataDirectory })
    const { page } = first
    const lostFocus = await watchFocus(page)
    await page.getByRole('textbox', { name: 'Platform address' }).fill(harbour.baseUrl)
    await page.getByLabel('API key').fill(harbour.apiKey)
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await expect(row(page, HARBOUR)).toBeVisible()
    await expect(accounts(page)).toHaveCount(0)
    const [harbourFolder = ''] = await folders()

    const oldKey = await newKey(ferry, 'old')
    await addByKeys(page, ferry.baseUrl, oldKey.token)
    await expect(row(page, FERRY)).toBeVisible()
    await expect.poll(() => focused(page)).toBe('Threads')
    await expect(accounts(page)).toHaveCount(2)

    await page.keyboard.press('ControlOrMeta+,')
    await press(
      page
        .getByRole('list', { name: 'Accounts in order' })
        .getByRole('button', { name: `Edit… ${ferry.inboxAddress}` })
        .last(),
    )
    await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toBeFocused()
    await page.keyboard.type('Ferry')
    await page.getByRole('radio', { name: 'Plum' }).focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Edit… Ferry' })).toBeFocused()
    await press(page.getByRole('button', { name: 'Move Ferry up' }))
    await expect(accounts(page).first()).toContainText('Ferry')
    await expect(page.getByRole('button', { name: 'Move Ferry down' })).toBeFocused()

    // Inboxes are numbered in account order: Ferry's only inbox, then the other account's two, newest first.
    const go = async (number: number): Promise<void> => {
      if (first.kind === 'electron') await page.keyboard.press(`ControlOrMeta+${number}`)
      else for (const key of ['g', String(number)]) await page.keyboard.press(key)
    }
    await go(2)
    await expect(page.getByText('Your inbox is empty')).toBeVisible()
    await go(3)
    await expect(row(page, HARBOUR)).toBeVisible()
    await expect(accounts(page).nth(1)).toHaveAttribute('aria-current', 'true')
    await go(1)
    await expect(row(page, FERRY)).toBeVisible()

    // Using the side bar, then back and forward across accounts: each address includes its account.
    await press(accounts(page).nth(1))
    await expect(row(page, HARBOUR)).toBeVisible()
    await page.evaluate(() => history.back())
    await expect(row(page, FERRY)).toBeVisible()
    await expect(row(page, HARBOUR)).toHaveCount(0)
    await page.evaluate(() => history.forward())
    await expect(row(page, HARBOUR)).toBeVisible()

    // The key is revoked while a change is queued. The other account is unaffected.
    await go(1)
    await row(page, FERRY).waitFor()
    await expect.poll(() => readsOf(ferry)).toBeGreaterThan(0)
    await expect(accounts(page).first()).toContainText('Online')
    await expect(row(page, KEPT)).toContainText('Kept as it is.')
    await expect(row(page, FERRY)).toContainText('From the north pier.')
    await ferry.ask(`/api-keys/${oldKey.id}`, { method: 'DELETE' })
    await page.keyboard.press('F5')
    await expect(accounts(page).first()).toContainText('Sign-in refused')
    await expect(accounts(page).nth(1)).toContainText('Online')
    await page.keyboard.press('Home')
    await page.keyboard.press('e')
    await expect(row(page, FERRY)).toHaveCount(0)
    await countReads(ferry, kept)

    // Linnet offers to use the new key for the existing account: nothing is lost or fetched twice.
    await addByKeys(page, ferry.baseUrl, (await newKey(ferry, 'new')).token)
    const question = page.getByRole('dialog', { name: `Use a new sign-in for ${ferry.inboxAddress}?` })
    await press(question.getByRole('button', { name: 'Use the new sign-in' }))
    await expect(question).toBeHidden()
    await expect(accounts(page).first()).toContainText('Online')
    const placeOf = async (subject: RegExp): Promise<string | undefined> =>
      (await threadsOn(ferry)).find((thread) => subject.test(thread.subject))?.folder
    await expect.poll(() => placeOf(FERRY)).toBe('archive')
    await expect(row(page, KEPT)).toBeVisible()
    await expect(accounts(page)).toHaveCount(2)
    expect(await folders()).toHaveLength(2)
    await page.keyboard.press('F5')
    await expect(page.getByRole('status').first()).toContainText('Synced just now')
    expect(await readsOf(ferry)).toBe(0)
    expect(lostFocus()).toEqual([])

    // After a restart both accounts are unchanged. An account that can't be opened shows an error and offers a retry.
    await first.close()
    const ferryFolder = join(dataDirectory, 'accounts', (await folders()).find((id) => id !== harbourFolder) ?? '')
    await rename(ferryFolder, `${ferryFolder}.away`)
    await writeFile(ferryFolder, '')
    const { page: again } = await launch({ dataDirectory })
    await expect(again.getByRole('heading', { level: 1, name: 'Ferry' })).toBeFocused()
    await expect(accounts(again).first()).toContainText(/Ferry.*Could not be opened/)
    await expectAccessible(again, 'an account that could not be opened')
    await accounts(again).nth(1).click()
    await expect(row(again, HARBOUR)).toBeVisible()
    await accounts(again).first().click()
    await rm(ferryFolder)
    await rename(`${ferryFolder}.away`, ferryFolder)
    const retry = again.getByRole('button', { name: 'Try again' })
    // Linnet retries opening the account once on its own. If the folder is back by then, there is no button left to
    // press.
    await expect(async () => {
      if (await retry.isVisible()) await retry.click({ timeout: 1000 })
      await expect(row(again, KEPT)).toBeVisible({ timeout: 5000 })
    }).toPass()
    await expect(accounts(again).first().locator('.swatch .swatch')).toHaveCSS('background-color', PLUM)
    await expect(accounts(again).nth(1)).toContainText(harbour.inboxAddress)

    // One account is removed with its mail: its folder is deleted, and the other account is untouched.
    await again.keyboard.press('ControlOrMeta+,')
    await again.getByRole('button', { name: 'Remove… Ferry' }).click()
    const removal = again.getByRole('dialog', { name: 'Remove account' })
    await expect(removal).toContainText(/On this computer\s*[\d,]+ (KB|MB)/)
    await removal.getByRole('radio', { name: /^Delete it/ }).check()
    await removal.getByRole('button', { name: 'Remove account and mail' }).click()
    await expect(removal).toBeHidden()
    await expect(row(again, HARBOUR)).toBeVisible()
    await expect(accounts(again)).toHaveCount(0)
    await expect.poll(folders).toEqual([harbourFolder])
  } finally {
    await ferry.stop()
  }
})
