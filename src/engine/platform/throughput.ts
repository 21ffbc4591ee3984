/** Bytes over which the throughput is averaged: more than arrive while the engine is briefly blocked. */
const REMEMBERED_BYTES = 256 * 1024
/** Weight of the latest response in the average size. */
const LATEST = 1 / 4

/** Total throughput of all concurrent responses, and their usual size. */
export class Throughput<Kind> {
  #bytes = 0
  /** Milliseconds during which at least one response was arriving. */
  #busyMs = 0
  #lastAt = 0
  #inFlight = 0
  /** Usual response size in bytes, by kind. */
  readonly #usual = new Map<Kind, number>()

  /** @param now milliseconds of the monotonic clock */
  begin(now: number): void {
    this.#advanceTo(now)
    this.#inFlight += 1
  }

  receive(now: number, bytes: number): void {
    this.#advanceTo(now)
    this.#bytes += bytes
    if (this.#bytes <= REMEMBERED_BYTES) return
    this.#bytes /= 2
    this.#busyMs /= 2
  }

  /** @param bytes size of the complete response */
  end(now: number, kind: Kind, bytes: number): void {
    this.#advanceTo(now)
    this.#inFlight -= 1
    const usual = this.#usual.get(kind) ?? bytes
    this.#usual.set(kind, usual + (bytes - usual) * LATEST)
  }

  /** Number of responses of this kind that fit into the given time; Infinity until something has been measured. */
  responsesWithin(milliseconds: number, kind: Kind): number {
    // Assume the largest size until one of this kind has been seen.
    const usual = this.#usual.get(kind) ?? Math.max(0, ...this.#usual.values())
    return usual === 0 || this.#busyMs === 0 ? Infinity : ((this.#bytes / this.#busyMs) * milliseconds) / usual
  }

  #advanceTo(now: number): void {
    if (this.#inFlight > 0) this.#busyMs += now - this.#lastAt
    this.#lastAt = now
  }
}
