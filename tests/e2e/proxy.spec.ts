import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { HOST, openCompanyNetwork, type CompanyNetwork } from './company-network.ts'
import { expect, test as base } from './linnet.ts'
import { takePictures } from './take-pictures.ts'

const test = base.extend<{ readonly network: CompanyNetwork; readonly env: Readonly<Record<string, string>> }>({
  network: async ({ platform, dataDirectory }, use) => {
    const network = await openCompanyNetwork(platform, dataDirectory)
    network.proxy().want('mara:s3cret')
    await use(network)
    await network.stop()
  },
  env: async ({ network: { proxyUrl, rootFile } }, use) =>
    use({ https_proxy: proxyUrl, no_proxy: '', SSL_CERT_FILE: rootFile }),
})

test.use({ platformSwitches: ['--allowed-host', HOST] })

test.skip(
  ({ hostKind }) => hostKind === 'electron',
  'The window is the same in both hosts; network.spec signs in on the desktop.',
)

const dialog = (page: Page): Locator => page.getByRole('dialog', { name: 'Sign in to the proxy' })

const look = async (page: Page, name: string): Promise<void> => {
  for (const [width, height] of [
    [1024, 700],
    [1440, 900],
  ] as const) {
    await page.setViewportSize({ width, height })
    await takePictures(page, `proxy-${name}-${width}`)
  }
}

const logs = async (directory: string): Promise<string> => {
  const names = (await readdir(directory)).filter((name) => name.includes('.log'))
  return (await Promise.all(names.map((name) => readFile(join(directory, name), 'utf8')))).join('\n')
}

test('signs in to the proxy by keyboard before there is an account', async ({
  launch,
  platform,
  dataDirectory,
  network,
  env,
}) => {
  const { baseUrl } = network
  const proxy = network.proxy()
  const linnet = await launch({ dataDirectory, env })
  const { page } = linnet
  await expect(page.getByRole('button', { name: 'Sign in with your browser' })).toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(baseUrl)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.type(platform.apiKey)
  await page.keyboard.press('Enter')

  await expect(dialog(page).getByLabel('User name')).toBeFocused()
  await expect(dialog(page)).toContainText(`For ${proxy.url}.`)
  await expect(dialog(page)).toContainText('Kept in memory only')
  await look(page, 'dialog')
  await page.keyboard.type('mara')
  await page.keyboard.press('Tab')
  await page.keyboard.type('wr0ng')
  await page.keyboard.press('Enter')
  await expect(dialog(page)).toContainText(`The proxy ${proxy.url} did not accept this name and password.`)
  await expect(dialog(page).getByLabel('Password')).toBeFocused()
  await expect(dialog(page).getByLabel('Password')).toHaveValue('')
  await look(page, 'refused')
  expect(proxy.declined).toEqual(['mara:wr0ng'])

  // Users without the password can close the dialog, and open it again.
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)
  await look(page, 'first-page')
  const again = page.getByRole('button', { name: 'Sign in to the proxy…' })
  await expect(async () => {
    await page.keyboard.press('Tab')
    await expect(again).toBeFocused({ timeout: 100 })
  }).toPass()
  await page.keyboard.press('Enter')
  await expect(dialog(page).getByLabel('User name')).toHaveValue('mara')
  await expect(dialog(page).getByLabel('Password')).toBeFocused()
  await page.keyboard.type('s3cret')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('navigation', { name: 'Mailboxes' })).toBeVisible()
  await expect(dialog(page)).toHaveCount(0)
  await expect(page.getByRole('status').getByText('Online')).toBeVisible()
  expect(proxy.declined).toEqual(['mara:wr0ng'])
  expect(linnet.log() + (await logs(dataDirectory))).not.toMatch(/s3cret|wr0ng/)
})

test('asks once when a proxy needs a password later, and links to it in the status line', async ({
  launch,
  platform,
  dataDirectory,
  network,
  env,
}) => {
  const { baseUrl } = network
  const proxy = network.proxy()
  await platform.deliver({ from: 'mara@fjord.example', to: platform.inboxAddress, subject: 'Beyond', text: 'Hello' })
  const account = { LINNET_BASE_URL: baseUrl, LINNET_API_KEY: platform.apiKey }
  const { page } = await launch({ dataDirectory, env: { ...env, ...account } })
  const words = `The proxy ${proxy.url} requires a name and password.`
  await expect(dialog(page).getByLabel('User name')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)
  await expect(page.getByRole('main')).toContainText('No mail yet')
  await expect(page.getByRole('main')).toContainText(words)
  const status = page.getByRole('contentinfo').getByRole('status')
  await expect(status).toContainText(words)
  await look(page, 'arriving')

  // A reloaded window, or another window, doesn't ask again.
  await page.reload()
  await expect(status.getByRole('button', { name: 'Sign in to the proxy…' })).toBeVisible()
  await expect(dialog(page)).toHaveCount(0)
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('proxy')
  await page.keyboard.press('Enter')
  await expect(dialog(page).getByLabel('User name')).toBeFocused()
  await page.keyboard.type('mara')
  await page.keyboard.press('Tab')
  await page.keyboard.type('s3cret')
  await page.keyboard.press('Enter')
  await expect(dialog(page)).toHaveCount(0)
  await expect(page.getByRole('option', { name: /Beyond/ })).toBeVisible()
  await expect(status).not.toContainText('proxy')
  expect(proxy.declined).toEqual([])
})
