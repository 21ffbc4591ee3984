import type { LookupFunction } from 'node:net'
import type { SecureContext } from 'node:tls'
import type { buildConnector, Dispatcher, Pool } from 'undici'
import { DIRECT_ROUTE, parseProxy, formatProxy, type ProxyRoute } from '../../shared/proxy.ts'
import type { ConnectionTrace } from './connection-trace.ts'
import { loadUndici } from './load-undici.ts'
import { CONNECT_TIMEOUT_MS, ATTEMPT_DELAY_MS, SLOW_ATTEMPT_DELAY_MS } from './timeouts.ts'
import { createCheckedConnector, type SocketConnector } from './untrusted-certificate.ts'

export interface ConnectionOptions {
  /** Maximum connections per server. */
  readonly connections: number
  /** Replaces the system's DNS lookup. Linnet never connects to addresses it rejects. */
  readonly lookup?: LookupFunction
  /** True to fail names that don't resolve locally, even when a proxy could resolve them. */
  readonly isNameNeeded?: boolean
  readonly trace?: ConnectionTrace
}

/** All addresses of a name are tried one after the other. */
const connectOptions = (attemptMs: number): buildConnector.BuildOptions => ({
  timeout: CONNECT_TIMEOUT_MS,
  autoSelectFamily: true,
  autoSelectFamilyAttemptTimeout: attemptMs,
})

/** True if no address answered, perhaps for lack of time. */
const isCutShort = (failed: Error | null): boolean =>
  failed instanceof AggregateError &&
  failed.errors.some((each: unknown) => each instanceof Error && 'code' in each && each.code === 'ETIMEDOUT')

/** Gives each address little time, then more if none answered: a slow connection can exceed the short limit. */
const withSlowRetry = (by: (attemptMs: number) => buildConnector.connector): buildConnector.connector => {
  const quick = by(ATTEMPT_DELAY_MS)
  const patient = by(SLOW_ATTEMPT_DELAY_MS)
  return (to, callback) =>
    quick(to, (...made) => {
      if (isCutShort(made[0])) patient(to, callback)
      else callback(...made)
    })
}

/** Adds TLS inside the tunnel, which undici opens as if for plain HTTP. */
const overTunnel =
  (openTunnel: buildConnector.connector, encrypt: buildConnector.connector): buildConnector.connector =>
  (to, callback) => {
    if (to.protocol !== 'https:') {
      openTunnel(to, callback)
      return
    }
    const { host = to.hostname } = to
    const whereTo = to.port === '' ? { port: '443', host: `${host}:443` } : {}
    openTunnel({ ...to, ...whereTo, protocol: 'http:' }, (failed, httpSocket) => {
      // A rejected tunnel has no socket; continuing would connect to the server directly.
      if (failed === null) encrypt({ ...to, httpSocket }, callback)
      else callback(failed, null)
    })
  }

/** Traces connections to a proxy. A tunnelled connection has no socket of its own. */
const traced =
  (connect: SocketConnector, trace: ConnectionTrace | undefined): buildConnector.connector =>
  (to, callback) => {
    const socket = connect(to, callback)
    trace?.connecting('proxy', socket)
  }

/** Kept-alive connections, by route. */
export class RouteDispatchers {
  readonly #options: ConnectionOptions
  /** True after a response: before the first, a connection is slow, not silent. */
  isUsed = false
  readonly #trusted: () => SecureContext
  readonly #dispatchers = new Map<ProxyRoute, Promise<Dispatcher>>()

  constructor(options: ConnectionOptions, trusted: () => SecureContext) {
    this.#options = options
    this.#trusted = trusted
  }

  by(route: ProxyRoute): Promise<Dispatcher> {
    const known = this.#dispatchers.get(route)
    if (known !== undefined) return known
    const opening = this.#open(route)
    this.#dispatchers.set(route, opening)
    return opening
  }

  /** Resolves when the requests in flight are done. Accepts no new ones. */
  async close(): Promise<void> {
    await Promise.all([...this.#dispatchers.values()].map(async (opening) => (await opening).close()))
  }

  async destroy(): Promise<void> {
    await Promise.all([...this.#dispatchers.values()].map(async (opening) => (await opening).destroy()))
  }

  async #open(route: ProxyRoute): Promise<Dispatcher> {
    const { connections, lookup, trace } = this.#options
    const undici = await loadUndici()
    const { Agent, buildConnector, Pool, ProxyAgent, Socks5ProxyAgent } = undici
    const connect = withSlowRetry((attemptMs) => {
      const direct = { ...connectOptions(attemptMs), ...(lookup !== undefined && { lookup }) }
      return createCheckedConnector(buildConnector, direct, this.#trusted, (socket) =>
        trace?.connecting('server', socket),
      )
    })
    if (route === DIRECT_ROUTE) return new Agent({ connections, connect })
    const proxy = parseProxy(route)
    if (proxy === null) throw new Error('The route is not a valid proxy.')
    const { protocol, login } = proxy
    if (protocol === 'socks5') {
      // The agent's types omit the options for TLS inside the tunnel.
      const within = { requestTls: { secureContext: this.#trusted() } }
      const toProxy = withSlowRetry((attemptMs) => traced(buildConnector(connectOptions(attemptMs)), trace))
      return new Socks5ProxyAgent(route, { ...within, connect: toProxy })
    }
    const proxyTls = (attemptMs: number): buildConnector.BuildOptions => ({
      ...connectOptions(attemptMs),
      ...(protocol === 'https' && { secureContext: this.#trusted() }),
    })
    const toProxy = withSlowRetry((attemptMs) => traced(buildConnector(proxyTls(attemptMs)), trace))
    const tunnel = (options: Pool.Options): buildConnector.connector =>
      traced(options.connect as buildConnector.connector, trace)
    const token =
      login === null ? {} : { token: `Basic ${Buffer.from(`${login.name}:${login.password}`).toString('base64')}` }
    // Plain HTTP goes to the proxy directly: many proxies tunnel only to port 443.
    return new ProxyAgent({
      ...{ uri: formatProxy(proxy), connections, proxyTunnel: false, proxyTls: proxyTls(ATTEMPT_DELAY_MS), ...token },
      clientFactory: (origin, options: Pool.Options) => new Pool(origin, { ...options, connect: toProxy }),
      factory: (origin, options: Pool.Options) =>
        new Pool(origin, { ...options, connect: overTunnel(tunnel(options), connect) }),
    })
  }
}
