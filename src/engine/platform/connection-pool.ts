import type { SecureContext } from 'node:tls'
import { DIRECT_ROUTE, type ProxyRoute } from '../../shared/proxy.ts'
import type { RequestBody } from './outgoing-body.ts'
import type { Clock } from '../timing/clock.ts'
import { RouteDispatchers, type ConnectionOptions } from './connections.ts'
import { Exchange, StaleConnectionError, type ExchangeTimeouts, type OnTransferProgress } from './exchange.ts'
import { isPrivateAddressError } from './fetchable-address.ts'
import { ProxyError, toProxyProblem } from './proxy-problem.ts'
import type { ProxyCredentialThrottle } from './proxy-credential-throttle.ts'
import { NETWORK_CHANGE_IDLE_TIMEOUT_MS, STALE_CONNECTION_LIMITS } from './timeouts.ts'

export interface HttpRequest {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body?: RequestBody | null
  /** Called with the part of the body handed to the connection so far; starts again at zero on a retry. */
  readonly progress?: OnTransferProgress | undefined
  readonly timeout: Omit<ExchangeTimeouts, 'suspect'>
  /** Waits until a retry on another connection is allowed; null if repeating isn't safe. */
  readonly beforeRetry: (() => Promise<void>) | null
  /** Aborts the request; its reason is thrown. */
  readonly signal: AbortSignal
}

/** Read the body to the end, or call `drop`. */
export interface HttpResponse {
  readonly status: number
  /** Names are in lower case. Repeated headers have their first value. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: AsyncIterable<Uint8Array>
  /** Discards the rest of the body; closes the connection if much of it is left. */
  readonly drop: () => Promise<void>
}

const firstOf = (
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]))

interface PoolListeners {
  /** Returns the trusted certificates before an https connection. */
  readonly trusting: () => SecureContext
  readonly routesTo: (origin: string) => Promise<readonly ProxyRoute[]>
  readonly credentialThrottle: ProxyCredentialThrottle
  readonly onDeadRoute: (route: ProxyRoute) => void
  /** No route reached the server. */
  readonly onUnreachable: (origin: string) => void
  readonly onClosed: () => void
}

/** Kept-alive connections for one consumer, such as an account or a download. */
export class ConnectionPool {
  readonly #options: ConnectionOptions
  readonly #clock: Pick<Clock, 'elapsed' | 'after'>
  readonly #listeners: PoolListeners
  /** Requests in flight, and whether they may be repeated. */
  readonly #exchanges = new Map<Exchange, boolean>()
  /** Recent time to the first byte, in milliseconds. */
  #recentLatencyMs = 0
  readonly #before = new Set<RouteDispatchers>()
  #connections: RouteDispatchers

  constructor(options: ConnectionOptions, clock: Pick<Clock, 'elapsed' | 'after'>, listeners: PoolListeners) {
    this.#options = options
    this.#connections = new RouteDispatchers(options, listeners.trusting)
    this.#clock = clock
    this.#listeners = listeners
  }

  /** Sends a request. After silence, it is repeated once on a new connection if safe. @throws `ResponseTimeoutError` */
  async request(outgoing: HttpRequest): Promise<HttpResponse> {
    const { beforeRetry } = outgoing
    if (beforeRetry === null) return this.#tryRoutes(outgoing, null)
    const connections = this.#connections
    const suspect = connections.isUsed
      ? Math.max(STALE_CONNECTION_LIMITS.after, STALE_CONNECTION_LIMITS.timesUsual * this.#recentLatencyMs)
      : null
    try {
      return await this.#tryRoutes(outgoing, suspect)
    } catch (thrown) {
      if (!(thrown instanceof StaleConnectionError)) throw thrown
      // The other connections are probably silent too.
      if (this.#connections === connections) this.renew(false)
      await beforeRetry()
      return this.#tryRoutes(outgoing, null)
    }
  }

  /**
   * Opens new connections. Unanswered requests are repeated if safe; others continue while bytes move.
   * @param hasNetworkChanged false if a single connection was silent: others may just be waiting for a large upload
   */
  renew(hasNetworkChanged = true): void {
    const before = this.#connections
    this.#connections = new RouteDispatchers(this.#options, this.#listeners.trusting)
    for (const [exchange, isRepeatable] of this.#exchanges) {
      if (exchange.hasResponse()) exchange.expectActivityWithin(NETWORK_CHANGE_IDLE_TIMEOUT_MS)
      else if (isRepeatable && (hasNetworkChanged || !exchange.isUploading())) exchange.fail(new StaleConnectionError())
    }
    this.#before.add(before)
    const forget = (): boolean => this.#before.delete(before)
    // The old connections may be destroyed before the close finishes.
    before.close().then(forget, forget)
  }

  async end(): Promise<void> {
    this.#listeners.onClosed()
    const closed = Object.assign(new Error('The connection pool is closed.'), { code: 'UND_ERR_DESTROYED' })
    for (const [exchange] of this.#exchanges) exchange.fail(closed)
    await Promise.all([...this.#before, this.#connections].map((each) => each.destroy()))
  }

  async #tryRoutes(outgoing: HttpRequest, suspect: number | null): Promise<HttpResponse> {
    const routes = await this.#listeners.routesTo(outgoing.url.origin)
    for (const [index, route] of routes.entries()) {
      this.#options.trace?.asking(route)
      try {
        if (route !== DIRECT_ROUTE) await this.#checkHostname(outgoing.url)
        return await this.#listeners.credentialThrottle.ask(route, () => this.#requestVia(route, outgoing, suspect))
      } catch (thrown) {
        const isDead = thrown instanceof ProxyError && thrown.kind === 'dead'
        if (isDead) this.#listeners.onDeadRoute(route)
        if (isDead && index < routes.length - 1) continue
        this.#listeners.onUnreachable(outgoing.url.origin)
        throw thrown
      }
    }
    throw new Error('There is no route to the server.')
  }

  /** Checks a name that also resolves locally, because a proxy resolves names itself. */
  async #checkHostname({ hostname }: URL): Promise<void> {
    const { lookup, isNameNeeded = false } = this.#options
    if (lookup === undefined) return
    await new Promise<void>((resolve, reject) => {
      lookup(hostname.replace(/^\[|\]$/g, ''), { all: true }, (error) => {
        if (error !== null && (isNameNeeded || isPrivateAddressError(error))) reject(error)
        else resolve()
      })
    })
  }

  async #requestVia(route: ProxyRoute, outgoing: HttpRequest, suspect: number | null): Promise<HttpResponse> {
    // Loading the HTTP library must not count as silence.
    const connections = this.#connections
    const dispatcher = await connections.by(route)
    const exchange = new Exchange({ ...outgoing.timeout, suspect }, outgoing.signal, this.#clock)
    this.#exchanges.set(exchange, outgoing.beforeRetry !== null)
    try {
      const { url } = outgoing
      const answer = await dispatcher.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: outgoing.method,
        // Copied, as undici adds the server's name to the headers when a proxy is used.
        headers: { ...outgoing.headers },
        body: exchange.uploadStream(outgoing.body ?? null, outgoing.progress),
        signal: exchange.signal,
        // The exchange handles time-outs itself.
        headersTimeout: 0,
        bodyTimeout: 0,
      })
      this.#recentLatencyMs = Math.max(exchange.onResponseStart(), this.#recentLatencyMs * 0.7)
      connections.isUsed = true
      this.#options.trace?.onResponseStart()
      return {
        status: answer.statusCode,
        headers: firstOf(answer.headers),
        body: this.#bodyOf(exchange, answer.body as AsyncIterable<Uint8Array>),
        drop: async () => {
          await answer.body.dump().catch(() => undefined)
          this.#forget(exchange)
        },
      }
    } catch (thrown) {
      this.#forget(exchange)
      if (exchange.signal.aborted) throw exchange.signal.reason
      throw (route === DIRECT_ROUTE ? null : toProxyProblem(route, thrown)) ?? thrown
    }
  }

  async *#bodyOf(exchange: Exchange, body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      yield* exchange.downloadStream(body)
    } finally {
      this.#forget(exchange)
    }
  }

  #forget(exchange: Exchange): void {
    exchange.end()
    this.#exchanges.delete(exchange)
  }
}
