/** A source of repeatable chance: the same seed gives the same answers in the same order. */
export interface Random {
  /** A number from 0 (included) to 1 (excluded). */
  readonly fraction: () => number
  /** A whole number from `low` to `high`, both included. */
  readonly whole: (low: number, high: number) => number
  readonly pick: <Item>(items: readonly [Item, ...Item[]]) => Item
  /** True with the given probability (0 to 1). */
  readonly chance: (probability: number) => boolean
  /** Lower-case letters and digits, for identifiers. */
  readonly token: (length: number) => string
}

const hash = (seed: string): number => {
  let state = 0x811c9dc5
  for (const character of seed) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return state >>> 0
}

/** Makes a source from a seed text (FNV-1a into mulberry32: small, and good enough to place mail in a month). */
export function seededRandom(seed: string): Random {
  let state = hash(seed)
  const fraction = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  const whole = (low: number, high: number): number => low + Math.floor(fraction() * (high - low + 1))
  return {
    fraction,
    whole,
    pick: (items) => items[whole(0, items.length - 1)] ?? items[0],
    chance: (probability) => fraction() < probability,
    token: (length) => Array.from({ length }, () => whole(0, 35).toString(36)).join(''),
  }
}
