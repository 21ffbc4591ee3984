import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'
import type { LookupFunction, Socket } from 'node:net'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { SignedDownloads } from '../../../../src/engine/platform/signed-downloads.ts'
import { isFetchablePicture, lookupPublicAddress } from '../../../../src/engine/platform/fetchable-address.ts'
import { Network } from '../../../../src/engine/platform/network.ts'
import { fetchPicture, PICTURE_LIMITS } from '../../../../src/engine/mail/pictures/fetch-picture.ts'
import { postOneClick } from '../../../../src/engine/mail/unsubscribe-service.ts'
import { DIRECT_ROUTE, type ProxyRoute } from '../../../../src/shared/proxy.ts'
import { ProblemError } from '../../../../src/shared/result.ts'
import { listenOnLoopback } from '../../../support/loopback-server.ts'
import { LEADING_THERE, PRIVATE_NAMES, PRIVATE_NUMBERS, UNFETCHABLE } from '../../../support/private-targets.ts'
import { startHttpProxy, startSocksProxy } from '../../../support/proxies.ts'

const never = new AbortController().signal
/** A server of the test under a public address. */
const SERVER = 'server.example'

/** Every forbidden request, to a port where a server would answer. */
const attempts = (port: string): readonly string[] => [
  ...[...PRIVATE_NUMBERS, ...PRIVATE_NAMES, ...Object.keys(LEADING_THERE)].map((host) => `https://${host}:${port}/`),
  ...UNFETCHABLE,
]

/** Fakes the system's DNS: names resolve as in the table; unknown names fail. */
const pretendNames = (): void => {
  const { lookup } = dns
  const known: Readonly<Record<string, readonly string[]>> = { ...LEADING_THERE, [SERVER]: ['93.184.215.14'] }
  vi.spyOn(dns, 'lookup').mockImplementation(((
    name: string,
    options: object,
    callback: (...found: unknown[]) => void,
  ) => {
    const found = known[name]
    if (found !== undefined) {
      callback(
        null,
        found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      )
    } else if (/^[\d.]+$|:|localhost/.test(name)) {
      lookup(name, options, callback as never)
    } else {
      callback(Object.assign(new Error('Not known.'), { code: 'ENOTFOUND' }))
    }
  }) as never)
  syncBuiltinESMExports()
  onTestFinished(() => {
    vi.restoreAllMocks()
    syncBuiltinESMExports()
  })
}

const watchConnections = (): ReadonlySet<string> => {
  const tried = new Set<string>()
  const note = (message: unknown): void => {
    const { socket } = message as { readonly socket: Socket }
    socket.on('connectionAttempt', (address: string, port: number) => tried.add(`${address} ${port}`))
  }
  subscribe('net.client.socket', note)
  onTestFinished(() => void unsubscribe('net.client.socket', note))
  return tried
}

type Start = () => Promise<{ readonly route: ProxyRoute; readonly asked: readonly string[] }>
const WAYS: Readonly<Record<string, Start>> = {
  directly: () => Promise.resolve({ route: DIRECT_ROUTE, asked: [] }),
  'behind a proxy': async () => {
    const { url, asked } = await startHttpProxy()
    return { route: url, asked }
  },
  'behind a proxy that requires a login': async () => {
    const { url, asked } = await startHttpProxy({ login: 'mara:secret' })
    return { route: url.replace('//', '//mara:secret@'), asked }
  },
  'behind a SOCKS proxy': async () => {
    const { url, asked } = await startSocksProxy()
    return { route: url, asked }
  },
}

describe.each(Object.entries(WAYS))('protection of the private network, connected %s', (_words, start) => {
  const open = async () => {
    // A server that the forbidden requests would reach, and one that redirects to each of them.
    const door = await listenOnLoopback((_request, answer) => answer.end())
    const aims = attempts(new URL(door).port)
    const origin = await listenOnLoopback((request, answer) => {
      const aim = aims[Number(request.url?.slice(1))]
      answer.writeHead(307, { location: aim?.replace(/[^ -~]/g, encodeURIComponent) }).end()
    })
    const { port } = new URL(origin)
    const { route, asked } = await start()
    pretendNames()
    const tried = watchConnections()
    const network = new Network({ routesTo: () => Promise.resolve([route]), certificates: () => [] })
    const outcomes: string[] = []
    const check = async (what: string, asking: Promise<unknown>): Promise<void> => {
      const thrown = await asking.then(
        () => 'fetched',
        (reason: unknown) => reason,
      )
      const isRefused = thrown instanceof ProblemError && thrown.problem.code === 'refused'
      outcomes.push(isRefused ? 'refused' : `${what}: ${String(thrown)}`)
    }
    /**
     * Checks that connections went only to the redirecting server and the proxy, and that the proxy was asked only for
     * that server.
     */
    const expectNobodyReached = (): void => {
      expect(aims.length).toBeGreaterThanOrEqual(163)
      expect(outcomes.filter((each) => each !== 'refused')).toEqual([])
      expect(asked.filter((each) => !/^(?:GET http:\/\/|SOCKS )server\.example:/.test(each))).toEqual([])
      const ports = route === DIRECT_ROUTE ? [port] : [port, new URL(route).port]
      expect([...tried].toSorted()).toEqual(ports.map((each) => `127.0.0.1 ${each}`).toSorted())
    }
    return { port, route, aims, network, check, expectNobodyReached, outcomes, asked, tried }
  }

  it('blocks pictures', async () => {
    const { port, route, aims, network, check, expectNobodyReached } = await open()
    const lookup: LookupFunction = (name, options, callback) => {
      // Without a proxy, nothing else resolves the name.
      if (name === SERVER && route === DIRECT_ROUTE) callback(null, [{ address: '127.0.0.1', family: 4 }])
      else lookupPublicAddress(name, options, callback)
    }
    const reach = { mayFetch: isFetchablePicture, lookup }
    for (const [index, aim] of aims.entries()) {
      for (const url of [aim, aim.replace(/^https/, 'http'), `http://${SERVER}:${port}/${index}`]) {
        await check(`${url} (${aim})`, fetchPicture(network, url, never, PICTURE_LIMITS, reach))
      }
    }
    expectNobodyReached()
  })

  it('blocks unsubscribe requests', async () => {
    const { aims, network, check, outcomes, asked, tried } = await open()
    for (const aim of aims) await check(aim, postOneClick(network, aim, never))
    expect(outcomes.filter((each) => each !== 'refused')).toEqual([])
    // Not even the proxy is asked: there is nothing to ask it for.
    expect([outcomes.length, asked, [...tried]]).toEqual([aims.length, [], []])
  })

  it('blocks platform files', async () => {
    const { port, route, aims, network, check, expectNobodyReached } = await open()
    const base = new URL(`http://${route === DIRECT_ROUTE ? '127.0.0.1' : SERVER}:${port}`)
    const downloads = new SignedDownloads(network, base)
    for (const [index, aim] of aims.entries()) {
      for (const url of [aim, `${base.origin}/${index}`]) await check(`${url} (${aim})`, downloads.fetch(url, never))
    }
    expectNobodyReached()
  })
})
