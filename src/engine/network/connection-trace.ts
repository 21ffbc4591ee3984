import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { TrustCounts } from '../../shared/engine-link.ts'
import { DIRECT, type WayOut } from '../../shared/proxy.ts'
import type { Clock } from '../timing/clock.ts'
import { whoTrusts } from './trusted-certificates.ts'
import { certificateInWords, chainOf } from './untrusted-certificate.ts'

/** How far a connection has come. */
export interface ConnectionFacts {
  /** The ways that were tried, up to the one that is tried now. */
  readonly ways: readonly WayOut[]
  /** To how many addresses the server's name leads; null if it was not looked up here. */
  readonly addresses: number | null
  /** Milliseconds until the server was connected to, or the proxy that leads there; null before that. */
  readonly connectedIn: number | null
  /** True once the proxy has opened a tunnel. */
  readonly isThrough: boolean
  /** The server's trusted certificate, and the list that has it. */
  readonly certificate: { readonly words: string; readonly list: keyof TrustCounts | null } | null
  /** Milliseconds from then on until the first answer; null before that. */
  readonly answeredIn: number | null
}

export const NO_FACTS: ConnectionFacts = {
  ...{ ways: [], addresses: null, connectedIn: null, isThrough: false, certificate: null, answeredIn: null },
}

const isSocket = (made: unknown): made is Socket => typeof made === 'object' && made !== null && 'connecting' in made

/** Records how a line's connections are made. */
export class ConnectionTrace {
  readonly #clock: Pick<Clock, 'elapsed'>
  readonly #changed: () => void
  #facts = NO_FACTS
  /** Since when the next thing is waited for. */
  #since = 0

  constructor(clock: Pick<Clock, 'elapsed'>, changed: () => void) {
    this.#clock = clock
    this.#changed = changed
  }

  get facts(): ConnectionFacts {
    return this.#facts
  }

  /** A server is about to be asked by a way: the best one, or the next where the one before is dead. */
  asking(way: WayOut): void {
    this.#since = this.#clock.elapsed()
    const { ways } = this.#facts
    if (ways.at(-1) === way) return
    const before = ways.includes(way) ? ways.slice(0, ways.indexOf(way)) : ways
    this.#note({ ...NO_FACTS, ways: [...before, way] })
  }

  /** A connection is being made. @param made its socket; whatever else is not listened to */
  connecting(to: 'server' | 'proxy', made: unknown): void {
    if (!isSocket(made)) return
    const { ways } = this.#facts
    const isTunnelled = to === 'server' && ways.at(-1) !== DIRECT
    this.#note(isTunnelled ? { isThrough: true } : { ...NO_FACTS, ways })
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
      const list = whoTrusts(chainOf(leaf).at(-1)?.raw ?? leaf.raw)
      this.#note({ certificate: { words: certificateInWords(leaf), list } })
    })
  }

  answered(): void {
    if (this.#facts.answeredIn === null) this.#note({ answeredIn: this.#clock.elapsed() - this.#since })
  }

  #note(more: Partial<ConnectionFacts>): void {
    this.#facts = { ...this.#facts, ...more }
    if (more.connectedIn !== undefined || more.certificate !== undefined) this.#since = this.#clock.elapsed()
    this.#changed()
  }
}
