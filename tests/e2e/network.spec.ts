/** Linnet on users' networks (docs/network.md), in each host, over real proxies and certificates on loopback. */
import type { ElectronApplication, Locator, Page } from '@playwright/test'
import type { Platform } from '../support/platform.ts'
import { HOST, openCompanyNetwork, type CompanyNetwork } from './company-network.ts'
import { expect, test as base, type Linnet } from './linnet.ts'

const test = base.extend<{ readonly network: CompanyNetwork }>({
  network: async ({ platform, dataDirectory }, use) => {
    const network = await openCompanyNetwork(platform, dataDirectory)
    await use(network)
    await network.stop()
  },
})

test.use({ platformSwitches: ['--allowed-host', HOST] })

interface Parts {
  readonly page: Page
  readonly electron: ElectronApplication | null
  readonly platform: Platform
  readonly network: CompanyNetwork
}

const SIGN_IN = 'This network wants you to sign in first.'

const status = (page: Page): Locator => page.getByRole('contentinfo').getByRole('status')
const expectOffline = async (page: Page): Promise<void> => {
  await page.keyboard.press('F5')
  await expect(status(page)).toContainText('Offline')
}

/** Delivers a message to the platform. @returns a check that Linnet has received it */
const deliver = async ({ page, platform }: Parts, subject: string): Promise<() => Promise<void>> => {
  await platform.deliver({ from: 'pier@harbour.example', subject, text: 'Hello' })
  return () => expect(page.getByRole('listbox', { name: 'Threads' }).getByText(subject, { exact: true })).toBeVisible()
}

/** Hides or shows the window. While hidden, Linnet checks for mail on its own only every five minutes. */
const setHidden = (page: Page, isHidden: boolean): Promise<void> =>
  page.evaluate(
    (visibility) => {
      Object.defineProperty(document, 'visibilityState', { value: visibility, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    },
    isHidden ? 'hidden' : 'visible',
  )

const wake = (electron: ElectronApplication): Promise<void> =>
  electron.evaluate(({ powerMonitor }) => void powerMonitor.emit('resume'))

const signalsOf = ({ page, electron }: Parts): Readonly<Record<string, () => Promise<unknown>>> => ({
  'the window’s network is back': () => page.evaluate(() => dispatchEvent(new Event('online'))),
  ...(electron !== null && {
    'the computer wakes': () => wake(electron),
    'the screen is unlocked': () => electron.evaluate(({ powerMonitor }) => void powerMonitor.emit('unlock-screen')),
  }),
})

/** Connects to other addresses in the form for another account: all but the excepted host go through the proxy. */
const tryOthers = async ({ page, network }: Parts): Promise<void> => {
  await page.getByRole('button', { name: 'Switch account or inbox' }).click()
  await page.getByRole('menuitem', { name: 'Add account…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add account' })
  const connect = async (address: string): Promise<void> => {
    await dialog.getByRole('textbox', { name: 'Platform address' }).fill(address)
    await dialog.getByLabel('API key').fill('re_any')
    await dialog.getByRole('button', { name: 'Connect', exact: true }).click()
  }
  await connect(network.baseUrl.replace(network.host, network.portal))
  await expect(dialog.getByRole('alert')).toContainText(`The certificate at ${network.portal} is for another name`)
  await connect(network.baseUrl.replace(network.host, network.except))
  await expect(dialog.getByRole('alert')).toContainText('This address does not exist')
  expect(network.proxy().asked.join(' ')).toContain(network.portal)
  expect(network.proxy().asked.join(' ')).not.toContain(network.except)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
}

const signInAtProxy = async (parts: Parts): Promise<void> => {
  const { page, network } = parts
  network.proxy().want('mara:s3cret:/')
  network.proxy().silence()
  const expectHere = await deliver(parts, 'Past the proxy’s question')
  await page.keyboard.press('F5')
  const dialog = page.getByRole('dialog', { name: 'Sign in to the proxy' })
  await expect(dialog).toContainText(network.proxyUrl)
  await dialog.getByLabel('User name').fill('mara')
  await dialog.getByLabel('Password').fill('s3cret:/')
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await expect(dialog).toBeHidden()
  await expectHere()
}

const goSilent = async (parts: Parts): Promise<void> => {
  const { page, network } = parts
  const expectAnother = async (subject: string, ask: () => Promise<unknown>): Promise<void> => {
    network.proxy().silence()
    const expectHere = await deliver(parts, subject)
    await ask()
    await expectHere()
  }
  await setHidden(page, true)
  for (const [name, signal] of Object.entries(signalsOf(parts))) {
    // The first check may have been due anyway; then the next one is five minutes away.
    for (const time of ['once', 'again']) await expectAnother(`${name} ${time}`, signal)
  }
  await expectAnother('a person asks', () => page.keyboard.press('F5'))
  await setHidden(page, false)
}

const meetSignIn = async (parts: Parts, answer: Parameters<CompanyNetwork['answerBy']>[0]): Promise<void> => {
  const { page, network } = parts
  const asked = network.proxy().asked.length
  network.answerBy(answer)
  await expectOffline(page)
  await expect(status(page)).toContainText(SIGN_IN)
  await expect(status(page).getByRole('button', { name: 'Open sign-in page' })).toBeVisible()
  await setHidden(page, true)
  const expectHere = await deliver(parts, `Past ${answer}`)
  network.answerBy('platform')
  await setHidden(page, false)
  await expectHere()
  await expect(status(page)).not.toContainText(SIGN_IN)
  expect(network.proxy().asked.slice(asked).join(' ')).not.toContain(network.portal)
}

/** On waking, Linnet reads the proxy and its exceptions again: from the environment, then from the desktop. */
const changeDesktop = async (parts: Parts, electron: ElectronApplication): Promise<void> => {
  const { page, network } = parts
  const given = { proxyUrl: network.proxyUrl }
  const ways: Readonly<Record<string, (exceptions: string) => Promise<unknown>>> = {
    settings: (exceptions) =>
      electron.evaluate(
        ({ session }, { proxyUrl, ...rules }) =>
          session.defaultSession.setProxy({ mode: 'fixed_servers', proxyRules: proxyUrl, ...rules }),
        { ...given, proxyBypassRules: exceptions },
      ),
    environment: (exceptions) =>
      electron.evaluate(
        (_electron, { proxyUrl, ...rules }) => void Object.assign(process.env, { https_proxy: proxyUrl, ...rules }),
        { ...given, no_proxy: exceptions },
      ),
  }
  for (const [name, choose] of Object.entries(ways)) {
    await choose('.company.example')
    await wake(electron)
    // Offline, because an excepted host bypasses the proxy.
    await expectOffline(page)
    const expectHere = await deliver(parts, `By the ${name}`)
    await choose(network.except)
    await wake(electron)
    await expectHere()
  }
}

test('syncs past a company’s proxy and certificate, dead connections and a hotel’s sign-in page', async ({
  launch,
  platform,
  dataDirectory,
  network,
  hostKind,
}) => {
  const { baseUrl, host, rootFile, proxyUrl, pacUrl, except } = network
  const account = { LINNET_BASE_URL: baseUrl, LINNET_API_KEY: platform.apiKey, SSL_CERT_FILE: rootFile }
  await platform.deliver({ from: 'pier@harbour.example', subject: 'By the proxy', text: 'Hello' })
  const launched: Linnet =
    hostKind === 'electron'
      ? await launch({
          ...{ dataDirectory, env: { ...account, https_proxy: '', all_proxy: '' } },
          switches: [`--proxy-pac-url=${pacUrl}`],
        })
      : await launch({ dataDirectory, env: { ...account, https_proxy: proxyUrl, no_proxy: except } })
  const { page, electron } = launched
  const parts: Parts = { page, electron, platform, network }

  await test.step('the proxy reaches the platform, with the company’s root certificate', async () => {
    await expect(page.getByRole('listbox', { name: 'Threads' })).toContainText('By the proxy')
    expect([...new Set(network.proxy().asked)]).toEqual([`CONNECT ${host}:${new URL(baseUrl).port}`])
  })
  await test.step('excepted hosts bypass the proxy', () => tryOthers(parts))
  await test.step('sync resumes after the proxy restarts', async () => {
    await network.proxy().stop()
    await expectOffline(page)
    const expectHere = await deliver(parts, 'By the proxy that is back')
    await network.startProxy()
    await expectHere()
  })
  await test.step('a proxy requires a login', () => signInAtProxy(parts))
  await test.step('silent connections are replaced', () => goSilent(parts))
  for (const answer of ['a redirect', 'a page', 'a certificate'] as const) {
    await test.step(`a network requests a sign-in with ${answer}`, () => meetSignIn(parts, answer))
  }
  if (electron !== null) await test.step('the desktop’s settings change', () => changeDesktop(parts, electron))
})
