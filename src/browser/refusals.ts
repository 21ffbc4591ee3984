import { type ServerResponse, createServer } from 'node:http'
import { SECURITY_HEADERS } from '../host/content-security-policy.ts'

/** Read by the window (`renderer/browser-transport.ts`). */
const PORT_HEADER = 'x-linnet-port'

const RESTARTED_MESSAGE =
  'This tab is out of date because Linnet was restarted. Open Linnet again from your terminal or app menu.'

/** Tells tabs of a stopped host the new port, useless without cookie and key. Returns a function that stops this. */
export const announceNewPort = (formerPort: number | null, port: number): (() => void) => {
  if (formerPort === null || formerPort === port) return () => undefined
  const authorities = new Set([`127.0.0.1:${formerPort}`, `localhost:${formerPort}`])
  const server = createServer((request, response) => {
    const isOurs = authorities.has(request.headers.host ?? '')
    response.writeHead(isOurs ? 410 : 403, {
      ...SECURITY_HEADERS,
      ...(isOurs && { [PORT_HEADER]: String(port) }),
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
      connection: 'close',
    })
    response.end(isOurs ? `${RESTARTED_MESSAGE}\n` : 'This address does not belong to Linnet.\n')
  })
  server.on('upgrade', (_request, socket) => socket.destroy())
  server.on('error', () => undefined)
  server.listen(formerPort, '127.0.0.1').unref()
  return () => {
    server.closeAllConnections()
    server.close()
  }
}

export type Refusal = readonly [status: number, words: string]

/**
 * Browser host only: web pages can't open the desktop window, and COOP would make Chromium start another process there.
 */
export const BROWSER_SECURITY_HEADERS = { ...SECURITY_HEADERS, 'cross-origin-opener-policy': 'same-origin' }

export const UNAUTHORIZED_REFUSAL: Refusal = [
  401,
  `${RESTARTED_MESSAGE} A browser can connect only after Linnet has opened a window in it.`,
]

export const sendRefusal = (response: ServerResponse, [status, words]: Refusal): void => {
  response.writeHead(status, {
    ...BROWSER_SECURITY_HEADERS,
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
  })
  response.end(`${words}\n`)
}
