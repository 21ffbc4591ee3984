/** Of how many bytes the pace is remembered: more than comes while the engine is held up for a moment. */
const REMEMBERED_BYTES = 256 * 1024
/** How much the latest answer counts for in the usual size. */
const LATEST = 1 / 4

/** How fast answers come over a line, all that come at once together, and how large they usually are. */
export class LinePace<Kind> {
  #bytes = 0
  /** Milliseconds in which an answer was coming, from its first byte. */
  #busyMs = 0
  #lastAt = 0
  #coming = 0
  /** Bytes of an answer, by what was asked. */
  readonly #usual = new Map<Kind, number>()

  /** An answer has begun. @param now milliseconds of the clock that only goes on */
  begin(now: number): void {
    this.#passTo(now)
    this.#coming += 1
  }

  /** So many bytes of an answer have come. */
  receive(now: number, bytes: number): void {
    this.#passTo(now)
    this.#bytes += bytes
    if (this.#bytes <= REMEMBERED_BYTES) return
    this.#bytes /= 2
    this.#busyMs /= 2
  }

  /** An answer has ended. @param bytes how many it had */
  end(now: number, kind: Kind, bytes: number): void {
    this.#passTo(now)
    this.#coming -= 1
    const usual = this.#usual.get(kind) ?? bytes
    this.#usual.set(kind, usual + (bytes - usual) * LATEST)
  }

  /** How many answers of a kind come within some milliseconds; Infinity while nothing is known. */
  answersWithin(milliseconds: number, kind: Kind): number {
    // As large as the largest ones, where none of its kind has come.
    const usual = this.#usual.get(kind) ?? Math.max(0, ...this.#usual.values())
    return usual === 0 || this.#busyMs === 0 ? Infinity : ((this.#bytes / this.#busyMs) * milliseconds) / usual
  }

  #passTo(now: number): void {
    if (this.#coming > 0) this.#busyMs += now - this.#lastAt
    this.#lastAt = now
  }
}
