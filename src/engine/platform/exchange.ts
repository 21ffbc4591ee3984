import type { Clock } from '../timing/clock.ts'
import type { RequestBody } from './outgoing-body.ts'
import { Readable } from 'node:stream'
import { SEND_BUFFER_ALLOWANCE, type MinimumSpeed } from './timeouts.ts'

/** Nothing, or too little, arrived in time. The system code selects the error message. */
export class ResponseTimeoutError extends Error {
  readonly code = 'ETIMEDOUT'

  constructor() {
    super('The response timed out.')
    this.name = 'ResponseTimeoutError'
  }
}

/** Called with the bytes received or handed over for sending. @param total null if unknown */
export type OnTransferProgress = (done: number, total: number | null) => void

/** The connection was silent, or the network has changed, so it is no longer used. */
export class StaleConnectionError extends Error {
  readonly code = 'ETIMEDOUT'

  constructor() {
    super('The connection is stale.')
    this.name = 'StaleConnectionError'
  }
}

export interface ExchangeTimeouts {
  /** Milliseconds without a sign of life. */
  readonly silence: number
  /** Milliseconds of silence before the connection itself is suspected (`StaleConnectionError`); null to skip this check. */
  readonly suspect?: number | null
  readonly speed: MinimumSpeed
}

/** Largest chunk handed over at once: two seconds on the slowest connection. */
const MAX_CHUNK_BYTES = 16 * 1024

/**
 * A request and its response, alive while bytes move. Sent bytes count as movement when they are handed over, and for a
 * while after.
 */
export class Exchange {
  readonly #timeout: ExchangeTimeouts
  readonly #clock: Pick<Clock, 'elapsed' | 'after'>
  readonly #controller = new AbortController()
  readonly #callerSignal: AbortSignal
  readonly #startedAt: number
  #lastSignAt: number
  #sent = 0
  #received = 0
  /** Deadline for a sign of life after a network change, or null. */
  #dueBy: number | null = null
  /** State at the last speed check; null before the response starts. */
  #paced: { readonly received: number; readonly at: number } | null = null
  #cancelCheck: () => void = () => undefined
  readonly #abandon = (): void => this.#controller.abort(this.#callerSignal.reason)

  /** @param callerSignal aborts the exchange; its reason is thrown */
  constructor(timeout: ExchangeTimeouts, callerSignal: AbortSignal, clock: Pick<Clock, 'elapsed' | 'after'>) {
    this.#timeout = timeout
    this.#clock = clock
    this.#callerSignal = callerSignal
    this.#startedAt = clock.elapsed()
    this.#lastSignAt = this.#startedAt
    callerSignal.throwIfAborted()
    callerSignal.addEventListener('abort', this.#abandon, { once: true })
    this.#checkTimeouts()
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  hasResponse(): boolean {
    return this.#paced !== null
  }

  isUploading(): boolean {
    const now = this.#clock.elapsed()
    return now < this.#lastSignAt + this.#maxTransitMs(now)
  }

  uploadStream(body: RequestBody | null, progress: OnTransferProgress | undefined): string | Readable | null {
    const content = body?.open() ?? null
    if (body === null || content === null) return null
    if (typeof content === 'string' && body.length <= MAX_CHUNK_BYTES) {
      this.#sent = body.length
      progress?.(body.length, body.length)
      return content
    }
    const whole = typeof content === 'string' ? [Buffer.from(content)] : content
    return Readable.from(this.#pieces(whole, body.length, progress), { objectMode: false })
  }

  /** Call when the response starts. @returns the milliseconds from the start of the request */
  onResponseStart(): number {
    this.#markActivity()
    this.#paced = { received: 0, at: this.#lastSignAt }
    return this.#lastSignAt - this.#startedAt
  }

  async *downloadStream(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      for await (const piece of body) {
        this.#received += piece.byteLength
        this.#markActivity()
        yield piece
      }
    } catch (thrown) {
      throw this.#controller.signal.aborted ? this.#controller.signal.reason : thrown
    }
  }

  /** Call after a network change: without a sign of life within this time, the connection counts as silent. */
  expectActivityWithin(milliseconds: number): void {
    this.#dueBy = this.#clock.elapsed() + milliseconds
    this.#cancelCheck()
    this.#checkTimeouts()
  }

  fail(reason: Error): void {
    this.#controller.abort(reason)
    this.end()
  }

  end(): void {
    this.#cancelCheck()
    this.#callerSignal.removeEventListener('abort', this.#abandon)
  }

  #markActivity(): void {
    this.#lastSignAt = this.#clock.elapsed()
    this.#dueBy = null
  }

  async *#pieces(
    content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
    length: number,
    progress: OnTransferProgress | undefined,
  ): AsyncGenerator<Uint8Array> {
    for await (const chunk of content) {
      for (let start = 0; start < chunk.byteLength; start += MAX_CHUNK_BYTES) {
        const piece = chunk.subarray(start, start + MAX_CHUNK_BYTES)
        // Before the yield: if the last piece was never reported, it was certainly not handed over.
        progress?.(this.#sent + piece.byteLength, length)
        yield piece
        this.#sent += piece.byteLength
        this.#markActivity()
      }
    }
  }

  /** Longest time, in milliseconds, that bytes already handed over may still need to leave the computer. */
  #maxTransitMs(now: number): number {
    const unseen = Math.min(this.#sent, SEND_BUFFER_ALLOWANCE.bytes)
    const isBegun = this.hasResponse()
    // The speed excludes the unseen bytes: what the system accepted at once hasn't left yet.
    const speed = Math.max(SEND_BUFFER_ALLOWANCE.slowest, (this.#sent - unseen) / Math.max(1, now - this.#startedAt))
    return isBegun ? 0 : Math.min(SEND_BUFFER_ALLOWANCE.longest, unseen / speed)
  }

  #checkTimeouts(): void {
    const now = this.#clock.elapsed()
    const { speed, suspect = null } = this.#timeout
    const excused = this.#lastSignAt + this.#maxTransitMs(now)
    const silentAt = excused + this.#timeout.silence
    const isSuspected = suspect !== null && !this.hasResponse()
    const staleAt = Math.min(this.#dueBy ?? Infinity, isSuspected ? excused + suspect : Infinity)
    if (now >= Math.min(silentAt, staleAt)) {
      this.fail(now >= silentAt ? new ResponseTimeoutError() : new StaleConnectionError())
      return
    }
    let next = Math.min(silentAt, staleAt)
    if (this.#paced !== null) {
      if (now >= this.#paced.at + speed.within) {
        if (this.#received - this.#paced.received < speed.bytes) {
          this.fail(new ResponseTimeoutError())
          return
        }
        this.#paced = { received: this.#received, at: now }
      }
      next = Math.min(next, this.#paced.at + speed.within)
    }
    this.#cancelCheck = this.#clock.after(next - now, () => this.#checkTimeouts(), { unref: true })
  }
}
