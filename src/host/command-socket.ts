/**
 * The socket through which the same user's programs reach the Linnet running on a data folder: the command line and the
 * MCP server. It is local (a Unix socket, or a named pipe on Windows), never on the network.
 * Both sides prove that they can read a private file in the data folder, without revealing its secret. Ownership isn't
 * enough: a Windows pipe has no owner to check, and the socket may be in a temporary folder.
 */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { parseAppLink, type AppLink } from '../shared/app-link.ts'
import { MAX_REQUEST_LENGTH } from '../shared/input-bounds.ts'
import { describeThrown, logLine, type Log } from '../shared/log.ts'
import { fail, ok, type Result } from '../shared/result.ts'
import { isValidChallengeAnswer, answerChallenge } from './challenge-response.ts'
import { serveRequests, type RequestTarget } from './serve-requests.ts'
import { parseJsonAs } from '../shared/parse-json.ts'

const FILE_NAME = 'command-line.json'
const SOCKET_NAME = 'linnet.sock'
/** Maximum bytes of a socket path. Linux allows 107, macOS 103. */
const MAX_PATH_BYTES = 100
/** Time limit for a new connection to prove itself; it is dropped otherwise. */
const PROOF_TIMEOUT_MS = 2_000
const MAX_PROOF_LENGTH = 1_024
/** Maximum bytes queued for a command that doesn't read them. */
const MAX_UNREAD = 256 * 1024 * 1024
const MAX_CONNECTIONS = 32

/** Written to the data folder by the running Linnet, readable only by the user. */
const announcementSchema = z.object({ address: z.string().min(1), secret: z.string().min(32) })

const challengeSchema = z.object({ question: z.string().min(16).max(128) })
const welcomeSchema = z.object({ proof: z.string().max(128), question: z.string().min(16).max(128) })
const proofSchema = z.object({ proof: z.string().max(128) })

const asLinnet = (question: string): string => `linnet ${question}`
const asCommand = (question: string): string => `command ${question}`
const newQuestion = (): string => randomBytes(16).toString('base64url')

/** Splits a socket's data into messages, one per line. An overlong line closes the connection. */
class Lines {
  readonly #socket: Socket
  #maxLength: number
  #rest = ''
  /** @param longest in UTF-16 units */
  constructor(socket: Socket, longest: number, listener: (line: string) => void) {
    this.#socket = socket
    this.#maxLength = longest
    socket.setEncoding('utf8').on('data', (text: string) => {
      const [first = '', ...others] = text.split('\n')
      const lines = [this.#rest + first, ...others]
      this.#rest = lines.pop() ?? ''
      for (const line of lines) if (!socket.destroyed) listener(line)
      if (this.#rest.length > this.#maxLength) socket.destroy()
    })
  }

  allow(longest: number): void {
    this.#maxLength = longest
  }

  send(message: string): void {
    if (this.#socket.writable) this.#socket.write(`${message}\n`)
    // Drop clients that send requests but don't read.
    if (this.#socket.writableLength > MAX_UNREAD) this.#socket.destroy()
  }
}

/** Commands allowed over the socket: only those the command line needs. Deciding proposals is left to windows. */
const ALLOWED_COMMANDS: ReadonlySet<string> = new Set([
  'account.state',
  'assistant.written',
  'change.undo',
  'draft.addFile',
  'draft.create',
  'draft.discard',
  'draft.open',
  'draft.save',
  'draft.send',
  'label.create',
  'label.list',
  'sync.status',
  'thread.change',
])
/** Handled by the socket: opens a link (`shared/app-link.ts`) in a window brought to the front. */
export const OPEN_LINK_COMMAND = 'link.open'

export interface CommandSocketOptions {
  readonly host: RequestTarget
  readonly dataDirectory: string
  readonly follow: (link: AppLink) => void
  readonly log: Log
}

const addressFor = async (dataDirectory: string): Promise<string> => {
  if (process.platform === 'win32') return `\\\\.\\pipe\\linnet-${randomBytes(16).toString('hex')}`
  const inFolder = join(dataDirectory, SOCKET_NAME)
  if (Buffer.byteLength(inFolder) <= MAX_PATH_BYTES) return inFolder
  return join(await mkdtemp(join(tmpdir(), 'linnet-')), SOCKET_NAME)
}

const removeAddress = async (address: string, dataDirectory: string): Promise<void> => {
  if (process.platform === 'win32') return
  const folder = dirname(address)
  await rm(folder === dataDirectory ? address : folder, { force: true, recursive: true })
}

const listen = (server: Server, address: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(address, () => {
      server.off('error', reject)
      resolve()
    })
  })

export class CommandSocket {
  readonly #options: CommandSocketOptions
  readonly #secret = randomBytes(32).toString('base64url')
  readonly #server = createServer((socket) => this.#welcome(socket))
  readonly #sockets = new Set<Socket>()
  readonly #opened: Promise<string | null>
  #served = 0

  /** Starts listening. If that fails, the reason is logged and commands run without this Linnet. */
  constructor(options: CommandSocketOptions) {
    this.#options = options
    this.#server.maxConnections = MAX_CONNECTIONS
    this.#opened = this.#open().catch((thrown: unknown) => {
      options.log('warn', logLine`host: no socket for the command line: ${describeThrown(thrown)}`)
      return null
    })
  }

  async close(): Promise<void> {
    const address = await this.#opened
    if (address === null) return
    const { dataDirectory } = this.#options
    await rm(join(dataDirectory, FILE_NAME), { force: true })
    for (const socket of this.#sockets) socket.destroy()
    await new Promise((resolve) => this.#server.close(resolve))
    await removeAddress(address, dataDirectory)
  }

  async #open(): Promise<string> {
    const { dataDirectory, log } = this.#options
    const file = join(dataDirectory, FILE_NAME)
    const address = await addressFor(dataDirectory)
    // A killed process leaves its socket behind.
    if (process.platform !== 'win32') await rm(address, { force: true })
    await listen(this.#server, address)
    this.#server.on('error', (error) => log('warn', logLine`host: command line: ${describeThrown(error)}`))
    if (process.platform !== 'win32') await chmod(address, 0o600)
    // An existing file would keep its mode, so replace whatever is there.
    await rm(file, { force: true, recursive: true })
    await writeFile(file, JSON.stringify({ address, secret: this.#secret }), { mode: 0o600, flag: 'wx' })
    return address
  }

  #welcome(socket: Socket): void {
    this.#sockets.add(socket)
    const timer = setTimeout(() => socket.destroy(), PROOF_TIMEOUT_MS)
    const question = newQuestion()
    let serving: ReturnType<typeof serveRequests> | null = null
    let isAsked = false
    socket.on('error', () => socket.destroy())
    socket.on('close', () => {
      clearTimeout(timer)
      this.#sockets.delete(socket)
      serving?.end()
    })
    const lines = new Lines(socket, MAX_PROOF_LENGTH, (line) => {
      if (serving !== null) {
        if (!serving.ask(line)) socket.destroy()
        return
      }
      if (!isAsked) {
        const challenge = parseJsonAs(challengeSchema, line)
        if (challenge === null) return void socket.destroy()
        isAsked = true
        lines.send(JSON.stringify({ proof: answerChallenge(this.#secret, asLinnet(challenge.question)), question }))
        return
      }
      if (!isValidChallengeAnswer(parseJsonAs(proofSchema, line)?.proof, this.#secret, asCommand(question)))
        return void socket.destroy()
      clearTimeout(timer)
      lines.allow(MAX_REQUEST_LENGTH)
      this.#served += 1
      serving = serveRequests(this.#requestTarget(), `command ${this.#served}`, (message) => lines.send(message))
    })
  }

  #requestTarget(): RequestTarget {
    const { host, follow } = this.#options
    return {
      subscribe: (listener) => host.subscribe(listener),
      leave: (caller) => host.leave(caller),
      call: (name, input, context): Promise<Result<unknown>> => {
        if (name === OPEN_LINK_COMMAND) {
          const link = typeof input === 'string' ? parseAppLink(input) : null
          if (link === null) return Promise.resolve(fail('invalid_input', 'This is not a Linnet link.'))
          follow(link)
          return Promise.resolve(ok(null))
        }
        if (ALLOWED_COMMANDS.has(name)) return host.call(name, input, context)
        return Promise.resolve(fail('refused', `“${name}” is not available from the command line.`))
      },
    }
  }
}

export interface CommandConnection {
  readonly send: (message: string) => void
  readonly close: () => void
}

/** True if the user owns the socket. Windows has no owner to check; the proof alone decides. */
const isOwn = async (address: string): Promise<boolean> =>
  process.getuid === undefined || (await stat(address)).uid === process.getuid()

/** Connects to a data folder's Linnet. Null if none is running or it can't prove itself. `onClose` is called once. */
export const connectToLinnet = async (
  dataDirectory: string,
  onMessage: (message: string) => void,
  onClose: () => void,
): Promise<CommandConnection | null> => {
  const file = join(dataDirectory, FILE_NAME)
  if (!existsSync(file)) return null
  const announced = parseJsonAs(announcementSchema, await readFile(file, 'utf8').catch(() => ''))
  if (announced === null || !(await isOwn(announced.address).catch(() => false))) return null
  const { address, secret } = announced
  return new Promise((resolve) => {
    const socket = connect(address)
    const question = newQuestion()
    let isProven = false
    const timer = setTimeout(() => socket.destroy(), PROOF_TIMEOUT_MS)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => {
      clearTimeout(timer)
      if (isProven) onClose()
      else resolve(null)
    })
    const lines = new Lines(socket, MAX_PROOF_LENGTH, (line) => {
      if (isProven) return onMessage(line)
      const welcome = parseJsonAs(welcomeSchema, line)
      if (welcome === null || !isValidChallengeAnswer(welcome.proof, secret, asLinnet(question)))
        return void socket.destroy()
      clearTimeout(timer)
      isProven = true
      lines.allow(Number.POSITIVE_INFINITY)
      lines.send(JSON.stringify({ proof: answerChallenge(secret, asCommand(welcome.question)) }))
      resolve({ send: (message) => lines.send(message), close: () => socket.destroy() })
    })
    socket.on('connect', () => lines.send(JSON.stringify({ question })))
  })
}
