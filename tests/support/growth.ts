/**
 * Measures how the time of a function grows with its input, for everything that parses untrusted text.
 * Uses this thread's CPU time instead of the clock, so that other load hardly matters, and the best of several runs, so
 * that a garbage collection doesn't either.
 */

/** Node's own. Declared here because tests of the window's code, which has no Node types, measure with this too. */
declare const process: {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly threadCpuUsage: () => { readonly user: number; readonly system: number }
}

/** True to compare every step up to a megabyte, instead of up to an eighth while that is fast. */
const isFull = process.env.LINNET_TEST_GROWTH === 'full'
/** Input lengths in characters, ascending, so that quadratic growth is found before it takes an hour. */
const LENGTHS = isFull ? [2 ** 14, 2 ** 15, 2 ** 16, 2 ** 17, 2 ** 18, 2 ** 19, 2 ** 20] : [2 ** 14, 2 ** 16, 2 ** 17]
/** Maximum factor by which the time may grow when the input doubles. */
const MAX = 2.5
/** The same if it grows fourfold: between linear growth (4) and quadratic (16). */
const MAX_FOURFOLD = 10
/** Minimum duration in milliseconds. Anything below is imperceptible, and too short to compare. */
const FLOOR = 30
/** Maximum number of attempts. Other load only ever lengthens a measurement, so the best of several counts. */
const TRIES = 10

const workedFor = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

const timeOf = async (run: () => unknown): Promise<number> => {
  const start = workedFor()
  await run()
  return workedFor() - start
}

/** CPU time of the best of several runs, in milliseconds. */
export const bestTimeOf = async (run: () => unknown, runs: number): Promise<number> => {
  let best = Number.POSITIVE_INFINITY
  for (let each = 0; each < runs; each += 1) best = Math.min(best, await timeOf(run))
  return best
}

export const filled = (piece: string, length: number): string => piece.repeat(Math.ceil(length / piece.length))

/**
 * Compares inputs with their halves: up to 128 K characters, or 1 M in a full run.
 * @param prepare makes an input of about this many characters @returns the function to measure on it
 * @returns a description of the step that grew by more than 2.5 times, or null
 */
export const findExcessiveGrowth = async (prepare: (length: number) => () => unknown): Promise<string | null> => {
  for (const length of LENGTHS) {
    const run = prepare(length)
    let whole = await timeOf(run)
    if (whole <= FLOOR) continue
    const runHalf = prepare(length / 2)
    let half = await timeOf(runHalf)
    let growth = whole / half
    // The load may change between the two measurements, so alternate both until the ratio is good. Quadratic growth
    // shows in every turn, and in the best of both.
    for (let attempt = 1; attempt < TRIES && whole > FLOOR && growth > MAX; attempt += 1) {
      const [wholeNow, halfNow] = [await timeOf(run), await timeOf(runHalf)]
      whole = Math.min(whole, wholeNow)
      half = Math.min(half, halfNow)
      growth = Math.min(whole / half, wholeNow / halfNow)
    }
    if (whole > FLOOR && growth > MAX) {
      // Real growth continues with the length. Garbage collection and coarse clocks disturb single steps.
      const fourfold = await bestTimeOf(prepare(4 * length), 5)
      if (fourfold / whole > MAX_FOURFOLD) {
        return `${length / 2} characters took ${half.toFixed(1)} ms, ${length} took ${whole.toFixed(1)} ms`
      }
    }
    if (!isFull) return null
  }
  return null
}
