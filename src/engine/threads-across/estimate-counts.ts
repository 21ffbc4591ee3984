import type { TimeMark } from '../store/list-index.ts'

/** About how many rows of several lists are of a time or later: from what is known of some times. */
export interface CountEstimate {
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
export const createCountEstimate = (known: readonly (readonly TimeMark[])[]): CountEstimate => {
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
