/** A shorter life was of no use. */
const SHORT_LIFE_MS = 5_000
/** Short lives in a row after which it is left alone. */
const MOST_SHORT_LIVES = 5
/** However long each lived: so many restarts within this time are no help any more. */
const MOST_RESTARTS = 60
const RESTARTS_WITHIN_MS = 600_000
const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 8_000

/** Restarts a part at once after a long life, later after short ones, then never: a crash loop would stay unnoticed. */
export class Restarts {
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

  /** It ended unexpectedly. @returns milliseconds to wait before it is started again; null where it is to be left alone */
  ended(): number | null {
    const at = this.#now()
    this.#shortLives = at - this.#startedAt < SHORT_LIFE_MS ? this.#shortLives + 1 : 0
    this.#restarts = [...this.#restarts.filter((each) => each > at - RESTARTS_WITHIN_MS), at]
    if (this.#shortLives >= MOST_SHORT_LIVES || this.#restarts.length > MOST_RESTARTS) return null
    return this.#shortLives <= 1 ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** (this.#shortLives - 2), LONGEST_PAUSE_MS)
  }

  /** A person wants it: what was before does not count. */
  forgive(): void {
    this.#shortLives = 0
    this.#restarts = []
  }
}
