/** Rows per window, about a screenful. */
export const LIST_WINDOW_ROWS = 20
/** The contract's limit for one request (contract.ts). */
export const MAX_REQUEST_ROWS = 200

/** Visible rows, both ends included. */
export interface RowRange {
  readonly first: number
  readonly last: number
}

const windowOf = (row: number): number => Math.floor(row / LIST_WINDOW_ROWS)

/** Windows that cover a range, ascending. @param total null if unknown @param margin extra rows on either side */
export const selectWindowsAround = (
  { first, last }: RowRange,
  total: number | null,
  margin: number,
): readonly number[] => {
  const from = windowOf(Math.max(0, first - margin))
  const to = windowOf(Math.max(0, total === null ? last + margin : Math.min(last + margin, total - 1)))
  return Array.from({ length: Math.max(0, to - from) + 1 }, (_, index) => from + index)
}

/** Groups adjacent windows into one read each. @param windows ascending */
export const groupAdjacentWindows = (windows: readonly number[]): readonly (readonly number[])[] => {
  const runs: number[][] = []
  for (const window of windows) {
    const run = runs.at(-1)
    const isNext = run?.at(-1) === window - 1 && run.length < MAX_REQUEST_ROWS / LIST_WINDOW_ROWS
    if (isNext) run.push(window)
    else runs.push([window])
  }
  return runs
}

/** Windows to evict beyond `kept`, farthest from the visible rows first. */
export const selectWindowsToEvict = (
  held: readonly number[],
  { first, last }: RowRange,
  kept: number,
): readonly number[] => {
  const middle = windowOf((first + last) / 2)
  return [...held].sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle)).slice(kept)
}
