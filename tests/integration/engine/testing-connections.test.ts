import { describe, expect, it, onTestFinished } from 'vitest'
import { Network } from '../../../src/engine/platform/network.ts'
import { testConnection } from '../../../src/engine/platform/test-connection.ts'
import { CONNECTION_TEST_MS } from '../../../src/engine/platform/timeouts.ts'
import type { ConnectionStep } from '../../../src/shared/connection-test.ts'
import { DIRECT_ROUTE, type ProxyRoute } from '../../../src/shared/proxy.ts'
import { listenWithCertificate, makeCertificate } from '../../support/certificates.ts'
import { listenOnLoopback } from '../../support/loopback-server.ts'
import { startHttpProxy, startSocksProxy } from '../../support/proxies.ts'
import { createSteppedClock } from '../../support/stepped-clock.ts'
import { startTestPlatform } from './support/test-platform.ts'

const KEY = 're_secret_key'
const HOST = 'mail.platform.example'
const PLATFORM = JSON.stringify({ object: 'list', has_more: false, data: [] })
const never = new AbortController().signal
const root = makeCertificate({ name: 'Example Company Root' })
/** The first part of this host name is too long for any DNS query. */
const NO_NAME = `https://${'x'.repeat(64)}.example`

interface Given {
  readonly routes?: readonly ProxyRoute[]
  readonly apiKey?: string | null
  readonly hasAnswered?: boolean
}

/** Steps of a connection test as text, without times and ports. Progress reports must be prefixes of them. */
const test = async (baseUrl: string, { routes = [DIRECT_ROUTE], apiKey = KEY, hasAnswered = false }: Given = {}) => {
  const network = new Network({ routesTo: () => Promise.resolve(routes), certificates: () => [root.certificate] })
  const progress: (readonly ConnectionStep[])[] = []
  const steps = await testConnection(
    { baseUrl, apiKey, hasAnswered: () => hasAnswered, by: 'system' },
    { network, signal: never, progress: (soFar) => progress.push(soFar) },
  )
  expect(JSON.stringify([steps, progress])).not.toMatch(/re_|s3cret|mara|bWFyYT/)
  for (const soFar of progress) {
    expect(soFar.map(({ name, state }) => [name, state])).toEqual(
      soFar.map((_step, index) => [steps[index]?.name, 'well']),
    )
  }
  return {
    states: steps.map(({ name, state }) => `${name} ${state}`),
    words: steps.map(({ words }) =>
      words.replaceAll(/\b\d+(?:\.\d)? m?s\b/g, 'N ms').replaceAll(/:\d{4,5}\b/g, ':PORT'),
    ),
    wrong: steps.find(({ state }) => state === 'wrong'),
    progress: progress.at(-1)?.map(({ name }) => name),
  }
}

const listenAsPlatform = (host = 'localhost') =>
  listenWithCertificate(makeCertificate({ name: 'mail', hosts: [host], by: root }), { host, answer: PLATFORM })

/** A port without a listener. The system never assigns the first 1,024 automatically, unlike a just-closed port. */
const DEAD_PORT = 1_023

describe('a successful connection test', () => {
  it('checks every step from the name to the key', async () => {
    const server = await listenAsPlatform()
    const { states, words, progress } = await test(server.url)
    expect(states.join(', ')).toBe('way well, name well, line well, certificate well, platform well, key well')
    expect(words).toEqual([
      'Linnet connects to localhost directly, because your system sets no proxy for it.',
      expect.stringMatching(/^localhost has (?:one address|\d addresses)\.$/),
      'Connected to localhost in N ms.',
      expect.stringMatching(/^It was issued to “mail” by “Example Company Root”, valid until .+\. It is trusted\.$/),
      'localhost answered as a mail platform in N ms.',
      'The platform accepts your API key, which has full access.',
    ])
    expect(progress).toEqual(['way', 'name', 'line', 'certificate'])
    expect(server.connections()).toBe(1)
  })

  it('needs no name or certificate for this computer', async () => {
    const platform = await startTestPlatform()
    const { states, words } = await test(platform.baseUrl, { apiKey: platform.apiKey })
    expect(states).toHaveLength(6)
    expect(words.slice(1, 4)).toEqual([
      '127.0.0.1 is an IP address, so no lookup is needed.',
      'Connected to 127.0.0.1 in N ms.',
      'The connection is not encrypted. It does not leave this computer.',
    ])
    expect(platform.requests()).toEqual(['GET /inboxes 200'])
  })

  it('goes through a proxy, which resolves the name', async () => {
    const server = await listenAsPlatform(HOST)
    const proxy = await startHttpProxy({ login: 'mara:s3cret' })
    const { states, words, progress } = await test(server.url, { routes: [proxy.url.replace('//', '//mara:s3cret@')] })
    expect(states.join(', ')).toBe(
      'way well, name well, line well, proxy well, certificate well, platform well, key well',
    )
    expect(words.slice(0, 4)).toEqual([
      'Linnet connects through the proxy http://127.0.0.1:PORT, set by your system.',
      `The proxy looks up ${HOST}.`,
      'Connected to the proxy in N ms.',
      `The proxy connected to ${HOST}. It accepted your name and password.`,
    ])
    expect(words[4]).toMatch(/^It was issued to “mail”/)
    expect(progress).toEqual(['way', 'name', 'line', 'proxy', 'certificate'])
  })
})

describe('a failed connection test', () => {
  const expectWrong = async (testing: ReturnType<typeof test>, name: string, words: RegExp): Promise<void> => {
    const { wrong, states } = await testing
    expect(wrong).toMatchObject({ name, words: expect.stringMatching(words) as string })
    const place = states.indexOf(`${name} wrong`)
    expect(states.map((state) => state.split(' ')[1])).toEqual(
      states.map((_state, index) => (index < place ? 'well' : index === place ? 'wrong' : 'untried')),
    )
  }

  it('reports an unknown host name', () =>
    expectWrong(test(NO_NAME), 'name', /^This address does not exist, or you are offline\./))

  it('reports a closed port', async () => {
    await expectWrong(test(`http://127.0.0.1:${DEAD_PORT}`), 'line', /^No server responds at this address\./)
  })

  it('reports a dead, a login-protected and a rejecting proxy', async () => {
    const server = await listenAsPlatform(HOST)
    await expectWrong(
      test(server.url, { routes: [`http://127.0.0.1:${DEAD_PORT}`] }),
      'line',
      /^The proxy http:\S+ does not answer\./,
    )
    const asking = await startHttpProxy({ login: 'mara:s3cret' })
    await expectWrong(
      test(server.url, { routes: [asking.url] }),
      'proxy',
      /^The proxy http:\S+ requires a name and password\./,
    )
    const refusing = await startHttpProxy()
    const nowhere = test(`https://${HOST}:${DEAD_PORT}`, { routes: [refusing.url] })
    await expectWrong(nowhere, 'proxy', /^The proxy http:\S+ could not reach the platform\./)
    expect(server.heard()).toBe('')
  })

  it('reports an untrusted, expired or missing certificate', async () => {
    const listen = (from: number, to: number, by = root) =>
      listenWithCertificate(makeCertificate({ name: 'mail', hosts: ['localhost'], by, from, to }))
    const other = await listen(-1, 30, makeCertificate({ name: 'Inspection CA' }))
    await expectWrong(test(other.url), 'certificate', /^Your computer does not trust .* by “Inspection CA”/)
    const old = await listen(-9, -2)
    await expectWrong(test(old.url), 'certificate', /^A certificate used by localhost expired on /)
    const plain = (await listenOnLoopback((_incoming, outgoing) => outgoing.end('{}'))).replace('http:', 'https:')
    await expectWrong(test(plain), 'certificate', /^Linnet could not make a secure connection to this address\./)
    const [http, socks] = await Promise.all([startHttpProxy(), startSocksProxy()])
    for (const proxy of [http, socks]) {
      await expectWrong(
        test(other.url.replace('localhost', HOST), { routes: [proxy.url] }),
        'certificate',
        /does not trust (?:the|this server’s) certificate/,
      )
    }
    expect(other.heard() + old.heard()).toBe('')
  })

  it('reports a sign-in page without sending the key', async () => {
    const keys: (string | undefined)[] = []
    const portal = await listenOnLoopback((incoming, outgoing) => {
      keys.push(incoming.headers.authorization)
      outgoing.end('<!doctype html>')
    })
    const caught = await listenOnLoopback((_incoming, outgoing) => {
      outgoing.writeHead(302, { location: portal.replace('127.0.0.1', 'localhost') }).end()
    })
    const words = /^This network wants you to sign in first\. Open any page/
    await expectWrong(test(caught, { hasAnswered: true }), 'platform', words)
    expect(keys).toEqual([])
    // If no platform has answered before, a wrong address is more likely than a captive network.
    await expectWrong(test(caught), 'platform', /^There is no mail platform at this address\./)
  })

  it('reports a wrong, send-only, malformed or missing key', async () => {
    const platform = await startTestPlatform()
    await expectWrong(
      test(platform.baseUrl, { apiKey: 're_wrong' }),
      'key',
      /^The platform does not accept this API key\./,
    )
    const { token } = await platform.ask<{ token: string }>('POST', '/api-keys', {
      name: 'sender',
      permission: 'sending_access',
    })
    await expectWrong(test(platform.baseUrl, { apiKey: token }), 'key', /^This API key can only send mail\./)
    await expectWrong(test(platform.baseUrl, { apiKey: null }), 'key', /^This account has no API key\./)
    expect((await test(platform.baseUrl, { apiKey: 'two words' })).wrong).toMatchObject({ name: 'key' })
  })

  it('reports a timeout at any step', async () => {
    const clock = createSteppedClock()
    const silent = await listenOnLoopback(() => undefined)
    const progress: string[] = []
    const waiting = (routesTo: () => Promise<readonly ProxyRoute[]>) =>
      testConnection(
        { baseUrl: silent, apiKey: KEY, by: 'system' },
        {
          ...{ network: new Network({ clock, routesTo }), clock, signal: never },
          progress: (steps) => progress.push(steps.at(-1)?.name ?? ''),
        },
      )
    const unanswered = waiting(() => new Promise(() => undefined))
    await clock.advance(CONNECTION_TEST_MS)
    expect((await unanswered)[0]).toMatchObject({
      name: 'way',
      state: 'wrong',
      words: 'Your system’s proxy settings don’t say how to reach this address. Check them in system settings.',
    })
    const unheard = waiting(() => Promise.resolve([DIRECT_ROUTE]))
    await expect.poll(() => progress.at(-1)).toBe('certificate')
    await clock.advance(CONNECTION_TEST_MS)
    expect((await unheard).find(({ state }) => state === 'wrong')).toMatchObject({
      name: 'platform',
      words: expect.stringContaining('too long') as string,
    })
  })

  it('reports nothing more after it was cancelled', async () => {
    const silent = await listenOnLoopback(() => undefined)
    const ending = new AbortController()
    onTestFinished(() => ending.abort())
    const testing = testConnection(
      { baseUrl: silent, apiKey: KEY, by: 'nobody' },
      { network: new Network(), signal: ending.signal, progress: () => ending.abort(new Error('enough')) },
    )
    await expect(testing).rejects.toThrow('enough')
  })
})
