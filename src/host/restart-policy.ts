/** A run shorter than this counts as a crash on start. */
const SHORT_LIFE_MS = 5_000
/** Consecutive short runs after which the process isn't restarted. */
const MAX_SHORT_LIVES = 5
/** Limit regardless of run length: more restarts within this time don't help. */
const MAX_RESTARTS = 60
const RESTARTS_WITHIN_MS = 600_000
const FIRST_PAUSE_MS = 250
const MAX_DELAY_MS = 8_000

/** Restart policy: at once after a long run, delayed after short ones, then never, so a crash loop gets noticed. */
export class RestartPolicy {
  readonly #now: () => number
  #startedAt: number
  #shortLives = 0
  #restarts: readonly number[] = []

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
    this.#startedAt = now()
  }

  started(): void {
    this.#startedAt = this.#now()
  }

  /** Call after an unexpected exit. @returns milliseconds until the restart, or null to leave it stopped */
  recordCrash(): number | null {
    const at = this.#now()
    this.#shortLives = at - this.#startedAt < SHORT_LIFE_MS ? this.#shortLives + 1 : 0
    this.#restarts = [...this.#restarts.filter((each) => each > at - RESTARTS_WITHIN_MS), at]
    if (this.#shortLives >= MAX_SHORT_LIVES || this.#restarts.length > MAX_RESTARTS) return null
    return this.#shortLives <= 1 ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** (this.#shortLives - 2), MAX_DELAY_MS)
  }

  /** Resets the counts when the user asks for a restart. */
  forgive(): void {
    this.#shortLives = 0
    this.#restarts = []
  }
}
