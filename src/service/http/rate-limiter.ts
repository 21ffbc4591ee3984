/** Where a request stands in the window of its second. */
export interface RateDecision {
  readonly allowed: boolean
  /** `ratelimit-*` on every answer, `retry-after` on a refusal; all in whole seconds. */
  readonly headers: Readonly<Record<string, string>>
}

/** What `--rate-limit off` announces: clients pace themselves by these headers, so none would hold them back. */
const unlimited = 1_000_000

/** Counts requests in windows of one second for the whole account, without bursts beyond it (platform facts 1). */
export class RateLimiter {
  readonly #limit: number | null
  readonly #now: () => number
  #windowStart = 0
  #used = 0

  /** @param limit requests a second, `null` for no limit */
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
