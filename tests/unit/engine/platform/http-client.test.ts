import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { HttpClient, type PlatformRequest } from '../../../../src/engine/platform/http-client.ts'
import { createJsonBody } from '../../../../src/engine/platform/outgoing-body.ts'
import type { UnreachableError } from '../../../../src/engine/platform/platform-problem.ts'
import { Network } from '../../../../src/engine/platform/network.ts'
import { IDLE_TIMEOUTS } from '../../../../src/engine/platform/timeouts.ts'
import { listenOnLoopback } from '../../../support/loopback-server.ts'
import { RequestBudget } from '../../../../src/engine/platform/request-budget.ts'
import { ProblemError } from '../../../../src/shared/result.ts'

/** Longer than any test: a wait this long fails on the test's own time-out. */
const NEVER = 3_600_000

const listenInSilence = async () => {
  const asked: string[] = []
  const baseUrl = await listenOnLoopback(({ method, url }) => asked.push(`${method ?? ''} ${url ?? ''}`))
  return { asked, baseUrl: new URL(baseUrl) }
}

const ask = (method: PlatformRequest['method'], priority: PlatformRequest['priority']): PlatformRequest => ({
  method,
  path: '/inboxes',
  priority,
  signal: new AbortController().signal,
})

describe('a silent platform', () => {
  // 500 ms is enough to connect even on a busy machine.
  const silences = { action: { usual: NEVER, action: 500 }, screen: { usual: 500, action: NEVER } } as const
  const openClient = async (priority: keyof typeof silences) => {
    const { asked, baseUrl } = await listenInSilence()
    const client = new HttpClient({
      network: new Network(),
      baseUrl,
      apiKey: () => 're_key',
      budget: new RequestBudget(),
      silence: silences[priority],
    })
    onTestFinished(() => client.close())
    return { asked, client }
  }

  it.each(['GET', 'POST'] as const)(
    'is asked once for a user action, which fails after the action time-out: %s',
    async (method) => {
      const { asked, client } = await openClient('action')
      await expect(client.request(ask(method, 'action'))).rejects.toMatchObject({ problem: { code: 'unreachable' } })
      expect(asked).toEqual([`${method} /inboxes`])
    },
  )

  it('is asked again in the background, after the usual time-out', async () => {
    const { asked, client } = await openClient('screen')
    await expect(client.request(ask('GET', 'screen'))).rejects.toMatchObject({ problem: { code: 'unreachable' } })
    expect(asked).toEqual(['GET /inboxes', 'GET /inboxes', 'GET /inboxes'])
  })

  it('times out sooner for user actions', () => {
    expect(IDLE_TIMEOUTS.action).toBeLessThan(IDLE_TIMEOUTS.usual)
    expect(IDLE_TIMEOUTS.action).toBeLessThanOrEqual(10_000)
  })
})

it('stores a very deeply nested response with everything near its top', async () => {
  const text = `{"data":[{"id":"i1","odd":${'['.repeat(50_000)}${']'.repeat(50_000)}}],"has_more":false}`
  const baseUrl = await listenOnLoopback((_request, response) => response.end(text))
  const client = new HttpClient({
    network: new Network(),
    baseUrl: new URL(baseUrl),
    apiKey: () => 're_key',
    budget: new RequestBudget(),
  })
  onTestFinished(() => client.close())
  const answer = await client.request(ask('GET', 'screen'))
  expect(answer).toMatchObject({ data: [{ id: 'i1' }], has_more: false })
  expect(JSON.stringify(answer).length).toBeLessThan(1000)
})

describe('a removed key', () => {
  it('frees its slot in the request budget', async () => {
    const baseUrl = await listenOnLoopback((_incoming, outgoing) => outgoing.end('{}'))
    let isThere = false
    const client = new HttpClient({
      network: new Network(),
      baseUrl: new URL(baseUrl),
      apiKey: () => {
        if (isThere) return 're_key'
        throw new ProblemError({ code: 'key_missing', message: 'None.' })
      },
      budget: new RequestBudget(),
    })
    onTestFinished(() => client.close())
    for (let count = 0; count < 12; count += 1) {
      await expect(client.request(ask('GET', 'action'))).rejects.toMatchObject({ problem: { code: 'key_missing' } })
    }
    isThere = true
    expect(await client.request(ask('GET', 'action'))).toEqual({})
  })
})

describe('a large request', () => {
  const FILE = Buffer.alloc(15_000_000, 'linnet')
  /** A platform that calls `then` once this many bytes of a request have arrived. */
  const sendTo = async (upTo: number, then: (incoming: IncomingMessage, outgoing: ServerResponse) => void) => {
    let asked = 0
    const baseUrl = await listenOnLoopback((incoming, outgoing) => {
      asked += 1
      let come = 0
      incoming.on('data', (bytes: Buffer) => {
        const before = come
        come += bytes.byteLength
        if (before < upTo && come >= upTo) then(incoming, outgoing)
      })
      incoming.on('error', () => undefined)
    })
    const network = new Network()
    const client = new HttpClient({
      ...{ network, baseUrl: new URL(baseUrl), apiKey: () => 're_key', budget: new RequestBudget() },
    })
    onTestFinished(() => client.close())
    const file = {
      ...{ filename: 'plans.pdf', contentType: 'application/pdf', contentId: null, size: FILE.byteLength },
      read: async function* () {
        yield await Promise.resolve(FILE)
      },
    }
    let gone = 0
    const progress = (done: number): void => {
      gone = done
    }
    const request = { ...ask('POST', 'screen'), body: {}, files: [file], idempotencyKey: 'key', progress }
    return { network, sent: () => client.request(request), asked: () => asked, gone: () => gone }
  }
  const whole = createJsonBody({}, [
    {
      filename: 'plans.pdf',
      contentType: 'application/pdf',
      contentId: null,
      size: 15_000_000,
      read: () => Readable.from([]),
    },
  ]).length

  it('hasn’t arrived when cut off, and isn’t retried automatically', async () => {
    // More than the system buffers.
    const { sent, asked } = await sendTo(100_000, (incoming) => incoming.destroy())
    const thrown = await sent().catch((error: unknown) => error)
    expect(thrown).toMatchObject({ problem: { code: 'unreachable' }, mayHaveArrived: false, upload: { total: whole } })
    expect((thrown as UnreachableError).upload?.done).toBeLessThan(whole)
    expect(asked()).toBe(1)
  })

  it('may have arrived once all of it was sent', async () => {
    const { sent } = await sendTo(whole, (incoming) => incoming.destroy())
    await expect(sent()).rejects.toMatchObject({ mayHaveArrived: true, upload: { done: whole, total: whole } })
  })

  it('hasn’t arrived when its caller aborts it, as when the connection breaks', async () => {
    const { sent } = await sendTo(100_000, (incoming, outgoing) => {
      incoming.pause()
      outgoing.writeHead(408, { connection: 'close' }).end('{}')
    })
    await expect(sent()).rejects.toMatchObject({ mayHaveArrived: false, upload: { total: whole } })
  })

  it('isn’t restarted within the same request when the network changes', async () => {
    const { sent, asked, gone, network } = await sendTo(100_000, (incoming) => incoming.pause())
    const failed = sent().catch((error: unknown) => error)
    await vi.waitFor(() => expect(gone() > 100_000 && asked() === 1).toBe(true), { timeout: 30_000 })
    network.renew()
    expect(await failed).toMatchObject({ mayHaveArrived: false, upload: { total: whole } })
    expect(asked()).toBe(1)
  })
})
