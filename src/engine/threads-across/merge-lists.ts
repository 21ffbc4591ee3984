/** A list in order of time, the latest first, of which a window over several is cut. */
export interface TimedList {
  /**
   * Has rows found, from the top on.
   * @returns how many there are: `rows` or more, unless there are no more
   */
  readonly reach: (rows: number) => number
  /** How many of the rows that were reached are of a time or later, milliseconds since the epoch. */
  readonly countSince: (time: number) => number
}

/** The rows of one list from one to before another, counted from 0. */
export interface Cut {
  readonly from: number
  readonly to: number
}

/** Beyond what a `Date` can hold, either way. */
const LATEST = 8.64e15 + 1
const EARLIEST = -LATEST

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)

/**
 * How many of the first rows of all lists as one are each list's: the lists' rows in order of time, those of one time in
 * the order of the lists. No row is read: the time of the last one is searched for, and rows of that time are shared out.
 * @param lengths of what was reached of each list
 */
const divide = (lists: readonly TimedList[], lengths: readonly number[], rows: number): readonly number[] => {
  if (rows <= 0) return lists.map(() => 0)
  if (rows >= sum(lengths)) return lengths
  // From `low` on there are as many rows or more, and from `high` on there are fewer.
  let [low, high] = [EARLIEST, LATEST]
  let [fromLow, fromHigh] = [lengths, lists.map(() => 0)]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    const counts = lists.map((list, at) =>
      fromLow[at] === fromHigh[at] ? (fromLow[at] ?? 0) : list.countSince(middle),
    )
    if (sum(counts) >= rows) [low, fromLow] = [middle, counts]
    else [high, fromHigh] = [middle, counts]
  }
  let left = rows - sum(fromHigh)
  return fromHigh.map((later, at) => {
    const share = Math.min(left, (fromLow[at] ?? 0) - later)
    left -= share
    return later + share
  })
}

/** Rows that a list is asked to find first. */
const FIRST_REACH = 50

/**
 * Where a window of several lists as one is in each of them. Lists that are found as they are scrolled through are asked for no
 * more rows than that takes, and for one more: only then nothing of them can come in above.
 */
export const cutWindow = (
  lists: readonly TimedList[],
  { offset, limit }: { readonly offset: number; readonly limit: number },
): readonly Cut[] => {
  const end = offset + limit
  let wanted = lists.map(() => Math.min(end + 1, Math.max(FIRST_REACH, Math.ceil(end / lists.length) + 1)))
  let lengths = lists.map((list, at) => list.reach(wanted[at] ?? 0))
  let to = divide(lists, lengths, end)
  for (;;) {
    const isShort = (at: number): boolean => to[at] === lengths[at] && (lengths[at] ?? 0) >= (wanted[at] ?? 0)
    const short = lists.map((_, at) => isShort(at) && (wanted[at] ?? 0) <= end)
    if (!short.includes(true)) break
    wanted = wanted.map((rows, at) => (short[at] === true ? Math.min(end + 1, 2 * rows) : rows))
    lengths = lists.map((list, at) => (short[at] === true ? list.reach(wanted[at] ?? 0) : (lengths[at] ?? 0)))
    to = divide(lists, lengths, end)
  }
  const from = divide(lists, lengths, offset)
  return to.map((last, at) => ({ from: from[at] ?? 0, to: last }))
}

/** Rows of several lists, each in order of time, in one order: those of one time in the order of the lists. */
export const mergeRows = <Row extends { readonly receivedAt: number }>(
  lists: readonly (readonly Row[])[],
): readonly Row[] => lists.flat().toSorted((one, other) => other.receivedAt - one.receivedAt)
