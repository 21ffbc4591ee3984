import { randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type WebSocket } from 'ws'
import { z } from 'zod'
import { SECURITY_HEADERS } from '../host/content-security-policy.ts'
import type { Host } from '../host/start-host.ts'
import { readStaticFile } from '../host/static-files.ts'
import type { RawEmail } from '../shared/engine-link.ts'

export interface BrowserServer {
  /** The window's address, with the token that opens it. */
  readonly url: string
  readonly close: () => Promise<void>
}

interface ServerOptions {
  readonly host: Host
  readonly downloads: Downloads
  /** The folder with the built window. */
  readonly rendererDirectory: string
  /** 0 for any free port. */
  readonly port: number
}

/** A question of the window; the answer carries the same id. */
const questionSchema = z.object({ id: z.int(), name: z.string().max(128), input: z.unknown() })

const TICKET_LIFE_MS = 60_000
/** Commands are short; only a huge paste could be longer, and that is refused. */
const MAX_QUESTION_BYTES = 1024 * 1024

/** Files that wait to be fetched by the window, once each and for a minute. */
export class Downloads {
  readonly #waiting = new Map<string, RawEmail>()

  /** @returns the path at which the window fetches the file */
  offer(file: RawEmail): string {
    const ticket = randomBytes(32).toString('base64url')
    this.#waiting.set(ticket, file)
    setTimeout(() => this.#waiting.delete(ticket), TICKET_LIFE_MS).unref()
    return `/download/${ticket}`
  }

  take(ticket: string): RawEmail | null {
    const file = this.#waiting.get(ticket) ?? null
    this.#waiting.delete(ticket)
    return file
  }
}

/**
 * Serves the window to a browser on this machine. Other sites and other people of this machine stay out: it listens on
 * loopback, wants a random token, and checks Host (against names that were made to resolve here) and Origin (against
 * pages of other sites).
 * @throws the system's error where the port is taken
 */
export const startBrowserServer = async (options: ServerOptions): Promise<BrowserServer> => {
  const { host, downloads, rendererDirectory } = options
  const token = randomBytes(32).toString('base64url')
  const server = createServer((request, response) => {
    answer(request, response).catch(() => {
      if (!response.headersSent) refuse(response, 500, 'Linnet could not answer this request.')
      else response.destroy()
    })
  })
  await listen(server, options.port)
  const { port } = server.address() as AddressInfo
  const authorities = new Set([`127.0.0.1:${port}`, `localhost:${port}`])

  /** Null where the request may pass, else the status and the words of the refusal. */
  const objection = (request: IncomingMessage, url: URL, needsToken: boolean): [number, string] | null => {
    const authority = request.headers.host ?? ''
    if (!authorities.has(authority)) return [403, 'This address is not one of Linnet’s.']
    const { origin } = request.headers
    if (origin !== undefined && origin !== `http://${authority}`)
      return [403, 'Another site asked. Linnet does not answer it.']
    if (needsToken && !isToken(url.searchParams.get('token'))) {
      return [401, 'Open the address that Linnet printed when it started: it ends in a token.']
    }
    return null
  }
  const isToken = (given: string | null): boolean => {
    const expected = Buffer.from(token)
    const actual = Buffer.from(given ?? '')
    return actual.length === expected.length && timingSafeEqual(actual, expected)
  }

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = urlOf(request)
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      refuse(response, 405, 'Linnet only serves GET here.')
      return
    }
    // The window's code is the same for everyone; what opens it, and what it fetches, is not.
    const isAsset = url.pathname.startsWith('/assets/')
    const refusal = objection(request, url, !isAsset && !url.pathname.startsWith('/download/'))
    if (refusal !== null) {
      refuse(response, ...refusal)
      return
    }
    if (url.pathname.startsWith('/download/')) {
      sendDownload(response, url.pathname.slice('/download/'.length))
      return
    }
    const file = await readStaticFile(rendererDirectory, url.pathname === '/' ? '/index.html' : url.pathname)
    if (file === null) {
      refuse(response, 404, 'There is nothing here.')
      return
    }
    response.writeHead(200, {
      ...SECURITY_HEADERS,
      'content-type': file.contentType,
      // Assets carry their content's hash in their name.
      'cache-control': isAsset ? 'private, max-age=31536000, immutable' : 'no-store',
    })
    response.end(request.method === 'HEAD' ? undefined : file.content)
  }

  /** The ticket is the token: 256 random bits, for one use. */
  const sendDownload = (response: ServerResponse, ticket: string): void => {
    const file = downloads.take(ticket)
    if (file === null)
      return refuse(response, 404, 'This download was fetched already or has expired. Ask for it again.')
    response.writeHead(200, {
      ...SECURITY_HEADERS,
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename="${file.filename.replaceAll(/[^\x20-\x7e]|["\\]/g, '_')}"; filename*=UTF-8''${encodeURIComponent(file.filename)}`,
      'content-length': file.content.byteLength,
      'cache-control': 'no-store',
    })
    response.end(file.content)
  }

  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_QUESTION_BYTES })
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const url = urlOf(request)
    const refusal =
      url.pathname === '/socket'
        ? request.headers.origin === undefined
          ? ([403, 'A browser always names its origin.'] as const)
          : objection(request, url, true)
        : ([404, 'There is nothing here.'] as const)
    if (refusal !== null) {
      socket.end(`HTTP/1.1 ${refusal[0]} Refused\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`)
      return
    }
    sockets.handleUpgrade(request, socket, head, (client) => serveWindow(client, host))
  })

  return {
    url: `http://127.0.0.1:${port}/?token=${token}`,
    close: async () => {
      for (const client of sockets.clients) client.close(1001, 'Linnet stops')
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** One window: its questions in any order, its answers as they come, and every event. */
const serveWindow = (client: WebSocket, host: Host): void => {
  const send = (message: object): void => {
    if (client.readyState === client.OPEN) client.send(JSON.stringify(message))
  }
  const unsubscribe = host.subscribe((event) => send({ event }))
  client.on('close', unsubscribe)
  client.on('error', () => client.terminate())
  client.on('message', (data: Buffer, isBinary: boolean) => {
    const question = isBinary ? null : parseQuestion(data.toString('utf8'))
    if (question === null) return client.close(1003, 'not a question')
    void host.call(question.name, question.input).then((result) => send({ id: question.id, result }))
  })
}

const parseQuestion = (text: string): z.infer<typeof questionSchema> | null => {
  try {
    return questionSchema.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

const urlOf = (request: IncomingMessage): URL => {
  const base = 'http://linnet.invalid'
  return URL.canParse(request.url ?? '/', base) ? new URL(request.url ?? '/', base) : new URL('/unreadable', base)
}

const refuse = (response: ServerResponse, status: number, words: string): void => {
  response.writeHead(status, {
    ...SECURITY_HEADERS,
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
  })
  response.end(`${words}\n`)
}

const listen = (server: Server, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject)
      resolve()
    })
  })
