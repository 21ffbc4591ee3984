import type { LookupFunction } from 'node:net'
import { systemClock, type Clock } from '../timing/clock.ts'
import { Line } from './line.ts'

export interface LineOptions {
  /** How many connections it has at most. */
  readonly connections: number
  /** Who looks names up, in place of the system alone: what it refuses is not connected to. */
  readonly lookup?: LookupFunction
}

/** A wall clock that is set right jumps as well: to renew connections for that costs nothing. */
const SLEPT_MS = 5_000

/** The one way out: every request of the engine goes over one of its lines. */
export class Network {
  readonly #clock: Clock
  /** By how much the wall clock is ahead of the one that stands still while the computer sleeps, in milliseconds. */
  #ahead: number
  readonly #lines = new Set<Line>()

  constructor(clock: Clock = systemClock) {
    this.#clock = clock
    this.#ahead = clock.now() - clock.elapsed()
  }

  /** A line of its own for whoever asks: an account, a download, a picture. It is theirs to end. */
  open(options: LineOptions): Line {
    const line = new Line(options, this.#clock, {
      asking: () => this.#noteSleep(),
      ended: () => this.#lines.delete(line),
    })
    this.#lines.add(line)
    return line
  }

  /** Where nobody tells that the computer has slept, its clocks do. */
  #noteSleep(): void {
    const ahead = this.#clock.now() - this.#clock.elapsed()
    const hasSlept = ahead - this.#ahead > SLEPT_MS
    this.#ahead = ahead
    if (hasSlept) this.renew()
  }

  /** The network is another one, or has been away: what is silent is given up, and nothing waits for it. */
  renew(): void {
    for (const line of this.#lines) line.renew()
  }
}
