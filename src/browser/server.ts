import { randomBytes, randomUUID } from 'node:crypto'
import { open, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { WebSocketServer, type WebSocket } from 'ws'
import { z } from 'zod'
import { SECURITY_HEADERS } from '../host/content-security-policy.ts'
import type { Host } from '../host/start-host.ts'
import { readWindowFile } from '../host/window-files.ts'
import type { RawEmail } from '../shared/engine-link.ts'
import { LONGEST_QUESTION } from '../shared/input-bounds.ts'
import { describeThrown, logLine, type Log } from '../shared/log.ts'
import { createDoor, type Door } from './door.ts'
import { admittedPage, openingFile } from './opening-pages.ts'
import { AGAIN_PATH, isOwnQuestion, proveAnswer } from './running-host.ts'
import { RESTARTED } from './signpost.ts'

export interface BrowserServer {
  /** The window's address, with a token that opens it once. */
  readonly url: string
  readonly port: number
  /** With this another program of the same person proves that it may ask for an address of its own. */
  readonly ownSecret: string
  /**
   * Writes a page that opens the window once, in a file for this person alone. It is gone after its use, or two minutes.
   * @throws the system's error where it cannot be written
   */
  readonly writeOpeningFile: () => Promise<void>
  readonly close: () => Promise<void>
}

interface ServerOptions {
  readonly host: Host
  readonly downloads: Downloads
  /** The folder with the built window. */
  readonly rendererDirectory: string
  /** Where the page that opens the window is written, when one is wanted. */
  readonly openingFile: string
  /** 0 for any free port. */
  readonly port: number
  readonly log: Log
}

type Refusal = readonly [status: number, words: string]

/**
 * A page of the browser may have opened this one. No page opens the desktop's window, where the header would only have Chromium
 * begin a second process for it in the middle of the start.
 */
const HEADERS = { ...SECURITY_HEADERS, 'cross-origin-opener-policy': 'same-origin' }

const NOT_ADMITTED: Refusal = [401, `${RESTARTED} Linnet lets a browser in only after it opened a window there.`]

/** A question of the window; the answer carries the same id. */
const questionSchema = z.object({
  id: z.int(),
  name: z.string().max(128),
  input: z.unknown(),
  accountId: z.string().max(64).nullable().catch(null),
})

/** What the window's WebSocket speaks; the window key goes beside it. */
const SOCKET_PROTOCOL = 'linnet'
const WINDOW_KEY_HEADER = 'x-linnet-window-key'

const TICKET_LIFE_MS = 60_000
const OPENING_FILE_LIFE_MS = 120_000
/** Whoever connects and says nothing is not waited for. */
const HEADERS_TIMEOUT_MS = 10_000
const MAX_FORM_LENGTH = 1_024
/** In UTF-8 a sign takes up to three bytes. What is longer the window does not send; a window of another make is let go. */
const MAX_QUESTION_BYTES = 3 * LONGEST_QUESTION

/** A file on the disk, which may be larger than memory. */
interface StoredFile {
  readonly filename: string
  readonly path: string
  /** All of it was fetched. */
  readonly fetched: () => void
}

/** Files that wait to be fetched by the window, once each and for a minute. */
export class Downloads {
  readonly #waiting = new Map<string, RawEmail | StoredFile>()

  /** @returns the path at which the window fetches the file */
  offer(file: RawEmail): string {
    return this.#offer(file)
  }

  /** @returns the path at which the window fetches the file, which stays where it is */
  offerStored(file: StoredFile): string {
    return this.#offer(file)
  }

  #offer(file: RawEmail | StoredFile): string {
    const ticket = randomBytes(32).toString('base64url')
    this.#waiting.set(ticket, file)
    setTimeout(() => this.#waiting.delete(ticket), TICKET_LIFE_MS).unref()
    return `/download/${ticket}`
  }

  take(ticket: string): RawEmail | StoredFile | null {
    const file = this.#waiting.get(ticket) ?? null
    this.#waiting.delete(ticket)
    return file
  }
}

/**
 * Serves the window to a browser on this machine. Other sites and other people of this machine stay out: it listens on
 * loopback, wants what the door gives for a ticket, and checks Host (against names that were made to resolve here) and
 * Origin (against pages of other sites).
 * @throws the system's error where the port is taken
 */
export const startBrowserServer = async (options: ServerOptions): Promise<BrowserServer> => {
  const { host, downloads, rendererDirectory, log } = options
  const server = createServer({ headersTimeout: HEADERS_TIMEOUT_MS }, (request, response) => {
    answer(request, response).catch((thrown: unknown) => {
      log('warn', logLine`browser host: a request failed: ${describeThrown(thrown)}`)
      if (!response.headersSent) refuse(response, 500, 'Linnet could not answer this request.')
      else response.destroy()
    })
  })
  // Whoever connects may cut the line at any time, upgraded or not: that ends the connection and nothing else.
  server.on('connection', (socket) => socket.on('error', () => socket.destroy()))
  await listen(server, options.port)
  server.on('error', (error) => log('error', logLine`browser host: ${describeThrown(error)}`))
  const { port } = server.address() as AddressInfo
  const door = createDoor(port)
  const ownSecret = randomBytes(32).toString('base64url')
  const ownOrigin = `http://127.0.0.1:${port}`
  const writeOpening = createOpeningFiles(options.openingFile, ownOrigin, door)
  const authorities = new Set([`127.0.0.1:${port}`, `localhost:${port}`])

  /** Null where the request may pass, else the status and the words of the refusal. */
  const objection = (request: IncomingMessage, needsCookie: boolean): Refusal | null => {
    const authority = request.headers.host ?? ''
    if (!authorities.has(authority)) return [403, 'This address is not one of Linnet’s.']
    const { origin } = request.headers
    if (origin !== undefined && origin !== `http://${authority}`)
      return [403, 'Another site asked. Linnet does not answer it.']
    return !needsCookie || door.hasCookie(request.headers.cookie) ? null : NOT_ADMITTED
  }

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = urlOf(request)
    if (request.method === 'POST' && url.pathname === '/open') return openWithForm(request, response)
    if (request.method === 'POST' && url.pathname === AGAIN_PATH) return openAgain(request, response)
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      refuse(response, 405, 'Linnet only serves GET here.')
      return
    }
    const ticket = url.pathname === '/' ? url.searchParams.get('token') : null
    // The window's code is the same for everyone; what opens it, and what it fetches, is not.
    const isAsset = url.pathname.startsWith('/assets/')
    const refusal = objection(request, !isAsset && ticket === null)
    if (refusal !== null) {
      refuse(response, ...refusal)
      return
    }
    if (ticket !== null) {
      openWithAddress(request, response, ticket)
      return
    }
    if (url.pathname === '/socket') {
      const isWindow = door.isWindowKey(request.headers[WINDOW_KEY_HEADER]?.toString())
      refuse(response, ...(isWindow ? ([426, 'This is a WebSocket.'] as const) : NOT_ADMITTED))
      return
    }
    if (url.pathname.startsWith('/download/')) {
      await sendDownload(response, url.pathname.slice('/download/'.length))
      return
    }
    const path = url.pathname === '/' ? '/index.html' : url.pathname
    const file = await readWindowFile(rendererDirectory, path, host.preferences())
    if (file === null) {
      refuse(response, 404, 'There is nothing here.')
      return
    }
    response.writeHead(200, {
      ...HEADERS,
      'content-type': file.contentType,
      // Assets carry their content's hash in their name.
      'cache-control': isAsset ? 'private, max-age=31536000, immutable' : 'no-store',
    })
    response.end(request.method === 'HEAD' ? undefined : file.content)
  }

  /** The address that was printed: it opens one window, and a browser that has it open is sent on. */
  const openWithAddress = (request: IncomingMessage, response: ServerResponse, ticket: string): void => {
    const isAhead = request.headers['sec-purpose'] !== undefined || request.headers.purpose !== undefined
    if (request.method === 'HEAD' || isAhead) {
      refuse(response, 503, 'Open this address yourself: it works once.')
    } else if (door.hasCookie(request.headers.cookie)) {
      response.writeHead(303, { ...HEADERS, location: '/', 'cache-control': 'no-store' }).end()
    } else {
      admit(response, ticket)
    }
  }

  /** What the opening file posts. It is a file's page that asks, so its origin is of no use here; its ticket is. */
  const openWithForm = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const isOurs = authorities.has(request.headers.host ?? '')
    const form = isOurs ? await readShort(request) : null
    if (!isOurs) refuse(response, 403, 'This address is not one of Linnet’s.')
    else if (form === null) refuse(response, 413, 'This form is not one of Linnet’s.')
    else admit(response, new URLSearchParams(form).get('token') ?? '')
  }

  const admit = (response: ServerResponse, ticket: string): void => {
    const admission = door.admit(ticket)
    if (admission === null) return refuse(response, ...NOT_ADMITTED)
    const nonce = randomBytes(16).toString('base64url')
    response.writeHead(200, {
      ...HEADERS,
      'content-security-policy': `default-src 'none'; script-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'set-cookie': admission.cookie,
    })
    response.end(admittedPage(admission.windowKey, nonce))
  }

  /** A second start with the same data folder asks for a way in: it prints the address, or opens the file. */
  const openAgain = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const question = request.headers['x-linnet-question']?.toString()
    const proof = request.headers['x-linnet-proof']?.toString()
    if (objection(request, false) !== null || question === undefined || !isOwnQuestion(ownSecret, question, proof)) {
      refuse(response, ...NOT_ADMITTED)
      return
    }
    // The address is a way in as well.
    await writeOpening().catch((thrown: unknown) =>
      log('warn', logLine`browser host: no opening page: ${describeThrown(thrown)}`),
    )
    const url = addressWithTicket()
    const headers = { 'content-type': 'application/json', 'cache-control': 'no-store', connection: 'close' }
    response.writeHead(200, { ...HEADERS, ...headers })
    response.end(JSON.stringify({ url, proof: proveAnswer(ownSecret, question, url) }))
  }

  /** The ticket is 256 random bits, for one use. */
  const sendDownload = async (response: ServerResponse, ticket: string): Promise<void> => {
    const file = downloads.take(ticket)
    if (file === null) {
      refuse(response, 404, 'This download has expired or was already used. Start it again.')
      return
    }
    const begin = (length: number): ServerResponse =>
      response.writeHead(200, {
        ...HEADERS,
        'content-type': 'application/octet-stream',
        'content-disposition': `attachment; filename="${file.filename.replaceAll(/[^\x20-\x7e]|["\\]/g, '_')}"; filename*=UTF-8''${encodeURIComponent(file.filename)}`,
        'content-length': length,
        'cache-control': 'no-store',
      })
    if ('content' in file) {
      begin(file.content.byteLength).end(file.content)
      return
    }
    const stored = await open(file.path).catch(() => null)
    if (stored === null) {
      refuse(response, 404, 'This file no longer exists.')
      return
    }
    // The stream closes the file, whether it comes to its end or not.
    await pipeline(stored.createReadStream(), begin((await stored.stat()).size))
    file.fetched()
  }

  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_QUESTION_BYTES,
    handleProtocols: () => SOCKET_PROTOCOL,
  })
  /** The page's own half of what opens the mail comes as a second protocol, the one thing that a page can say here. */
  const socketObjection = (request: IncomingMessage): Refusal | null => {
    if (urlOf(request).pathname !== '/socket') return [404, 'There is nothing here.']
    if (request.headers.origin === undefined) return [403, 'A browser always names its origin.']
    const refusal = objection(request, true)
    if (refusal !== null) return refusal
    const [protocol, windowKey] = (request.headers['sec-websocket-protocol'] ?? '').split(/,\s*/)
    return protocol === SOCKET_PROTOCOL && door.isWindowKey(windowKey) ? null : NOT_ADMITTED
  }
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const refusal = socketObjection(request)
    if (refusal !== null) {
      // Whoever is refused is not waited for: a connection that its other side leaves half open would stay for ever.
      socket.once('finish', () => socket.destroy())
      socket.end(`HTTP/1.1 ${refusal[0]} Refused\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`)
      return
    }
    sockets.handleUpgrade(request, socket, head, (client) => serveWindow(client, host))
  })

  const addressWithTicket = (): string => `${ownOrigin}/?token=${door.issue()}`
  return {
    url: addressWithTicket(),
    port,
    ownSecret,
    writeOpeningFile: writeOpening,
    close: async () => {
      for (const client of sockets.clients) client.close(1001, 'Linnet stops')
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await rm(options.openingFile, { force: true, recursive: true })
    },
  }
}

/**
 * Writes the opening file whenever one is wanted, one after the other. A later one takes the place of those before,
 * whose tickets stay good for a browser that has read them, and which then have nothing to remove.
 */
const createOpeningFiles = (file: string, origin: string, door: Door): (() => Promise<void>) => {
  let last: string | null = null
  let written: Promise<void> = Promise.resolve()
  const write = async (): Promise<void> => {
    const remove = (): void => {
      clearTimeout(timer)
      if (last === ticket) rm(file, { force: true, recursive: true }).catch(() => undefined)
    }
    const ticket = door.issue(remove)
    const timer = setTimeout(() => {
      door.revoke(ticket)
      remove()
    }, OPENING_FILE_LIFE_MS).unref()
    last = ticket
    await rm(file, { force: true, recursive: true })
    await writeFile(file, openingFile(origin, ticket), { mode: 0o600, flag: 'wx' })
  }
  return () => {
    written = written.catch(() => undefined).then(write)
    return written
  }
}

/** The body of a small form; null for a longer one. */
const readShort = async (request: IncomingMessage): Promise<string | null> => {
  let text = ''
  for await (const chunk of request.setEncoding('utf8') as AsyncIterable<string>) {
    text += chunk
    if (text.length > MAX_FORM_LENGTH) return null
  }
  return text
}

/** One window: its questions in any order, its answers as they come, and every event. */
const serveWindow = (client: WebSocket, host: Host): void => {
  const send = (message: object): void => {
    if (client.readyState === client.OPEN) client.send(JSON.stringify(message))
  }
  const caller = `tab ${randomUUID()}`
  const unsubscribe = host.subscribe((event) => send({ event }))
  client.on('close', () => {
    unsubscribe()
    host.leave(caller)
  })
  client.on('error', () => client.terminate())
  client.on('message', (data: Buffer, isBinary: boolean) => {
    const question = isBinary ? null : parseQuestion(data.toString('utf8'))
    if (question === null) return client.close(1003, 'not a question')
    const { id, name, input, accountId } = question
    void host.call(name, input, { accountId, caller }).then((result) => send({ id, result }))
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
    ...HEADERS,
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
