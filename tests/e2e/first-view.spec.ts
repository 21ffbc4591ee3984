/** What a start shows before its engine is there: the list that the start before it ended with. */
import { cp, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { root } from '../support/program.ts'
import { deliverAll, expect, test } from './linnet.ts'

test.skip(({ hostKind }) => hostKind === 'browser', 'a browser may show its page to anybody: it holds no mail')

const rows = (page: Page) => page.getByRole('listbox', { name: 'Threads' }).getByRole('option')
const fileIn = (dataDirectory: string): string => join(dataDirectory, 'first-view.json')

test('its list is there though the engine never is', async ({ launch, platform, dataDirectory }) => {
  const env = { LINNET_BASE_URL: platform.baseUrl, LINNET_API_KEY: platform.apiKey }
  const first = await launch({ dataDirectory, env })
  await deliverAll(first.page, platform, ['Letter one', 'Letter two'])
  await first.close()
  const { mode } = await stat(fileIn(dataDirectory))
  expect(mode & 0o777).toBe(0o600)

  const app = join(dataDirectory, 'app')
  await cp(join(root, 'out'), join(app, 'out'), { recursive: true })
  await cp(join(root, 'package.json'), join(app, 'package.json'))
  await writeFile(join(app, 'out', 'main', 'engine-worker.cjs'), 'setInterval(() => undefined, 1_000)')
  const second = await launch({ dataDirectory, env, app })
  await expect(rows(second.page)).toHaveText([/Letter two/, /Letter one/])
  // Where it stands, and what is in it.
  await expect(second.page.getByRole('navigation', { name: 'Mailboxes' })).toContainText('Inbox')
  // It never closes in order.
  process.kill(second.pid, 'SIGKILL')
})

test('what came and went meanwhile takes its place', async ({ launch, platform, dataDirectory }) => {
  const env = { LINNET_BASE_URL: platform.baseUrl, LINNET_API_KEY: platform.apiKey }
  const first = await launch({ dataDirectory, env })
  await deliverAll(first.page, platform, ['Letter one', 'Letter two'])
  await first.close()
  await platform.deliver({ from: 'pier@harbour.example', subject: 'Letter three', text: 'Three' })
  const second = await launch({ dataDirectory, env })
  await expect(rows(second.page)).toHaveText([/Letter three/, /Letter two/, /Letter one/])
  await second.close()
  expect(await readFile(fileIn(dataDirectory), 'utf8')).toContain('Letter three')

  // Another key is another person's, for all that is known: nothing is shown ahead.
  const third = await launch({ dataDirectory, env: { ...env, LINNET_API_KEY: 're_unknown' } })
  await expect(third.page.getByRole('navigation', { name: 'Mailboxes' })).toBeVisible()
  await third.close()
})

test('what is done before the engine is there is done, also where Linnet is closed at once', async ({
  launch,
  platform,
  dataDirectory,
}) => {
  const env = { LINNET_BASE_URL: platform.baseUrl, LINNET_API_KEY: platform.apiKey }
  const subjects = ['Letter one', 'Letter two', 'Letter three', 'Letter four']
  const first = await launch({ dataDirectory, env })
  await deliverAll(first.page, platform, subjects)
  await first.close()
  for (const left of [3, 2]) {
    const again = await launch({ dataDirectory, env })
    await expect(rows(again.page)).toHaveCount(left + 1)
    await again.page.keyboard.press('e')
    await expect(rows(again.page)).toHaveCount(left)
    await again.close()
  }
  const last = await launch({ dataDirectory, env })
  await expect(rows(last.page)).toHaveText([/Letter two/, /Letter one/])
})

test('mail of an account that is removed is not in it any more', async ({ launch, platform, dataDirectory }) => {
  const { baseUrl, apiKey } = platform
  const { page, close } = await launch({ dataDirectory, env: { LINNET_BASE_URL: baseUrl, LINNET_API_KEY: apiKey } })
  await deliverAll(page, platform, ['Letter one'])
  const removed = await page.evaluate(`(async () => {
    const { data } = await linnet.call('account.state', {}, null)
    return linnet.call('account.remove', { accountId: data.accounts[0].id }, null)
  })()`)
  expect(removed).toMatchObject({ ok: true })
  await close()
  await expect(stat(fileIn(dataDirectory))).rejects.toThrow('ENOENT')
})
