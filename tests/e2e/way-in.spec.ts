import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from '@playwright/test'
import Database from 'better-sqlite3'
import type { Platform } from '../support/platform.ts'
import { startProgram } from '../support/program.ts'
import { chromiumOptions, expect, openProfile, test } from './linnet.ts'

test.skip(({ hostKind }) => hostKind !== 'browser', 'Electron has no address that other browsers could open.')

/** Names below localhost resolve to this machine without a lookup. */
const NAMES = ['plain-link.localhost', 'formatted-link.localhost'] as const

const deliverLinks = async (platform: Platform) => {
  let connections = 0
  const tracker = createServer((_, response) => response.end())
  tracker.on('connection', () => (connections += 1))
  await new Promise<void>((resolve) => tracker.listen(0, '127.0.0.1', resolve))
  const { port } = tracker.address() as AddressInfo
  const [plain, formatted] = NAMES.map((name) => `http://${name}:${port}/`) as [string, string]
  await platform.deliver({ from: 'a@sender.example', subject: 'Plain links', text: `See\n${plain}\n` })
  await platform.deliver({
    from: 'b@sender.example',
    subject: 'Formatted links',
    text: 'See',
    html: `<p>Dear reader</p><link rel="dns-prefetch" href="${formatted}"><link rel="preconnect" href="${formatted}">
      <p><a href="${formatted}">The formatted link</a></p>`,
  })
  return { plain, connections: () => connections, close: () => tracker.close() }
}

const pointAtLinks = async (page: Page, plain: string): Promise<void> => {
  await page.getByRole('option', { name: /Plain links/ }).click()
  await page.getByRole('link', { name: plain }).hover()
  await page.getByRole('option', { name: /Formatted links/ }).click()
  await page.frameLocator('iframe').getByRole('link', { name: 'The formatted link' }).hover()
  await page.getByRole('option', { name: /Plain links/ }).hover()
  // Give prefetching time to start.
  await page.waitForTimeout(1_000)
}

/** Opens a user's profile, with the default prefetching. */
const openPersonsProfile = async (profile: string, netLog: string) => {
  await mkdir(join(profile, 'Default'), { recursive: true })
  await writeFile(join(profile, 'Default', 'Preferences'), JSON.stringify({ net: { network_prediction_options: 0 } }))
  return openProfile(profile, {
    args: [`--log-net-log=${netLog}`, ...chromiumOptions.args],
    ignoreDefaultArgs: ['--disable-background-networking'],
  })
}

test('admits a browser by a private file without leaking its token or links in mail', async ({
  platform,
  dataDirectory,
}) => {
  const links = await deliverLinks(platform)
  // Replaces the program with which the desktop opens links, and records its arguments.
  const bin = join(dataDirectory, 'bin')
  await mkdir(bin)
  await writeFile(join(bin, 'xdg-open'), `#!/bin/sh\necho "$@" > "${join(dataDirectory, 'started-with')}"\n`, {
    mode: 0o755,
  })
  const env = {
    PATH: `${bin}:${process.env.PATH ?? ''}`,
    LINNET_BASE_URL: platform.baseUrl,
    LINNET_API_KEY: platform.apiKey,
  }
  const host = await startProgram('out/main/browser.cjs', ['--data-dir', join(dataDirectory, 'data')], env)
  const { url } = JSON.parse(host.firstLine) as { url: string }
  await expect.poll(() => existsSync(join(dataDirectory, 'started-with'))).toBe(true)
  const file = (await readFile(join(dataDirectory, 'started-with'), 'utf8')).trim()
  const token = /name="token" value="([\w-]+)"/.exec(await readFile(file, 'utf8'))?.[1] ?? 'none'
  expect(file).not.toContain(token)

  const profile = join(dataDirectory, 'profile')
  const netLog = join(dataDirectory, 'net-log.json')
  const browser = await openPersonsProfile(profile, netLog)
  const page = browser.pages()[0] ?? (await browser.newPage())
  await page.goto(pathToFileURL(file).href)
  await page.getByRole('navigation', { name: 'Mailboxes' }).waitFor()
  expect(new URL(page.url()).search).toBe('')
  expect(existsSync(file)).toBe(false)
  // The page sees no cookie, and another window of the same browser is admitted by the clean address.
  expect(await page.evaluate(() => document.cookie)).toBe('')
  const second = await browser.newPage()
  await second.goto(new URL('/', url).href)
  await second.getByRole('navigation', { name: 'Mailboxes' }).waitFor()

  // Another start with the same folder opens the same host.
  const again = await startProgram(
    'out/main/browser.cjs',
    ['--no-open', '--data-dir', join(dataDirectory, 'data')],
    env,
  )
  const { url: other } = JSON.parse(again.firstLine) as { url: string }
  expect(new URL(other).origin).toBe(new URL(url).origin)
  await again.stop()
  const stranger = await openProfile(join(dataDirectory, 'other-profile'))
  const window = await stranger.newPage()
  await window.goto(new URL('/', url).href)
  await expect(window.getByText('Linnet was restarted')).toBeVisible()
  await window.goto(other)
  await window.getByRole('navigation', { name: 'Mailboxes' }).waitFor()
  expect(new URL(window.url()).search).toBe('')
  await stranger.close()

  // A restarted host admits an old tab again (W, first minutes).
  await host.stop()
  await expect(page.getByRole('alert')).toContainText('Linnet has stopped')
  const restarted = await startProgram(
    'out/main/browser.cjs',
    ['--no-open', '--data-dir', join(dataDirectory, 'data')],
    env,
  )
  await expect(page.getByRole('heading', { name: 'Linnet was restarted' })).toBeVisible({ timeout: 20_000 })
  await second.goto((JSON.parse(restarted.firstLine) as { url: string }).url)
  await second.getByRole('navigation', { name: 'Mailboxes' }).waitFor()
  await page.getByRole('button', { name: 'Continue in this tab' }).click()
  await page.getByRole('navigation', { name: 'Mailboxes' }).waitFor()

  await pointAtLinks(page, links.plain)
  await browser.close()
  await restarted.stop()
  links.close()

  await test.step('the browser’s history contains no token', () => {
    const history = new Database(join(profile, 'Default', 'History'), { readonly: true })
    const visited = JSON.stringify(history.prepare('SELECT url, title FROM urls').all())
    history.close()
    expect(visited).toContain(new URL(url).host)
    expect(visited).not.toContain(token)
  })

  await test.step('hovering a link in mail causes no look-up or connection', async () => {
    const log = await readFile(netLog, 'utf8')
    expect(log).toContain('127.0.0.1')
    expect(NAMES.filter((name) => log.includes(name))).toEqual([])
    expect(links.connections()).toBe(0)
  })
})
