import { createServer as createPlainServer, type AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { SignedDownloads } from '../../../src/engine/platform/signed-downloads.ts'
import { Network } from '../../../src/engine/platform/network.ts'
import { listenOnLoopback } from '../../support/loopback-server.ts'
import { problemOf } from './support/problem-of.ts'

/** A local port that must receive no connections. */
const watchDoor = async () => {
  let knocks = 0
  const server = createPlainServer((socket) => {
    knocks += 1
    socket.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { port: (server.address() as AddressInfo).port, knocks: () => knocks }
}

const never = new AbortController().signal
const fetchFrom = (url: string, base: string, maxBytes?: number): Promise<Uint8Array> =>
  new SignedDownloads(new Network(), new URL(base)).fetch(url, never, maxBytes)

describe('a file with a signed URL', () => {
  it('is fetched through redirects within the account’s origin', async () => {
    const origin = await listenOnLoopback((request, answer) => {
      if (request.url === '/raw') answer.writeHead(302, { location: '/signed?token=1' }).end()
      else answer.end(`From: a@b.example\n\n${request.url ?? ''}`)
    })
    const content = await fetchFrom(`${origin}/raw`, `${origin}/api`)
    expect(Buffer.from(content).toString()).toBe('From: a@b.example\n\n/signed?token=1')
  })

  it.each([
    'http://127.0.0.1:PORT/',
    'https://127.0.0.1:PORT/',
    'https://localhost:PORT/',
    'https://[::ffff:127.0.0.1]:PORT/',
  ])('is never fetched from this computer, even by redirect: %s', async (address) => {
    const door = await watchDoor()
    const aim = address.replace('PORT', String(door.port))
    const origin = await listenOnLoopback((_request, answer) => answer.writeHead(307, { location: aim }).end())
    for (const url of [aim, `${origin}/raw`]) {
      expect(await problemOf(fetchFrom(url, origin))).toMatchObject({
        code: 'refused',
        message: expect.stringContaining('is unsafe') as string,
      })
    }
    expect(door.knocks()).toBe(0)
  })

  it('fails with too many redirects, too much data or an endless response', async () => {
    const circle = await listenOnLoopback((_request, answer) => answer.writeHead(302, { location: '/again' }).end())
    expect(await problemOf(fetchFrom(circle, circle))).toMatchObject({ code: 'refused' })

    const endless = await listenOnLoopback((_request, answer) => {
      const timer = setInterval(() => answer.write('x'.repeat(1_000)), 2)
      answer.on('close', () => clearInterval(timer))
    })
    expect(await problemOf(fetchFrom(endless, endless, 20_000))).toMatchObject({ code: 'refused' })
  })
})
