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
  /** Breaks every connection that has carried so many bytes to the server; null for none. */
  readonly breakAfter: (bytes: number | null) => void
  /** How many have broken so. */
  readonly broken: () => number
  /** Lets no more than so many bytes of a connection through to the server; null lets it go on. */
  readonly holdAfter: (bytes: number | null) => void
}

/** A line that all connections share. */
interface ThinLine {
  /** What comes of the server. */
  readonly bytesPerSecond: number
  /** Of each way. */
  readonly delayMs: number
}

const TICK_MS = 25
/** What a computer on the way keeps of one connection before it takes more. */
const BUFFER_BYTES = 16 * 1024

/** @returns hands bytes on over the line; those of several connections take turns */
const shareLine = ({ bytesPerSecond, delayMs }: ThinLine) => {
  const waiting = new Map<Socket, { readonly from: Socket; bytes: Buffer }>()
  const end = (to: Socket): void => {
    setTimeout(() => to.destroy(), delayMs)
  }
  const later = (to: Socket, bytes: Buffer): void => {
    setTimeout(() => to.write(bytes), delayMs)
  }
  const tick = (): void => {
    for (const to of waiting.keys()) if (to.destroyed) waiting.delete(to)
    const share = Math.ceil((bytesPerSecond * TICK_MS) / 1000 / Math.max(1, waiting.size))
    for (const [to, queue] of waiting) {
      later(to, queue.bytes.subarray(0, share))
      queue.bytes = queue.bytes.subarray(share)
      if (queue.bytes.length < BUFFER_BYTES) queue.from.resume()
      if (queue.bytes.length > 0) continue
      waiting.delete(to)
      if (queue.from.destroyed) end(to)
    }
  }
  const timer = setInterval(tick, TICK_MS)
  onTestFinished(() => clearInterval(timer))
  return {
    up: later,
    /** What has come is handed on before. */
    end: (to: Socket): void => {
      if (!waiting.has(to)) end(to)
    },
    down: (to: Socket, bytes: Buffer, from: Socket): void => {
      const all = Buffer.concat([waiting.get(to)?.bytes ?? Buffer.alloc(0), bytes])
      waiting.set(to, { from, bytes: all })
      if (all.length >= BUFFER_BYTES) from.pause()
    },
  }
}

/**
 * Relays TCP to a server on loopback until the test is over.
 * @param target its base URL
 * @param thin how it is slowed down; not at all where it is not given
 */
export const startRelay = async (target: string, thin?: ThinLine): Promise<Relay> => {
  const line = thin === undefined ? null : shareLine(thin)
  const write = (to: Socket, bytes: Buffer): void => void to.write(bytes)
  const { port } = new URL(target)
  const sockets = new Set<Socket>()
  const silent = new Set<Socket>()
  let count = 0
  let breaksAfter = Infinity
  let broken = 0
  let holdsAfter = Infinity
  const held = new Set<Socket>()
  const server = createServer((near) => {
    count += 1
    const far = connect(Number(port), '127.0.0.1')
    for (const [from, to, carry] of [
      [near, far, line?.up ?? write],
      [far, near, line?.down ?? write],
    ] as const) {
      let carried = 0
      sockets.add(from)
      from.on('data', (bytes) => {
        if (silent.has(from)) return
        carry(to, bytes, from)
        carried += bytes.byteLength
        if (from !== near) return
        if (carried > breaksAfter && !near.destroyed) {
          broken += 1
          near.destroy()
          far.destroy()
        } else if (carried > holdsAfter) held.add(near.pause())
      })
      from.on('error', () => undefined)
      from.on('close', () => {
        sockets.delete(from)
        if (silent.has(from)) return
        if (line === null) to.destroy()
        else line.end(to)
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
    breakAfter: (bytes) => {
      breaksAfter = bytes ?? Infinity
    },
    broken: () => broken,
    holdAfter: (bytes) => {
      holdsAfter = bytes ?? Infinity
      if (bytes !== null) return
      for (const socket of held) socket.resume()
      held.clear()
    },
  }
}
