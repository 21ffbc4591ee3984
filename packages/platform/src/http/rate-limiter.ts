export interface RateDecision {
  readonly allowed: boolean
  /** `ratelimit-*` always, `retry-after` on a rejection; whole seconds. */
  readonly headers: Readonly<Record<string, string>>
}

/** Limit announced with `--rate-limit off`, because clients pace themselves by these headers. */
const unlimited = 1_000_000

/** Counts requests of the whole account in windows of one second, without bursts (platform.md 2.1). */
export class RateLimiter {
  readonly #limit: number | null
  readonly #now: () => number
  #windowStart = 0
  #used = 0

  /** @param limit requests per second, or `null` */
  constructor(limit: number | null, now: () => number) {
    this.#limit = limit
    this.#now = now
  }

  take(): RateDecision {
    const time = this.#now()
    if (time - this.#windowStart >= 1000 || time < this.#windowStart) {
      this.#windowStart = time
      this.#used = 0
    }
    this.#used++
    const allowed = this.#limit === null || this.#used <= this.#limit
    const announced = this.#limit ?? unlimited
    return {
      allowed,
      headers: {
        'ratelimit-limit': String(announced),
        'ratelimit-policy': `${announced};w=1`,
        'ratelimit-remaining': String(Math.max(0, announced - this.#used)),
        'ratelimit-reset': '1',
        ...(allowed ? {} : { 'retry-after': '1' }),
      },
    }
  }
}
