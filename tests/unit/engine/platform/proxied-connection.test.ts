import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { PrivateAddressError, lookupPublicAddress } from '../../../../src/engine/platform/fetchable-address.ts'
import type { ConnectionOptions } from '../../../../src/engine/platform/connections.ts'
import { Network } from '../../../../src/engine/platform/network.ts'
import { ProxyError } from '../../../../src/engine/platform/proxy-problem.ts'
import {
  CONNECT_TIMEOUT_MS,
  DEAD_PROXY_MS,
  CREDENTIAL_RETRY_DELAY_MS,
} from '../../../../src/engine/platform/timeouts.ts'
import { DIRECT_ROUTE, type ProxyRoute } from '../../../../src/shared/proxy.ts'
import { listenWithCertificate, makeCertificate } from '../../../support/certificates.ts'
import { listenOnLoopback } from '../../../support/loopback-server.ts'
import { startHttpProxy, startSocksProxy } from '../../../support/proxies.ts'
import { createSteppedClock } from '../../../support/stepped-clock.ts'

const HEADERS = { authorization: 'Bearer re_key' }

/** A server under a name that only a proxy can resolve. */
const open = async (
  routes: () => readonly ProxyRoute[],
  options: Partial<ConnectionOptions> = {},
  certificates: () => readonly string[] = () => [],
) => {
  const address = await listenOnLoopback((request, answer) => {
    if (request.url !== '/slow') answer.end(JSON.stringify(request.headers))
  })
  const { port } = new URL(address)
  const server = `http://mail.platform.example:${port}`
  const clock = createSteppedClock()
  const network = new Network({ clock, certificates, routesTo: () => Promise.resolve(routes()) })
  const pool = network.open({ connections: 2, ...options })
  onTestFinished(() => pool.end())
  const ask = async (url = `${server}/inboxes?limit=1`): Promise<string> => {
    const answer = await pool.request({
      ...{ method: 'GET', url: new URL(url), headers: HEADERS, beforeRetry: null },
      ...{ timeout: { silence: 60_000, speed: { bytes: 0, within: 60_000 } }, signal: new AbortController().signal },
    })
    const pieces: Uint8Array[] = []
    for await (const piece of answer.body) pieces.push(piece)
    return `${answer.status} ${Buffer.concat(pieces).toString()}`
  }
  return { server, port, network, ask, clock }
}

const problemOf = (asking: Promise<unknown>): Promise<unknown> => asking.then(String, (thrown: unknown) => thrown)

describe('a server that only a proxy can reach', () => {
  it('is reached through an HTTP proxy, which learns no other key', async () => {
    const proxy = await startHttpProxy()
    const { server, ask } = await open(() => [proxy.url])
    expect(await ask()).toMatch(/^200 .*"authorization":"Bearer re_key"/)
    expect(proxy.asked).toEqual([`GET ${server}/inboxes?limit=1`])
  })

  it.each([
    ['an HTTP proxy', startHttpProxy],
    ['a SOCKS proxy', startSocksProxy],
  ])('is reached through %s that requires a login', async (_kind, start) => {
    const proxy = await start({ login: 'mara:s3cret:/' })
    const { ask } = await open(() => [proxy.url.replace('//', '//mara:s3cret%3A%2F@')])
    expect(await ask()).toMatch(/^200/)
  })

  it.each([
    ['an HTTP proxy', startHttpProxy],
    ['a SOCKS proxy', startSocksProxy],
  ])('gets its own host name through %s, even if headers are reused', async (_kind, start) => {
    const proxy = await start()
    const { port, ask } = await open(() => [proxy.url])
    for (const name of ['one.example', 'two.example']) {
      expect(await ask(`http://${name}:${port}/`)).toContain(`"host":"${name}:${port}"`)
    }
  })

  it('is unreachable without a login, and says so', async () => {
    const proxy = await startHttpProxy({ login: 'mara:s3cret' })
    const { ask } = await open(() => [proxy.url])
    const problem = await problemOf(ask())
    expect(problem).toBeInstanceOf(ProxyError)
    expect(problem).toMatchObject({
      kind: 'asks',
      message: expect.stringContaining(`The proxy ${proxy.url} requires`) as string,
    })
  })

  it.each([
    ['asks', '', 'requires a name and password.'],
    ['declined', 'mara:wrong@', 'did not accept this name and password.'],
  ])('is unreachable by SOCKS with a wrong login, and says so: %s', async (kind, login, words) => {
    const proxy = await startSocksProxy({ login: 'mara:s3cret' })
    const { ask } = await open(() => [proxy.url.replace('//', `//${login}`)])
    expect(await problemOf(ask())).toMatchObject({ kind, message: `The proxy ${proxy.url} ${words}` })
    expect(proxy.asked).toEqual([])
  })

  it('is unreachable when closed, without blaming the SOCKS proxy’s password', async () => {
    const proxy = await startSocksProxy()
    const { ask } = await open(() => [proxy.url])
    expect(await problemOf(ask('http://mail.platform.example:1/'))).toMatchObject({ kind: 'refused' })
  })

  it('is reached through a SOCKS proxy, which resolves its name', async () => {
    const proxy = await startSocksProxy()
    const { port, ask } = await open(() => [proxy.url])
    expect(await ask()).toMatch(/^200/)
    expect(proxy.asked).toEqual([`SOCKS mail.platform.example:${port}`])
  })

  it('is reached by the next route while a proxy is down, and by the first again later', async () => {
    const dead = await startHttpProxy()
    await dead.stop()
    const other = await startHttpProxy()
    const { ask, network } = await open(() => [dead.url, other.url])
    expect(await ask()).toMatch(/^200/)
    const back = await startHttpProxy({ port: Number(new URL(dead.url).port) })
    network.renew()
    expect(await ask()).toMatch(/^200/)
    expect([other.asked.length, back.asked.length]).toEqual([1, 1])
  })

  it('is reached by the next route alone for a while, so that no request waits again', async () => {
    const dead = await startHttpProxy()
    await dead.stop()
    const other = await startHttpProxy()
    const { ask, clock } = await open(() => [dead.url, other.url])
    expect(await ask()).toMatch(/^200/)
    const back = await startHttpProxy({ port: Number(new URL(dead.url).port) })
    await clock.advance(DEAD_PROXY_MS - 1)
    expect(await ask()).toMatch(/^200/)
    expect([other.asked.length, back.asked.length]).toEqual([2, 0])
    await clock.advance(1)
    expect(await ask()).toMatch(/^200/)
    expect([other.asked.length, back.asked.length]).toEqual([2, 1])
  })

  it.each([
    ['wants a name and a password', 'mara:s3cret', 'asks'],
    ['has no way there', null, 'refused'],
  ] as const)('is unreachable if the proxy %s: it is never bypassed', async (_why, login, kind) => {
    const root = makeCertificate({ name: 'Example Company Root' })
    const certificate = makeCertificate({ name: 'mail', hosts: ['localhost'], by: root })
    const server = await listenWithCertificate(certificate)
    const proxy = await startHttpProxy({ login, isRefusing: login === null })
    const { ask } = await open(
      () => [proxy.url],
      {},
      () => [root.certificate],
    )
    expect(await problemOf(ask(server.url))).toMatchObject({ kind })
    expect([server.connections(), server.heard()]).toEqual([0, ''])
  })

  it('is reached by the current route once the old one fails without notice', async () => {
    const before = await startHttpProxy()
    const now = await startHttpProxy()
    let { url } = before
    const { ask } = await open(() => [url])
    expect(await ask()).toMatch(/^200/)
    ;({ url } = now)
    expect(await ask()).toMatch(/^200/)
    expect(now.asked).toEqual([])
    await before.stop()
    expect(await problemOf(ask())).toBeInstanceOf(Error)
    expect(await ask()).toMatch(/^200/)
    expect(now.asked).toHaveLength(1)
  })

  it('is unreachable if the only proxy is down: it is never bypassed', async () => {
    const dead = await startHttpProxy()
    await dead.stop()
    const { ask } = await open(() => [dead.url])
    expect(await problemOf(ask())).toMatchObject({ kind: 'dead' })
  })
})

describe('rejected proxy credentials', () => {
  /** Sends many requests at once, as at startup, with a login the test can change. */
  const openMany = async (login: string) => {
    const proxy = await startHttpProxy({ login: 'mara:s3cret' })
    let current = login
    const opened = await open(() => [proxy.url.replace('//', `//${current}@`)])
    const askAll = (url?: string) => Promise.all(Array.from({ length: 6 }, () => problemOf(opened.ask(url))))
    return { ...opened, proxy, askAll, use: (next: string) => (current = next) }
  }

  it('are sent only once, as the proxy may lock out the user', async () => {
    const { proxy, askAll, clock } = await openMany('mara:wrong')
    for (const problem of await askAll()) {
      expect(problem).toMatchObject({ kind: 'declined', proxy: { address: proxy.url, name: 'mara' } })
    }
    await askAll()
    expect(proxy.declined).toEqual(['mara:wrong'])
    await clock.advance(CREDENTIAL_RETRY_DELAY_MS)
    await askAll()
    expect(proxy.declined).toEqual(['mara:wrong', 'mara:wrong'])
  })

  it('are retried at once on request, with all other requests', async () => {
    const { proxy, askAll, network, use } = await openMany('mara:wrong')
    await askAll()
    network.proxyChanged()
    await askAll()
    expect(proxy.declined).toHaveLength(2)
    use('mara:s3cret')
    network.proxyChanged()
    expect(await askAll()).toEqual(Array.from({ length: 6 }, () => expect.stringMatching(/^200/) as string))
    expect(proxy.declined).toHaveLength(2)
  })

  it('delay others only briefly while the first request is slow', async () => {
    const proxy = await startHttpProxy({ login: 'mara:s3cret' })
    const { ask, clock, port } = await open(() => [proxy.url.replace('//', '//mara:s3cret@')])
    const slow = problemOf(ask(`http://mail.platform.example:${port}/slow`))
    await vi.waitFor(() => expect(proxy.asked).toHaveLength(1), 30_000)
    const other = ask()
    await clock.advance(CONNECT_TIMEOUT_MS)
    expect(await other).toMatch(/^200/)
    expect(await Promise.race([slow, Promise.resolve('still on its way')])).toBe('still on its way')
  })
})

describe('an address from a mail or the platform, behind a proxy', () => {
  it.each(['http://127.0.0.1:PORT/', 'http://localhost:PORT/', 'http://[::1]:PORT/'])(
    'isn’t requested if it points to this computer: %s',
    async (address) => {
      const proxy = await startHttpProxy()
      const { port, ask } = await open(() => [proxy.url], { lookup: lookupPublicAddress })
      expect(await problemOf(ask(address.replace('PORT', port)))).toBeInstanceOf(PrivateAddressError)
      expect(proxy.asked).toEqual([])
    },
  )

  it('is left to the proxy if nobody here can resolve it, unless it must be', async () => {
    const proxy = await startHttpProxy()
    const unknown: ConnectionOptions['lookup'] = (_name, _options, answer) =>
      answer(Object.assign(new Error('Not known.'), { code: 'ENOTFOUND' }), '', 0)
    const { ask } = await open(() => [proxy.url], { lookup: unknown })
    expect(await ask()).toMatch(/^200/)
    const { ask: askForPicture } = await open(() => [proxy.url], { lookup: unknown, isNameNeeded: true })
    expect(await problemOf(askForPicture())).toMatchObject({ code: 'ENOTFOUND' })
    expect(proxy.asked).toHaveLength(1)
  })
})

it('connects to a server directly without a proxy', async () => {
  const { port, ask } = await open(() => [DIRECT_ROUTE])
  expect(await ask(`http://127.0.0.1:${port}/`)).toMatch(/^200/)
})
