/** Reproducible pseudo-random numbers (Mulberry32, 32 bits of state): good for generated mail, not for secrets. */
export class Random {
  #state: number

  /** @param seed a whole number, or a text to hash (FNV-1a) */
  constructor(seed: number | string) {
    this.#state = typeof seed === 'number' ? seed >>> 0 : hash(seed)
  }

  /** At least 0, less than 1. */
  next(): number {
    return this.#bits() / 0x1_0000_0000
  }

  /** A whole number, at least 0 and less than `limit`; 0 if `limit` is 0. */
  below(limit: number): number {
    return Math.floor(this.next() * limit)
  }

  /** A whole number from `low` to `high`, both included. */
  whole(low: number, high: number): number {
    return low + this.below(high - low + 1)
  }

  /** @param list not empty */
  pick<Item>(list: readonly Item[]): Item {
    const item = list[this.below(list.length)]
    if (item === undefined) throw new Error('There is nothing to pick from.')
    return item
  }

  /** @param probability 0 to 1 */
  chance(probability: number): boolean {
    return this.next() < probability
  }

  /** Lower-case letters and digits, for identifiers. */
  token(length: number): string {
    return Array.from({ length }, () => this.below(36).toString(36)).join('')
  }

  uuid(): string {
    const [a, b, c, d] = [this.#hex(), this.#hex(), this.#hex(), this.#hex()]
    return `${a}-${b.slice(0, 4)}-4${b.slice(5)}-${'89ab'.charAt(parseInt(c.charAt(0), 16) & 3)}${c.slice(1, 4)}-${c.slice(4)}${d}`
  }

  #hex(): string {
    return this.#bits().toString(16).padStart(8, '0')
  }

  #bits(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    const state = this.#state
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
}

function hash(text: string): number {
  let state = 0x811c9dc5
  for (const character of text) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return state >>> 0
}
