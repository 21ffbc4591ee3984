import type { Agent } from 'undici'
import type { RequestBody } from '../api/outgoing-body.ts'
import type { Clock } from '../timing/clock.ts'
import { Exchange, type Patience, type Progress } from './exchange.ts'
import { loadUndici } from './load-undici.ts'
import type { LineOptions } from './network.ts'
import { CONNECT_MS } from './time-outs.ts'

export interface LineRequest {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body?: RequestBody | null
  /** Hears how much of the body has gone. */
  readonly progress?: Progress | undefined
  readonly patience: Patience
  /** Ends it: its reason is thrown. */
  readonly signal: AbortSignal
}

/** What a server answered. Its body is read to its end, or dropped. */
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

/** Connections that are kept between requests, for one user of the network. */
export class Line {
  readonly #options: LineOptions
  readonly #clock: Pick<Clock, 'elapsed' | 'after'>
  readonly #ended: () => void
  readonly #exchanges = new Set<Exchange>()
  #opening: Promise<Agent> | null = null

  constructor(options: LineOptions, clock: Pick<Clock, 'elapsed' | 'after'>, ended: () => void) {
    this.#options = options
    this.#clock = clock
    this.#ended = ended
  }

  /** Asks a server. @throws `LineSilent`, the signal's reason, or what the connection ended with */
  async request(asked: LineRequest): Promise<LineAnswer> {
    const agent = await this.#agent()
    const exchange = new Exchange(asked.patience, asked.signal, this.#clock)
    this.#exchanges.add(exchange)
    try {
      const { url } = asked
      const answer = await agent.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: asked.method,
        headers: asked.headers,
        body: exchange.sending(asked.body ?? null, asked.progress),
        signal: exchange.signal,
        // The exchange knows better than a clock how long to wait.
        headersTimeout: 0,
        bodyTimeout: 0,
      })
      exchange.answered()
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
      throw exchange.signal.aborted ? exchange.signal.reason : thrown
    }
  }

  /** Ends all that is on its way. */
  async end(): Promise<void> {
    this.#ended()
    await (await this.#opening)?.destroy()
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

  #agent(): Promise<Agent> {
    const { connections, lookup } = this.#options
    this.#opening ??= loadUndici().then(
      ({ Agent }) =>
        new Agent({ connections, connect: { timeout: CONNECT_MS, ...(lookup !== undefined && { lookup }) } }),
    )
    return this.#opening
  }
}
