import { randomBytes, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { rm, writeFile } from 'node:fs/promises'
import type { ServedHost } from '../host/host.ts'
import { serveRequests } from '../host/serve-requests.ts'
import { readWindowFile } from '../host/window-files.ts'
import { MAX_REQUEST_LENGTH } from '../shared/input-bounds.ts'
import { describeThrown, logLine, type Log } from '../shared/log.ts'
import { BROWSER_SECURITY_HEADERS, UNAUTHORIZED_REFUSAL, sendRefusal, type Refusal } from './refusals.ts'
import { BrowserAccess, renderAdmittedPage, renderTicketPage } from './browser-access.ts'
import type { Downloads } from './downloads.ts'
import { REOPEN_PATH, isTrustedRequest, createResponseProof } from './running-host.ts'

interface ServerOptions {
  readonly host: ServedHost
  readonly downloads: Downloads
  readonly rendererDirectory: string
  readonly openingFile: string
  /** 0 picks any free port. */
  readonly port: number
  readonly log: Log
}

/** WebSocket subprotocol of the window; the window's key follows as a second subprotocol. */
const SOCKET_PROTOCOL = 'linnet'
const WINDOW_KEY_HEADER = 'x-linnet-window-key'

/** Drop connections that send nothing. */
const HEADERS_TIMEOUT_MS = 10_000
const MAX_FORM_LENGTH = 1_024
/**
 * Maximum size of a WebSocket message: UTF-8 takes up to three bytes per UTF-16 code unit. Linnet's window never sends
 * more; clients that do are disconnected.
 */
const MAX_SOCKET_MESSAGE_BYTES = 3 * MAX_REQUEST_LENGTH

const serveWindow = (client: WebSocket, host: ServedHost): void => {
  const { ask, end } = serveRequests(host, `tab ${randomUUID()}`, (message) => {
    if (client.readyState === client.OPEN) client.send(message)
  })
  client.on('close', end)
  client.on('error', () => client.terminate())
  client.on('message', (data: Buffer, isBinary: boolean) => {
    if (isBinary || !ask(data.toString('utf8'))) client.close(1003, 'Invalid request')
  })
}

/** Reads a form's body. Returns null if it is longer than a small form. */
const readFormBody = async (request: IncomingMessage): Promise<string | null> => {
  let text = ''
  for await (const chunk of request.setEncoding('utf8') as AsyncIterable<string>) {
    text += chunk
    if (text.length > MAX_FORM_LENGTH) return null
  }
  return text
}

const urlOf = (request: IncomingMessage): URL => {
  const base = 'http://linnet.invalid'
  return URL.canParse(request.url ?? '/', base) ? new URL(request.url ?? '/', base) : new URL('/unreadable', base)
}

const listen = (server: Server, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject)
      resolve()
    })
  })

const OPENING_FILE_LIFETIME_MS = 120_000

/** Writes opening files one at a time. A replaced file's ticket stays valid for a browser that has already read it. */
class OpeningFile {
  readonly #path: string
  readonly #origin: string
  readonly #access: BrowserAccess
  #lastTicket: string | null = null
  #written: Promise<void> = Promise.resolve()

  constructor(path: string, origin: string, access: BrowserAccess) {
    this.#path = path
    this.#origin = origin
    this.#access = access
  }

  write(): Promise<void> {
    this.#written = this.#written.catch(() => undefined).then(() => this.#writeNow())
    return this.#written
  }

  async remove(): Promise<void> {
    await rm(this.#path, { force: true, recursive: true })
  }

  async #writeNow(): Promise<void> {
    let ending: NodeJS.Timeout | null = null
    const ticket = this.#access.issue(() => {
      if (ending !== null) clearTimeout(ending)
      this.#removeOf(ticket)
    })
    ending = setTimeout(() => {
      this.#access.revoke(ticket)
      this.#removeOf(ticket)
    }, OPENING_FILE_LIFETIME_MS).unref()
    this.#lastTicket = ticket
    await this.remove()
    await writeFile(this.#path, renderTicketPage(this.#origin, ticket), { mode: 0o600, flag: 'wx' })
  }

  #removeOf(ticket: string): void {
    if (this.#lastTicket === ticket) this.remove().catch(() => undefined)
  }
}

/**
 * Keeps strangers out: listens on loopback, requires the cookie and key from `BrowserAccess`, and checks Host (against
 * DNS rebinding) and Origin (against other sites' pages).
 */
export class BrowserServer {
  readonly port: number
  /** The window's address, with a one-time token. */
  readonly url: string
  /** Lets another program of the same user prove that it may request its own address. */
  readonly ownSecret = randomBytes(32).toString('base64url')
  readonly #server: Server
  readonly #options: ServerOptions
  readonly #access: BrowserAccess
  readonly #origin: string
  readonly #openingFile: OpeningFile
  readonly #authorities: ReadonlySet<string>
  readonly #sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_SOCKET_MESSAGE_BYTES,
    handleProtocols: () => SOCKET_PROTOCOL,
  })

  /** @param server already listening, before its first request */
  constructor(server: Server, options: ServerOptions) {
    this.#server = server
    this.#options = options
    this.port = (server.address() as AddressInfo).port
    this.#access = new BrowserAccess(this.port)
    this.#origin = `http://127.0.0.1:${this.port}`
    this.#openingFile = new OpeningFile(options.openingFile, this.#origin, this.#access)
    this.#authorities = new Set([`127.0.0.1:${this.port}`, `localhost:${this.port}`])
    this.url = this.#addressWithTicket()
    server.on('error', (error) => options.log('error', logLine`browser host: ${describeThrown(error)}`))
    // A broken connection, upgraded or not, must affect only itself.
    server.on('connection', (socket) => socket.on('error', () => socket.destroy()))
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) =>
      this.#upgrade(request, socket, head),
    )
    server.on('request', (request, response) => {
      this.#handleRequest(request, response).catch((thrown: unknown) => {
        options.log('warn', logLine`browser host: a request failed: ${describeThrown(thrown)}`)
        if (!response.headersSent) sendRefusal(response, [500, 'Linnet could not handle this request. Try again.'])
        else response.destroy()
      })
    })
  }

  /** True while a browser has a window open. */
  get isWatched(): boolean {
    return this.#sockets.clients.size > 0
  }

  /** Writes a private page that opens the window once, within two minutes. @throws the system's error */
  writeOpeningFile(): Promise<void> {
    return this.#openingFile.write()
  }

  async close(): Promise<void> {
    for (const client of this.#sockets.clients) client.close(1001, 'Linnet is shutting down')
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
    await this.#openingFile.remove()
  }

  #addressWithTicket(): string {
    return `${this.#origin}/?token=${this.#access.issue()}`
  }

  async #handleRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = urlOf(request)
    if (request.method === 'POST' && url.pathname === '/open') return this.#openWithForm(request, response)
    if (request.method === 'POST' && url.pathname === REOPEN_PATH) return this.#handleSecondStart(request, response)
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      sendRefusal(response, [405, 'Only GET and HEAD requests are allowed here.'])
      return
    }
    const ticket = url.pathname === '/' ? url.searchParams.get('token') : null
    // Assets need no cookie: the window's code is the same for everyone, unlike the keys and the data it fetches.
    const isAsset = url.pathname.startsWith('/assets/')
    const refusal = this.#refusalFor(request, !isAsset && ticket === null)
    if (refusal !== null) {
      sendRefusal(response, refusal)
      return
    }
    if (ticket !== null) {
      this.#openWithAddress(request, response, ticket)
      return
    }
    if (url.pathname === '/socket') {
      const isWindow = this.#access.isWindowKey(request.headers[WINDOW_KEY_HEADER]?.toString())
      sendRefusal(response, isWindow ? [426, 'This address accepts only WebSocket connections.'] : UNAUTHORIZED_REFUSAL)
      return
    }
    if (url.pathname.startsWith('/download/')) {
      await this.#options.downloads.send(response, url.pathname.slice('/download/'.length))
      return
    }
    await this.#sendWindowFile(request, response, url.pathname === '/' ? '/index.html' : url.pathname)
  }

  /** Returns null if the request may pass. */
  #refusalFor(request: IncomingMessage, needsCookie: boolean): Refusal | null {
    const authority = request.headers.host ?? ''
    if (!this.#authorities.has(authority)) return [403, 'This address does not belong to Linnet.']
    const { origin } = request.headers
    if (origin !== undefined && origin !== `http://${authority}`)
      return [403, 'Linnet does not accept requests from other sites.']
    return !needsCookie || this.#access.hasCookie(request.headers.cookie) ? null : UNAUTHORIZED_REFUSAL
  }

  async #sendWindowFile(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    const { rendererDirectory, host } = this.#options
    const file = await readWindowFile(rendererDirectory, path, host.preferences())
    if (file === null) {
      sendRefusal(response, [404, 'There is nothing here.'])
      return
    }
    response.writeHead(200, {
      ...BROWSER_SECURITY_HEADERS,
      'content-type': file.contentType,
      'cache-control': path.startsWith('/assets/') ? 'private, max-age=31536000, immutable' : 'no-store',
    })
    response.end(request.method === 'HEAD' ? undefined : file.content)
  }

  /** Handles the printed address: it opens one window. A browser that is already admitted is redirected. */
  #openWithAddress(request: IncomingMessage, response: ServerResponse, ticket: string): void {
    const isAhead = request.headers['sec-purpose'] !== undefined || request.headers.purpose !== undefined
    if (request.method === 'HEAD' || isAhead) {
      sendRefusal(response, [503, 'This address works only once. Open it in a browser window.'])
    } else if (this.#access.hasCookie(request.headers.cookie)) {
      response.writeHead(303, { ...BROWSER_SECURITY_HEADERS, location: '/', 'cache-control': 'no-store' }).end()
    } else {
      this.#admit(response, ticket)
    }
  }

  /** Handles the opening file's form. A file has no useful origin, so its ticket decides. */
  async #openWithForm(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const isOurs = this.#authorities.has(request.headers.host ?? '')
    const form = isOurs ? await readFormBody(request) : null
    if (!isOurs) sendRefusal(response, [403, 'This address does not belong to Linnet.'])
    else if (form === null) sendRefusal(response, [413, 'This form was not sent by Linnet.'])
    else this.#admit(response, new URLSearchParams(form).get('token') ?? '')
  }

  #admit(response: ServerResponse, ticket: string): void {
    const admission = this.#access.admit(ticket)
    if (admission === null) return sendRefusal(response, UNAUTHORIZED_REFUSAL)
    const nonce = randomBytes(16).toString('base64url')
    response.writeHead(200, {
      ...BROWSER_SECURITY_HEADERS,
      'content-security-policy': `default-src 'none'; script-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'set-cookie': admission.cookie,
    })
    response.end(renderAdmittedPage(admission.windowKey, nonce))
  }

  /** Called by a second start with the same data folder, which prints the address or opens the file. */
  async #handleSecondStart(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const question = request.headers['x-linnet-question']?.toString()
    const proof = request.headers['x-linnet-proof']?.toString()
    const refusal = this.#refusalFor(request, false)
    if (refusal !== null || question === undefined || !isTrustedRequest(this.ownSecret, question, proof)) {
      sendRefusal(response, UNAUTHORIZED_REFUSAL)
      return
    }
    // Without the file, the address still works.
    await this.writeOpeningFile().catch((thrown: unknown) =>
      this.#options.log('warn', logLine`browser host: no opening page: ${describeThrown(thrown)}`),
    )
    const url = this.#addressWithTicket()
    const headers = { 'content-type': 'application/json', 'cache-control': 'no-store', connection: 'close' }
    response.writeHead(200, { ...BROWSER_SECURITY_HEADERS, ...headers })
    response.end(JSON.stringify({ url, proof: createResponseProof(this.ownSecret, question, url) }))
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const refusal = this.#socketRefusalFor(request)
    if (refusal !== null) {
      // Destroy the socket: otherwise a rejected client could keep it half-open forever.
      socket.once('finish', () => socket.destroy())
      socket.end(`HTTP/1.1 ${refusal[0]} Refused\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`)
      return
    }
    this.#sockets.handleUpgrade(request, socket, head, (client) => serveWindow(client, this.#options.host))
  }

  /** The page sends its key as a second subprotocol, the only request field it can set here. */
  #socketRefusalFor(request: IncomingMessage): Refusal | null {
    if (urlOf(request).pathname !== '/socket') return [404, 'There is nothing here.']
    if (request.headers.origin === undefined) return [403, 'The Origin header is missing.']
    const refusal = this.#refusalFor(request, true)
    if (refusal !== null) return refusal
    const [protocol, windowKey] = (request.headers['sec-websocket-protocol'] ?? '').split(/,\s*/)
    return protocol === SOCKET_PROTOCOL && this.#access.isWindowKey(windowKey) ? null : UNAUTHORIZED_REFUSAL
  }
}

/** @throws the system's error if the port is taken */
export const startBrowserServer = async (options: ServerOptions): Promise<BrowserServer> => {
  const server = createServer({ headersTimeout: HEADERS_TIMEOUT_MS })
  await listen(server, options.port)
  return new BrowserServer(server, options)
}
