import type { SecureContext } from 'node:tls'
import { DIRECT, type ProxyRoute } from '../../shared/proxy.ts'
import type { RequestBody } from '../api/outgoing-body.ts'
import type { Clock } from '../timing/clock.ts'
import { Connections, type ConnectionOptions } from './connections.ts'
import { Exchange, LineStale, type Patience, type Progress } from './exchange.ts'
import { isPrivateAddress } from './fetchable-address.ts'
import { ProxyProblem, proxyProblem } from './proxy-problem.ts'
import type { ProxyTrials } from './proxy-trials.ts'
import { AFTER_CHANGE_MS, SUSPECT } from './time-outs.ts'

export interface LineRequest {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body?: RequestBody | null
  /** Receives how much of the body was handed over; starts again at zero on a retry. */
  readonly progress?: Progress | undefined
  readonly patience: Omit<Patience, 'suspect'>
  /** Waits until a retry on another connection is allowed; null if repeating isn't safe. */
  readonly again: (() => Promise<void>) | null
  /** Aborts the request; its reason is thrown. */
  readonly signal: AbortSignal
}

/** Read the body to the end, or call `drop`. */
export interface LineAnswer {
  readonly status: number
  /** Names in lower case; the first value of repeated headers. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: AsyncIterable<Uint8Array>
  /** Discards the rest of the body; closes the connection if much of it is left. */
  readonly drop: () => Promise<void>
}

const firstOf = (
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]))

interface LineListeners {
  /** Returns the trusted certificates before an https connection. */
  readonly trusting: () => SecureContext
  readonly routesTo: (origin: string) => Promise<readonly ProxyRoute[]>
  readonly trials: ProxyTrials
  readonly died: (way: ProxyRoute) => void
  /** No route reached the server. */
  readonly lost: (origin: string) => void
  readonly ended: () => void
}

class LineEnded extends Error {
  readonly code = 'UND_ERR_DESTROYED'

  constructor() {
    super('The line has ended.')
    this.name = 'LineEnded'
  }
}

/** Kept-alive connections for one user of the network. */
export class Line {
  readonly #options: ConnectionOptions
  readonly #clock: Pick<Clock, 'elapsed' | 'after'>
  readonly #listeners: LineListeners
  /** Requests in flight, and whether they may be repeated. */
  readonly #exchanges = new Map<Exchange, boolean>()
  /** Recent time to the first byte, in milliseconds. */
  #usual = 0
  readonly #before = new Set<Connections>()
  #connections: Connections

  constructor(options: ConnectionOptions, clock: Pick<Clock, 'elapsed' | 'after'>, listeners: LineListeners) {
    this.#options = options
    this.#connections = new Connections(options, listeners.trusting)
    this.#clock = clock
    this.#listeners = listeners
  }

  /** Sends a request. After silence, it is repeated once on a new connection if safe. @throws `LineSilent` */
  async request(asked: LineRequest): Promise<LineAnswer> {
    const { again } = asked
    if (again === null) return this.#askAround(asked, null)
    const connections = this.#connections
    const suspect = connections.isUsed ? Math.max(SUSPECT.after, SUSPECT.timesUsual * this.#usual) : null
    try {
      return await this.#askAround(asked, suspect)
    } catch (thrown) {
      if (!(thrown instanceof LineStale)) throw thrown
      // The other connections are probably silent too.
      if (this.#connections === connections) this.renew(false)
      await again()
      return this.#askAround(asked, null)
    }
  }

  /**
   * Opens new connections. Unanswered requests are repeated if safe; others continue while bytes move.
   * @param isTold false if a single connection was silent: others may just be waiting for a large upload
   */
  renew(isTold = true): void {
    const before = this.#connections
    this.#connections = new Connections(this.#options, this.#listeners.trusting)
    for (const [exchange, isRepeatable] of this.#exchanges) {
      if (exchange.hasBegun()) exchange.hurry(AFTER_CHANGE_MS)
      else if (isRepeatable && (isTold || !exchange.isLeaving())) exchange.fail(new LineStale())
    }
    this.#before.add(before)
    const forget = (): boolean => this.#before.delete(before)
    // They may be destroyed before the close finishes.
    before.close().then(forget, forget)
  }

  async end(): Promise<void> {
    this.#listeners.ended()
    for (const [exchange] of this.#exchanges) exchange.fail(new LineEnded())
    await Promise.all([...this.#before, this.#connections].map((each) => each.destroy()))
  }

  async #askAround(asked: LineRequest, suspect: number | null): Promise<LineAnswer> {
    const ways = await this.#listeners.routesTo(asked.url.origin)
    for (const [index, way] of ways.entries()) {
      this.#options.trace?.asking(way)
      try {
        if (way !== DIRECT) await this.#lookAhead(asked.url)
        return await this.#listeners.trials.ask(way, () => this.#ask(way, asked, suspect))
      } catch (thrown) {
        const isDead = thrown instanceof ProxyProblem && thrown.kind === 'dead'
        if (isDead) this.#listeners.died(way)
        if (isDead && index < ways.length - 1) continue
        this.#listeners.lost(asked.url.origin)
        throw thrown
      }
    }
    throw new Error('There is no way to a server.')
  }

  /** A proxy resolves names itself, so check those that also resolve locally. */
  async #lookAhead({ hostname }: URL): Promise<void> {
    const { lookup, isNameNeeded = false } = this.#options
    if (lookup === undefined) return
    await new Promise<void>((resolve, reject) => {
      lookup(hostname.replace(/^\[|\]$/g, ''), { all: true }, (error) => {
        if (error !== null && (isNameNeeded || isPrivateAddress(error))) reject(error)
        else resolve()
      })
    })
  }

  async #ask(way: ProxyRoute, asked: LineRequest, suspect: number | null): Promise<LineAnswer> {
    // Loading the HTTP library must not count as silence.
    const connections = this.#connections
    const dispatcher = await connections.by(way)
    const exchange = new Exchange({ ...asked.patience, suspect }, asked.signal, this.#clock)
    this.#exchanges.set(exchange, asked.again !== null)
    try {
      const { url } = asked
      const answer = await dispatcher.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: asked.method,
        // Copied, as undici adds the server's name to the headers when a proxy is used.
        headers: { ...asked.headers },
        body: exchange.sending(asked.body ?? null, asked.progress),
        signal: exchange.signal,
        // The exchange does its own time-outs.
        headersTimeout: 0,
        bodyTimeout: 0,
      })
      this.#usual = Math.max(exchange.answered(), this.#usual * 0.7)
      connections.isUsed = true
      this.#options.trace?.answered()
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
      throw (way === DIRECT ? null : proxyProblem(way, thrown)) ?? thrown
    }
  }

  async *#bodyOf(exchange: Exchange, body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      yield* exchange.receiving(body)
    } finally {
      this.#forget(exchange)
    }
  }

  #forget(exchange: Exchange): void {
    exchange.end()
    this.#exchanges.delete(exchange)
  }
}
