import { createServer, type IncomingMessage, request, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** Listens on loopback until the test finishes. @returns the base URL, without a trailing slash */
export const listenOnLoopback = async (onRequest: RequestListener): Promise<string> => {
  const server = createServer((incoming, outgoing) => {
    incoming.on('error', () => undefined)
    outgoing.on('error', () => undefined)
    onRequest(incoming, outgoing)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/**
 * Forwards a request to the platform and pipes back the response.
 * @param parts `headers` replaces the request's own; `body` is required if it was already read; `onStatus` is called
 * with the platform's status; `until` delays the response until it resolves
 */
export const forwardRequest = (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  target: string,
  parts: {
    readonly headers?: IncomingMessage['headers']
    readonly body?: Uint8Array
    readonly onStatus?: (status: number) => void
    readonly until?: Promise<void> | null
  },
): void => {
  const { method, url = '/' } = incoming
  const forwarded = request(`${target}${url}`, { method, headers: parts.headers ?? incoming.headers }, (answer) => {
    const status = answer.statusCode ?? 502
    void Promise.resolve(parts.until).then(() => {
      parts.onStatus?.(status)
      outgoing.writeHead(status, answer.headers)
      answer.pipe(outgoing)
    })
  })
  forwarded.on('error', () => outgoing.destroy())
  if (parts.body === undefined) incoming.pipe(forwarded)
  else forwarded.end(parts.body)
}
