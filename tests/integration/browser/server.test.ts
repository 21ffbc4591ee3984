import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, request, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { announceHost, askRunningHost, readFormerPort, withdrawHost } from '../../../src/browser/running-host.ts'
import { announceNewPort } from '../../../src/browser/refusals.ts'
import { Downloads } from '../../../src/browser/downloads.ts'
import { startBrowserServer, type BrowserServer } from '../../../src/browser/server.ts'
import type { ServedHost } from '../../../src/host/host.ts'
import type { AddressedEvent, CallContext } from '../../../src/shared/contract.ts'
import { DEFAULT_PREFERENCES } from '../../../src/shared/preferences.ts'
import { ok } from '../../../src/shared/result.ts'

let server: BrowserServer
let directory: string
let openingFile: string
let ownOrigin: string
let admitted: ReturnType<typeof admissionOf>
const log: string[] = []
const left: string[] = []
const askings: CallContext[] = []
let tell: (event: AddressedEvent) => void = () => undefined
const downloads = new Downloads()

/** Echoes every request: these tests cover the HTTP layer, not the host behind it. */
const host: ServedHost = {
  call: (name, input, asking) => {
    askings.push(asking)
    return Promise.resolve(ok({ name, input }))
  },
  subscribe: (listener) => {
    tell = listener
    return () => undefined
  },
  preferences: () => ({ ...DEFAULT_PREFERENCES, theme: 'dark', keys: { 'thread.archive': ['"', '<'] } }),
  leave: (caller) => left.push(caller),
}

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'linnet-window-'))
  writeFileSync(join(directory, 'index.html'), '<!doctype html><html><title>Linnet</title></html>')
  writeFileSync(join(directory, 'secret.txt'), 'not one of the window’s kinds of file')
  openingFile = join(directory, 'open-linnet.html')
  server = await startBrowserServer({
    host,
    downloads,
    rendererDirectory: directory,
    openingFile,
    port: 0,
    log: (level, line) => log.push(`${level} ${line}`),
  })
  ownOrigin = new URL(server.url).origin
  admitted = admissionOf(await get(pathWithToken(server.url)))
})
afterAll(async () => {
  await server.close()
  rmSync(directory, { recursive: true, force: true })
})

interface Answer {
  readonly status: number
  readonly body: string
  readonly headers: IncomingHttpHeaders
}

/** `fetch` doesn't let a test choose the Host header. */
const ask = (method: string, path: string, headers: OutgoingHttpHeaders = {}, body = ''): Promise<Answer> =>
  new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port: server.port, path, method, headers }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (part: string) => (text += part))
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: text, headers: answer.headers }))
    })
      .on('error', reject)
      .end(body)
  })
const get = (path: string, headers: OutgoingHttpHeaders = {}) => ask('GET', path, headers)
const postForm = (token: string, headers: OutgoingHttpHeaders = {}) =>
  ask('POST', '/open', { 'content-type': 'application/x-www-form-urlencoded', ...headers }, `token=${token}`)

const pathWithToken = (url: string): string => `/${new URL(url).search}`

const admissionOf = ({ headers, body }: Answer) => ({
  cookie: headers['set-cookie']?.[0]?.split(';')[0] ?? '',
  windowKey: /'linnet-window-key', '([\w-]{43})'/.exec(body)?.[1] ?? '',
})

/** A new address, as handed to a second start with the same data folder. */
const anotherAddress = async (): Promise<string> => {
  await announceHost(directory, { port: server.port, secret: server.ownSecret })
  const answer = await askRunningHost(directory)
  await withdrawHost(directory, server.port)
  return answer?.url ?? 'none'
}

interface SocketOptions {
  readonly origin?: string | undefined
  readonly cookie?: string
  readonly windowKey?: string
}
const openSocket = (options: SocketOptions = {}) =>
  new Promise<WebSocket>((resolve, reject) => {
    const { origin, cookie, windowKey } = { origin: ownOrigin, ...admitted, ...options }
    const socket = new WebSocket(`${ownOrigin.replace('http', 'ws')}/socket`, ['linnet', windowKey], {
      headers: { cookie },
      ...(origin === undefined ? {} : { origin }),
    })
    socket.once('open', () => resolve(socket))
    socket.once('error', reject)
  })

describe('the access link', () => {
  it('works once and sets a cookie hidden from scripts and other sites', async () => {
    const path = pathWithToken(await anotherAddress())
    const first = await get(path)
    expect(first.status).toBe(200)
    expect(first.headers['set-cookie']).toEqual([
      expect.stringMatching(new RegExp(`^linnet-${server.port}=[\\w-]{43}; Path=/; HttpOnly; SameSite=Strict$`)),
    ])
    expect(first.body).toContain("location.replace('/')")
    expect(first.headers['content-security-policy']).toContain("default-src 'none'")
    expect((await get(path)).status).toBe(401)
    expect((await get('/', { cookie: admissionOf(first).cookie })).status).toBe(200)
  })

  it('isn’t used up by previews, prefetches or HEAD requests', async () => {
    const path = pathWithToken(await anotherAddress())
    expect((await ask('HEAD', path)).status).toBe(503)
    expect((await get(path, { 'sec-purpose': 'prefetch;prerender' })).status).toBe(503)
    expect((await get(path)).status).toBe(200)
  })

  it('redirects a browser with access to the clean address, keeping the token', async () => {
    const path = pathWithToken(await anotherAddress())
    const answer = await get(path, { cookie: admitted.cookie })
    expect([answer.status, answer.headers.location]).toEqual([303, '/'])
    expect((await get(path)).status).toBe(200)
  })

  it('is also a private file that posts its token and is deleted after use', async () => {
    await server.writeOpeningFile()
    expect(statSync(openingFile).mode & 0o777).toBe(0o600)
    const page = readFileSync(openingFile, 'utf8')
    expect(page).toContain(`action="${ownOrigin}/open"`)
    const token = /name="token" value="([\w-]{43})"/.exec(page)?.[1] ?? ''
    const answer = await postForm(token, { origin: 'null' })
    expect(answer.status).toBe(200)
    expect(admissionOf(answer)).toEqual(admitted)
    await expect.poll(() => existsSync(openingFile)).toBe(false)
    expect((await postForm(token)).status).toBe(401)
  })

  it('rejects a long form, a wrong token and a rebound host name', async () => {
    expect((await postForm('x'.repeat(5_000))).status).toBe(413)
    expect((await postForm('wrong')).status).toBe(401)
    expect((await postForm('wrong', { host: 'evil.example' })).status).toBe(403)
  })

  it('is reissued only to readers of the data folder', async () => {
    expect((await ask('POST', '/again')).status).toBe(401)
    const forged = { 'x-linnet-question': 'q', 'x-linnet-proof': 'p' }
    expect((await ask('POST', '/again', forged)).status).toBe(401)
    await announceHost(directory, { port: server.port, secret: 'another secret, as long as it has to be' })
    expect(await askRunningHost(directory)).toBeNull()
    expect(statSync(join(directory, 'browser-host.json')).mode & 0o777).toBe(0o600)
    expect(new URL((await anotherAddress()) || 'none:').origin).toBe(ownOrigin)
  })

  it('is announced again if something else replaced its file', async () => {
    const file = join(directory, 'browser-host.json')
    rmSync(file, { force: true })
    mkdirSync(file)
    expect(new URL((await anotherAddress()) || 'none:').origin).toBe(ownOrigin)
  })

  it('gets its own page file, whatever was at that path', async () => {
    rmSync(openingFile, { recursive: true, force: true })
    mkdirSync(join(openingFile, 'a folder'), { recursive: true })
    await server.writeOpeningFile()
    expect(readFileSync(openingFile, 'utf8')).toContain(`action="${ownOrigin}/`)
  })

  it('is only an address if the page can’t be written', async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'linnet-window-'))
    const other = await startBrowserServer({
      host,
      downloads,
      rendererDirectory: directory,
      openingFile: join(elsewhere, 'no such folder', 'open-linnet.html'),
      port: 0,
      log: (level, line) => log.push(`${level} ${line}`),
    })
    await announceHost(elsewhere, { port: other.port, secret: other.ownSecret })
    expect(new URL((await askRunningHost(elsewhere))?.url ?? 'none:').port).toBe(String(other.port))
    await other.close()
    rmSync(elsewhere, { recursive: true, force: true })
  })

  it('isn’t requested from a stranger on the port of an exited host', async () => {
    const stranger = createServer((_, response) => response.end(JSON.stringify({ url: 'http://evil/', proof: 'p' })))
    await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve))
    const { port } = stranger.address() as AddressInfo
    await announceHost(directory, { port, secret: server.ownSecret })
    expect(await askRunningHost(directory)).toBeNull()
    stranger.close()
    await withdrawHost(directory, port)
    // A host that exited leaves only its port behind, and no credentials.
    expect(await readFormerPort(directory)).toBe(port)
    expect(readFileSync(join(directory, 'browser-host.json'), 'utf8')).toBe(JSON.stringify({ port }))
    expect(await askRunningHost(directory)).toBeNull()
  })
})

it('a restarted host tells tabs of the previous one only its address', async () => {
  const before = createServer()
  await new Promise<void>((resolve) => before.listen(0, '127.0.0.1', resolve))
  const { port } = before.address() as AddressInfo
  before.close()
  await once(before, 'close')
  const close = announceNewPort(port, server.port)
  const asked = await fetch(`http://127.0.0.1:${port}/socket`)
  expect([asked.status, asked.headers.get('x-linnet-port')]).toEqual([410, String(server.port)])
  expect(asked.headers.get('set-cookie')).toBeNull()
  expect(await asked.text()).toMatch(/Linnet was restarted\./)
  const named = await new Promise<number>((resolve) =>
    request({ host: '127.0.0.1', port, headers: { host: 'evil.example' } }, ({ statusCode = 0, headers }) => {
      expect(headers['x-linnet-port']).toBeUndefined()
      resolve(statusCode)
    }).end(),
  )
  expect(named).toBe(403)
  close()
  // Announces nothing if the port is the host's own or already taken.
  announceNewPort(server.port, server.port)()
  announceNewPort(server.port, port)()
  announceNewPort(null, port)()
})

describe('the browser host’s HTTP server', () => {
  it('serves the window to its own address under a strict security policy', async () => {
    const answer = await get('/', { cookie: admitted.cookie })
    expect(answer.status).toBe(200)
    // The user's settings are in the page before its first frame is drawn.
    expect(answer.body).toContain('<html data-theme="dark" data-density="normal"')
    expect(answer.body).toContain('[&quot;\\&quot;&quot;,&quot;&lt;&quot;]')
    expect(answer.body).toContain('<title>Linnet</title>')
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'")
    expect(answer.headers['cross-origin-opener-policy']).toBe('same-origin')
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.headers['x-dns-prefetch-control']).toBe('off')
  })

  it('listens on loopback only', () => {
    expect(new URL(server.url).hostname).toBe('127.0.0.1')
  })

  it.each(['/', '/?token=', '/?token=wrong', '/index.html', '/socket', '/download/x'])(
    'rejects requests without access: %s',
    async (path) => {
      expect((await get(path)).status).toBe(401)
      expect((await get(path, { cookie: `linnet-${server.port}=${'A'.repeat(43)}` })).status).toBe(401)
      expect((await get(path, { cookie: admitted.cookie.replace(/\d+/, '1') })).status).toBe(401)
    },
  )

  it('rejects a host name rebound to this machine', async () => {
    expect((await get('/', { cookie: admitted.cookie, host: 'evil.example' })).status).toBe(403)
  })

  it('rejects requests from other sites’ pages', async () => {
    expect((await get('/', { cookie: admitted.cookie, origin: 'https://evil.example' })).status).toBe(403)
  })

  it('rejects all methods except GET', async () => {
    expect((await ask('POST', '/', { cookie: admitted.cookie })).status).toBe(405)
  })

  it.each(['/../../etc/passwd', '/%2e%2e/%2e%2e/etc/passwd', '/secret.txt', '/%00.html', '/%E0%A4%A.html'])(
    'serves only the window’s files: 404 for %s',
    async (path) => {
      expect((await get(path, { cookie: admitted.cookie })).status).toBe(404)
    },
  )

  it('answers requests over the socket and sends events', async () => {
    const socket = await openSocket()
    const messages: unknown[] = []
    const received = new Promise<void>((resolve) => {
      socket.on('message', (data: Buffer) => {
        messages.push(JSON.parse(data.toString('utf8')))
        if (messages.length === 2) resolve()
      })
    })
    tell({ name: 'contacts.changed', payload: null, accountId: 'account-1' })
    socket.send(JSON.stringify({ id: 7, name: 'inbox.list', input: {} }))
    await received
    expect(messages).toEqual([
      { event: { name: 'contacts.changed', payload: null, accountId: 'account-1' } },
      { id: 7, result: { ok: true, data: { name: 'inbox.list', input: {} } } },
    ])
    socket.close()
  })

  it('passes on which account and tab a request concerns, and when the tab closes', async () => {
    const before = askings.length
    const sockets = [await openSocket(), await openSocket()]
    for (const [at, socket] of sockets.entries()) {
      const answered = new Promise((resolve) => socket.once('message', resolve))
      socket.send(JSON.stringify({ id: 1, name: 'inbox.list', input: {}, accountId: `account-${at}` }))
      await answered
    }
    const [first, second] = askings.slice(before)
    expect([first?.accountId, second?.accountId]).toEqual(['account-0', 'account-1'])
    expect(first?.caller).not.toBe(second?.caller)
    sockets[0]?.close()
    await expect.poll(() => left).toContain(first?.caller)
    expect(left).not.toContain(second?.caller)
    sockets[1]?.close()
  })

  it.each<[string, SocketOptions]>([
    ['without a cookie', { cookie: '' }],
    ['with a wrong cookie', { cookie: 'linnet=x' }],
    ['with only the cookie, which other local ports may see', { windowKey: 'none' }],
    ['without an origin', { origin: undefined }],
    ['for another site', { origin: 'https://evil.example' }],
    ['for another local port', { origin: 'http://127.0.0.1:1' }],
  ])('opens no socket %s', async (_case, options) => {
    await expect(openSocket(options)).rejects.toThrow(/40[13]/)
  })

  it('tells a window over HTTP whether it has access', async () => {
    const { cookie, windowKey } = admitted
    expect((await get('/socket', { cookie, 'x-linnet-window-key': windowKey })).status).toBe(426)
    expect((await get('/socket', { cookie, 'x-linnet-window-key': 'old' })).status).toBe(401)
  })

  it('closes a socket that sends anything but a request', async () => {
    const socket = await openSocket()
    const code = new Promise<number>((resolve) => socket.on('close', resolve))
    socket.send('{"id":"not a number"')
    expect(await code).toBe(1003)
  })

  it('serves a file once, under its own name', async () => {
    const path = downloads.offer({ filename: 'Größe "x".eml', content: new TextEncoder().encode('raw') })
    const { cookie } = admitted
    expect((await get(path)).status).toBe(401)
    const first = await get(path, { cookie })
    expect(first.body).toBe('raw')
    expect(first.headers['content-disposition']).toBe(
      `attachment; filename="Gr__e _x_.eml"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%22x%22.eml`,
    )
    expect((await get(path, { cookie })).status).toBe(404)
  })
})

const cut = (words: string, stage: 'at once' | 'after writing' | 'when answered' | 'half closed'): Promise<void> =>
  new Promise((resolve) => {
    const socket = connect(server.port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.once('close', () => resolve())
    socket.once('connect', () => {
      if (stage === 'at once') {
        socket.resetAndDestroy()
        return
      }
      socket.write(words)
      if (stage === 'after writing') setImmediate(() => socket.resetAndDestroy())
      if (stage === 'when answered') socket.once('data', () => socket.resetAndDestroy())
      if (stage === 'half closed') socket.end(() => setImmediate(() => socket.resetAndDestroy()))
    })
    setTimeout(() => socket.destroy(), 2_000).unref()
  })

describe('connections that other programs leave open', () => {
  it('are closed by the host after a rejection', async () => {
    const left = connect({ host: '127.0.0.1', port: server.port, allowHalfOpen: true })
    left.on('error', () => undefined)
    left.resume()
    left.write(
      `GET /socket HTTP/1.1\r\nhost: 127.0.0.1:${server.port}\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n`,
    )
    await once(left, 'end')
    // Writing to a closed socket triggers a reset; a half-open one accepts the data.
    const closed = new Promise((resolve) => left.once('close', () => resolve(true)))
    const writing = setInterval(() => left.write('x'), 10)
    const isClosed = await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, 3_000, false))])
    clearInterval(writing)
    left.destroy()
    expect(isClosed).toBe(true)
  })
})

describe('connections that other programs abort', () => {
  const upgrade = (extra = '') =>
    `GET /socket HTTP/1.1\r\nhost: 127.0.0.1:${server.port}\r\nconnection: upgrade\r\nupgrade: websocket\r\n` +
    `sec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n${extra}\r\n`
  const told = () =>
    upgrade(
      `origin: ${ownOrigin}\r\ncookie: ${admitted.cookie}\r\nsec-websocket-protocol: linnet, ${admitted.windowKey}\r\n`,
    )

  it.each([
    ['a rejected upgrade', () => upgrade()],
    ['an upgrade followed by bytes', () => upgrade() + 'x'.repeat(100_000)],
    ['an upgrade of another path', () => upgrade().replace('/socket', '/')],
    ['an upgrade of an unknown kind', () => upgrade().replace('websocket', 'h2c')],
    ['a broken handshake', () => told().replace('version: 13', 'version: 1')],
    ['a window with access', told],
    ['a window that sends invalid frames', () => told() + '\xff'.repeat(100)],
    ['half a request', () => 'GET / HTTP/1.1\r\nhost: '],
    ['headers without an end', () => `GET / HTTP/1.1\r\nx: ${'x'.repeat(100_000)}`],
    ['no HTTP at all', () => '\x16\x03\x01\x02\x00\x01'],
    ['half a form', () => 'POST /open HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 500\r\n\r\ntoken='],
    ['CONNECT', () => 'CONNECT evil.example:443 HTTP/1.1\r\nhost: evil.example\r\n\r\n'],
    ['many requests at once', () => `GET / HTTP/1.1\r\nhost: 127.0.0.1:${server.port}\r\n\r\n`.repeat(200)],
  ])('don’t crash the host: %s', async (_case, words) => {
    const stages = ['at once', 'after writing', 'when answered', 'half closed'] as const
    await Promise.all(
      Array.from({ length: 80 }, (_, index) => cut(words(), stages[index % stages.length] ?? 'at once')),
    )
    expect((await get('/', { cookie: admitted.cookie })).status).toBe(200)
  })
})
