import dns from 'node:dns'
import { once } from 'node:events'
import net, { createServer, type AddressInfo, type LookupFunction } from 'node:net'
import { networkInterfaces } from 'node:os'
import tls from 'node:tls'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { Network } from '../../../../src/engine/platform/network.ts'
import { ATTEMPT_DELAY_MS, SLOW_ATTEMPT_DELAY_MS } from '../../../../src/engine/platform/timeouts.ts'
import { DIRECT_ROUTE } from '../../../../src/shared/proxy.ts'
import { listenWithCertificate, makeCertificate } from '../../../support/certificates.ts'
import { killAddress } from '../../../support/dead-address.ts'
import { listenOnLoopback } from '../../../support/loopback-server.ts'
import { startHttpProxy, startSocksProxy } from '../../../support/proxies.ts'

const NAME = 'two.example'
const lookUp = dns.lookup
/** Resolves to both addresses, the dead one first. A caller that takes a single address gets the dead one. */
const bothAddresses = ((name, options, callback) => {
  if (name !== NAME) {
    lookUp(name, options, callback as never)
    return
  }
  const all = [
    { address: '::1', family: 6 },
    { address: '127.0.0.1', family: 4 },
  ]
  if (options.all === true) callback(null, all)
  else callback(null, '::1', 6)
}) satisfies LookupFunction

interface Tried {
  readonly host?: string
  readonly autoSelectFamilyAttemptTimeout?: number
}

/** Sends a request and records connection attempts to the name. @param beforeRetry called before the second attempt */
const askWithDeadAddress = async (
  url: string,
  route: string,
  lookup?: LookupFunction,
  trusted: string[] = [],
  beforeRetry: () => void = () => undefined,
) => {
  // Used when no lookup is given.
  vi.spyOn(dns, 'lookup').mockImplementation(bothAddresses as never)
  const { connect } = net
  const connecting = [vi.spyOn(net, 'connect'), vi.spyOn(tls, 'connect')]
  let count = 0
  connecting[0]?.mockImplementation(((...given: Parameters<typeof connect>) => {
    count += 1
    if (count === 2) beforeRetry()
    return connect(...given)
  }) as never)
  const network = new Network({ routesTo: () => Promise.resolve([route]), certificates: () => trusted })
  const line = network.open({ connections: 1, ...(lookup !== undefined && { lookup }) })
  onTestFinished(() => line.end())
  const answer = await line.request({
    ...{ method: 'GET', url: new URL(url), headers: {}, beforeRetry: null, signal: new AbortController().signal },
    timeout: { silence: 10_000, speed: { bytes: 0, within: 60_000 } },
  })
  await answer.drop()
  const options = connecting.flatMap(({ mock }) => mock.calls.map(([each]) => each as unknown as Tried))
  vi.restoreAllMocks()
  return { status: answer.status, tried: options.filter(({ host }) => host === NAME) }
}

/** The other address answered within the first attempt. */
const REACHED = {
  status: 200,
  tried: [{ autoSelectFamily: true, autoSelectFamilyAttemptTimeout: ATTEMPT_DELAY_MS }],
}

const isWithIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'))

// Relies on how Linux fills a listener's queue.
describe.skipIf(process.platform !== 'linux' || !isWithIpv6)('a name with one dead address', () => {
  /** Puts a loopback server behind the name, whose other address is dead. */
  const named = async (url: string): Promise<string> => {
    const { protocol, port } = new URL(url)
    await killAddress(Number(port))
    return `${protocol}//${NAME}:${port}`
  }
  const startServer = (): Promise<string> => listenOnLoopback((_request, answer) => answer.end('{}'))

  it.each([
    ['the system’s look-up', undefined],
    ['a guarded one', bothAddresses],
  ])('is reached by the other address with %s', async (_who, lookup) => {
    expect(await askWithDeadAddress(await named(await startServer()), DIRECT_ROUTE, lookup)).toMatchObject(REACHED)
    const own = makeCertificate({ name: 'mail', hosts: [NAME] })
    const server = await listenWithCertificate(own)
    expect(await askWithDeadAddress(await named(server.url), DIRECT_ROUTE, lookup, [own.certificate])).toMatchObject(
      REACHED,
    )
  })

  it.each([
    ['an HTTP proxy', startHttpProxy],
    ['a SOCKS proxy', startSocksProxy],
  ])('is reached by the other address if it is %s', async (_kind, start) => {
    const { url } = await start()
    expect(await askWithDeadAddress(await startServer(), await named(url))).toMatchObject(REACHED)
  })

  it('gets more time if neither has answered, as the line may be slow', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    // Makes the name's other address refuse connections.
    other.close()
    const revive = await killAddress(port)
    const answer = await askWithDeadAddress(`http://${NAME}:${port}`, DIRECT_ROUTE, undefined, [], revive)
    expect(answer).toMatchObject({ status: 200 })
    expect(answer.tried.map(({ autoSelectFamilyAttemptTimeout: given }) => given)).toEqual([
      ATTEMPT_DELAY_MS,
      SLOW_ATTEMPT_DELAY_MS,
    ])
  })
})

it('tries the next address of a name within 300 ms', () => {
  expect(ATTEMPT_DELAY_MS).toBeLessThanOrEqual(250)
})
