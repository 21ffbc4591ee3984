/** A task whose callers share runs. */
export class SharedPoll {
  readonly #poll: () => Promise<void>
  #inFlight: Promise<void> | null = null
  #following: Promise<void> | null = null

  constructor(poll: () => Promise<void>) {
    this.#poll = poll
  }

  /** Joins the next run. A run in progress may have missed a change, so requests made during it share one more run. */
  join(): Promise<void> {
    if (this.#inFlight === null) return this.#start()
    this.#following ??= this.#inFlight
      .catch(() => undefined)
      .then(() => {
        this.#following = null
        return this.#start()
      })
    return this.#following
  }

  /** Resolves when no run is in progress, whatever its outcome. */
  async ended(): Promise<void> {
    await Promise.all([this.#inFlight?.catch(() => undefined), this.#following?.catch(() => undefined)])
  }

  #start(): Promise<void> {
    const started = this.#poll().finally(() => {
      this.#inFlight = null
    })
    this.#inFlight = started
    return started
  }
}
