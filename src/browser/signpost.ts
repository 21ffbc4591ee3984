import { createServer } from 'node:http'
import { SECURITY_HEADERS } from '../host/content-security-policy.ts'

/** Read by the window (`renderer/browser-transport.ts`). */
const PORT_HEADER = 'x-linnet-port'

export const RESTARTED = 'Linnet was restarted. Open it again from your terminal or app menu; you can close this tab.'

/**
 * Answers at the port of a host that has ended, so that a tab of it learns at which port Linnet is now. It has no secret and lets
 * nobody in: the tab needs a cookie and a key of the new port, as any other does.
 * @param formerPort null where there was none. Where another program has it by now, there is no signpost
 * @returns closes it
 */
export const openSignpost = (formerPort: number | null, port: number): (() => void) => {
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
    response.end(isOurs ? `${RESTARTED}\n` : 'This address is not one of Linnet’s.\n')
  })
  server.on('upgrade', (_request, socket) => socket.destroy())
  server.on('error', () => undefined)
  server.listen(formerPort, '127.0.0.1').unref()
  return () => {
    server.closeAllConnections()
    server.close()
  }
}
