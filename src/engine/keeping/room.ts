/** The bytes that files may take within what the person chose. */
export class Room {
  readonly #bound: () => number | null
  readonly #used: () => number
  #known: number | null = null
  /** Bytes of files that are being written. */
  #taken = 0

  /** @param bound most bytes, or null @param used counts all files, which takes time: asked only after changes */
  constructor(bound: () => number | null, used: () => number) {
    this.#bound = bound
    this.#used = used
  }

  /** Infinite where there is no bound. */
  left(): number {
    const most = this.#bound()
    if (most === null) return Number.POSITIVE_INFINITY
    this.#known ??= this.#used()
    return most - this.#known - this.#taken
  }

  /** Reserves room for a file; null if there is too little. Call the result after the write, with its success. */
  take(bytes: number): ((isWritten: boolean) => void) | null {
    if (bytes > this.left()) return null
    this.#taken += bytes
    return (isWritten) => {
      this.#taken -= bytes
      // Too much where the same content was here before, until it is measured again.
      if (isWritten && this.#known !== null) this.#known += bytes
    }
  }

  /** Files were written or removed by others. */
  measure(): void {
    this.#known = null
  }
}
