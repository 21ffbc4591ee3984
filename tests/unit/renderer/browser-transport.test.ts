import { beforeEach, describe, expect, it } from 'vitest'
import {
  createBrowserTransport,
  computeReconnectDelay,
  type BrowserTransportDependencies,
} from '../../../src/renderer/browser-transport.ts'

class TestSocket extends EventTarget {
  readonly sent: string[] = []
  send(message: string): void {
    this.sent.push(message)
  }
  open(): void {
    this.dispatchEvent(new Event('open'))
  }
  receive(message: object): void {
    this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(message) }))
  }
  drop(): void {
    this.dispatchEvent(new Event('close'))
  }
}

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0))

let sockets: TestSocket[] = []
let keys: string[] = []
let waits: { milliseconds: number; then: () => void }[] = []
let status: number | null = null
let port: string | null = null
const line: BrowserTransportDependencies = {
  openSocket: (windowKey) => {
    const socket = new TestSocket()
    sockets.push(socket)
    keys.push(windowKey)
    return socket as unknown as WebSocket
  },
  ask: () => Promise.resolve(status === null ? null : { status, port }),
  wait: (milliseconds, then) => void waits.push({ milliseconds, then }),
}
const last = (): TestSocket => {
  const socket = sockets.at(-1)
  if (socket === undefined) throw new Error('a socket was opened')
  return socket
}

beforeEach(() => {
  sockets = []
  keys = []
  waits = []
  status = null
  port = null
})

describe('connection to the browser host', () => {
  it('sends the window key and matches responses to calls by ID', async () => {
    const transport = createBrowserTransport('a b', line)
    last().open()
    const [first, second] = [
      transport.call('inbox.list', {}, 'one'),
      transport.call('label.list', { inboxId: 'x' }, null),
    ]
    expect(keys).toEqual(['a b'])
    expect(last().sent.map((text) => JSON.parse(text) as unknown)).toEqual([
      { id: 1, name: 'inbox.list', input: {}, accountId: 'one' },
      { id: 2, name: 'label.list', input: { inboxId: 'x' }, accountId: null },
    ])
    last().receive({ id: 2, result: { ok: true, data: 'second' } })
    last().receive({ id: 1, result: { ok: true, data: 'first' } })
    expect(await Promise.all([first, second])).toEqual([
      { ok: true, data: 'first' },
      { ok: true, data: 'second' },
    ])
  })

  it('queues calls made before it opens', () => {
    const transport = createBrowserTransport('t', line)
    void transport.call('account.state', {}, null)
    last().open()
    expect(last().sent).toHaveLength(1)
  })

  it('delivers events until the listener unsubscribes', () => {
    const transport = createBrowserTransport('t', line)
    const heard: string[] = []
    const end = transport.subscribe(({ name }) => heard.push(name))
    last().open()
    last().receive({ event: { name: 'contacts.changed', payload: null } })
    end()
    last().receive({ event: { name: 'contacts.changed', payload: null } })
    expect(heard).toEqual(['contacts.changed'])
  })

  it('fails pending and new calls once the server has stopped', async () => {
    const transport = createBrowserTransport('t', line)
    last().open()
    const pending = transport.call('inbox.list', {}, null)
    last().drop()
    const stopped = { ok: false, error: { code: 'unreachable', message: expect.stringContaining('stopped') as string } }
    expect(await pending).toMatchObject(stopped)
    await settle()
    expect(await transport.call('inbox.list', {}, null)).toMatchObject(stopped)
  })

  it('reconnects with back-off, repeats no call, and reports its state', async () => {
    const transport = createBrowserTransport('t', line)
    const states: string[] = []
    transport.watchConnection((state) => states.push(state))
    last().open()
    void transport.call('thread.change', {}, null)
    for (let attempt = 0; attempt < 3; attempt += 1) {
      last().drop()
      await settle()
      waits.at(-1)?.then()
    }
    last().open()
    expect(waits.map(({ milliseconds }) => milliseconds)).toEqual([250, 500, 1000])
    expect(last().sent).toEqual([])
    expect(states).toEqual(['connecting', 'open', 'lost', 'lost', 'lost', 'open'])
    expect(computeReconnectDelay(30)).toBe(10_000)
  })

  it('stops when the host rejects the window key', async () => {
    status = 401
    const transport = createBrowserTransport('old', line)
    const states: string[] = []
    transport.watchConnection((state) => states.push(state))
    const early = transport.call('account.state', {}, null)
    last().drop()
    await settle()
    expect(states).toEqual(['connecting', 'refused'])
    expect(waits).toEqual([])
    expect(await early).toMatchObject({ ok: false })
  })

  it.each([
    ['41234', '41234'],
    ['evil.example', null],
    [null, null],
  ])('reads a restarted host’s new port from its signpost: %s', async (named, movedTo) => {
    ;[status, port] = [410, named]
    const transport = createBrowserTransport('old', line)
    const told: unknown[] = []
    transport.watchConnection((...state) => told.push(state))
    last().drop()
    await settle()
    expect(told.at(-1)).toEqual(['refused', movedTo])
    expect(waits).toEqual([])
  })
})
