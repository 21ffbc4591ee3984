import type { SecureContext } from 'node:tls'
import type { ConnectionOptions } from './connections.ts'
import { DIRECT_ROUTE, type ProxyRoute } from '../../shared/proxy.ts'
import { systemClock, type Clock } from '../timing/clock.ts'
import { ConnectionPool } from './connection-pool.ts'
import { ProxyCredentialThrottle } from './proxy-credential-throttle.ts'
import { DEAD_PROXY_MS } from './timeouts.ts'
import { listTrustedCertificates, createTrustContext } from './trusted-certificates.ts'
import { createThrottle } from '../timing/throttle.ts'

/** Clock jump that counts as sleep. Correcting the wall clock also jumps, but renewing connections is cheap. */
const SLEPT_MS = 5_000

interface NetworkParts {
  readonly clock?: Clock
  /** Routes to a server, best first. @param origin such as `https://api.example` */
  readonly routesTo?: (origin: string) => Promise<readonly ProxyRoute[]>
  /** Trusted certificates as PEM; called once, at the first https connection. */
  readonly certificates?: () => readonly string[]
}

/** All of the engine's requests go through one of its connection pools. */
export class Network {
  readonly #parts: Required<NetworkParts>
  /** Wall clock minus monotonic clock, in milliseconds. The latter stops during sleep. */
  #clockOffsetMs: number
  /** Routes since the last network change, by origin. */
  #routes = new Map<string, Promise<readonly ProxyRoute[]>>()
  /** Routes that didn't answer, and until when others are preferred. */
  readonly #dead = new Map<ProxyRoute, number>()
  #trusted: SecureContext | null = null
  readonly #pools = new Set<ConnectionPool>()
  readonly #credentialThrottle: ProxyCredentialThrottle

  constructor(parts?: NetworkParts) {
    this.#parts = {
      clock: systemClock,
      routesTo: () => Promise.resolve([DIRECT_ROUTE]),
      certificates: listTrustedCertificates,
      ...parts,
    }
    const { clock } = this.#parts
    this.#clockOffsetMs = clock.now() - clock.elapsed()
    this.#credentialThrottle = new ProxyCredentialThrottle(clock)
  }

  /** Opens a connection pool for one consumer, such as an account or a download, which must end it. */
  open(options: ConnectionOptions): ConnectionPool {
    const pool = new ConnectionPool(options, this.#parts.clock, {
      routesTo: (origin) => this.#routesTo(origin),
      credentialThrottle: this.#credentialThrottle,
      onDeadRoute: (route) => void this.#dead.set(route, this.#parts.clock.elapsed() + DEAD_PROXY_MS),
      // The system's routes may have changed without notice.
      onUnreachable: (origin) => this.#routes.delete(origin),
      trusting: () => this.#trust(),
      onClosed: () => this.#pools.delete(pool),
    })
    this.#pools.add(pool)
    return pool
  }

  async #routesTo(origin: string): Promise<readonly ProxyRoute[]> {
    this.#noteSleep()
    const routes = await this.#cachedRoutes(origin)
    const now = this.#parts.clock.elapsed()
    const isDead = (route: ProxyRoute): boolean => now < (this.#dead.get(route) ?? -Infinity)
    return routes.toSorted((one, other) => Number(isDead(one)) - Number(isDead(other)))
  }

  #cachedRoutes(origin: string): Promise<readonly ProxyRoute[]> {
    const known = this.#routes.get(origin)
    if (known !== undefined) return known
    const asked = this.#parts.routesTo(origin)
    this.#routes.set(origin, asked)
    asked.catch(() => this.#routes.delete(origin))
    return asked
  }

  #trust(): SecureContext {
    this.#trusted ??= createTrustContext(this.#parts.certificates())
    return this.#trusted
  }

  /** Detects sleep from the clocks, in case no signal came. */
  #noteSleep(): void {
    const ahead = this.#parts.clock.now() - this.#parts.clock.elapsed()
    const hasSlept = ahead - this.#clockOffsetMs > SLEPT_MS
    this.#clockOffsetMs = ahead
    if (hasSlept) this.renew()
  }

  /** Call after a network change or outage. Silent connections are dropped. */
  renew(): void {
    this.#routes = new Map()
    this.#dead.clear()
    for (const pool of this.#pools) pool.renew()
  }

  /** Call when the user has chosen a proxy or entered credentials: allows declined credentials again. */
  proxyChanged(): void {
    this.#credentialThrottle.forget()
    this.renew()
  }
}

/** Signals within this many milliseconds belong to one change. */
const DEBOUNCE_MS = 1_000

/**
 * Opening a laptop's lid causes three signals. Acts on the first, and once more after the rest, since any of them may
 * restore the network.
 * @returns a function to call at each signal
 */
export const createNetworkChangeDebouncer = (
  clock: Pick<Clock, 'elapsed' | 'after'>,
  follow: () => void,
): (() => void) => {
  let followedAt = -Infinity
  const act = (): void => {
    followedAt = clock.elapsed()
    follow()
  }
  const actLater = createThrottle(act, clock, new AbortController().signal, { everyMs: DEBOUNCE_MS, unref: true })
  return () => (clock.elapsed() - followedAt < DEBOUNCE_MS ? actLater() : act())
}
