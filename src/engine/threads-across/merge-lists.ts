import { listTimeOf } from '../../shared/thread-state.ts'
import type { ListPlace, TimeMark } from '../store/list-index.ts'

/** A list in order of time, the latest first, of which a window over several is cut. */
export interface TimedList {
  /**
   * Has rows found, from the top on.
   * @returns how many there are: `rows` or more, unless there are no more
   */
  readonly reach: (rows: number) => number
  /** How many of the rows that were reached are of a time or later, milliseconds since the epoch. */
  readonly countSince: (time: number) => number
  /** About how these rows lie in time (`ListIndex.marks`). */
  readonly marks: () => readonly TimeMark[]
  readonly times: (place: ListPlace, limit: number) => readonly number[]
}

/** The part of a window that one of the lists has. */
export interface Part {
  /** How many rows of the list stand before it. */
  readonly offset: number
  /** The same place by time. */
  readonly place: ListPlace
  readonly rows: number
}

/** Beyond what a `Date` can hold, either way. */
const LATEST = 8.64e15 + 1
const EARLIEST = -LATEST
/** So many rows are gone through one by one; more are counted. */
const STROLL = 400
/** Rows that a list is asked to find first. */
const FIRST_REACH = 50

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)

/** A place in all lists at once: rows before it are of `before` or later, or of those just below it that are left out. */
interface Start {
  readonly before: number
  /** Of each list, how many rows are of `before` or later. */
  readonly above: readonly number[]
  /** Of each list, how many of the rows that follow are left out. */
  readonly skips: readonly number[]
  /** How many rows of all lists as one stand before it. */
  readonly rows: number
}

/** About how many rows of several lists are of a time or later: from what is known of some times. */
interface CountEstimate {
  /** The latest time, about, from which on there are so many rows; `NaN` where nothing is known. */
  readonly timeOf: (rows: number) => number
  /** So many rows of each list are of a time or later. */
  readonly learn: (time: number, counts: readonly number[]) => void
}

/** Where in marks, whose times fall, the first one is that is not later than a time. */
const placeOf = (marks: readonly TimeMark[], time: number): number => {
  let [low, high] = [0, marks.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((marks[middle]?.time ?? time) > time) low = middle + 1
    else high = middle
  }
  return low
}

/** Between two marks rows are taken to lie evenly. */
const countAt = (marks: readonly TimeMark[], time: number): number => {
  const place = placeOf(marks, time)
  const [later, earlier] = [marks[place - 1], marks[place]]
  if (earlier === undefined) return later?.rows ?? 0
  if (later === undefined) return earlier.time === time ? earlier.rows : 0
  return later.rows + ((later.time - time) / (later.time - earlier.time)) * (earlier.rows - later.rows)
}

/** @param known of each list, in falling order of time */
const createCountEstimate = (known: readonly (readonly TimeMark[])[]): CountEstimate => {
  const all = known.map((marks) => [...marks])
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
        const place = placeOf(marks, time)
        const isBetween = place > 0 && place < marks.length && marks[place]?.time !== time
        if (isBetween) marks.splice(place, 0, { time, rows: counts[at] ?? 0 })
      })
    },
  }
}

/**
 * A place with at most so many rows before it, and hardly fewer. No row is read: a time is searched for, by what is known
 * of how rows lie and by counting, and where rows of one time are many these are shared out among the lists, in their order.
 * @param lengths of what was reached of each list
 */
const findStart = (lists: readonly TimedList[], lengths: readonly number[], rows: number): Start => {
  const none = lists.map(() => 0)
  let high = { time: LATEST, counts: none, rows: 0 }
  if (rows <= STROLL) return { before: high.time, above: none, skips: none, rows: 0 }
  if (rows >= sum(lengths)) return { before: EARLIEST, above: lengths, skips: none, rows: sum(lengths) }
  let low = { time: EARLIEST, counts: lengths, rows: sum(lengths) }
  const estimate = createCountEstimate(lists.map((list) => list.marks()))
  for (let round = 0; rows - high.rows > STROLL; round += 1) {
    if (low.time === high.time - 1) {
      let left = rows - high.rows
      const skips = high.counts.map((above, at) => {
        const share = Math.min(left, (low.counts[at] ?? 0) - above)
        left -= share
        return share
      })
      return { before: high.time, above: high.counts, skips, rows }
    }
    // Where guesses lead nowhere, as times lie unevenly, halving does.
    const guess = round % 3 < 2 ? estimate.timeOf(rows - STROLL / 2) : Number.NaN
    const isBetween = guess > low.time && guess < high.time
    const time = isBetween ? guess : Math.floor((low.time + high.time) / 2)
    const [above, below] = [high.counts, low.counts]
    const counts = lists.map((list, at) => (above[at] === below[at] ? (above[at] ?? 0) : list.countSince(time)))
    const found = { time, counts, rows: sum(counts) }
    if (found.rows <= rows) high = found
    else low = found
    estimate.learn(time, counts)
  }
  return { before: high.time, above: high.counts, skips: none, rows: high.rows }
}

/** Goes through the rows of all lists as one from a place on: of each list, how many of them are passed, then taken. */
const stroll = (
  lists: readonly TimedList[],
  { before, skips }: Pick<Start, 'before' | 'skips'>,
  pass: number,
  take: number,
): { readonly passed: readonly number[]; readonly taken: readonly number[] } => {
  const atOnce = Math.ceil((2 * (pass + take)) / lists.length) + 4
  const read = lists.map((list, at) => [...list.times({ before, skip: skips[at] ?? 0 }, atOnce)])
  const gone = lists.map(() => 0)
  /** The time of the next row of a list; undefined where there is none. */
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
): readonly Part[] => {
  const start = findStart(lists, lengths, offset)
  const { passed, taken } = stroll(lists, start, offset - start.rows, limit)
  return lists.map((_, at) => {
    const skip = (start.skips[at] ?? 0) + (passed[at] ?? 0)
    return { offset: (start.above[at] ?? 0) + skip, place: { before: start.before, skip }, rows: taken[at] ?? 0 }
  })
}

/**
 * Where a window of several lists as one is in each of them: latest activity first, rows of one time in the order of the
 * lists. Lists that are found as they are scrolled through are asked for no more rows than that takes, and for one more:
 * only then nothing of them can come in above.
 */
export const cutWindow = (
  lists: readonly TimedList[],
  window: { readonly offset: number; readonly limit: number },
): readonly Part[] => {
  const end = window.offset + window.limit
  let wanted = lists.map(() => Math.min(end + 1, Math.max(FIRST_REACH, Math.ceil(end / lists.length) + 1)))
  let lengths = lists.map((list, at) => list.reach(wanted[at] ?? 0))
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
    lengths = lists.map((list, at) => (isShort[at] === true ? list.reach(wanted[at] ?? 0) : (lengths[at] ?? 0)))
  }
}

/** Rows of several lists, each in order of time, in one order: those of one time in the order of the lists. */
export const mergeRows = <Row extends Parameters<typeof listTimeOf>[0]>(
  lists: readonly (readonly Row[])[],
): readonly Row[] => lists.flat().toSorted((one, other) => listTimeOf(other) - listTimeOf(one))
