import type { SecureContext } from 'node:tls'
import type { ConnectionOptions } from './connections.ts'
import { DIRECT, type ProxyRoute } from '../../shared/proxy.ts'
import { systemClock, type Clock } from '../timing/clock.ts'
import { Line } from './line.ts'
import { ProxyTrials } from './proxy-trials.ts'
import { DEAD_MS } from './time-outs.ts'
import { trustedCertificates, trustIn } from './trusted-certificates.ts'

/** A corrected wall clock jumps too; renewing connections for that is cheap. */
const SLEPT_MS = 5_000

interface NetworkParts {
  readonly clock?: Clock
  /** Routes to a server, best first. @param origin such as `https://api.example` */
  readonly routesTo?: (origin: string) => Promise<readonly ProxyRoute[]>
  /** Trusted certificates as PEM; called once, at the first https connection. */
  readonly certificates?: () => readonly string[]
}

/** All of the engine's requests go through one of its lines. */
export class Network {
  readonly #clock: Clock
  /** Wall clock minus monotonic clock, in milliseconds. The latter stops during sleep. */
  #ahead: number
  readonly #askForWays: NonNullable<NetworkParts['routesTo']>
  /** Routes since the last network change, by origin. */
  #ways = new Map<string, Promise<readonly ProxyRoute[]>>()
  /** Routes that didn't answer, and until when others are preferred. */
  readonly #dead = new Map<ProxyRoute, number>()
  readonly #certificates: () => readonly string[]
  #trusted: SecureContext | null = null
  readonly #lines = new Set<Line>()
  readonly #trials: ProxyTrials

  constructor(parts?: NetworkParts) {
    const {
      clock = systemClock,
      routesTo = () => Promise.resolve([DIRECT]),
      certificates = trustedCertificates,
    } = parts ?? {}
    this.#clock = clock
    this.#askForWays = routesTo
    this.#certificates = certificates
    this.#ahead = clock.now() - clock.elapsed()
    this.#trials = new ProxyTrials(clock)
  }

  /** Opens a line for one user, such as an account or a download, which must end it. */
  open(options: ConnectionOptions): Line {
    const line = new Line(options, this.#clock, {
      routesTo: (origin) => this.#routesTo(origin),
      trials: this.#trials,
      died: (way) => void this.#dead.set(way, this.#clock.elapsed() + DEAD_MS),
      // The system's routes may have changed without notice.
      lost: (origin) => this.#ways.delete(origin),
      trusting: () => this.#trust(),
      ended: () => this.#lines.delete(line),
    })
    this.#lines.add(line)
    return line
  }

  async #routesTo(origin: string): Promise<readonly ProxyRoute[]> {
    this.#noteSleep()
    const ways = await this.#namedWays(origin)
    const now = this.#clock.elapsed()
    const isDead = (way: ProxyRoute): boolean => now < (this.#dead.get(way) ?? -Infinity)
    return ways.toSorted((one, other) => Number(isDead(one)) - Number(isDead(other)))
  }

  #namedWays(origin: string): Promise<readonly ProxyRoute[]> {
    const known = this.#ways.get(origin)
    if (known !== undefined) return known
    const asked = this.#askForWays(origin)
    this.#ways.set(origin, asked)
    asked.catch(() => this.#ways.delete(origin))
    return asked
  }

  #trust(): SecureContext {
    this.#trusted ??= trustIn(this.#certificates())
    return this.#trusted
  }

  /** Detects sleep from the clocks, in case no signal came. */
  #noteSleep(): void {
    const ahead = this.#clock.now() - this.#clock.elapsed()
    const hasSlept = ahead - this.#ahead > SLEPT_MS
    this.#ahead = ahead
    if (hasSlept) this.renew()
  }

  /** Call after a network change or outage. Silent connections are dropped. */
  renew(): void {
    this.#ways = new Map()
    this.#dead.clear()
    for (const line of this.#lines) line.renew()
  }

  /** Call when the user has chosen a proxy or entered credentials: allows declined credentials again. */
  chosen(): void {
    this.#trials.forget()
    this.renew()
  }
}
