/** Bytes left for files within the user's storage limit. */
export class StorageBudget {
  readonly #bound: () => number | null
  readonly #used: () => number
  #known: number | null = null
  #taken = 0

  /** @param bound most bytes, or null @param used sums all files, which is slow, so called only after changes */
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

  /** Reserves space for a file, or returns null if there is too little. Call the result after the write. */
  take(bytes: number): ((isWritten: boolean) => void) | null {
    if (bytes > this.left()) return null
    this.#taken += bytes
    return (isWritten) => {
      this.#taken -= bytes
      // Overcounts content that was already stored, until the next measurement.
      if (isWritten && this.#known !== null) this.#known += bytes
    }
  }

  /** Call after others wrote or removed files. */
  measure(): void {
    this.#known = null
  }
}
