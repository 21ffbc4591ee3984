import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import type { Platform } from '../support/platform.ts'
import { connect, expect, goTo, test, threadsOn } from './linnet.ts'

const mailboxes = (page: Page): Locator => page.getByRole('navigation', { name: 'Mailboxes' })
const rows = (page: Page): Locator => page.getByRole('listbox', { name: 'Threads' }).getByRole('option')
const toolbar = (page: Page): Locator => page.getByRole('toolbar', { name: 'Thread actions' })
const keyBanner = (page: Page): Locator =>
  page.getByRole('alert').filter({ has: page.getByRole('button', { name: 'Enter a new key' }) })
const keyDialog = (page: Page): Locator => page.getByRole('dialog', { name: 'Sign in or enter an API key' })

const useKey = async (page: Page, key: string): Promise<void> => {
  await keyDialog(page).getByLabel('API key').fill(key)
  await keyDialog(page).getByRole('button', { name: 'Use this key' }).click()
}

const newKey = async (platform: Platform, name: string): Promise<{ readonly id: string; readonly token: string }> =>
  (await platform.ask('/api-keys', { method: 'POST', body: { name, permission: 'full_access' } })) as {
    id: string
    token: string
  }

const serveHtml = (): Promise<Server> =>
  new Promise((resolve) => {
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end('<!doctype html><title>Welcome</title><p>A web page')
    }).listen(0, '127.0.0.1', () => resolve(server))
  })

const reachableText = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const seen = new Set<object>()
    const texts: string[] = []
    const queue: object[] = [globalThis, localStorage, sessionStorage, document.documentElement]
    while (queue.length > 0 && seen.size < 200_000) {
      const object = queue.pop()
      if (object === undefined || seen.has(object)) continue
      seen.add(object)
      for (const key of Reflect.ownKeys(object)) {
        let value: unknown
        try {
          value = Reflect.get(object, key)
        } catch {
          continue
        }
        // A property read from a prototype may return a promise that rejects later.
        if (value instanceof Promise) value.catch(() => undefined)
        if (typeof value === 'string') texts.push(value)
        else if ((typeof value === 'object' && value !== null) || typeof value === 'function') queue.push(value)
      }
      if (object instanceof Map || object instanceof Set) {
        for (const entry of object as Iterable<unknown>) {
          if (typeof entry === 'object' && entry !== null) queue.push(entry)
        }
      }
    }
    const { linnet } = globalThis as { linnet?: { call: (name: string, input: unknown) => Promise<unknown> } }
    const state = await linnet?.call('account.state', {})
    const inputs = [...document.querySelectorAll('input')].map((input) => input.value)
    return [
      ...texts,
      ...inputs,
      document.documentElement.outerHTML,
      document.cookie,
      JSON.stringify(state ?? null),
    ].join('\n')
  })

const expectKeyInNoFile = async (folder: string, apiKey: string): Promise<void> => {
  const files = await readdir(folder, { recursive: true, withFileTypes: true })
  expect(files.some((file) => file.name === 'cache.sqlite')).toBe(true)
  for (const file of files.filter((entry) => entry.isFile())) {
    const content = await readFile(join(file.parentPath, file.name)).catch(() => Buffer.alloc(0))
    expect(content.includes(apiKey), `${file.name} contains the key`).toBe(false)
  }
}

test('connects a first mailbox after the demo without exposing its key', async ({
  launch,
  dataDirectory,
  platform,
}) => {
  const { page, log, close } = await launch({ dataDirectory })
  const baseUrl = page.getByRole('textbox', { name: 'Platform address' })

  await test.step('the demo shows its progress, opens with mail and leaves no files behind', async () => {
    await expect(page.getByRole('button', { name: 'Sign in with your browser' })).toBeFocused()
    await page.getByRole('button', { name: 'Try the demo' }).click()
    await expect(page.getByText(/^Creating \d+ messages for the demo…$/)).toBeVisible({ timeout: 90_000 })
    await expect(rows(page).nth(10)).toBeVisible({ timeout: 90_000 })
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('button', { name: 'Leave the demo' }).click()
    await expect(page.getByRole('button', { name: 'Try the demo' })).toBeVisible()
    await expect.poll(() => readdir(join(dataDirectory, 'accounts'))).toEqual([])
  })

  await test.step('onboarding offers the demo, explains connection errors and keeps what was typed', async () => {
    await expect(page.getByRole('button', { name: 'Try the demo' })).toBeVisible()
    await expect(baseUrl).toHaveValue('https://api.resend.com')

    await connect(page, { baseUrl: 'http://127.0.0.1:9', apiKey: 're_any' })
    await expect(page.getByRole('alert')).toContainText(/no server responds/i)

    const web = await serveHtml()
    await connect(page, { baseUrl: `http://127.0.0.1:${(web.address() as AddressInfo).port}`, apiKey: 're_any' })
    await expect(page.getByRole('alert')).toContainText(/mail platform/i)
    web.close()

    await connect(page, { baseUrl: platform.baseUrl, apiKey: 're_wrong_key' })
    await expect(page.getByRole('alert')).toContainText(/key/i)
    await expect(baseUrl).toHaveValue(platform.baseUrl)

    await connect(page, platform)
    await expect(mailboxes(page)).toContainText(platform.inboxAddress)
  })

  await test.step('an inbox unknown to the platform is reported', async () => {
    await goTo(page, '#/inboxes/00000000-0000-4000-8000-000000000000/inbox')
    await expect(page.getByRole('main').getByText(/inbox/i).first()).toBeVisible()
    await expect(page.getByRole('alert').filter({ hasText: /inbox/i })).toBeVisible()
    await goTo(page, `#/inboxes/${platform.inboxId}/inbox`)
  })

  await test.step('no script, log or file exposes the API key', async () => {
    await platform.deliver({ from: 'a@b.example', subject: 'Something to sync', text: 'so that requests are made' })
    await page.keyboard.press('F5')
    await expect(page.getByRole('option', { name: /Something to sync/ })).toBeVisible()
    const reachable = await reachableText(page)
    expect(reachable.length).toBeGreaterThan(1000)
    expect(reachable).not.toContain(platform.apiKey)
    await close()
    expect(log()).not.toContain(platform.apiKey)
    await expectKeyInNoFile(dataDirectory, platform.apiKey)
  })
})

test('keeps a mailbox’s mail after a revoked key, a disconnect and an offline start', async ({
  launch,
  dataDirectory,
  platform,
}) => {
  const first = await launch({ dataDirectory })
  const revoked = await newKey(platform, 'first')
  await platform.deliver({ from: 'a@b.example', subject: 'To be archived', text: 'while the key is revoked' })
  await connect(first.page, { baseUrl: platform.baseUrl, apiKey: revoked.token })
  await expect(rows(first.page)).toHaveCount(1)

  await test.step('a revoked key is reported, and a new one keeps the mail and sends pending changes', async () => {
    const { page } = first
    await platform.ask(`/api-keys/${revoked.id}`, { method: 'DELETE' })
    await page.keyboard.press('F5')
    await expect(keyBanner(page)).toBeVisible()
    await rows(page).first().click()
    await toolbar(page).getByRole('button', { name: 'Archive' }).click()
    await expect(rows(page)).toHaveCount(0)

    await keyBanner(page).getByRole('button', { name: 'Enter a new key' }).click()
    await useKey(page, 're_wrong_key')
    await expect(keyDialog(page).getByRole('alert')).toContainText(/key/i)
    await useKey(page, (await newKey(platform, 'second')).token)
    await expect(keyDialog(page)).toBeHidden()
    await expect(keyBanner(page)).toBeHidden()
    await expect.poll(async () => (await threadsOn(platform)).map(({ folder }) => folder)).toEqual(['archive'])
    expect(await readdir(join(dataDirectory, 'accounts'))).toHaveLength(1)
  })

  await platform.deliver({ from: 'a@b.example', subject: 'Read it offline', text: 'It was fetched before.' })
  await first.page.keyboard.press('F5')
  await expect(rows(first.page)).toHaveCount(1)
  // The snippet appears with the e-mail itself.
  await expect(rows(first.page).first()).toContainText('It was fetched before.')

  await test.step('a disconnected mailbox stays on this computer and reopens', async () => {
    const { page } = first
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('button', { name: 'Remove…' }).click()
    const removal = page.getByRole('dialog', { name: 'Remove account' })
    await expect(removal.getByRole('radio', { name: /^Keep it/ })).toBeChecked()
    await removal.getByRole('button', { name: 'Remove account' }).click()
    await page.getByRole('button', { name: `Open ${platform.inboxAddress}` }).click()
    await expect(page.getByRole('option', { name: /Read it offline/ })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Connect', exact: true })).toBeVisible()
  })

  await first.close()
  await platform.pause()

  await test.step('an offline restart without a stored key shows the mail and asks for the key', async () => {
    const { page } = await launch({ dataDirectory })
    await expect(page.getByRole('option', { name: /Read it offline/ })).toBeVisible()
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await useKey(page, platform.apiKey)
    await expect(page.getByText('Linnet will test the new key when it reconnects.')).toBeVisible()
    await expect(page.getByRole('alert').filter({ hasText: 'has not been verified yet' })).toBeVisible()
    await rows(page).first().click()
    await expect(page.getByRole('region', { name: 'Thread', exact: true })).toContainText('It was fetched before.')

    await platform.resume()
    await page.keyboard.press('F5')
    await expect(page.getByRole('status')).toContainText('Online')
    await expect(page.getByRole('alert')).toHaveCount(0)
  })
})

test(
  'explains why an account cannot open and finds its mail again',
  { tag: '@window' },
  async ({ launch, dataDirectory, platform }) => {
    const env = { LINNET_BASE_URL: platform.baseUrl, LINNET_API_KEY: 're_revoked' }
    const first = await launch({ dataDirectory, env })

    await test.step('a rejected key is reported in the status line', async () => {
      await expect(first.page.getByRole('status')).toContainText('Sign-in refused')
    })

    await platform.deliver({ from: 'a@b.example', subject: 'Fetched once', text: 'Kept.' })
    await keyBanner(first.page).getByRole('button', { name: 'Enter a new key' }).click()
    await useKey(first.page, platform.apiKey)
    await expect(rows(first.page)).toHaveCount(1)
    await first.close()

    await test.step('unreadable settings are set aside and reported, and reconnecting offers the existing mail', async () => {
      await writeFile(join(dataDirectory, 'linnet.json'), '{"half": ')
      const { page } = await launch({ dataDirectory })
      await expect(page.getByRole('alert')).toContainText(/settings file could not be read and was renamed/)
      const aside = (await readdir(dataDirectory)).find((name) => name.startsWith('linnet.set-aside-'))
      expect(await readFile(join(dataDirectory, aside ?? ''), 'utf8')).toBe('{"half": ')

      await connect(page, platform)
      const question = page.getByRole('dialog', { name: 'Is this your account?' })
      await expect(question).toContainText(platform.inboxAddress)
      await question.getByRole('button', { name: 'Use existing mail' }).click()
      await expect(page.getByRole('option', { name: /Fetched once/ })).toBeVisible()
      expect(await readdir(join(dataDirectory, 'accounts'))).toHaveLength(1)
    })
  },
)
