/** A seeded generator (mulberry32): the same seed gives the same numbers. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit)
  }

  chance(share: number): boolean {
    return this.next() < share
  }

  pick<Item>(items: readonly Item[]): Item | undefined {
    return items[this.below(items.length)]
  }

  /** A word unique to this seed within a run. */
  word(): string {
    return Array.from({ length: 4 }, () => this.below(2 ** 32).toString(36)).join('-')
  }
}
