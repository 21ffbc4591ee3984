import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** What stands between two computers, on this one. */
export interface Relay {
  /** The address to ask at, without a slash at its end. */
  readonly url: string
  /** How many connections were made to it. */
  readonly connections: () => number
  /** Has every connection that stands swallow what comes, as when a lid was closed in between; new ones are let through. */
  readonly silence: () => void
}

/** Relays TCP to a server on loopback until the test is over. @param target its base URL */
export const startRelay = async (target: string): Promise<Relay> => {
  const { port } = new URL(target)
  const sockets = new Set<Socket>()
  const silent = new Set<Socket>()
  let count = 0
  const server = createServer((near) => {
    count += 1
    const far = connect(Number(port), '127.0.0.1')
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('data', (bytes) => {
        if (!silent.has(from)) to.write(bytes)
      })
      from.on('error', () => undefined)
      from.on('close', () => {
        sockets.delete(from)
        if (!silent.has(from)) to.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => count,
    silence: () => {
      for (const socket of sockets) silent.add(socket)
    },
  }
}
