import type { LookupFunction } from 'node:net'
import type { Dispatcher } from 'undici'
import { DIRECT, readProxy, shownProxy, type WayOut } from '../../shared/proxy.ts'
import { loadUndici } from './load-undici.ts'
import { CONNECT_MS } from './time-outs.ts'

export interface ConnectionOptions {
  /** How many there are at most, for each server. */
  readonly connections: number
  /** Who looks names up, in place of the system alone: what it refuses is not connected to. */
  readonly lookup?: LookupFunction
  /** Whether a name that nobody here knows is not asked of a proxy either. */
  readonly isNameNeeded?: boolean
}

/** Connections that are kept between requests, by the way they go. */
export class Connections {
  readonly #options: ConnectionOptions
  /** Whether an answer has come over them: one that was never there is on its way, and not silent. */
  isUsed = false
  readonly #byWay = new Map<WayOut, Promise<Dispatcher>>()

  constructor(options: ConnectionOptions) {
    this.#options = options
  }

  /** What sends requests by a way. */
  by(way: WayOut): Promise<Dispatcher> {
    const known = this.#byWay.get(way)
    if (known !== undefined) return known
    const opening = this.#open(way)
    this.#byWay.set(way, opening)
    return opening
  }

  /** No more requests: resolves when those that are on their way have ended. */
  async close(): Promise<void> {
    await Promise.all([...this.#byWay.values()].map(async (opening) => (await opening).close()))
  }

  /** Ends all that is on its way. */
  async destroy(): Promise<void> {
    await Promise.all([...this.#byWay.values()].map(async (opening) => (await opening).destroy()))
  }

  async #open(way: WayOut): Promise<Dispatcher> {
    const { connections, lookup } = this.#options
    const { Agent, ProxyAgent } = await loadUndici()
    const connect = { timeout: CONNECT_MS }
    if (way === DIRECT)
      return new Agent({ connections, connect: { ...connect, ...(lookup !== undefined && { lookup }) } })
    const proxy = readProxy(way)
    if (proxy === null) throw new Error('This is no way to a server.')
    const { protocol, login } = proxy
    // It takes settings of encryption for a wish to encrypt.
    if (protocol === 'socks5') return new ProxyAgent({ uri: way, connections })
    const token =
      login === null ? {} : { token: `Basic ${Buffer.from(`${login.name}:${login.password}`).toString('base64')}` }
    // What is not encrypted anyway is asked of the proxy itself: many connect to nothing but port 443.
    return new ProxyAgent({ uri: shownProxy(proxy), connections, proxyTunnel: false, proxyTls: connect, ...token })
  }
}
