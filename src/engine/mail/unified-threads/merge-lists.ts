import { getListTime } from '../../../shared/thread-state.ts'
import type { ListPosition } from '../../store/thread-lists.ts'
import type { OpenList } from '../threads/open-list.ts'

export type TimedList = Pick<OpenList, 'load' | 'countBetween' | 'range' | 'times'>

export interface WindowPart {
  /** Number of the list's rows before this part. */
  readonly offset: number
  /** The same position, given by time. */
  readonly place: ListPosition
  readonly rows: number
}

/** Outside the range of a `Date`. */
const LATEST = 8.64e15 + 1
/** Rows before the window to merge one by one; further up, rows are counted. */
const MAX_MERGED_ROWS = 100
/** Rows to load first. */
const INITIAL_ROWS = 50

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)

const countIn = (places: readonly number[], list: number): number => places.filter((at) => at === list).length

interface Cut {
  /** Milliseconds since the epoch. */
  readonly time: number
  /** For each list, the number of its rows at this time or later. */
  readonly counts: readonly number[]
}

/**
 * Two times, with at most `rows` rows at the later one or after it. At least that many are at the earlier one or after
 * it. Many rows lie between only if they share one time.
 * @param lengths loaded rows of each list
 */
const findCuts = (
  lists: readonly TimedList[],
  lengths: readonly number[],
  rows: number,
): { readonly later: Cut; readonly earlier: Cut } => {
  const top: Cut = { time: LATEST, counts: lists.map(() => 0) }
  if (rows <= MAX_MERGED_ROWS) return { later: top, earlier: top }
  const ranges = lists.flatMap((list) => list.range() ?? [])
  let later = { ...top, time: Math.max(...ranges.map(({ newest }) => newest)) + 1 }
  let earlier = { time: Math.min(...ranges.map(({ oldest }) => oldest)), counts: lengths }
  for (let round = 0; later.time - earlier.time > 1; round += 1) {
    const [least, most] = [sum(later.counts), sum(earlier.counts)]
    if (rows - least <= MAX_MERGED_ROWS) break
    // Interpolation fails if times are unevenly distributed; bisection always converges.
    const share = round % 3 < 2 ? (rows - MAX_MERGED_ROWS / 2 - least) / (most - least) : 1 / 2
    const guess = Math.floor(later.time - share * (later.time - earlier.time))
    const time = Math.min(later.time - 1, Math.max(earlier.time + 1, guess))
    const [above, below] = [later, earlier]
    const counts = lists.map((list, at) =>
      rows - least < most - rows
        ? (above.counts[at] ?? 0) + list.countBetween(time, above.time)
        : (below.counts[at] ?? 0) - list.countBetween(below.time, time),
    )
    if (sum(counts) <= rows) later = { time, counts }
    else earlier = { time, counts }
  }
  return { later, earlier }
}

const splitLoaded = (
  lists: readonly TimedList[],
  lengths: readonly number[],
  { offset, limit }: { readonly offset: number; readonly limit: number },
): readonly WindowPart[] => {
  const { later, earlier } = findCuts(lists, lengths, offset)
  const before = later.time
  let left = offset - sum(later.counts)
  // Too many rows to merge share one time: skip those of the first lists.
  const skips = lists.map((_, at) => {
    const shared = (earlier.counts[at] ?? 0) - (later.counts[at] ?? 0)
    const skip = left > MAX_MERGED_ROWS ? Math.min(left, shared) : 0
    left -= skip
    return skip
  })
  /** Merges as many rows of each list until none may have more rows in the window. */
  const merge = (each: number): readonly number[] => {
    const rows = lists.flatMap((list, at) =>
      list.times({ before, skip: skips[at] ?? 0 }, each).map((time) => ({ time, at })),
    )
    const merged = rows.toSorted((one, other) => other.time - one.time).slice(0, left + limit)
    const places = merged.map(({ at }) => at)
    const isWhole = each >= left + limit || lists.every((_, at) => countIn(places, at) < each)
    return isWhole ? places : merge(4 * each)
  }
  // Most windows have similar numbers of rows from each list.
  const places = merge(Math.ceil((2 * (left + limit)) / lists.length) + 4)
  return lists.map((_, at) => {
    const skip = (skips[at] ?? 0) + countIn(places.slice(0, left), at)
    const rows = countIn(places.slice(left), at)
    return { offset: (later.counts[at] ?? 0) + skip, place: { before, skip }, rows }
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
  const most = window.offset + window.limit + 1
  const wanted = lists.map(() => Math.min(most, Math.max(INITIAL_ROWS, Math.ceil(most / lists.length))))
  for (;;) {
    const lengths = lists.map((list, at) => list.load(wanted[at] ?? 0))
    const parts = splitLoaded(lists, lengths, window)
    let isWhole = true
    for (const [at, { offset, rows }] of parts.entries()) {
      const [length = 0, asked = 0] = [lengths[at], wanted[at]]
      if (offset + rows < length || length < asked || asked === most) continue
      wanted[at] = Math.min(most, 2 * asked)
      isWhole = false
    }
    if (isWhole) return parts
  }
}

/** Merges sorted lists by time; equal times stay in the order of the lists. */
export const mergeRows = <Row extends Parameters<typeof getListTime>[0]>(
  lists: readonly (readonly Row[])[],
): readonly Row[] => lists.flat().toSorted((one, other) => getListTime(other) - getListTime(one))
