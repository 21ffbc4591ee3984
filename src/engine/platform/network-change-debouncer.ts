import type { Clock } from '../timing/clock.ts'
import { createThrottle } from '../timing/throttle.ts'

/** Signals within this many milliseconds belong to one change. */
const DEBOUNCE_MS = 1_000

/**
 * Opening a laptop's lid causes three signals. Acts on the first, and once more after the rest, since any of them may
 * restore the network.
 */
export class NetworkChangeDebouncer {
  readonly #clock: Pick<Clock, 'elapsed' | 'after'>
  readonly #follow: () => void
  readonly #followLater: () => void
  #followedAt = -Infinity

  constructor(clock: Pick<Clock, 'elapsed' | 'after'>, follow: () => void) {
    this.#clock = clock
    this.#follow = () => {
      this.#followedAt = clock.elapsed()
      follow()
    }
    const never = new AbortController().signal
    this.#followLater = createThrottle(this.#follow, clock, never, { everyMs: DEBOUNCE_MS, unref: true })
  }

  notify(): void {
    if (this.#clock.elapsed() - this.#followedAt < DEBOUNCE_MS) this.#followLater()
    else this.#follow()
  }
}
