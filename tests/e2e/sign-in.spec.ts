import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { decideAt } from '../support/browser-sign-in.ts'
import type { Platform } from '../support/platform.ts'
import { expectAccessible } from './expect-accessible.ts'
import { expect, test, type Linnet } from './linnet.ts'

// Tokens live so briefly that they expire during every action.
test.use({ platformSwitches: ['--access-life', '2', '--refresh-grace', '30', '--faults'] })

const rows = (page: Page): Locator => page.getByRole('listbox', { name: 'Threads' }).getByRole('option')
const signInButton = (within: Page | Locator): Locator =>
  within.getByRole('button', { name: 'Sign in with your browser' })

/** Allows or denies the sign-in on the page that Linnet opens in the browser. */
const decide = async (
  linnet: Linnet,
  press: () => Promise<void>,
  decision: 'Allow' | 'Deny' = 'Allow',
): Promise<void> => {
  const { page, electron } = linnet
  if (electron === null) {
    const [opened] = await Promise.all([page.context().waitForEvent('page'), press()])
    await opened.getByRole('button', { name: decision }).click()
    await expect(opened.getByText('go back to Linnet')).toBeVisible()
    await opened.close()
    return
  }
  await electron.evaluate(({ shell }) => {
    Object.assign(globalThis, { pageOpened: '' })
    shell.openExternal = (url) => {
      Object.assign(globalThis, { pageOpened: url })
      return Promise.resolve()
    }
  })
  await press()
  const pageOpened = (): Promise<string> =>
    electron.evaluate(() => (globalThis as unknown as { pageOpened?: string }).pageOpened ?? '')
  await expect.poll(pageOpened).toContain('/oauth/authorize')
  const led = await decideAt(await pageOpened(), decision === 'Allow' ? 'allow' : 'deny')
  const said = decision === 'Allow' ? 'go back to Linnet' : 'No account was connected.'
  expect(await (await fetch(led)).text()).toContain(said)
}

const archived = async (platform: Platform): Promise<number> => {
  const { data } = (await platform.ask(`/inboxes/${platform.inboxId}/threads?folders=archive`)) as { data: unknown[] }
  return data.length
}
const archiveFirst = async (page: Page): Promise<void> => {
  const left = (await rows(page).count()) - 1
  await page.keyboard.press('j')
  await page.keyboard.press('e')
  await expect(rows(page)).toHaveCount(left)
}
const written = async (directory: string): Promise<string> => {
  const names = await readdir(directory, { recursive: true, withFileTypes: true })
  const files = names.filter((each) => each.isFile())
  return (await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), 'latin1')))).join('\n')
}

test('keeps working through expired tokens, offline use, a restart and an ended sign-in', async ({
  launch,
  dataDirectory,
  platform,
}) => {
  for (const subject of ['Boats', 'Ropes', 'Fog', 'Nets', 'Tar']) await platform.deliver({ subject })
  const first = await launch({ dataDirectory })
  const { page } = first

  await test.step('the first page offers sign-in, and a denial is reported and changes nothing', async () => {
    await expect(signInButton(page)).toBeFocused()
    await page.getByRole('textbox', { name: 'Platform address' }).fill(platform.baseUrl)
    await expectAccessible(page, 'the first page')
    await decide(first, () => signInButton(page).click(), 'Deny')
    await expect(page.getByRole('alert')).toContainText('You did not allow access, so nothing was connected.')
  })
  await test.step('Enter opens the sign-in page, and allowing access shows the mail', async () => {
    await signInButton(page).focus()
    await decide(first, () => page.keyboard.press('Enter'))
    await expect(rows(page)).toHaveCount(5)
  })
  await test.step('an expired token is renewed', async () => {
    await page.waitForTimeout(2_500)
    await archiveFirst(page)
    await expect.poll(() => archived(platform)).toBe(1)
  })
  await test.step('the renewal is retried if its response is lost', async () => {
    const lost = { kind: 'lost', method: 'POST', path: '/oauth/token', times: 2 }
    await platform.ask('/_control/faults', { method: 'PUT', body: { faults: [lost] } })
    const isMet = async (): Promise<number | undefined> =>
      ((await platform.ask('/_control/faults')) as { faults: readonly { met: number }[] }).faults[0]?.met
    await page.waitForTimeout(2_500)
    await archiveFirst(page)
    await expect.poll(isMet, { timeout: 60_000 }).toBe(2)
    await expect.poll(() => archived(platform), { timeout: 60_000 }).toBe(2)
    await expect(page.getByRole('button', { name: 'Sign in again' })).toHaveCount(0)
  })
  await test.step('a token that expires offline is renewed later', async () => {
    await platform.pause()
    await archiveFirst(page)
    await page.waitForTimeout(2_500)
    await platform.resume()
    await page.keyboard.press('F5')
    await expect.poll(() => archived(platform), { timeout: 60_000 }).toBe(3)
  })

  const again = async (linnet: Linnet): Promise<void> => {
    const dialog = linnet.page.getByRole('dialog', { name: /^Sign in/ })
    await expectAccessible(linnet.page, 'signing in again')
    await decide(linnet, () => signInButton(dialog).click())
    await expect(dialog).toBeHidden()
  }
  await test.step('both windows report a sign-in revoked on the platform, and later changes are kept', async () => {
    const { data } = (await platform.ask('/oauth/grants')) as { data: { id: string; revoked_at: string | null }[] }
    for (const { id, revoked_at: ended } of data) {
      if (ended === null) await platform.ask(`/oauth/grants/${id}`, { method: 'DELETE' })
    }
    const [second] =
      first.electron === null
        ? [await page.context().newPage()]
        : await Promise.all([first.electron.waitForEvent('window'), page.keyboard.press('Control+Shift+n')])
    if (first.electron === null) await second.goto(page.url())
    await archiveFirst(page)
    const said = (each: Page): Locator => each.getByRole('button', { name: 'Sign in again' })
    await expect(said(page)).toBeVisible({ timeout: 30_000 })
    await expect(said(second)).toBeVisible()
    expect(await archived(platform)).toBe(3)
    await said(page).click()
    await again(first)
    await expect.poll(() => archived(platform)).toBe(4)
    await expect(said(second)).toBeHidden()
    await second.close()
  })

  await test.step('no file or log contains a token', async () => {
    const all = first.log() + (await written(dataDirectory))
    expect(all).not.toMatch(/eyJ[\w-]+\.[\w-]+\.[\w-]+/)
    expect(all).not.toContain('refreshToken')
    await first.close()
  })

  await test.step('a restart keeps the sign-in, or asks once if it could not be stored', async () => {
    const second = await launch({ dataDirectory })
    await expect(rows(second.page)).toHaveCount(1)
    const connect = second.page.getByRole('button', { name: 'Connect', exact: true })
    const online = second.page.getByText(/^Synced/)
    await expect(connect.or(online).first()).toBeVisible({ timeout: 30_000 })
    if (await connect.isVisible()) {
      await connect.click()
      await again(second)
    }
    await archiveFirst(second.page)
    await expect.poll(() => archived(platform)).toBe(5)
  })
})
