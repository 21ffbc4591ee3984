import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createFolderQuery } from '../../../src/shared/thread-query.ts'
import { decideAt, signInAt } from '../../support/browser-sign-in.ts'
import { eventually } from '../engine/support/eventually.ts'
import { startTestPlatform, type TestPlatform } from '../engine/support/test-platform.ts'
import { testClock } from '../engine/support/test-time.ts'
import { openTestMachine, type TestHost, type TestMachine } from './support/test-host.ts'

const MINUTE = 60_000

const settled = ({ ask }: TestHost) =>
  eventually(
    () => ask('sync.status', {}),
    ({ progress, lastSyncAt, connection }) => progress === null && lastSyncAt !== null && connection === 'online',
  )

const signIn = async (platform: TestPlatform, { ask }: TestHost): Promise<string> => {
  const { url } = await ask('account.beginSignIn', { baseUrl: platform.baseUrl })
  const finished = ask('account.finishSignIn', {})
  expect(await (await signInAt(url)).text()).toContain('go back to Linnet')
  return (await finished)?.id ?? ''
}
const signedIn = async (settings: Parameters<typeof startTestPlatform>[0] = {}) => {
  const platform = await startTestPlatform(settings)
  await platform.deliver({ subject: 'Hello' })
  const machine = openTestMachine()
  const host = machine.start()
  const accountId = await signIn(platform, host)
  await settled(host)
  return { platform, machine, host, accountId }
}
const countOf = (platform: TestPlatform, request: string): number =>
  platform.requests().filter((each) => each.startsWith(request)).length
/** Makes the engine poll. */
const look = ({ ask }: TestHost) => ask('sync.now', {})

const everything = ({ dataDirectory, log }: TestMachine): string => {
  const files = (directory: string): readonly string[] =>
    readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
      const path = join(directory, entry.name)
      return entry.isDirectory() ? files(path) : entry.isFile() ? [readFileSync(path, 'latin1')] : []
    })
  return [...files(dataDirectory), ...log].join('\n')
}

describe('signing in with the browser', () => {
  it('opens the account, and keeps its tokens out of files, logs and backups', async () => {
    const { platform, machine, host } = await signedIn()
    expect(await host.account()).toMatchObject({ isSignedIn: true, isKeyTested: true })
    const kept = JSON.stringify([...machine.settings.values])
    const sealed = Buffer.from(/"sealedKey":"([\da-f]+)"/.exec(kept)?.[1] ?? '', 'hex').toString()
    const refreshToken = /refreshToken%22%3A%22([\w-]+)/.exec(sealed)?.[1] ?? ''
    expect(refreshToken).not.toBe('')
    expect(sealed).toContain('access%22%3Anull')
    const folder = join(machine.dataDirectory, 'backups')
    mkdirSync(folder)
    await host.ask('backup.now', { folder })
    expect(readdirSync(folder)).toHaveLength(1)
    const { text: diagnostics } = await host.ask('app.diagnostics', { browser: null })
    const all = everything(machine) + kept + diagnostics
    expect(all).not.toContain(refreshToken)
    expect(all).not.toMatch(/eyJ[\w-]+\.[\w-]+\.[\w-]+/)
    await host.close()

    const again = machine.start()
    await eventually(
      () => again.account(),
      (account) => account?.isOpen === true,
    )
    await eventually(
      () => countOf(platform, 'POST /oauth/token 200'),
      (count) => count === 2,
    )
    await settled(again)
    expect(await again.ask('account.state', {})).toMatchObject({ question: null, problem: null })
  })

  it('renews an expired token without losing changes', async () => {
    const { platform, host } = await signedIn()
    const { inboxId } = platform
    await testClock().skip(16 * MINUTE)
    const { items } = await host.ask('thread.list', {
      query: createFolderQuery(inboxId, 'inbox'),
      offset: 0,
      limit: 10,
    })
    const threadIds = items.map(({ id }) => id)
    await host.ask('thread.change', { inboxId, threadIds, change: { folder: 'archive' } })
    await eventually(
      () => platform.ask<{ data: readonly unknown[] }>('GET', `/inboxes/${inboxId}/threads?folders=archive`),
      ({ data }) => data.length === threadIds.length,
    )
    expect(countOf(platform, 'POST /oauth/token 200')).toBe(2)
  })

  it('requests one token for all waiting requests', async () => {
    const { platform, host } = await signedIn()
    await testClock().skip(16 * MINUTE)
    await Promise.all([
      look(host),
      look(host),
      host.ask('contact.get', { contactId: 'nobody@example.com' }).catch(() => null),
    ])
    await settled(host)
    expect(countOf(platform, 'POST /oauth/token 200')).toBe(2)
    expect(countOf(platform, 'POST /oauth/token 400')).toBe(0)
  })

  it.each([
    ['never arrives', 'error_503', 0],
    ['loses its response', 'lost', 60_000],
  ])('recovers if a refresh %s', async (_name, kind, refreshGrace) => {
    const { platform, host } = await signedIn({ refreshGrace })
    await testClock().skip(16 * MINUTE)
    await platform.fault(`${kind} /oauth/token times=1`)
    await look(host).catch(() => null)
    await eventually(
      async () => {
        await look(host).catch(() => null)
        return host.ask('sync.status', {})
      },
      ({ connection }) => connection === 'online',
    )
    expect(countOf(platform, 'GET /inboxes 200')).toBeGreaterThan(1)
  })

  it('reports a revoked grant, and continues after signing in again', async () => {
    const { platform, machine, host, accountId } = await signedIn()
    const kept = JSON.stringify([...machine.settings.values])
    const sealed = Buffer.from(/"sealedKey":"([\da-f]+)"/.exec(kept)?.[1] ?? '', 'hex').toString()
    const token = /refreshToken%22%3A%22([\w-]+)/.exec(sealed)?.[1] ?? ''
    await fetch(`${platform.baseUrl}/oauth/revoke`, {
      method: 'POST',
      headers: { 'user-agent': 'a thief' },
      body: new URLSearchParams({ token }),
    })
    await look(host).catch(() => null)
    const refused = await eventually(
      () => host.ask('sync.status', {}),
      ({ connection }) => connection === 'refused',
    )
    expect(refused.problem).toContain('Sign in again')
    // Only another sign-in helps: the dead token is never tried again.
    for (let minute = 0; minute < 10; minute += 1) {
      await testClock().advance(MINUTE)
      await look(host).catch(() => null)
    }
    expect(countOf(platform, 'POST /oauth/token 400')).toBe(1)
    const { url } = await host.ask('account.beginSignIn', { baseUrl: platform.baseUrl })
    const finished = host.ask('account.finishSignIn', { accountId })
    await signInAt(url)
    expect((await finished)?.id).toBe(accountId)
    await settled(host)
    expect((await host.ask('account.state', {})).accounts).toHaveLength(1)
  })

  it('revokes the grant when the account is removed', async () => {
    const { platform, host, accountId } = await signedIn()
    await host.ask('account.remove', { accountId })
    expect(countOf(platform, 'POST /oauth/revoke 200')).toBe(1)
  })

  it('revokes the grant when a key or another sign-in replaces it', async () => {
    const { platform, host, accountId } = await signedIn()
    const { url } = await host.ask('account.beginSignIn', { baseUrl: platform.baseUrl })
    const finished = host.ask('account.finishSignIn', { accountId })
    await signInAt(url)
    await finished
    expect(countOf(platform, 'POST /oauth/revoke 200')).toBe(1)
    await host.ask('account.setKey', { accountId, apiKey: platform.apiKey })
    expect(countOf(platform, 'POST /oauth/revoke 200')).toBe(2)
    await settled(host)
    expect(await host.account()).toMatchObject({ isSignedIn: false, isKeyTested: true })
  })

  it('revokes another platform’s grant, without showing it to this one', async () => {
    const { platform, host, accountId } = await signedIn()
    const other = await startTestPlatform()
    const { url } = await host.ask('account.beginSignIn', { baseUrl: other.baseUrl })
    const refused = host.problemOf('account.finishSignIn', { accountId })
    await signInAt(url)
    const before = platform.requests().length
    expect((await refused).code).toBe('invalid_input')
    expect(platform.requests().length).toBe(before)
    expect(countOf(other, 'POST /oauth/revoke 200')).toBe(1)
    expect(await host.account()).toMatchObject({ isSignedIn: true })
  })

  it('uses a configured client document without registering', async () => {
    const redirects = ['http://127.0.0.1/oauth/callback']
    const server = createServer((_request, response) => {
      response.end(JSON.stringify({ client_id: clientId, client_name: 'Our Linnet', redirect_uris: redirects }))
    })
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const clientId = `http://127.0.0.1:${(server.address() as AddressInfo).port}/linnet.json`
    const platform = await startTestPlatform()
    const host = openTestMachine().start({ clientId })
    await signIn(platform, host)
    await settled(host)
    expect(countOf(platform, 'POST /oauth/register')).toBe(0)
    redirects[0] = 'http://127.0.0.1/elsewhere'
    const { url } = await host.ask('account.beginSignIn', { baseUrl: platform.baseUrl })
    expect((await fetch(url, { headers: { 'user-agent': 'a browser' } })).status).toBe(400)
  })

  it('reports missing support, denial and abandonment', async () => {
    const host = openTestMachine().start()
    const without = await startTestPlatform({ oauth: false })
    expect(await host.problemOf('account.beginSignIn', { baseUrl: without.baseUrl })).toMatchObject({
      ...{ code: 'not_found', message: 'This platform does not support browser sign-in. Use an API key.' },
    })
    const platform = await startTestPlatform()
    const { url } = await host.ask('account.beginSignIn', { baseUrl: platform.baseUrl })
    const refused = host.problemOf('account.finishSignIn', {})
    expect(await (await signInAt(url, 'deny')).text()).toContain('No account was connected.')
    expect(await refused).toMatchObject({
      code: 'refused',
      message: 'You did not allow access, so nothing was connected.',
    })
    await host.ask('account.beginSignIn', { baseUrl: platform.baseUrl })
    const gone = host.problemOf('account.finishSignIn', {})
    await host.ask('account.cancelTest', {})
    expect((await gone).code).toBe('cancelled')
    expect(await host.account()).toBeUndefined()
  })
})

describe('two concurrent sign-ins', () => {
  it('succeed for the later one, and explain the earlier one’s page', async () => {
    const platform = await startTestPlatform()
    const host = openTestMachine().start()
    const { baseUrl } = platform
    const [one, two] = await Promise.all([
      host.ask('account.beginSignIn', { baseUrl }),
      host.ask('account.beginSignIn', { baseUrl }),
    ])
    const results = [one, two].map(({ url }) => host.ask('account.finishSignIn', { url }).catch(() => null))
    const pages = [await signInAt(one.url), await signInAt(two.url)]
    expect(pages.map(({ status }) => status).toSorted()).toEqual([200, 410])
    for (const page of pages) expect(await page.text()).toMatch(/go back to Linnet/i)
    const accounts = (await Promise.all(results)).filter((account) => account !== null)
    expect(accounts).toHaveLength(1)
    expect(countOf(platform, 'POST /oauth/token 200')).toBe(1)
  })

  it('tell the browser about a cancelled one', async () => {
    const platform = await startTestPlatform()
    const host = openTestMachine().start()
    const { url } = await host.ask('account.beginSignIn', { baseUrl: platform.baseUrl })
    const cancelled = host.problemOf('account.finishSignIn', { url })
    await host.ask('account.cancelTest', {})
    expect((await cancelled).code).toBe('cancelled')
    expect(await (await signInAt(url)).text()).toContain('cancelled')
    expect(countOf(platform, 'POST /oauth/token 200')).toBe(0)
  })
})

describe('sign-in attacks', () => {
  it('are turned away at the port, and the user can still sign in', async () => {
    const platform = await startTestPlatform()
    const host = openTestMachine().start()
    const { url } = await host.ask('account.beginSignIn', { baseUrl: platform.baseUrl })
    const finished = host.ask('account.finishSignIn', {})
    const led = await decideAt(url)
    const { origin } = led
    const foreign = new URL(led)
    foreign.searchParams.set('state', 'another')
    const without = new URL(led)
    without.searchParams.delete('state')
    for (const address of [`${origin}/`, `${origin}/oauth/callback`, foreign.href, without.href, `${origin}//x`]) {
      expect((await fetch(address)).status, address).toBe(400)
    }
    expect((await fetch(led, { method: 'POST' })).status).toBe(400)
    expect((await fetch(led)).status).toBe(200)
    expect((await finished)?.baseUrl).toBe(platform.baseUrl)
    await expect(fetch(led)).rejects.toThrow()
  })

  it('can’t inject the code of another sign-in or server', async () => {
    const platform = await startTestPlatform()
    const host = openTestMachine().start()
    const injected = async (change: (led: URL) => void | Promise<void>): Promise<string> => {
      const { url } = await host.ask('account.beginSignIn', { baseUrl: platform.baseUrl })
      const refused = host.problemOf('account.finishSignIn', {})
      const led = await decideAt(url)
      await change(led)
      await fetch(led)
      return (await refused).code
    }
    const other = openTestMachine().start()
    const theirs = await decideAt((await other.ask('account.beginSignIn', { baseUrl: platform.baseUrl })).url)
    expect(await injected((led) => led.searchParams.set('code', theirs.searchParams.get('code') ?? ''))).toMatch(
      /refused|key_rejected/,
    )
    expect(await injected((led) => led.searchParams.set('iss', 'https://evil.example'))).toBe('refused')
    expect(await injected((led) => led.searchParams.delete('iss'))).toBe('refused')
    expect(await host.account()).toBeUndefined()
    expect(countOf(platform, 'GET /inboxes 200')).toBe(0)
  })

  /** A server with this metadata at its well-known address. @returns its base URL */
  const serving = async (
    about: (base: string) => object,
    more: (path: string, response: ServerResponse) => void = (_path, response) => response.end(),
  ): Promise<string> => {
    let base = ''
    const server = createServer(({ url = '' }, response) => {
      response.setHeader('content-type', 'application/json')
      if (!url.startsWith('/.well-known')) return more(url, response)
      const ends = {
        authorization_endpoint: `${base}/a`,
        token_endpoint: `${base}/t`,
        registration_endpoint: `${base}/r`,
      }
      response.end(JSON.stringify({ issuer: base, ...ends, ...about(base) }))
    })
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    return base
  }

  it.each([
    [
      'names another server for tokens',
      (base: string) => ({ token_endpoint: `${base.replace('127.0.0.1', 'localhost')}/t` }),
    ],
    ['names another issuer', () => ({ issuer: 'https://evil.example' })],
    ['has a page outside the web', () => ({ authorization_endpoint: 'file:///etc/passwd' })],
    ['revokes tokens elsewhere', () => ({ revocation_endpoint: 'https://evil.example/revoke' })],
    ['has another server’s page', () => ({ authorization_endpoint: 'https://other.example/authorize' })],
    [
      'has a user name in the address of its page',
      (base: string) => ({ authorization_endpoint: `${base.replace('//', '//platform.example@')}/a` }),
    ],
    ['has a password in an address', (base: string) => ({ token_endpoint: `${base.replace('//', '//:word@')}/t` })],
  ])('fail before anything opens if a server %s', async (_name, lie) => {
    const host = openTestMachine().start()
    const baseUrl = await serving(lie)
    expect((await host.problemOf('account.beginSignIn', { baseUrl })).code).toBe('refused')
  })

  it('receive no code, even if the page is on another host', async () => {
    const asked: string[] = []
    const baseUrl = await serving(
      () => ({
        authorization_endpoint: 'https://other.example/authorize',
        authorization_response_iss_parameter_supported: true,
      }),
      (path, response) => {
        asked.push(path)
        response.statusCode = 201
        response.end(JSON.stringify({ client_id: 'linnet' }))
      },
    )
    const host = openTestMachine().start()
    for (const iss of [null, 'https://other.example']) {
      const { url } = await host.ask('account.beginSignIn', { baseUrl })
      const refused = host.problemOf('account.finishSignIn', {})
      const back = new URL(new URL(url).searchParams.get('redirect_uri') ?? '')
      back.searchParams.set('state', new URL(url).searchParams.get('state') ?? '')
      back.searchParams.set('code', 'of the other server')
      if (iss !== null) back.searchParams.set('iss', iss)
      await fetch(back)
      expect((await refused).code).toBe('refused')
    }
    expect(asked).toEqual(['/r', '/r'])
  })

  it('can’t use oversized tokens or client IDs', async () => {
    const long = 'x'.repeat(200_000)
    const tokens = { token_type: 'Bearer', expires_in: 900, access_token: 'a', refresh_token: 'r' }
    for (const lie of [{ client_id: long }, { access_token: long }, { refresh_token: long }]) {
      const baseUrl = await serving(
        () => ({}),
        (path, response) => {
          response.statusCode = path === '/r' ? 201 : 200
          response.end(JSON.stringify({ ...(path === '/r' ? { client_id: 'linnet' } : tokens), ...lie }))
        },
      )
      const host = openTestMachine().start()
      const signIn = async (): Promise<unknown> => {
        const { url } = await host.ask('account.beginSignIn', { baseUrl })
        const finished = host.ask('account.finishSignIn', {})
        const back = new URL(new URL(url).searchParams.get('redirect_uri') ?? '')
        back.searchParams.set('state', new URL(url).searchParams.get('state') ?? '')
        back.searchParams.set('code', 'c')
        void fetch(back)
        return finished
      }
      await expect(signIn()).rejects.toThrow('Sign-in failed a security check')
    }
  })
})
