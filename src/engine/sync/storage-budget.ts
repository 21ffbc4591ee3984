/** Bytes left for files within the user's storage limit. */
export class StorageBudget {
  readonly #bound: () => number | null
  readonly #used: () => number
  #known: number | null = null
  #taken = 0

  /** @param bound the limit in bytes, or null @param used sums up all files; slow, so called only after changes */
  constructor(bound: () => number | null, used: () => number) {
    this.#bound = bound
    this.#used = used
  }

  left(): number {
    const most = this.#bound()
    if (most === null) return Number.POSITIVE_INFINITY
    this.#known ??= this.#used()
    return most - this.#known - this.#taken
  }

  /** Reserves space for a file. @returns null if there is too little, else a function to call after the write */
  take(bytes: number): ((isWritten: boolean) => void) | null {
    if (bytes > this.left()) return null
    this.#taken += bytes
    return (isWritten) => {
      this.#taken -= bytes
      // If the content was already stored, this counts it twice until the next measurement.
      if (isWritten && this.#known !== null) this.#known += bytes
    }
  }

  /** Call after other code has written or removed files. */
  measure(): void {
    this.#known = null
  }
}
