/** The rows of a long list are read in windows of this many (contract.ts: a window has at most 200 rows). */
export const WINDOW_SIZE = 100

/** First and last row that are on the screen, both included. */
export interface RowRange {
  readonly first: number
  readonly last: number
}

const windowOf = (row: number): number => Math.floor(row / WINDOW_SIZE)

/** The windows that hold the rows of a range, with half a window before and after it, so that scrolling stays ahead. */
export const windowsAround = ({ first, last }: RowRange, total: number): readonly number[] => {
  const margin = WINDOW_SIZE / 2
  const from = windowOf(Math.max(0, first - margin))
  const to = windowOf(Math.max(0, Math.min(last + margin, total - 1)))
  return Array.from({ length: Math.max(0, to - from) + 1 }, (_, index) => from + index)
}

/** The windows to let go of where more than `kept` are held: those farthest from what is on the screen. */
export const windowsToDrop = (held: readonly number[], { first, last }: RowRange, kept: number): readonly number[] => {
  const middle = windowOf((first + last) / 2)
  return [...held].sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle)).slice(kept)
}
