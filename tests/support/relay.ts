import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A TCP relay between client and server, to simulate a bad network. */
export interface Relay {
  /** The base URL, without a trailing slash. */
  readonly url: string
  readonly connections: () => number
  /** Makes every open connection swallow data, as if a laptop lid had been closed; new ones work. */
  readonly silence: () => void
  /** Breaks each connection once it has sent this many bytes to the server; null for never. */
  readonly breakAfter: (bytes: number | null) => void
  readonly broken: () => number
  /** Holds each connection after this many bytes to the server; null releases them. */
  readonly holdAfter: (bytes: number | null) => void
}

/** A slow line shared by all connections. */
interface ThinLine {
  /** Limits downstream traffic only. */
  readonly bytesPerSecond: number
  /** Added in each direction. */
  readonly delayMs: number
}

const TICK_MS = 25
/** Bytes the relay buffers per connection before it applies back-pressure. */
const BUFFER_BYTES = 16 * 1024

/** @returns functions that pass bytes over the line; connections share it evenly */
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
    /** Ends the connection after delivering buffered bytes. */
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
 * Relays TCP to a loopback server until the test finishes. @param target the server's base URL @param thin simulates a
 * slow line
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
