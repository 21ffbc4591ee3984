import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createJsonBody } from '../../../../src/engine/platform/outgoing-body.ts'
import { ResponseTimeoutError, StaleConnectionError } from '../../../../src/engine/platform/exchange.ts'
import { Network } from '../../../../src/engine/platform/network.ts'
import { STALE_CONNECTION_LIMITS } from '../../../../src/engine/platform/timeouts.ts'
import { listenOnLoopback } from '../../../support/loopback-server.ts'
import { startRelay } from '../../../support/relay.ts'
import { createSteppedClock } from '../../../support/stepped-clock.ts'

const PATIENCE = { silence: 30_000, speed: { bytes: 1, within: 60_000 } } as const

/** A connection through a relay to a server that echoes each path, on a stopped clock. */
const open = async () => {
  const asked: string[] = []
  const held: (() => void)[] = []
  const server = await listenOnLoopback((request, answer) => {
    const path = request.url ?? ''
    asked.push(`${request.method ?? ''} ${path}`)
    if (path.startsWith('/slow')) held.push(() => answer.end(path))
    else if (request.method === 'POST' && path === '/upload') request.resume().on('end', () => answer.end(path))
    else answer.writeHead(200, { 'keep-alive': 'timeout=60' }).end(path)
  })
  const relay = await startRelay(server)
  const clock = createSteppedClock()
  const network = new Network({ clock })
  const pool = network.open({ connections: 12 })
  onTestFinished(() => pool.end())
  const ask = async (path: string, isRepeatable = true): Promise<string> => {
    const answer = await pool.request({
      method: isRepeatable ? 'GET' : 'POST',
      url: new URL(relay.url + path),
      headers: {},
      timeout: PATIENCE,
      beforeRetry: isRepeatable ? () => Promise.resolve() : null,
      signal: new AbortController().signal,
    })
    const pieces: Uint8Array[] = []
    for await (const piece of answer.body) pieces.push(piece)
    return Buffer.concat(pieces).toString()
  }
  /** Lets requests reach the relay, and responses free their connections. */
  const reachRelay = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 50))
  return { asked, held, relay, clock, network, pool, ask, reachRelay }
}

const outcomeOf = (asking: Promise<string>): Promise<unknown> => asking.catch((thrown: unknown) => thrown)

describe('a silent connection', () => {
  it('is abandoned for another one, with all others', async () => {
    const { asked, relay, clock, ask, reachRelay } = await open()
    await Promise.all(['/1', '/2', '/3'].map((path) => ask(path)))
    await reachRelay()
    relay.silence()
    const answers = Promise.all(['/a', '/b', '/c'].map((path) => ask(path)))
    await reachRelay()
    await clock.advance(STALE_CONNECTION_LIMITS.after - 1)
    expect(asked).not.toContain('GET /a')
    await clock.advance(1)
    expect(await answers).toEqual(['/a', '/b', '/c'])
    expect(asked.slice(3).toSorted()).toEqual(['GET /a', 'GET /b', 'GET /c'])
    expect(await ask('/d')).toBe('/d')
  })

  it('is abandoned at once when the network changes', async () => {
    const { relay, network, ask, reachRelay } = await open()
    await ask('/1')
    await reachRelay()
    relay.silence()
    const answer = ask('/a')
    await reachRelay()
    network.renew()
    expect(await answer).toBe('/a')
  })

  it('is abandoned alone during a large upload, which delays all others on a slow line', async () => {
    const { asked, relay, clock, pool, ask, reachRelay } = await open()
    await ask('/1')
    await reachRelay()
    relay.holdAfter(100_000)
    let gone = 0
    const upload = pool.request({
      ...{ method: 'POST', url: new URL(`${relay.url}/upload`), headers: {}, timeout: PATIENCE },
      body: createJsonBody({ text: 'x'.repeat(20_000_000) }),
      progress: (done) => (gone = done),
      beforeRetry: () => Promise.resolve(),
      signal: new AbortController().signal,
    })
    upload.catch(() => undefined)
    await vi.waitFor(() => expect(gone).toBeGreaterThan(100_000))
    const slow = outcomeOf(ask('/slow'))
    await reachRelay()
    await clock.advance(STALE_CONNECTION_LIMITS.after)
    await vi.waitFor(() => expect(asked.filter((each) => each === 'GET /slow')).toHaveLength(2))
    expect(asked.filter((each) => each === 'POST /upload')).toHaveLength(1)
    relay.holdAfter(null)
    const answer = await upload
    expect(answer.status).toBe(200)
    await answer.drop()
    await pool.end()
    expect(await slow).not.toBe('/slow')
  })

  it('keeps a non-repeatable request until its time-out', async () => {
    const { asked, relay, clock, network, ask, reachRelay } = await open()
    await ask('/1')
    await reachRelay()
    relay.silence()
    const outcome = outcomeOf(ask('/change', false))
    await reachRelay()
    network.renew()
    await clock.advance(PATIENCE.silence)
    expect(await outcome).toBeInstanceOf(ResponseTimeoutError)
    expect(asked.filter((each) => each.includes('/change'))).toEqual([])
  })

  it('ends a response that had started, seconds after a network change', async () => {
    const { clock, network } = await open()
    const server = await listenOnLoopback((_request, answer) => {
      answer.writeHead(200)
      answer.write('half of it')
    })
    const pool = network.open({ connections: 1 })
    onTestFinished(() => pool.end())
    const answer = await pool.request({
      ...{ method: 'GET', url: new URL(server), headers: {}, timeout: PATIENCE },
      ...{ beforeRetry: () => Promise.resolve(), signal: new AbortController().signal },
    })
    const rest = (async () => {
      for await (const piece of answer.body) void piece
    })().catch((thrown: unknown) => thrown)
    await new Promise((resolve) => setTimeout(resolve, 50))
    network.renew()
    await clock.advance(3_000)
    expect(await rest).toBeInstanceOf(StaleConnectionError)
  })
})

describe('a slow server', () => {
  it('gets no second request before its first byte, as a line may start slowly', async () => {
    const { asked, held, clock, ask, reachRelay } = await open()
    const first = ask('/slow')
    await reachRelay()
    await clock.advance(PATIENCE.silence - 1)
    held.splice(0).forEach((answer) => answer())
    expect(await first).toBe('/slow')
    expect(asked).toHaveLength(1)
  })

  it('gets a second request, and then all the time it needs', async () => {
    const { asked, held, clock, ask, reachRelay } = await open()
    const answerAll = (): void => held.splice(0).forEach((answer) => answer())
    await ask('/1')
    await reachRelay()
    asked.length = 0
    const first = ask('/slow')
    await reachRelay()
    await clock.advance(STALE_CONNECTION_LIMITS.after)
    await reachRelay()
    await clock.advance(4_000)
    answerAll()
    expect(await first).toBe('/slow')
    expect(asked).toHaveLength(2)

    const second = ask('/slow')
    await reachRelay()
    await clock.advance(12_000)
    answerAll()
    expect(await second).toBe('/slow')
    expect(asked).toHaveLength(3)
  })
})

it('ends requests in flight when a line closes, even on earlier connections', async () => {
  const { network, pool, ask, reachRelay } = await open()
  const outcomes = [outcomeOf(ask('/slow', false))]
  await reachRelay()
  network.renew()
  outcomes.push(outcomeOf(ask('/slow')))
  await reachRelay()
  await pool.end()
  for (const outcome of outcomes) expect(await outcome).toBeInstanceOf(Error)
})

it('sends a request that is due when the network changes, at any moment', async () => {
  const { network, ask } = await open()
  for (let turns = 0; turns < 20; turns += 1) {
    const answer = ask(`/${turns}`, false)
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve()
    network.renew()
    expect(await answer).toBe(`/${turns}`)
  }
})
