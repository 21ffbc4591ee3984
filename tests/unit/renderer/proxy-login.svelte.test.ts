// @vitest-environment jsdom
import { expect, it } from 'vitest'
import type { Component } from 'svelte'
import MailLoading from '../../../src/renderer/app/MailLoading.svelte'
import StatusLine from '../../../src/renderer/app/StatusLine.svelte'
import Onboarding from '../../../src/renderer/features/onboarding/Onboarding.svelte'
import NetworkSettings from '../../../src/renderer/features/settings/NetworkSettings.svelte'
import ProxyLoginDialog from '../../../src/renderer/features/proxy/ProxyLoginDialog.svelte'
import type { SyncStatus } from '../../../src/shared/model.ts'
import type { ProxyInUse } from '../../../src/shared/proxy.ts'
import { ProblemError, type Problem } from '../../../src/shared/result.ts'
import { renderScreen, type RenderedScreen } from './support/draw-screen.ts'
import { endAfterEach } from './support/end-after-each.ts'
import type { FixtureHandlers } from './support/fixture-transport.ts'
import { inbox, openWindow, type OpenWindow } from './support/open-window.ts'
import { until } from './support/until.ts'

const PROXY = 'http://proxy.example:8080'
const SIGN_IN = 'Sign in to the proxy…'

const ending = endAfterEach()

const asking = (name: string | null): Problem => ({
  code: 'unreachable',
  message: `The proxy ${PROXY} ${name === null ? 'requires a name and password.' : 'did not accept this name and password.'}`,
  details: { proxyAsks: PROXY, ...(name !== null && { proxyName: name }) },
})

/** A proxy that lets the window through after the right password. */
const behindProxy = (changes: FixtureHandlers = {}) => {
  let given: ProxyInUse | null = { address: PROXY, name: null }
  const refuse = (): never => {
    throw new ProblemError(asking(given?.name ?? null))
  }
  const status = (): SyncStatus => ({
    ...{ connection: given === null ? 'online' : 'offline', progress: null, lastSyncAt: 1, waitingUntil: null },
    ...{ pendingChanges: 0, problem: given === null ? null : asking(given.name).message },
    confirmedAt: { inboxes: null, received: null, sent: null, contacts: null, threads: {} },
    ...(given !== null && { proxyNeedingLogin: given }),
  })
  return {
    'sync.status': status,
    'sync.now': () => (given === null ? null : refuse()),
    'account.connect': () => (given === null ? null : refuse()),
    'network.proxy': () => ({ address: PROXY, name: given?.name ?? null }),
    'network.mayAskLogin': () => true,
    'network.proxyLogin': ({ name, password }) => {
      given = password === 's3cret' ? null : { address: PROXY, name: name === '' ? null : name }
      return null
    },
    ...changes,
  } satisfies FixtureHandlers
}

const open = async (handlers = behindProxy()): Promise<OpenWindow> => {
  const window = await openWindow(inbox(null), ending.signal, handlers)
  await window.session.sync.load()
  await window.shell.account.load()
  return window
}

const buttonNamed = (name: string, within: ParentNode = document): HTMLButtonElement | undefined =>
  [...within.querySelectorAll('button')].find(({ textContent }) => textContent.trim() === name)

const dialog = (): HTMLElement | null => document.querySelector('[role="dialog"]')

const field = (label: string): HTMLInputElement => {
  const named = [...(dialog()?.querySelectorAll('label') ?? [])].find(({ textContent }) => textContent === label)
  const found = named === undefined ? null : document.getElementById(named.htmlFor)
  if (!(found instanceof HTMLInputElement)) throw new Error(`There is no ${label}.`)
  return found
}

const fill = async ({ settle }: RenderedScreen, name: string, password: string): Promise<void> => {
  for (const [label, text] of Object.entries({ 'User name': name, Password: password })) {
    field(label).value = text
    field(label).dispatchEvent(new Event('input', { bubbles: true }))
  }
  await settle()
  dialog()?.querySelector('form')?.requestSubmit()
  await settle()
}

it.each([
  ['on the status line', StatusLine as Component],
  ['where no mail has come yet', MailLoading],
])('names a proxy that requires a login %s, with a way to sign in', async (_where, part) => {
  const window = await open()
  const { target, settle } = await renderScreen(window, part, ending.signal)
  await renderScreen(window, ProxyLoginDialog, ending.signal)
  expect(target.textContent).toContain(`The proxy ${PROXY} requires a name and password.`)
  buttonNamed(SIGN_IN, target)?.click()
  await settle()
  expect(dialog()?.textContent).toContain(`For ${PROXY}.`)
})

it('reports a rejected proxy login, clears the password, and closes once accepted', async () => {
  const window = await open()
  const drawn = await renderScreen(window, ProxyLoginDialog, ending.signal)
  window.run('proxy.signIn')
  await drawn.settle()
  await fill(drawn, 'mara', 'wrong')
  await until(() => dialog()?.textContent.includes('did not accept this name and password.') === true)
  await drawn.settle()
  expect(field('User name').value).toBe('mara')
  expect(field('Password').value).toBe('')
  expect(document.activeElement).toBe(field('Password'))
  // A rejected login is not retried automatically.
  expect(window.called('sync.now')).toHaveLength(1)
  await fill(drawn, 'mara', 's3cret')
  await until(() => window.shell.proxyLogin.question === null)
  expect(window.called('network.proxyLogin')).toEqual([
    { proxy: PROXY, name: 'mara', password: 'wrong' },
    { proxy: PROXY, name: 'mara', password: 's3cret' },
  ])
})

it.each([
  ['keychain', 'Stored encrypted in this computer’s keychain.'],
  ['memory', 'Kept in memory only. You’ll need to enter the password again after a restart.'],
] as const)('says where the proxy password is stored: %s', async (keyStorage, words) => {
  const state = { accounts: [], keyStorage, problem: null, known: [], question: null, demoProgress: null }
  const window = await open(behindProxy({ 'account.state': () => state }))
  const drawn = await renderScreen(window, ProxyLoginDialog, ending.signal)
  window.run('proxy.signIn')
  await drawn.settle()
  expect(dialog()?.textContent).toContain(words)
})

it('uses a proxy password that could not be saved, with a notice', async () => {
  const message = 'The name and password could not be saved. Linnet will use them until you quit.'
  let isFromEnvironment = false
  const window = await open(
    behindProxy({
      'network.proxyLogin': () => {
        isFromEnvironment = true
        throw new ProblemError({ code: 'storage_failed', message })
      },
      'sync.now': () => {
        if (!isFromEnvironment) throw new ProblemError(asking(null))
        return null
      },
    }),
  )
  const drawn = await renderScreen(window, ProxyLoginDialog, ending.signal)
  window.run('proxy.signIn')
  await drawn.settle()
  await fill(drawn, 'mara', 's3cret')
  await until(() => window.shell.proxyLogin.question === null)
  expect(window.shell.toasts.toasts.map(({ text }) => text)).toEqual([message])
})

it('offers the proxy login once per proxy and only in one window', async () => {
  const window = await open()
  const { proxyLogin } = window.shell
  const proxy = { address: PROXY, name: null }
  expect([await proxyLogin.mayOffer(proxy), await proxyLogin.mayOffer(proxy)]).toEqual([true, false])
  expect(window.called('network.mayAskLogin')).toEqual([{ proxy: PROXY }])
  const second = await open(behindProxy({ 'network.mayAskLogin': () => false }))
  expect(await second.shell.proxyLogin.mayOffer(proxy)).toBe(false)
})

it('signs in to the proxy during setup and retries the API key', async () => {
  const window = await open()
  const { shell, called } = window
  const drawn = await renderScreen(window, Onboarding, ending.signal)
  await renderScreen(window, ProxyLoginDialog, ending.signal)
  const key = drawn.target.querySelector<HTMLInputElement>('input[type="password"]')
  if (key === null) throw new Error('There is no field for a key.')
  key.value = 're_key'
  key.dispatchEvent(new Event('input', { bubbles: true }))
  await drawn.settle()
  key.form?.requestSubmit()
  await until(() => dialog() !== null)
  expect(drawn.target.textContent).toContain(`The proxy ${PROXY} requires a name and password.`)
  await fill(drawn, 'mara', 'wrong')
  await until(() => dialog()?.textContent.includes('did not accept') === true)
  buttonNamed('Cancel', dialog() ?? document)?.click()
  await until(() => shell.proxyLogin.question === null)
  await drawn.settle()
  buttonNamed(SIGN_IN, drawn.target)?.click()
  await drawn.settle()
  await fill(drawn, 'mara', 's3cret')
  await until(() => shell.proxyLogin.question === null)
  const connected = { baseUrl: 'https://api.resend.com', apiKey: 're_key' }
  expect(called('account.connect')).toEqual([connected, connected, connected])
})

it('separates a login typed into the proxy address', async () => {
  const window = await open()
  await window.shell.preferences.choose({ proxy: 'this', proxyAddress: PROXY })
  const { target, settle } = await renderScreen(window, NetworkSettings, ending.signal)
  const address = target.querySelector<HTMLInputElement>('form input')
  if (address === null) throw new Error('There is no field for an address.')
  address.value = 'http://mara:s3cret@proxy.example:8080'
  address.dispatchEvent(new Event('input', { bubbles: true }))
  await settle()
  address.form?.requestSubmit()
  await until(() => window.called('network.proxyLogin').length === 1)
  expect(window.called('network.proxyLogin')).toEqual([{ proxy: PROXY, name: 'mara', password: 's3cret' }])
  await settle()
  expect(address.value).toBe(PROXY)
  expect(window.shell.preferences.values.proxyAddress).toBe(PROXY)
})
