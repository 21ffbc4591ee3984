import { createServer as createPlainServer, type AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { downloadSigned } from '../../../src/engine/api/raw-download.ts'
import { listenOnLoopback } from '../../support/door.ts'
import { problemOf } from './support/problem-of.ts'

/** A door on this computer that nobody is to knock at. */
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
describe('a file that the platform gives an address for', () => {
  it('is fetched where the address leads on within the account’s own origin', async () => {
    const origin = await listenOnLoopback((request, answer) => {
      if (request.url === '/raw') answer.writeHead(302, { location: '/signed?token=1' }).end()
      else answer.end(`From: a@b.example\n\n${request.url ?? ''}`)
    })
    const content = await downloadSigned(`${origin}/raw`, new URL(`${origin}/api`), never)
    expect(Buffer.from(content).toString()).toBe('From: a@b.example\n\n/signed?token=1')
  })

  it.each([
    'http://127.0.0.1:PORT/',
    'https://127.0.0.1:PORT/',
    'https://localhost:PORT/',
    'https://[::ffff:127.0.0.1]:PORT/',
  ])('is not fetched from this computer, at once or behind a redirect: %s', async (address) => {
    const door = await watchDoor()
    const aim = address.replace('PORT', String(door.port))
    const origin = await listenOnLoopback((_request, answer) => answer.writeHead(307, { location: aim }).end())
    for (const url of [aim, `${origin}/raw`]) {
      expect(await problemOf(downloadSigned(url, new URL(origin), never))).toMatchObject({
        code: 'refused',
        message: expect.stringContaining('is unsafe') as string,
      })
    }
    expect(door.knocks()).toBe(0)
  })

  it('is given up where it leads on and on, is too large, or never ends', async () => {
    const circle = await listenOnLoopback((_request, answer) => answer.writeHead(302, { location: '/again' }).end())
    expect(await problemOf(downloadSigned(circle, new URL(circle), never))).toMatchObject({ code: 'refused' })

    const endless = await listenOnLoopback((_request, answer) => {
      const timer = setInterval(() => answer.write('x'.repeat(1_000)), 2)
      answer.on('close', () => clearInterval(timer))
    })
    const limited = (limits: { readonly bytes: number; readonly overall: number }) =>
      problemOf(downloadSigned(endless, new URL(endless), never, limits))
    expect(await limited({ bytes: 20_000, overall: 60_000 })).toMatchObject({ code: 'refused' })
    expect(await limited({ bytes: 1e9, overall: 200 })).toMatchObject({ code: 'platform_failed' })
  })
})
