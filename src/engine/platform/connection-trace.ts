import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { CertificateCounts } from '../../shared/engine-api.ts'
import { DIRECT_ROUTE, type ProxyRoute } from '../../shared/proxy.ts'
import type { Clock } from '../timing/clock.ts'
import { findTrustSource } from './trusted-certificates.ts'
import { describeCertificate, collectCertificateChain } from './untrusted-certificate.ts'

export interface ConnectionDetails {
  /** Routes tried so far; the last is the current one. */
  readonly routes: readonly ProxyRoute[]
  /** Number of addresses that the server's name resolved to; null if it wasn't looked up locally. */
  readonly addresses: number | null
  /** Milliseconds until connected to the server or its proxy; null before that. */
  readonly connectedIn: number | null
  readonly isTunnelOpen: boolean
  /** The server's trusted certificate, and the list that contains it. */
  readonly certificate: { readonly words: string; readonly list: keyof CertificateCounts | null } | null
  /** Milliseconds from connecting to the first response; null before that. */
  readonly answeredIn: number | null
}

export const NO_CONNECTION_DETAILS: ConnectionDetails = {
  ...{ routes: [], addresses: null, connectedIn: null, isTunnelOpen: false, certificate: null, answeredIn: null },
}

const isSocket = (made: unknown): made is Socket => typeof made === 'object' && made !== null && 'connecting' in made

export class ConnectionTrace {
  readonly #clock: Pick<Clock, 'elapsed'>
  readonly #changed: () => void
  #facts = NO_CONNECTION_DETAILS
  #since = 0

  constructor(clock: Pick<Clock, 'elapsed'>, changed: () => void) {
    this.#clock = clock
    this.#changed = changed
  }

  get facts(): ConnectionDetails {
    return this.#facts
  }

  /** Called before each attempt, with the best route or, if that didn't answer, the next. */
  asking(route: ProxyRoute): void {
    this.#since = this.#clock.elapsed()
    const { routes } = this.#facts
    if (routes.at(-1) === route) return
    const before = routes.includes(route) ? routes.slice(0, routes.indexOf(route)) : routes
    this.#note({ ...NO_CONNECTION_DETAILS, routes: [...before, route] })
  }

  /** Called when a connection starts. @param made ignored unless it is a socket */
  connecting(to: 'server' | 'proxy', made: unknown): void {
    if (!isSocket(made)) return
    const { routes } = this.#facts
    const isTunnelled = to === 'server' && routes.at(-1) !== DIRECT_ROUTE
    this.#note(isTunnelled ? { isTunnelOpen: true } : { ...NO_CONNECTION_DETAILS, routes })
    made.on('lookup', (failed: Error | null) => {
      if (failed === null && to === 'server') this.#note({ addresses: (this.#facts.addresses ?? 0) + 1 })
    })
    made.on('connectionAttempt', () => {
      this.#since = this.#clock.elapsed()
    })
    made.once('connect', () => {
      if (!isTunnelled) this.#note({ connectedIn: this.#clock.elapsed() - this.#since })
    })
    made.once('secureConnect', () => {
      if (to === 'proxy') return
      const leaf = (made as TLSSocket).getPeerCertificate(true)
      const list = findTrustSource(collectCertificateChain(leaf).at(-1)?.raw ?? leaf.raw)
      this.#note({ certificate: { words: describeCertificate(leaf), list } })
    })
  }

  onResponseStart(): void {
    if (this.#facts.answeredIn === null) this.#note({ answeredIn: this.#clock.elapsed() - this.#since })
  }

  #note(more: Partial<ConnectionDetails>): void {
    this.#facts = { ...this.#facts, ...more }
    if (more.connectedIn !== undefined || more.certificate !== undefined) this.#since = this.#clock.elapsed()
    this.#changed()
  }
}
