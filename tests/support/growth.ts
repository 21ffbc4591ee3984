/**
 * How the time of a function grows with its input: for everything that reads what a stranger wrote.
 *
 * The processor time of this thread is measured, not the clock, so that what else the machine does hardly counts; the best
 * of several runs counts, so that a collection of garbage does not either.
 */

/** Characters of the smallest input. */
const SMALLEST = 2 ** 14
/** Of the largest: an ordinary run stops where a figure says enough, GROWTH_FULL=1 goes up to a megabyte. */
const LARGEST = 2 ** 20
const isFull = process.env.GROWTH_FULL === '1'
/** Twice the input may take so many times as long. */
const MOST = 2.5
/** Milliseconds below which a figure says nothing. */
const FLOOR_MS = 25
const TRIES = 8

const timeOf = async (run: () => unknown): Promise<number> => {
  const before = process.threadCpuUsage()
  await run()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

/** A piece of text repeated up to a length. */
export const filled = (piece: string, length: number): string => piece.repeat(Math.ceil(length / piece.length))

/**
 * Doubles an input from 16 K up to 1 M characters.
 *
 * @param prepare makes an input of about so many characters @returns what is to be measured on it
 * @returns a sentence on the step at which the time grew by more than 2.5 times, or null where it never did
 */
export const findExcessiveGrowth = async (prepare: (length: number) => () => unknown): Promise<string | null> => {
  let smaller = Number.POSITIVE_INFINITY
  for (let length = SMALLEST; length <= LARGEST; length *= 2) {
    const run = prepare(length)
    let larger = await timeOf(run)
    const half = prepare(length / 2)
    const isExcessive = (): boolean => larger > FLOOR_MS && larger > MOST * smaller
    for (let attempt = 1; attempt < TRIES && isExcessive(); attempt += 1) {
      // The smaller figure is taken anew: a lucky one would stand against the larger for good.
      smaller = Math.max(smaller === Number.POSITIVE_INFINITY ? 0 : smaller, await timeOf(half))
      larger = Math.min(larger, await timeOf(run))
    }
    if (isExcessive()) {
      return `${length / 2} characters took ${smaller.toFixed(1)} ms, ${length} took ${larger.toFixed(1)} ms`
    }
    if (larger > FLOOR_MS && smaller !== Number.POSITIVE_INFINITY && !isFull) return null
    smaller = larger
  }
  return null
}
