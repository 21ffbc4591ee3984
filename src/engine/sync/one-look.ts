/** A look that several may ask for at once. */
export class OneLook {
  readonly #look: () => Promise<void>
  #underWay: Promise<void> | null = null
  #following: Promise<void> | null = null

  constructor(look: () => Promise<void>) {
    this.#look = look
  }

  /**
   * Takes part in the next look. What somebody asks for during one may have changed behind it: one more is for all who
   * ask until it starts.
   */
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

  /** Resolves when no look is under way, however it went. */
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
