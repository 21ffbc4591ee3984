import { mkdtempSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { Downloads, startBrowserServer, type BrowserServer } from '../../../src/browser/server.ts'
import type { Host } from '../../../src/host/start-host.ts'
import type { LinnetEvent } from '../../../src/shared/contract.ts'
import { ok } from '../../../src/shared/result.ts'

let server: BrowserServer
let tell: (event: LinnetEvent) => void = () => undefined
const downloads = new Downloads()

/** Answers every question with itself: what is tested here is the door, not the room behind it. */
const host: Host = {
  call: (name, input) => Promise.resolve(ok({ name, input })),
  subscribe: (listener) => {
    tell = listener
    return () => undefined
  },
  close: () => Promise.resolve(),
}

beforeAll(async () => {
  const rendererDirectory = mkdtempSync(join(tmpdir(), 'linnet-window-'))
  writeFileSync(join(rendererDirectory, 'index.html'), '<!doctype html><title>Linnet</title>')
  writeFileSync(join(rendererDirectory, 'secret.txt'), 'not one of the window’s kinds of file')
  server = await startBrowserServer({ host, downloads, rendererDirectory, port: 0 })
})
afterAll(() => server.close())

/** `fetch` does not let a test choose its Host header. */
const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  new Promise<{ status: number; body: string; headers: Record<string, unknown> }>((resolve, reject) => {
    const { port } = new URL(server.url)
    request({ host: '127.0.0.1', port, path, method, headers }, (answer) => {
      let body = ''
      answer.setEncoding('utf8').on('data', (text: string) => (body += text))
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body, headers: answer.headers }))
    })
      .on('error', reject)
      .end()
  })

const pathWithToken = (path: string): string => `${path}${new URL(server.url).search}`

const openSocket = (path: string, origin: string | undefined) =>
  new Promise<WebSocket>((resolve, reject) => {
    const socket = new WebSocket(`${server.url.replace('http', 'ws').split('/?')[0] ?? ''}${path}`, {
      ...(origin === undefined ? {} : { origin }),
    })
    socket.once('open', () => resolve(socket))
    socket.once('error', reject)
  })
const ownOrigin = (): string => new URL(server.url).origin

describe('the browser host’s door', () => {
  it('serves the window to its own address, with the policy that closes it', async () => {
    const answer = await get(pathWithToken('/'))
    expect(answer.status).toBe(200)
    expect(answer.body).toContain('<title>Linnet</title>')
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'")
    expect(answer.headers['cache-control']).toBe('no-store')
  })

  it('listens on loopback only', () => {
    expect(new URL(server.url).hostname).toBe('127.0.0.1')
  })

  it.each(['/', '/?token=', '/?token=wrong', '/index.html'])('wants the token: %s is refused', async (path) => {
    expect((await get(path)).status).toBe(401)
  })

  it('refuses a name that was made to resolve to this machine', async () => {
    expect((await get(pathWithToken('/'), { host: 'evil.example' })).status).toBe(403)
  })

  it('refuses a request that another site’s page makes', async () => {
    expect((await get(pathWithToken('/'), { origin: 'https://evil.example' })).status).toBe(403)
  })

  it('refuses every method but GET', async () => {
    expect((await get(pathWithToken('/'), {}, 'POST')).status).toBe(405)
  })

  it.each(['/../../etc/passwd', '/%2e%2e/%2e%2e/etc/passwd', '/secret.txt', '/%00.html', '/%E0%A4%A.html'])(
    'serves nothing but the window’s files: %s is not there',
    async (path) => {
      expect((await get(pathWithToken(path))).status).toBe(404)
    },
  )

  it('answers a question over the socket and tells events', async () => {
    const socket = await openSocket(pathWithToken('/socket'), ownOrigin())
    const messages: unknown[] = []
    const received = new Promise<void>((resolve) => {
      socket.on('message', (data: Buffer) => {
        messages.push(JSON.parse(data.toString('utf8')))
        if (messages.length === 2) resolve()
      })
    })
    tell({ name: 'contacts.changed', payload: null })
    socket.send(JSON.stringify({ id: 7, name: 'inbox.list', input: {} }))
    await received
    expect(messages).toEqual([
      { event: { name: 'contacts.changed', payload: null } },
      { id: 7, result: { ok: true, data: { name: 'inbox.list', input: {} } } },
    ])
    socket.close()
  })

  it.each([
    ['without a token', '/socket', true],
    ['with a wrong token', '/socket?token=wrong', true],
    ['without an origin', null, false],
  ])('opens no socket %s', async (_case, path, hasOrigin) => {
    const target = path ?? pathWithToken('/socket')
    await expect(openSocket(target, hasOrigin ? ownOrigin() : undefined)).rejects.toThrow(/40[13]/)
  })

  it('opens no socket for another site', async () => {
    await expect(openSocket(pathWithToken('/socket'), 'https://evil.example')).rejects.toThrow(/403/)
  })

  it('closes a socket that says something else than a question', async () => {
    const socket = await openSocket(pathWithToken('/socket'), ownOrigin())
    const code = new Promise<number>((resolve) => socket.on('close', resolve))
    socket.send('{"id":"not a number"')
    expect(await code).toBe(1003)
  })

  it('hands a file over once, under its own name', async () => {
    const path = downloads.offer({ filename: 'Größe "x".eml', content: new TextEncoder().encode('raw') })
    const first = await get(path)
    expect(first.body).toBe('raw')
    expect(first.headers['content-disposition']).toBe(
      `attachment; filename="Gr__e _x_.eml"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%22x%22.eml`,
    )
    expect((await get(path)).status).toBe(404)
  })
})
