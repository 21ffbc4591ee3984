import dns from 'node:dns'
import { once } from 'node:events'
import net, { createServer, type AddressInfo, type LookupFunction } from 'node:net'
import { networkInterfaces } from 'node:os'
import tls from 'node:tls'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { Network } from '../../../../src/engine/network/network.ts'
import { NEXT_ADDRESS_MS, PATIENT_ADDRESS_MS } from '../../../../src/engine/network/time-outs.ts'
import { DIRECT } from '../../../../src/shared/proxy.ts'
import { listenWithCertificate, makeCertificate } from '../../../support/certificates.ts'
import { killAddress } from '../../../support/dead-address.ts'
import { listenOnLoopback } from '../../../support/door.ts'
import { startHttpProxy, startSocksProxy } from '../../../support/proxies.ts'

const NAME = 'two.example'
const lookUp = dns.lookup
/** Both addresses, the one that swallows first. A caller that takes one of them has that one. */
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

/** Asks a server, and notes how the connections to the name were tried. @param again happens when they are tried once more */
const askWithDeadAddress = async (
  url: string,
  way: string,
  lookup?: LookupFunction,
  trusted: string[] = [],
  again: () => void = () => undefined,
) => {
  // Who is given no look-up takes the system's.
  vi.spyOn(dns, 'lookup').mockImplementation(bothAddresses as never)
  const { connect } = net
  const connecting = [vi.spyOn(net, 'connect'), vi.spyOn(tls, 'connect')]
  let count = 0
  connecting[0]?.mockImplementation(((...given: Parameters<typeof connect>) => {
    count += 1
    if (count === 2) again()
    return connect(...given)
  }) as never)
  const network = new Network({ waysTo: () => Promise.resolve([way]), certificates: () => trusted })
  const line = network.open({ connections: 1, ...(lookup !== undefined && { lookup }) })
  onTestFinished(() => line.end())
  const answer = await line.request({
    ...{ method: 'GET', url: new URL(url), headers: {}, again: null, signal: new AbortController().signal },
    patience: { silence: 10_000, pace: { bytes: 0, within: 60_000 } },
  })
  await answer.drop()
  const options = connecting.flatMap(({ mock }) => mock.calls.map(([each]) => each as unknown as Tried))
  vi.restoreAllMocks()
  return { status: answer.status, tried: options.filter(({ host }) => host === NAME) }
}

/** The other address answered, and was to be tried in time. */
const REACHED = {
  status: 200,
  tried: [{ autoSelectFamily: true, autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS }],
}

const isWithIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'))

// How a listener's queue fills is Linux's.
describe.skipIf(process.platform !== 'linux' || !isWithIpv6)('a name with two addresses, of which one is dead', () => {
  /** What listens on loopback, by the name, of which the other address is dead. */
  const named = async (url: string): Promise<string> => {
    const { protocol, port } = new URL(url)
    await killAddress(Number(port))
    return `${protocol}//${NAME}:${port}`
  }
  const startServer = (): Promise<string> => listenOnLoopback((_request, answer) => answer.end('{}'))

  it.each([
    ['the system’s look-up', undefined],
    ['a guarded one', bothAddresses],
  ])('is reached by the other with %s', async (_who, lookup) => {
    expect(await askWithDeadAddress(await named(await startServer()), DIRECT, lookup)).toMatchObject(REACHED)
    const own = makeCertificate({ name: 'mail', hosts: [NAME] })
    const server = await listenWithCertificate(own)
    expect(await askWithDeadAddress(await named(server.url), DIRECT, lookup, [own.certificate])).toMatchObject(REACHED)
  })

  it.each([
    ['an HTTP proxy', startHttpProxy],
    ['a SOCKS proxy', startSocksProxy],
  ])('is reached by the other where it is %s', async (_kind, start) => {
    const { url } = await start()
    expect(await askWithDeadAddress(await startServer(), await named(url))).toMatchObject(REACHED)
  })

  it('is given more time where none of them has answered: the line may be slower than that', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    // The other address of the name refuses from here on.
    other.close()
    const revive = await killAddress(port)
    const answer = await askWithDeadAddress(`http://${NAME}:${port}`, DIRECT, undefined, [], revive)
    expect(answer).toMatchObject({ status: 200 })
    expect(answer.tried.map(({ autoSelectFamilyAttemptTimeout: given }) => given)).toEqual([
      NEXT_ADDRESS_MS,
      PATIENT_ADDRESS_MS,
    ])
  })
})

it('the next address of a name is tried within 300 ms', () => {
  expect(NEXT_ADDRESS_MS).toBeLessThanOrEqual(250)
})
