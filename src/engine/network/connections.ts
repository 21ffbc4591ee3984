import type { LookupFunction } from 'node:net'
import type { SecureContext } from 'node:tls'
import type { buildConnector, Dispatcher, Pool } from 'undici'
import { DIRECT, readProxy, shownProxy, type WayOut } from '../../shared/proxy.ts'
import type { ConnectionTrace } from './connection-trace.ts'
import { loadUndici } from './load-undici.ts'
import { CONNECT_MS, NEXT_ADDRESS_MS, PATIENT_ADDRESS_MS } from './time-outs.ts'
import { checkedConnector, type Connecting } from './untrusted-certificate.ts'

export interface ConnectionOptions {
  /** How many there are at most, for each server. */
  readonly connections: number
  /** Who looks names up, in place of the system alone: what it refuses is not connected to. */
  readonly lookup?: LookupFunction
  /** True if a proxy is not asked for a name that does not resolve here. */
  readonly isNameNeeded?: boolean
  /** Hears how connections are made. */
  readonly trace?: ConnectionTrace
}

/** How every connection is made: its look-up gives all addresses of a name, which are tried one after the other. */
const connecting = (attemptMs: number): buildConnector.BuildOptions => ({
  timeout: CONNECT_MS,
  autoSelectFamily: true,
  autoSelectFamilyAttemptTimeout: attemptMs,
})

/** True if no address answered, perhaps for lack of time. */
const isCutShort = (failed: Error | null): boolean =>
  failed instanceof AggregateError &&
  failed.errors.some((each: unknown) => each instanceof Error && 'code' in each && each.code === 'ETIMEDOUT')

/** Gives each address little time, and more where none answered: a line can be slower than a dead address is worth. */
const patiently = (by: (attemptMs: number) => buildConnector.connector): buildConnector.connector => {
  const quick = by(NEXT_ADDRESS_MS)
  const patient = by(PATIENT_ADDRESS_MS)
  return (to, callback) =>
    quick(to, (...made) => {
      if (isCutShort(made[0])) patient(to, callback)
      else callback(...made)
    })
}

/** Encrypts within a tunnel as without one: undici takes the server for one without encryption. */
const withinTunnel =
  (dig: buildConnector.connector, encrypt: buildConnector.connector): buildConnector.connector =>
  (to, callback) => {
    if (to.protocol !== 'https:') {
      dig(to, callback)
      return
    }
    const { host = to.hostname } = to
    const whereTo = to.port === '' ? { port: '443', host: `${host}:443` } : {}
    dig({ ...to, ...whereTo, protocol: 'http:' }, (failed, httpSocket) => {
      // A refused tunnel has no socket: without this, the server would be asked directly.
      if (failed === null) encrypt({ ...to, httpSocket }, callback)
      else callback(failed, null)
    })
  }

/** Tells of connections to a proxy. What goes through a tunnel has no socket of its own. */
const traced =
  (connect: Connecting, trace: ConnectionTrace | undefined): buildConnector.connector =>
  (to, callback) => {
    const socket = connect(to, callback)
    trace?.connecting('proxy', socket)
  }

/** Connections that are kept between requests, by the way they go. */
export class Connections {
  readonly #options: ConnectionOptions
  /** True after an answer: before the first, a connection is slow, not silent. */
  isUsed = false
  readonly #trusted: () => SecureContext
  readonly #byWay = new Map<WayOut, Promise<Dispatcher>>()

  /** @param trusted whose certificates count; asked at the first connection over https */
  constructor(options: ConnectionOptions, trusted: () => SecureContext) {
    this.#options = options
    this.#trusted = trusted
  }

  /** Dispatcher of a way. */
  by(way: WayOut): Promise<Dispatcher> {
    const known = this.#byWay.get(way)
    if (known !== undefined) return known
    const opening = this.#open(way)
    this.#byWay.set(way, opening)
    return opening
  }

  /** No more requests: resolves when those that are on their way have ended. */
  async close(): Promise<void> {
    await Promise.all([...this.#byWay.values()].map(async (opening) => (await opening).close()))
  }

  async destroy(): Promise<void> {
    await Promise.all([...this.#byWay.values()].map(async (opening) => (await opening).destroy()))
  }

  async #open(way: WayOut): Promise<Dispatcher> {
    const { connections, lookup, trace } = this.#options
    const undici = await loadUndici()
    const { Agent, buildConnector, Pool, ProxyAgent, Socks5ProxyAgent } = undici
    const connect = patiently((attemptMs) => {
      const direct = { ...connecting(attemptMs), ...(lookup !== undefined && { lookup }) }
      return checkedConnector(buildConnector, direct, this.#trusted, (socket) => trace?.connecting('server', socket))
    })
    if (way === DIRECT) return new Agent({ connections, connect })
    const proxy = readProxy(way)
    if (proxy === null) throw new Error('This is no way to a server.')
    const { protocol, login } = proxy
    if (protocol === 'socks5') {
      // Its types do not know how it encrypts within the tunnel.
      const within = { requestTls: { secureContext: this.#trusted() } }
      const toProxy = patiently((attemptMs) => traced(buildConnector(connecting(attemptMs)), trace))
      return new Socks5ProxyAgent(way, { ...within, connect: toProxy })
    }
    const proxyTls = (attemptMs: number): buildConnector.BuildOptions => ({
      ...connecting(attemptMs),
      ...(protocol === 'https' && { secureContext: this.#trusted() }),
    })
    const toProxy = patiently((attemptMs) => traced(buildConnector(proxyTls(attemptMs)), trace))
    const tunnel = (options: Pool.Options): buildConnector.connector =>
      traced(options.connect as buildConnector.connector, trace)
    const token =
      login === null ? {} : { token: `Basic ${Buffer.from(`${login.name}:${login.password}`).toString('base64')}` }
    // Unencrypted requests go to the proxy itself: many open tunnels only to port 443.
    return new ProxyAgent({
      ...{ uri: shownProxy(proxy), connections, proxyTunnel: false, proxyTls: proxyTls(NEXT_ADDRESS_MS), ...token },
      clientFactory: (origin, options: Pool.Options) => new Pool(origin, { ...options, connect: toProxy }),
      factory: (origin, options: Pool.Options) =>
        new Pool(origin, { ...options, connect: withinTunnel(tunnel(options), connect) }),
    })
  }
}
