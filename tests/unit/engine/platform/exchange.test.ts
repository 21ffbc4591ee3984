import { describe, expect, it } from 'vitest'
import { createJsonBody } from '../../../../src/engine/platform/outgoing-body.ts'
import { Exchange, ResponseTimeoutError } from '../../../../src/engine/platform/exchange.ts'
import { SEND_BUFFER_ALLOWANCE } from '../../../../src/engine/platform/timeouts.ts'
import { createSteppedClock } from '../../../support/stepped-clock.ts'

const PATIENCE = { silence: 10_000, speed: { bytes: 1_000, within: 60_000 } } as const
const MEGABYTE = 1024 * 1024

const begin = () => {
  const clock = createSteppedClock()
  const asking = new AbortController()
  const exchange = new Exchange(PATIENCE, asking.signal, clock)
  return { clock, asking, exchange, reason: () => exchange.signal.reason as unknown }
}

const bodyOf = (exchange: Exchange, bytes: number, progress?: (done: number, total: number | null) => void) => {
  const body = createJsonBody({ text: 'x'.repeat(bytes) })
  const uploadStream = exchange.uploadStream(body, progress)
  if (uploadStream === null || typeof uploadStream === 'string') throw new Error('It goes in pieces.')
  const pieces = uploadStream[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>
  return { length: body.length, take: async () => (await pieces.next()).done !== true }
}

describe('a request without a response', () => {
  it('ends after the caller’s silence limit', async () => {
    const { clock, exchange, reason } = begin()
    await clock.advance(9_999)
    expect(exchange.signal.aborted).toBe(false)
    await clock.advance(1)
    expect(reason()).toBeInstanceOf(ResponseTimeoutError)
  })

  it('ends with its caller, for the caller’s reason', () => {
    const { asking, reason } = begin()
    const why = new Error('Closed.')
    asking.abort(why)
    expect(reason()).toBe(why)
  })

  it('leaves no timer behind once it has ended', async () => {
    const { clock, exchange } = begin()
    exchange.end()
    await clock.advance(3_600_000)
    expect(exchange.signal.aborted).toBe(false)
  })
})

describe('a response', () => {
  const answer = (exchange: Exchange) => {
    const pieces: ((bytes: number | null) => void)[] = []
    const waiting: (number | null)[] = []
    const body = async function* (): AsyncGenerator<Uint8Array> {
      for (;;) {
        const bytes =
          waiting.length > 0 ? waiting.shift() : await new Promise<number | null>((done) => pieces.push(done))
        if (bytes === null || bytes === undefined) return
        yield new Uint8Array(bytes)
      }
    }
    exchange.onResponseStart()
    const come = (bytes: number | null): void => {
      const next = pieces.shift()
      if (next === undefined) waiting.push(bytes)
      else next(bytes)
    }
    return { body: exchange.downloadStream(body()), come }
  }

  it('may take as long as its bytes keep coming', async () => {
    const { clock, exchange } = begin()
    const { body, come } = answer(exchange)
    let bytes = 0
    const read = (async () => {
      for await (const piece of body) bytes += piece.byteLength
    })()
    for (let minute = 0; minute < 120; minute += 1) {
      for (let tick = 0; tick < 12; tick += 1) {
        come(200)
        await clock.advance(5_000)
      }
    }
    come(null)
    await read
    expect(bytes).toBe(120 * 12 * 200)
  })

  it('ends after a minute of dripping', async () => {
    const { clock, exchange, reason } = begin()
    const { body, come } = answer(exchange)
    const read = (async () => {
      for await (const piece of body) void piece
    })()
    read.catch(() => undefined)
    for (let second = 0; second < 59; second += 1) {
      come(1)
      await clock.advance(1_000)
    }
    expect(exchange.signal.aborted).toBe(false)
    come(1)
    await clock.advance(1_001)
    expect(reason()).toBeInstanceOf(ResponseTimeoutError)
  })
})

describe('a message of many megabytes', () => {
  it('may take as long as the line accepts it, and reports progress', async () => {
    const { clock, exchange } = begin()
    const told: (readonly [number, number | null])[] = []
    const { length, take } = bodyOf(exchange, 25 * MEGABYTE, (...progress) => told.push(progress))
    // 16 KiB every 250 ms: 512 kbit/s.
    while (await take()) await clock.advance(250)
    expect(exchange.signal.aborted).toBe(false)
    expect(told.at(-1)).toEqual([length, length])
    expect(told.length).toBeGreaterThan(1_000)
  })

  it('waits for buffered data at the pace of the rest, and no longer', async () => {
    const { clock, exchange, reason } = begin()
    const { take } = bodyOf(exchange, 25 * MEGABYTE)
    while (await take()) await clock.advance(250)
    // At least 8 MiB at that rate, and then the silence limit.
    await clock.advance(120_000)
    expect(exchange.signal.aborted).toBe(false)
    await clock.advance(SEND_BUFFER_ALLOWANCE.longest + PATIENCE.silence)
    expect(reason()).toBeInstanceOf(ResponseTimeoutError)
  })

  it('ends within minutes once nothing more is accepted', async () => {
    const { clock, exchange, reason } = begin()
    const { take } = bodyOf(exchange, 25 * MEGABYTE)
    for (let piece = 0; piece < 600; piece += 1) await take()
    await clock.advance(SEND_BUFFER_ALLOWANCE.longest + PATIENCE.silence)
    expect(reason()).toBeInstanceOf(ResponseTimeoutError)
  })

  it('waits no longer than others once its response has started', async () => {
    const { clock, exchange, reason } = begin()
    const { take } = bodyOf(exchange, 25 * MEGABYTE)
    while (await take()) await clock.advance(1)
    exchange.onResponseStart()
    await clock.advance(PATIENCE.silence)
    expect(reason()).toBeInstanceOf(ResponseTimeoutError)
  })
})
