/** Where a request stands in the window of its second. */
export interface RateDecision {
  readonly allowed: boolean
  /** `ratelimit-*` on every answer, `retry-after` on a refusal; all in whole seconds. */
  readonly headers: Readonly<Record<string, string>>
}

/** What `--rate-limit off` announces: clients pace themselves by these headers, so none would hold them back. */
const unlimited = 1_000_000

/**
 * Counts requests in windows of one second for the whole account, without bursts beyond it (platform facts 1).
 * @param limit requests a second, `null` for no limit
 */
export function createRateLimiter(limit: number | null, now: () => number): () => RateDecision {
  let windowStart = 0
  let used = 0
  return () => {
    const time = now()
    if (time - windowStart >= 1000 || time < windowStart) {
      windowStart = time
      used = 0
    }
    used++
    const allowed = limit === null || used <= limit
    const announced = limit ?? unlimited
    return {
      allowed,
      headers: {
        'ratelimit-limit': String(announced),
        'ratelimit-policy': `${announced};w=1`,
        'ratelimit-remaining': String(Math.max(0, announced - used)),
        'ratelimit-reset': '1',
        ...(allowed ? {} : { 'retry-after': '1' }),
      },
    }
  }
}
