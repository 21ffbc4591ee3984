import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, goTo, test } from './linnet.ts'

const connect = async (page: Page, baseUrl: string, apiKey: string): Promise<void> => {
  await page.getByRole('textbox', { name: 'Base URL' }).fill(baseUrl)
  await page.getByLabel('API key').fill(apiKey)
  await page.getByRole('button', { name: 'Connect' }).click()
}

const serveHtml = (): Promise<Server> =>
  new Promise((resolve) => {
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end('<!doctype html><title>Welcome</title><p>A web page')
    }).listen(0, '127.0.0.1', () => resolve(server))
  })

test('without an account the window offers the demo and a connection to the public platform', async ({
  launch,
  dataDirectory,
}) => {
  const { page } = await launch({ dataDirectory })
  await expect(page.getByRole('button', { name: 'Try the demo' })).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Base URL' })).toHaveValue('https://api.resend.com')
})

test('the demo opens with mail in it, and leaving it leaves nothing behind', async ({ launch, dataDirectory }) => {
  const { page } = await launch({ dataDirectory })
  await page.getByRole('button', { name: 'Try the demo' }).click()
  await expect(page.getByRole('listbox', { name: 'Threads' }).getByRole('option').nth(10)).toBeVisible({
    timeout: 20_000,
  })
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('button', { name: 'Disconnect' }).click()
  await expect(page.getByRole('button', { name: 'Try the demo' })).toBeVisible()
  await expect.poll(() => readdir(join(dataDirectory, 'accounts'))).toEqual([])
})

test('a base URL and a key connect an account', async ({ launch, dataDirectory, platform }) => {
  const { page } = await launch({ dataDirectory })
  await connect(page, platform.baseUrl, platform.apiKey)
  await expect(page.getByRole('navigation', { name: 'Mailboxes' })).toContainText(platform.inboxAddress)
})

test('a wrong key says so and keeps what was typed', async ({ launch, dataDirectory, platform }) => {
  const { page } = await launch({ dataDirectory })
  await connect(page, platform.baseUrl, 're_wrong_key')
  await expect(page.getByRole('alert')).toContainText(/key/i)
  await expect(page.getByRole('textbox', { name: 'Base URL' })).toHaveValue(platform.baseUrl)
  await connect(page, platform.baseUrl, platform.apiKey)
  await expect(page.getByRole('navigation', { name: 'Mailboxes' })).toBeVisible()
})

test('a host that cannot be reached says so', async ({ launch, dataDirectory }) => {
  const { page } = await launch({ dataDirectory })
  await connect(page, 'http://127.0.0.1:9', 're_any')
  await expect(page.getByRole('alert')).toContainText(/nothing answers/i)
})

test('a base URL that answers a web page says so', async ({ launch, dataDirectory }) => {
  const web = await serveHtml()
  try {
    const { page } = await launch({ dataDirectory })
    await connect(page, `http://127.0.0.1:${(web.address() as AddressInfo).port}`, 're_any')
    await expect(page.getByRole('alert')).toContainText(/mail platform/i)
  } finally {
    web.close()
  }
})

test('an inbox that the platform does not know says so and leads back', async ({ linnet, platform }) => {
  const { page } = linnet
  await expect(page.getByRole('navigation', { name: 'Mailboxes' })).toContainText(platform.inboxAddress)
  await goTo(page, '#/inboxes/00000000-0000-4000-8000-000000000000/inbox')
  await expect(page.getByRole('main').getByText(/inbox/i).first()).toBeVisible()
  await expect(page.getByRole('alert').filter({ hasText: /inbox/i })).toBeVisible()
})

test('a key that stops working leaves the mail readable and says what to do', async ({
  launch,
  dataDirectory,
  platform,
}) => {
  const env = { LINNET_BASE_URL: platform.baseUrl, LINNET_API_KEY: 're_revoked' }
  const { page } = await launch({ dataDirectory, env })
  await expect(page.getByRole('status')).toContainText(/key/i)
})

test('the API key is nowhere that a script, a log or a file could give it away', async ({
  launch,
  dataDirectory,
  platform,
}) => {
  const { page, log, close } = await launch({ dataDirectory })
  await connect(page, platform.baseUrl, platform.apiKey)
  await expect(page.getByRole('navigation', { name: 'Mailboxes' })).toContainText(platform.inboxAddress)
  await platform.deliver({ from: 'a@b.example', subject: 'Something to sync', text: 'so that requests are made' })
  await page.keyboard.press('F5')
  await expect(page.getByRole('option', { name: /Something to sync/ })).toBeVisible()

  const reachable = await page.evaluate(async () => {
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
  expect(reachable.length).toBeGreaterThan(1000)
  expect(reachable).not.toContain(platform.apiKey)

  await close()
  expect(log()).not.toContain(platform.apiKey)
  const files = await readdir(dataDirectory, { recursive: true, withFileTypes: true })
  expect(files.some((file) => file.name === 'cache.sqlite')).toBe(true)
  for (const file of files.filter((entry) => entry.isFile())) {
    const content = await readFile(join(file.parentPath, file.name)).catch(() => Buffer.alloc(0))
    expect(content.includes(platform.apiKey), `${file.name} holds the key`).toBe(false)
  }
})
