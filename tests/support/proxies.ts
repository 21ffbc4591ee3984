import { createServer as createHttpServer, request as ask } from 'node:http'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A proxy on loopback that records its requests. */
export interface TestProxy {
  readonly url: string
  /** Requests, such as `GET http://mail.example/inboxes`, `CONNECT mail.example:443` or `SOCKS mail.example:80`. */
  readonly asked: readonly string[]
  /** Rejected credentials, as `name:password`. */
  readonly declined: readonly string[]
  readonly stop: () => Promise<void>
}

export interface TestHttpProxy extends TestProxy {
  /** Requires other credentials from now on, as `name:password`; open connections stay. */
  readonly want: (login: string) => void
  /** Makes all open tunnels swallow data, as if a laptop lid had been closed; later tunnels work. */
  readonly silence: () => void
}

const listen = async (server: Server, port: number): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

const endOf = (server: Server): (() => Promise<void>) => {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
  })
  return async () => {
    for (const socket of sockets) socket.destroy()
    if (server.listening) await new Promise((resolve) => server.close(resolve))
  }
}

/** Every host name maps to loopback, since the tests' names don't resolve; the port is kept. */
const HERE = '127.0.0.1'

/** Joins two connections until one ends. @returns a function that makes both swallow data until the near one ends */
const join = (near: Socket, far: Socket): (() => void) => {
  let isSilent = false
  near.pipe(far).pipe(near)
  for (const socket of [near, far]) socket.on('error', () => socket.destroy())
  near.on('close', () => far.destroy())
  far.on('close', () => {
    if (!isSilent) near.destroy()
  })
  return () => {
    isSilent = true
    near.unpipe(far).resume()
    far.unpipe(near).resume()
  }
}

interface ProxyOptions {
  /** Required credentials, as `name:password`; null for none. */
  readonly login?: string | null
  /** Set to reject every tunnel. */
  readonly isRefusing?: boolean
  readonly port?: number
  /** Registers the stop function; by default it runs when the current test finishes. */
  readonly until?: (stop: () => Promise<void>) => void
}

/** An HTTP proxy: `CONNECT`, and absolute URLs for plain HTTP. */
export const startHttpProxy = async ({
  login = null,
  isRefusing = false,
  port = 0,
  until = onTestFinished,
}: ProxyOptions = {}): Promise<TestHttpProxy> => {
  const asked: string[] = []
  const declined: string[] = []
  const silences: (() => void)[] = []
  let wanted = login
  const isWelcome = (header: string | undefined): boolean => {
    const given = header === undefined ? null : Buffer.from(header.replace('Basic ', ''), 'base64').toString()
    const isRight = wanted === null || given === wanted
    if (!isRight && given !== null) declined.push(given)
    return isRight
  }
  const server = createHttpServer((incoming, outgoing) => {
    asked.push(`${incoming.method ?? ''} ${incoming.url ?? ''}`)
    const { 'proxy-authorization': token, 'proxy-connection': _, ...headers } = incoming.headers
    if (!isWelcome(token)) {
      outgoing.writeHead(407, { 'proxy-authenticate': 'Basic realm="proxy"' }).end()
      return
    }
    const { port: target, pathname, search } = new URL(incoming.url ?? '')
    const further = ask(
      { host: HERE, port: target, path: pathname + search, method: incoming.method, headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(outgoing)
      },
    )
    further.on('error', () => outgoing.writeHead(502).end())
    incoming.pipe(further)
  })
  server.on('connect', (incoming, socket) => {
    asked.push(`CONNECT ${incoming.url ?? ''}`)
    const near = socket as Socket
    if (!isWelcome(incoming.headers['proxy-authorization'])) {
      near.end('HTTP/1.1 407 Proxy Authentication Required\r\nproxy-authenticate: Basic realm="proxy"\r\n\r\n')
      return
    }
    if (isRefusing) {
      near.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')
      return
    }
    const far = connect(Number((incoming.url ?? '').split(':')[1]), HERE, () => {
      near.write('HTTP/1.1 200 Connection established\r\n\r\n')
      silences.push(join(near, far))
    })
    far.on('error', () => near.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'))
  })
  const stop = endOf(server)
  until(stop)
  return {
    ...{ url: `http://127.0.0.1:${await listen(server, port)}`, asked, declined, stop },
    want: (next) => (wanted = next),
    silence: () => silences.splice(0).forEach((silence) => silence()),
  }
}

/** A SOCKS5 proxy (RFC 1928) with user name and password (RFC 1929). */
export const startSocksProxy = async ({ login = null }: Pick<ProxyOptions, 'login'> = {}): Promise<TestProxy> => {
  const asked: string[] = []
  const declined: string[] = []
  const serve = (near: Socket, wish: Buffer): void => {
    const isName = wish[3] === 3
    const length = isName ? (wish[4] ?? 0) : 4
    const start = isName ? 5 : 4
    const host = isName ? wish.subarray(start, start + length).toString() : wish.subarray(4, 8).join('.')
    const target = wish.readUInt16BE(start + length)
    asked.push(`SOCKS ${host}:${target}`)
    const far = connect(target, HERE, () => {
      near.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]))
      join(near, far)
    })
    far.on('error', () => near.end(Buffer.from([5, 5, 0, 1, 0, 0, 0, 0, 0, 0])))
  }
  const server = createServer((near) => {
    near.once('data', (methods) => {
      if (login === null) {
        near.write(Buffer.from([5, 0]))
        near.once('data', (wish) => serve(near, wish))
      } else if (methods.subarray(2).includes(2)) {
        near.write(Buffer.from([5, 2]))
        near.once('data', (words) => {
          const end = 2 + (words[1] ?? 0)
          const given = `${words.subarray(2, end).toString()}:${words.subarray(end + 1).toString()}`
          near.once('data', (wish) => serve(near, wish))
          near.write(Buffer.from([1, given === login ? 0 : 1]))
          if (given !== login) {
            declined.push(given)
            near.end()
          }
        })
      } else near.end(Buffer.from([5, 0xff]))
    })
  })
  const stop = endOf(server)
  onTestFinished(stop)
  return { url: `socks5://127.0.0.1:${await listen(server, 0)}`, asked, declined, stop }
}
