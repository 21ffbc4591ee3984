/** Repeatable chance: the same seed gives the same row of values. */
export interface Random {
  /** At least 0, less than 1. */
  next(): number
  /** A whole number at least 0 and less than `limit`; 0 for a limit of 0. */
  below(limit: number): number
  /** @param list not empty */
  pick<Item>(list: readonly Item[]): Item
  /** A version 4 UUID. */
  uuid(): string
}

/** Mulberry32: 32 bits of state, enough for made-up mail, not for secrets. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const bits = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
  const next = (): number => bits() / 0x1_0000_0000
  const hex = (): string => bits().toString(16).padStart(8, '0')
  return {
    next,
    below: (limit) => Math.floor(next() * limit),
    pick(list) {
      const item = list[Math.floor(next() * list.length)]
      if (item === undefined) throw new Error('There is nothing to pick from.')
      return item
    },
    uuid() {
      const [a, b, c, d] = [hex(), hex(), hex(), hex()]
      return `${a}-${b.slice(0, 4)}-4${b.slice(5)}-${'89ab'.charAt(parseInt(c.charAt(0), 16) & 3)}${c.slice(1, 4)}-${c.slice(4)}${d}`
    },
  }
}
