import { describe, expect, it, onTestFinished } from 'vitest'
import { PrivateAddress, publicLookup } from '../../../../src/engine/network/fetchable-address.ts'
import type { ConnectionOptions } from '../../../../src/engine/network/connections.ts'
import { Network } from '../../../../src/engine/network/network.ts'
import { ProxyProblem } from '../../../../src/engine/network/proxy-problem.ts'
import { DIRECT, type WayOut } from '../../../../src/shared/proxy.ts'
import { listenWithCertificate, makeCertificate } from '../../../support/certificates.ts'
import { listenOnLoopback } from '../../../support/door.ts'
import { startHttpProxy, startSocksProxy } from '../../../support/proxies.ts'

/** A server that a name leads to which only a proxy knows. */
const open = async (
  ways: () => readonly WayOut[],
  options: Partial<ConnectionOptions> = {},
  network = new Network({ waysTo: () => Promise.resolve(ways()) }),
) => {
  const { port } = new URL(await listenOnLoopback((request, answer) => answer.end(JSON.stringify(request.headers))))
  const server = `http://mail.platform.example:${port}`
  const line = network.open({ connections: 2, ...options })
  onTestFinished(() => line.end())
  const ask = async (url = `${server}/inboxes?limit=1`): Promise<string> => {
    const answer = await line.request({
      ...{ method: 'GET', url: new URL(url), headers: { authorization: 'Bearer re_key' }, again: null },
      ...{ patience: { silence: 10_000, pace: { bytes: 0, within: 60_000 } }, signal: new AbortController().signal },
    })
    const pieces: Uint8Array[] = []
    for await (const piece of answer.body) pieces.push(piece)
    return `${answer.status} ${Buffer.concat(pieces).toString()}`
  }
  return { server, port, network, ask }
}

const problemOf = (asking: Promise<unknown>): Promise<unknown> => asking.then(String, (thrown: unknown) => thrown)

describe('a server that only a proxy leads to', () => {
  it('is asked through an HTTP proxy, which is not told the key of anything else', async () => {
    const proxy = await startHttpProxy()
    const { server, ask } = await open(() => [proxy.url])
    expect(await ask()).toMatch(/^200 .*"authorization":"Bearer re_key"/)
    expect(proxy.asked).toEqual([`GET ${server}/inboxes?limit=1`])
  })

  it.each([
    ['an HTTP proxy', startHttpProxy],
    ['a SOCKS proxy', startSocksProxy],
  ])('is asked through %s that wants a name and a password', async (_kind, start) => {
    const proxy = await start({ login: 'mara:s3cret:/' })
    const { ask } = await open(() => [proxy.url.replace('//', '//mara:s3cret%3A%2F@')])
    expect(await ask()).toMatch(/^200/)
  })

  it('is not reached without them, and says so', async () => {
    const proxy = await startHttpProxy({ login: 'mara:s3cret' })
    const { ask } = await open(() => [proxy.url])
    const problem = await problemOf(ask())
    expect(problem).toBeInstanceOf(ProxyProblem)
    expect(problem).toMatchObject({
      kind: 'asks',
      message: expect.stringContaining(`The proxy ${proxy.url} wants`) as string,
    })
  })

  it('is asked through a SOCKS proxy, which looks its name up', async () => {
    const proxy = await startSocksProxy()
    const { port, ask } = await open(() => [proxy.url])
    expect(await ask()).toMatch(/^200/)
    expect(proxy.asked).toEqual([`SOCKS mail.platform.example:${port}`])
  })

  it('is asked by the next way where a proxy does not answer, and by the first again when that is back', async () => {
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

  it.each([
    ['wants a name and a password', 'mara:s3cret', 'asks'],
    ['has no way there', null, 'refused'],
  ] as const)('is not reached where the proxy %s: nobody goes round it', async (_why, login, kind) => {
    const root = makeCertificate({ name: 'Example Company Root' })
    const certificate = makeCertificate({ name: 'mail', hosts: ['localhost'], by: root })
    const server = await listenWithCertificate(certificate)
    const proxy = await startHttpProxy({ login, isRefusing: login === null })
    const network = new Network({
      certificates: () => [root.certificate],
      waysTo: () => Promise.resolve([proxy.url]),
    })
    const { ask } = await open(() => [], {}, network)
    expect(await problemOf(ask(server.url))).toMatchObject({ kind })
    expect([server.connections(), server.heard()]).toEqual([0, ''])
  })

  it('is not reached where the only proxy does not answer: nobody goes round it', async () => {
    const dead = await startHttpProxy()
    await dead.stop()
    const { ask } = await open(() => [dead.url])
    expect(await problemOf(ask())).toMatchObject({ kind: 'dead' })
  })
})

describe('an address that a mail or a platform names, behind a proxy', () => {
  it.each(['http://127.0.0.1:PORT/', 'http://localhost:PORT/', 'http://[::1]:PORT/'])(
    'is not asked for where it leads to this computer: %s',
    async (address) => {
      const proxy = await startHttpProxy()
      const { port, ask } = await open(() => [proxy.url], { lookup: publicLookup })
      expect(await problemOf(ask(address.replace('PORT', port)))).toBeInstanceOf(PrivateAddress)
      expect(proxy.asked).toEqual([])
    },
  )

  it('is asked of the proxy where nobody here knows the name, unless the name is needed', async () => {
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

it('without a proxy, a server is asked directly', async () => {
  const { port, ask } = await open(() => [DIRECT])
  expect(await ask(`http://127.0.0.1:${port}/`)).toMatch(/^200/)
})
