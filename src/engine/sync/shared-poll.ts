/** A task whose callers share runs. */
export class SharedPoll {
  readonly #look: () => Promise<void>
  #underWay: Promise<void> | null = null
  #following: Promise<void> | null = null

  constructor(look: () => Promise<void>) {
    this.#look = look
  }

  /** Joins the next run. A run in progress may have missed a change, so requests made during it share one more run. */
  take(): Promise<void> {
    if (this.#underWay === null) return this.#start()
    this.#following ??= this.#underWay
      .catch(() => undefined)
      .then(() => {
        this.#following = null
        return this.#start()
      })
    return this.#following
  }

  /** Resolves when no run is in progress, whatever its outcome. */
  async ended(): Promise<void> {
    await Promise.all([this.#underWay?.catch(() => undefined), this.#following?.catch(() => undefined)])
  }

  #start(): Promise<void> {
    const started = this.#look().finally(() => {
      this.#underWay = null
    })
    this.#underWay = started
    return started
  }
}
