import type { LookupFunction } from 'node:net'
import { systemClock, type Clock } from '../timing/clock.ts'
import { Line } from './line.ts'

export interface LineOptions {
  /** How many connections it has at most. */
  readonly connections: number
  /** Who looks names up, in place of the system alone: what it refuses is not connected to. */
  readonly lookup?: LookupFunction
}

/** The one way out: every request of the engine goes over one of its lines. */
export class Network {
  readonly #clock: Pick<Clock, 'elapsed' | 'after'>
  readonly #lines = new Set<Line>()

  constructor(clock: Pick<Clock, 'elapsed' | 'after'> = systemClock) {
    this.#clock = clock
  }

  /** A line of its own for whoever asks: an account, a download, a picture. It is theirs to end. */
  open(options: LineOptions): Line {
    const line = new Line(options, this.#clock, () => this.#lines.delete(line))
    this.#lines.add(line)
    return line
  }

  /** The network is another one, or has been away: what is silent is given up, and nothing waits for it. */
  renew(): void {
    for (const line of this.#lines) line.renew()
  }
}
