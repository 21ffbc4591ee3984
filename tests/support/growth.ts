/**
 * How the time of a function grows with its input: for everything that reads what a stranger wrote.
 *
 * The processor time of this thread is measured, not the clock, so that what else the machine does hardly counts; the best
 * of several runs counts, so that a collection of garbage does not either.
 */

/** Node's own. Tests of the window's code, which knows nothing of Node, measure with this as well. */
declare const process: {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly threadCpuUsage: () => { readonly user: number; readonly system: number }
}

/** Whether every step up to a megabyte is compared; an ordinary run goes up to an eighth, as far as it is quick. */
const isFull = process.env.LINNET_TEST_GROWTH === 'full'
/** Characters. The short ones come first, so that what grows with the square is found before it takes an hour. */
const LENGTHS = isFull ? [2 ** 14, 2 ** 15, 2 ** 16, 2 ** 17, 2 ** 18, 2 ** 19, 2 ** 20] : [2 ** 14, 2 ** 16, 2 ** 17]
/** Twice the input may take so many times as long. */
const MOST = 2.5
/** Milliseconds. What takes less is done before anybody sees it, and too short to be compared. */
const FLOOR = 30
/** A machine that does other work makes a measurement longer, never shorter: the best of several counts. */
const TRIES = 10

/** Milliseconds that this thread has worked. */
const workedFor = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

const timeOf = async (run: () => unknown): Promise<number> => {
  const start = workedFor()
  await run()
  return workedFor() - start
}

/** The processor time of the best of several runs, in milliseconds. */
export const bestTimeOf = async (run: () => unknown, runs: number): Promise<number> => {
  let best = Number.POSITIVE_INFINITY
  for (let each = 0; each < runs; each += 1) best = Math.min(best, await timeOf(run))
  return best
}

/** A piece of text repeated up to a length. */
export const filled = (piece: string, length: number): string => piece.repeat(Math.ceil(length / piece.length))

/**
 * Compares inputs with their halves: up to 128 K characters, in a full run up to 1 M.
 *
 * @param prepare makes an input of about so many characters @returns what is to be measured on it
 * @returns a sentence on the step at which the time grew by more than 2.5 times, or null where it never did
 */
export const findExcessiveGrowth = async (prepare: (length: number) => () => unknown): Promise<string | null> => {
  for (const length of LENGTHS) {
    const run = prepare(length)
    let whole = await timeOf(run)
    if (whole <= FLOOR) continue
    const runHalf = prepare(length / 2)
    let half = await timeOf(runHalf)
    let growth = whole / half
    // A lull may end between the two, so each is measured again, in turns, as long as the answer is not a good one: what
    // grows with the square does so in every turn, and in the best of both.
    for (let attempt = 1; attempt < TRIES && whole > FLOOR && growth > MOST; attempt += 1) {
      const [wholeNow, halfNow] = [await timeOf(run), await timeOf(runHalf)]
      whole = Math.min(whole, wholeNow)
      half = Math.min(half, halfNow)
      growth = Math.min(whole / half, wholeNow / halfNow)
    }
    if (whole > FLOOR && growth > MOST) {
      // What grows so goes on to, and what another program did to one measurement it does not do to the next.
      const double = await bestTimeOf(prepare(2 * length), 3)
      if (double / whole > MOST) {
        return `${length / 2} characters took ${half.toFixed(1)} ms, ${length} took ${whole.toFixed(1)} ms`
      }
    }
    if (!isFull) return null
  }
  return null
}
