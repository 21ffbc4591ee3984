import { getListTime } from '../../../shared/thread-state.ts'
import type { ListPosition, TimeRange } from '../../store/thread-lists.ts'

/** A list in order of time, latest first, for windows that span several lists. */
export interface TimedList {
  /** Loads rows from the top. @returns their number: at least `rows`, unless the list is shorter */
  readonly load: (rows: number) => number
  /** Number of loaded rows with `from <= time < before`, in milliseconds since the epoch. */
  readonly countBetween: (from: number, before: number) => number
  /** Null if no rows are loaded. */
  readonly range: () => TimeRange | null
  readonly times: (place: ListPosition, limit: number) => readonly number[]
}

export interface WindowPart {
  /** Number of the list's rows before this part. */
  readonly offset: number
  /** The same position, given by time. */
  readonly place: ListPosition
  readonly rows: number
}

/** Outside the range of a `Date`. */
const LATEST = 8.64e15 + 1
const EARLIEST = -LATEST
/** Rows to merge one by one; beyond that, rows are counted. */
const MAX_MERGED_ROWS = 400
/** Rows to load first. */
const INITIAL_ROWS = 50

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)

/** A position in all lists: after the rows at `before` or later, and after some of the rows just below. */
interface Start {
  readonly before: number
  /** For each list, the number of its rows at `before` or later. */
  readonly above: readonly number[]
  /** For each list, how many of its following rows to skip. */
  readonly skips: readonly number[]
  /** Number of rows before this position, in all lists together. */
  readonly rows: number
}

/** Number of rows whose time is `time` or later. */
interface CumulativeRowCount {
  readonly time: number
  readonly rows: number
}

interface CountEstimate {
  /** Approximate latest time with at least that many rows; `NaN` if nothing is known. */
  readonly timeOf: (rows: number) => number
  /** Adds the exact counts of all lists at a time. */
  readonly learn: (time: number, counts: readonly number[]) => void
}

/** Binary search in descending marks: index of the first one at or before a time. */
const indexAtOrBefore = (marks: readonly CumulativeRowCount[], time: number): number => {
  let [low, high] = [0, marks.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((marks[middle]?.time ?? time) > time) low = middle + 1
    else high = middle
  }
  return low
}

/** Assumes rows are evenly distributed between two marks. */
const countAt = (marks: readonly CumulativeRowCount[], time: number): number => {
  const place = indexAtOrBefore(marks, time)
  const [later, earlier] = [marks[place - 1], marks[place]]
  if (earlier === undefined) return later?.rows ?? 0
  if (later === undefined) return earlier.time === time ? earlier.rows : 0
  return later.rows + ((later.time - time) / (later.time - earlier.time)) * (earlier.rows - later.rows)
}

/** @param lengths loaded rows of each list */
const createCountEstimate = (lists: readonly TimedList[], lengths: readonly number[]): CountEstimate => {
  /** Known counts of each list, in descending order of time. */
  const all = lists.map((list, at): CumulativeRowCount[] => {
    const range = list.range()
    if (range === null) return []
    return [
      { time: range.newest + 1, rows: 0 },
      { time: range.oldest, rows: lengths[at] ?? 0 },
    ]
  })
  return {
    timeOf: (rows) => {
      const some = all.filter((marks) => marks.length > 0)
      let high = Math.max(...some.map((marks) => marks[0]?.time ?? Number.NEGATIVE_INFINITY))
      let low = Math.min(...some.map((marks) => marks.at(-1)?.time ?? Number.POSITIVE_INFINITY))
      if (low > high) return Number.NaN
      while (high - low > 1) {
        const middle = Math.floor((low + high) / 2)
        const count = some.reduce((sum, marks) => sum + countAt(marks, middle), 0)
        if (count >= rows) low = middle
        else high = middle
      }
      return low
    },
    learn: (time, counts) => {
      all.forEach((marks, at) => {
        const place = indexAtOrBefore(marks, time)
        const isBetween = place > 0 && place < marks.length && marks[place]?.time !== time
        if (isBetween) marks.splice(place, 0, { time, rows: counts[at] ?? 0 })
      })
    },
  }
}

/**
 * A position with at most `rows` rows before it, and only slightly fewer. It searches for a time, using estimates and
 * counts instead of rows. If many rows share one time, they are divided among the lists in order.
 * @param lengths loaded rows of each list
 */
const findStart = (lists: readonly TimedList[], lengths: readonly number[], rows: number): Start => {
  const none = lists.map(() => 0)
  let high = { time: LATEST, counts: none, rows: 0 }
  if (rows <= MAX_MERGED_ROWS) return { before: high.time, above: none, skips: none, rows: 0 }
  if (rows >= sum(lengths)) return { before: EARLIEST, above: lengths, skips: none, rows: sum(lengths) }
  let low = { time: EARLIEST, counts: lengths, rows: sum(lengths) }
  const estimate = createCountEstimate(lists, lengths)
  for (let round = 0; rows - high.rows > MAX_MERGED_ROWS; round += 1) {
    if (low.time === high.time - 1) {
      let left = rows - high.rows
      const skips = high.counts.map((above, at) => {
        const share = Math.min(left, (low.counts[at] ?? 0) - above)
        left -= share
        return share
      })
      return { before: high.time, above: high.counts, skips, rows }
    }
    // Estimates fail if times are unevenly distributed; bisection always converges.
    const guess = round % 3 < 2 ? estimate.timeOf(rows - MAX_MERGED_ROWS / 2) : Number.NaN
    const isBetween = guess > low.time && guess < high.time
    const time = isBetween ? guess : Math.floor((low.time + high.time) / 2)
    const isNearHigh = rows - high.rows < low.rows - rows
    const counts = lists.map((list, at) => {
      const [above = 0, below = 0] = [high.counts[at], low.counts[at]]
      if (above === below) return above
      return isNearHigh ? above + list.countBetween(time, high.time) : below - list.countBetween(low.time, time)
    })
    const found = { time, counts, rows: sum(counts) }
    if (found.rows <= rows) high = found
    else low = found
    estimate.learn(time, counts)
  }
  return { before: high.time, above: high.counts, skips: none, rows: high.rows }
}

/** Merges the rows of all lists from a position on. Returns how many rows of each list are skipped and then taken. */
const mergeFrom = (
  lists: readonly TimedList[],
  { before, skips }: Pick<Start, 'before' | 'skips'>,
  pass: number,
  take: number,
): { readonly passed: readonly number[]; readonly taken: readonly number[] } => {
  const atOnce = Math.ceil((2 * (pass + take)) / lists.length) + 4
  const read = lists.map((list, at) => [...list.times({ before, skip: skips[at] ?? 0 }, atOnce)])
  const gone = lists.map(() => 0)
  const head = (at: number): number | undefined => {
    const [times, place] = [read[at] ?? [], gone[at] ?? 0]
    if (place === times.length && place > 0 && place % atOnce === 0) {
      times.push(...(lists[at]?.times({ before, skip: (skips[at] ?? 0) + place }, atOnce) ?? []))
    }
    return times[place]
  }
  const heads = lists.map((_, at) => head(at))
  const step = (): boolean => {
    let next = -1
    for (let at = 0; at < heads.length; at += 1) {
      if ((heads[at] ?? EARLIEST) > (next === -1 ? EARLIEST : (heads[next] ?? EARLIEST))) next = at
    }
    if (next === -1) return false
    gone[next] = (gone[next] ?? 0) + 1
    heads[next] = head(next)
    return true
  }
  for (let left = pass; left > 0 && step();) left -= 1
  const passed = [...gone]
  for (let left = take; left > 0 && step();) left -= 1
  return { passed, taken: gone.map((all, at) => all - (passed[at] ?? 0)) }
}

const cutReached = (
  lists: readonly TimedList[],
  lengths: readonly number[],
  { offset, limit }: { readonly offset: number; readonly limit: number },
): readonly WindowPart[] => {
  const start = findStart(lists, lengths, offset)
  const { passed, taken } = mergeFrom(lists, start, offset - start.rows, limit)
  return lists.map((_, at) => {
    const skip = (start.skips[at] ?? 0) + (passed[at] ?? 0)
    return { offset: (start.above[at] ?? 0) + skip, place: { before: start.before, skip }, rows: taken[at] ?? 0 }
  })
}

/**
 * Splits a window over several lists: latest activity first, equal times in the order of the lists. Incremental lists
 * only load the rows needed plus one, so that no later row can belong above.
 */
export const splitWindow = (
  lists: readonly TimedList[],
  window: { readonly offset: number; readonly limit: number },
): readonly WindowPart[] => {
  const end = window.offset + window.limit
  let wanted = lists.map(() => Math.min(end + 1, Math.max(INITIAL_ROWS, Math.ceil(end / lists.length) + 1)))
  let lengths = lists.map((list, at) => list.load(wanted[at] ?? 0))
  for (;;) {
    const parts = cutReached(lists, lengths, window)
    const isShort = lengths.map(
      (length, at) =>
        (parts[at]?.offset ?? 0) + (parts[at]?.rows ?? 0) >= length &&
        length >= (wanted[at] ?? 0) &&
        (wanted[at] ?? 0) <= end,
    )
    if (!isShort.includes(true)) return parts
    wanted = wanted.map((rows, at) => (isShort[at] === true ? Math.min(end + 1, 2 * rows) : rows))
    lengths = lists.map((list, at) => (isShort[at] === true ? list.load(wanted[at] ?? 0) : (lengths[at] ?? 0)))
  }
}

/** Merges sorted lists by time; equal times stay in the order of the lists. */
export const mergeRows = <Row extends Parameters<typeof getListTime>[0]>(
  lists: readonly (readonly Row[])[],
): readonly Row[] => lists.flat().toSorted((one, other) => getListTime(other) - getListTime(one))
