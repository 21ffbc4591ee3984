import type { SecureContext } from 'node:tls'
import type { ConnectionOptions } from './connections.ts'
import { DIRECT, type WayOut } from '../../shared/proxy.ts'
import { systemClock, type Clock } from '../timing/clock.ts'
import { Line } from './line.ts'
import { ProxyTrials } from './proxy-trials.ts'
import { DEAD_MS } from './time-outs.ts'
import { trustedCertificates, trustIn } from './trusted-certificates.ts'

/** A wall clock that is set right jumps as well: to renew connections for that costs nothing. */
const SLEPT_MS = 5_000

interface NetworkParts {
  readonly clock?: Clock
  /** The ways to a server, the best first. @param origin such as `https://api.example` */
  readonly waysTo?: (origin: string) => Promise<readonly WayOut[]>
  /** Trusted certificates as PEM; asked once, at the first connection over https. */
  readonly certificates?: () => readonly string[]
}

/** The one way out: every request of the engine goes over one of its lines. */
export class Network {
  readonly #clock: Clock
  /** Lead of the wall clock over the one that stops during sleep, in milliseconds. */
  #ahead: number
  readonly #askForWays: NonNullable<NetworkParts['waysTo']>
  /** Working ways since the last network change, by origin. */
  #ways = new Map<string, Promise<readonly WayOut[]>>()
  /** Ways that did not answer, and until when others come before them. */
  readonly #dead = new Map<WayOut, number>()
  readonly #certificates: () => readonly string[]
  #trusted: SecureContext | null = null
  readonly #lines = new Set<Line>()
  readonly #trials: ProxyTrials

  constructor(parts?: NetworkParts) {
    const {
      clock = systemClock,
      waysTo = () => Promise.resolve([DIRECT]),
      certificates = trustedCertificates,
    } = parts ?? {}
    this.#clock = clock
    this.#askForWays = waysTo
    this.#certificates = certificates
    this.#ahead = clock.now() - clock.elapsed()
    this.#trials = new ProxyTrials(clock)
  }

  /** A line of its own for whoever asks: an account, a download, a picture. It is theirs to end. */
  open(options: ConnectionOptions): Line {
    const line = new Line(options, this.#clock, {
      waysTo: (origin) => this.#waysTo(origin),
      trials: this.#trials,
      died: (way) => void this.#dead.set(way, this.#clock.elapsed() + DEAD_MS),
      // The system may name others by now, and need not tell.
      lost: (origin) => this.#ways.delete(origin),
      trusting: () => this.#trust(),
      ended: () => this.#lines.delete(line),
    })
    this.#lines.add(line)
    return line
  }

  async #waysTo(origin: string): Promise<readonly WayOut[]> {
    this.#noteSleep()
    const ways = await this.#namedWays(origin)
    const now = this.#clock.elapsed()
    const isDead = (way: WayOut): boolean => now < (this.#dead.get(way) ?? -Infinity)
    return ways.toSorted((one, other) => Number(isDead(one)) - Number(isDead(other)))
  }

  #namedWays(origin: string): Promise<readonly WayOut[]> {
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

  /** Without a signal, the clocks tell that the computer has slept. */
  #noteSleep(): void {
    const ahead = this.#clock.now() - this.#clock.elapsed()
    const hasSlept = ahead - this.#ahead > SLEPT_MS
    this.#ahead = ahead
    if (hasSlept) this.renew()
  }

  /** The network is another one, or has been away: what is silent is given up, and nothing waits for it. */
  renew(): void {
    this.#ways = new Map()
    this.#dead.clear()
    for (const line of this.#lines) line.renew()
  }

  /** A person has chosen another proxy, or said a name and a password: what was declined before counts no more. */
  chosen(): void {
    this.#trials.forget()
    this.renew()
  }
}
