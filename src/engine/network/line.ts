import type { SecureContext } from 'node:tls'
import { DIRECT, type WayOut } from '../../shared/proxy.ts'
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
  /** Hears how much of the body is handed on; from the beginning again where it is asked once more. */
  readonly progress?: Progress | undefined
  readonly patience: Omit<Patience, 'suspect'>
  /** Waits until it may be asked once more on another connection; null where asking twice is not as asking once. */
  readonly again: (() => Promise<void>) | null
  /** Ends it: its reason is thrown. */
  readonly signal: AbortSignal
}

/** A server's answer. Read its body to the end, or drop it. */
export interface LineAnswer {
  readonly status: number
  /** By their names in small letters; of several with one name, the first. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: AsyncIterable<Uint8Array>
  /** Does without the rest of the body, and without the connection where much of it is still to come. */
  readonly drop: () => Promise<void>
}

const firstOf = (
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]))

interface LineListeners {
  /** A connection over https is about to be made: whose certificates count. */
  readonly trusting: () => SecureContext
  /** The ways to a server that is about to be asked, the best first. */
  readonly waysTo: (origin: string) => Promise<readonly WayOut[]>
  readonly trials: ProxyTrials
  /** A proxy did not answer. */
  readonly died: (way: WayOut) => void
  /** None of them led there. */
  readonly lost: (origin: string) => void
  readonly ended: () => void
}

/** The line's owner has closed it. */
class LineEnded extends Error {
  readonly code = 'UND_ERR_DESTROYED'

  constructor() {
    super('The line has ended.')
    this.name = 'LineEnded'
  }
}

/** Connections that are kept between requests, for one user of the network. */
export class Line {
  readonly #options: ConnectionOptions
  readonly #clock: Pick<Clock, 'elapsed' | 'after'>
  readonly #listeners: LineListeners
  /** Requests in flight, and whether they may be repeated. */
  readonly #exchanges = new Map<Exchange, boolean>()
  /** How long answers took to begin of late, in milliseconds. */
  #usual = 0
  /** Old connections that are still in use. */
  readonly #before = new Set<Connections>()
  #connections: Connections

  constructor(options: ConnectionOptions, clock: Pick<Clock, 'elapsed' | 'after'>, listeners: LineListeners) {
    this.#options = options
    this.#connections = new Connections(options, listeners.trusting)
    this.#clock = clock
    this.#listeners = listeners
  }

  /** Asks a server, once more on another connection after silence, if safe. @throws `LineSilent`, or what ended it */
  async request(asked: LineRequest): Promise<LineAnswer> {
    const { again } = asked
    if (again === null) return this.#askAround(asked, null)
    const connections = this.#connections
    const suspect = connections.isUsed ? Math.max(SUSPECT.after, SUSPECT.timesUsual * this.#usual) : null
    try {
      return await this.#askAround(asked, suspect)
    } catch (thrown) {
      if (!(thrown instanceof LineStale)) throw thrown
      // The others are as silent, most likely.
      if (this.#connections === connections) this.renew(false)
      await again()
      return this.#askAround(asked, null)
    }
  }

  /**
   * Opens new connections. Unanswered requests are repeated if safe; others go on as long as they move.
   * @param isTold false if one connection was silent: others may only wait for a large upload, which goes on
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
    // They may be ended before they are closed.
    before.close().then(forget, forget)
  }

  async end(): Promise<void> {
    this.#listeners.ended()
    for (const [exchange] of this.#exchanges) exchange.fail(new LineEnded())
    await Promise.all([...this.#before, this.#connections].map((each) => each.destroy()))
  }

  /** Asks by each way to the server, until there is one over which it goes. */
  async #askAround(asked: LineRequest, suspect: number | null): Promise<LineAnswer> {
    const ways = await this.#listeners.waysTo(asked.url.origin)
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

  /** A proxy looks names up itself: names that resolve here are judged here as well. */
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

  async #ask(way: WayOut, asked: LineRequest, suspect: number | null): Promise<LineAnswer> {
    // To read the library for the first time is nobody's silence.
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
        // The library writes the server's name into what it is given, where a proxy is between.
        headers: { ...asked.headers },
        body: exchange.sending(asked.body ?? null, asked.progress),
        signal: exchange.signal,
        // The exchange knows better than a clock how long to wait.
        headersTimeout: 0,
        bodyTimeout: 0,
      })
      // Recent times weigh more.
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
