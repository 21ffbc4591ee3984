import type { Agent } from 'undici'
import type { RequestBody } from '../api/outgoing-body.ts'
import type { Clock } from '../timing/clock.ts'
import { Exchange, LineStale, type Patience, type Progress } from './exchange.ts'
import { loadUndici } from './load-undici.ts'
import type { LineOptions } from './network.ts'
import { AFTER_CHANGE_MS, CONNECT_MS, SUSPECT } from './time-outs.ts'

export interface LineRequest {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body?: RequestBody | null
  /** Hears how much of the body has gone. */
  readonly progress?: Progress | undefined
  readonly patience: Omit<Patience, 'suspect'>
  /** Waits until it may be asked once more on another connection; null where asking twice is not as asking once. */
  readonly again: (() => Promise<void>) | null
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

interface LineListeners {
  /** Something is about to be asked. */
  readonly asking: () => void
  readonly ended: () => void
}

/** Whoever had the line has no use for it any more. */
class LineEnded extends Error {
  readonly code = 'UND_ERR_DESTROYED'

  constructor() {
    super('The line has ended.')
    this.name = 'LineEnded'
  }
}

/** Connections that are kept between requests, for one user of the network. */
export class Line {
  readonly #options: LineOptions
  readonly #clock: Pick<Clock, 'elapsed' | 'after'>
  readonly #listeners: LineListeners
  /** What is on its way, and whether it may be asked again. */
  readonly #exchanges = new Map<Exchange, boolean>()
  /** How long answers took to begin of late, in milliseconds. */
  #usual = 0
  /** Connections of before, as long as something goes on over them. */
  readonly #before = new Set<Promise<Agent>>()
  #opening: Promise<Agent> | null = null

  constructor(options: LineOptions, clock: Pick<Clock, 'elapsed' | 'after'>, listeners: LineListeners) {
    this.#options = options
    this.#clock = clock
    this.#listeners = listeners
  }

  /**
   * Asks a server; once more, on another connection, where the first was silent and asking again is safe.
   * @throws `LineSilent`, the signal's reason, or what the connection ended with
   */
  async request(asked: LineRequest): Promise<LineAnswer> {
    this.#listeners.asking()
    const { again } = asked
    const opening = this.#agent()
    if (again === null) return this.#ask(opening, asked, null)
    try {
      return await this.#ask(opening, asked, Math.max(SUSPECT.after, SUSPECT.timesUsual * this.#usual))
    } catch (thrown) {
      if (!(thrown instanceof LineStale)) throw thrown
      // The others are as silent, most likely.
      if (this.#opening === opening) this.renew()
      await again()
      return this.#ask(this.#agent(), asked, null)
    }
  }

  /**
   * Goes on with new connections. What has not been answered is asked again where that is safe; what moves goes on to its end, as long as
   * it moves.
   */
  renew(): void {
    const before = this.#opening
    if (before === null) return
    this.#opening = null
    for (const [exchange, isRepeatable] of this.#exchanges) {
      if (exchange.hasBegun()) exchange.hurry(AFTER_CHANGE_MS)
      else if (isRepeatable) exchange.fail(new LineStale())
    }
    this.#before.add(before)
    void before.then(async (agent) => {
      await agent.close()
      this.#before.delete(before)
    })
  }

  /** Ends all that is on its way. */
  async end(): Promise<void> {
    this.#listeners.ended()
    for (const [exchange] of this.#exchanges) exchange.fail(new LineEnded())
    await Promise.all([...this.#before, this.#opening].map(async (opening) => (await opening)?.destroy()))
  }

  async #ask(opening: Promise<Agent>, asked: LineRequest, suspect: number | null): Promise<LineAnswer> {
    const agent = await opening
    const exchange = new Exchange({ ...asked.patience, suspect }, asked.signal, this.#clock)
    this.#exchanges.set(exchange, suspect !== null)
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
      // What it takes of late counts for more than what it took once.
      this.#usual = Math.max(exchange.took ?? 0, this.#usual * 0.7)
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
