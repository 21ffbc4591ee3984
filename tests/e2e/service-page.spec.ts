import { type AddressInfo, createServer } from 'node:net'
import type { Page } from '@playwright/test'
import { startPlatform } from '../../packages/platform/src/start-platform.ts'
import { hostileCorpus } from '../support/hostile-corpus.ts'
import { findFaults } from './expect-accessible.ts'
import { expect, test as base } from './linnet.ts'

const test = base.extend<{ readonly browserPage: Page }>({
  browserPage: async ({ sharedChromium }, use) => {
    if (sharedChromium === null) throw new Error('This test needs a browser.')
    const context = await sharedChromium.newContext()
    await use(await context.newPage())
    await context.close()
  },
})

test.skip(({ hostKind }) => hostKind !== 'browser', 'The page is for a browser.')

test('shows incoming mail without a refresh', async ({ browserPage: page }) => {
  await using platform = await startPlatform()
  await page.goto(platform.baseUrl)
  await expect(page.getByText('No messages yet.')).toBeVisible()
  await expect(page.getByText(`127.0.0.1:${platform.smtpPort}`)).toBeVisible()
  await platform.deliver({ from: 'Ann Lee <ann@example.com>', subject: 'Order 12', text: 'The blue one' })
  const row = page.getByRole('link', { name: 'Ann Lee' })
  await expect(row).toBeVisible()
  await expect(page).toHaveTitle('(1) Local mail')
  await row.click()
  await expect(page.getByRole('heading', { name: 'Order 12' })).toBeVisible()
  await expect(page.getByRole('tabpanel')).toHaveText('The blue one')
  await expect(page).toHaveTitle('Local mail')
  expect(await findFaults(page, 'all')).toEqual([])
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await findFaults(page, 'colours')).toEqual([])
})

test('works by keyboard, and on a phone from the list to the message and back', async ({ browserPage: page }) => {
  await using platform = await startPlatform()
  await platform.deliver({ subject: 'First', html: '<p>1</p>' })
  platform.advance(1000)
  await platform.deliver({ subject: 'Second', html: '<p>2</p>' })
  await page.goto(platform.baseUrl)
  await expect(page.getByRole('listitem')).toHaveCount(2)
  const heading = page.getByRole('heading', { level: 2 })
  await page.keyboard.press('j')
  await expect(heading).toHaveText('Second')
  await page.keyboard.press('ArrowDown')
  await expect(heading).toHaveText('First')
  await page.keyboard.press('k')
  await expect(heading).toHaveText('Second')
  await page.getByRole('tab', { name: 'HTML' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('tab', { name: 'Text', selected: true })).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('tabpanel')).toContainText('Subject: Second')
  await page.keyboard.press('Escape')
  await expect(heading).toHaveText('Send mail here')

  await page.setViewportSize({ width: 390, height: 800 })
  await expect(heading).toBeHidden()
  await page.getByRole('link', { name: 'First' }).click()
  await expect(heading).toHaveText('First')
  await expect(page.getByRole('list')).toBeHidden()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  await page.getByRole('link', { name: 'Back to the list' }).click()
  await expect(page.getByRole('listitem')).toHaveCount(2)
})

test('assigns a thread, and shows the events of its webhook', async ({ browserPage: page }) => {
  await using platform = await startPlatform()
  const hook = platform.webhook({ events: ['inbox.thread.assigned', 'inbox.thread.folder.updated'] })
  const [email] = await platform.deliver({ subject: 'Order 12', text: 'The blue one' })
  await page.goto(`${platform.baseUrl}/#${email?.id}`)
  const assignee = page.getByLabel('Assignee')
  await assignee.fill('ada@example.com')
  await assignee.press('Enter')
  expect((await hook.next()).data).toMatchObject({ assignee_email: 'ada@example.com', source: 'dashboard' })
  await page.getByLabel('Act as').selectOption('As the agent')
  await page.getByLabel('Folder').focus()
  await page.getByLabel('Folder').selectOption('archive')
  expect((await hook.next()).data).toMatchObject({ to: 'archive', source: 'agent' })
  await expect(page.getByLabel('Folder')).toHaveValue('archive')
  await expect(page.getByLabel('Folder')).toBeFocused()
  expect(await findFaults(page, 'all')).toEqual([])

  await page.getByRole('link', { name: 'Webhooks' }).click()
  await expect(page.getByRole('heading', { name: hook.endpoint })).toBeVisible()
  const event = page.getByRole('group').filter({ hasText: 'inbox.thread.assigned' })
  await event.locator('summary').click()
  await expect(event.getByText('"assignee_email": "ada@example.com"')).toBeVisible()
  expect(await findFaults(page, 'all')).toEqual([])
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await findFaults(page, 'colours')).toEqual([])
})

test('keeps hostile mail from running scripts or contacting anyone', async ({ browserPage: page }) => {
  await using platform = await startPlatform()
  // Names below localhost resolve to this machine, so any attempt arrives here, even a preconnect.
  let connections = 0
  const outside = createServer((socket) => {
    connections += 1
    socket.destroy()
  }).listen(0)
  const { port } = outside.address() as AddressInfo
  const mails = hostileCorpus(`localhost:${port}`).map(({ html }) => ({ html }))
  for (const mail of mails) await platform.deliver(mail)
  await page.goto(platform.baseUrl)
  await expect(page.getByRole('link', { name: 'sender' }).first()).toBeVisible()
  for (const shown of [100, 200]) {
    await expect(page.getByRole('listitem')).toHaveCount(shown)
    await page.getByRole('button', { name: 'Show older' }).click()
  }
  await expect(page.getByRole('listitem')).toHaveCount(mails.length)
  for (const _mail of mails) {
    await page.keyboard.press('j')
    await expect(page.locator('iframe')).toBeVisible()
    await page.frameLocator('iframe').locator('body').waitFor({ state: 'attached' })
  }
  expect(await page.evaluate(() => '__ran' in globalThis)).toBe(false)
  expect(connections).toBe(0)
  // Proof that an attempt would be noticed.
  await page.goto(`http://m1.localhost:${port}/`).catch(() => null)
  expect(connections).toBeGreaterThan(0)
  outside.close()
})
