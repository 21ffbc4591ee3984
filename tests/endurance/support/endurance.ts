/**
 * Seed, scale and failure messages of the endurance tests. Everything random in them comes from the seed, so that a failure
 * can print the command that runs its case again:
 *
 * - `ENDURANCE_SEED`: a fresh one unless it is set; each file prints its own
 * - `ENDURANCE_SCALE`: a fifth of the usual counts unless it is set; `npm test -- --long` sets 10
 * - `ENDURANCE_CASE`, `ENDURANCE_PATH`: only one case of a series, only one path of a fast-check property
 */
import { randomInt } from 'node:crypto'
import { relative } from 'node:path'
import { beforeEach, vi } from 'vitest'
import { root } from '../../support/program.ts'

const { env } = process
export const SEED = env.ENDURANCE_SEED === undefined ? randomInt(1_000_000_000) : Number(env.ENDURANCE_SEED)
const SCALE = Number(env.ENDURANCE_SCALE ?? 0.2)
const LONG_SCALE = 10

/** Milliseconds that a test may take which sets no limit of its own. */
const USUAL_TIMEOUT = 300_000
// Ten times the counts take ten times as long.
vi.setConfig({ testTimeout: USUAL_TIMEOUT * Math.max(1, SCALE) })

console.log(`ENDURANCE_SEED=${SEED} ENDURANCE_SCALE=${SCALE}`)

/**
 * A count at this run's scale.
 * @param usual the count at scale 1
 * @param least below it the test shows nothing
 * @param long at the scale of `--long`, where ten times the usual count is too few
 */
export const counts = (usual: number, { least = 1, long = 0 } = {}): number =>
  Math.max(least, Math.ceil(usual * SCALE), SCALE >= LONG_SCALE ? long : 0)

let running: number | null = null
/** Another one for each test, so that the tests of a file do not all begin with the same kind of damage. */
let offset = 0

/** Runs a series of cases, each with a seed of its own. `ENDURANCE_CASE` runs one of them alone. */
export const eachCase = async (count: number, work: (seed: number) => Promise<void> | void): Promise<void> => {
  const only = env.ENDURANCE_CASE
  const numbers = only === undefined ? Array.from({ length: count }, (_, number) => number) : [Number(only)]
  for (const number of numbers) {
    running = number
    await work(SEED + offset + number)
  }
  running = null
}

/** What fast-check is run with. `ENDURANCE_PATH` replays one case of it alone. */
export const runs = (count: number, seed = SEED) =>
  env.ENDURANCE_PATH === undefined
    ? { seed, numRuns: count }
    : { seed, numRuns: 1, path: env.ENDURANCE_PATH, endOnFailure: true }

const PATH = /\bpath: "([\d:]+)"/

const commandOf = (file: string, name: string, message: string): string => {
  const path = PATH.exec(message)?.[1]
  return [
    `ENDURANCE_SEED=${SEED}`,
    ...(env.ENDURANCE_SCALE === undefined ? [] : [`ENDURANCE_SCALE=${SCALE}`]),
    ...(running === null ? [] : [`ENDURANCE_CASE=${running}`]),
    ...(path === undefined ? [] : [`ENDURANCE_PATH=${path}`]),
    // A pattern, and a word of the shell.
    ...['npx vitest run', relative(root, file), '-t', `"${name.replace(/[^\w ,:-]/gu, '.')}"`],
  ].join(' ')
}

beforeEach(({ task, onTestFailed }) => {
  running = null
  offset = Buffer.from(task.name).reduce((sum, byte) => (31 * sum + byte) % 1_000_003, 0)
  onTestFailed(() => {
    for (const error of task.result?.errors ?? []) {
      const again = `Run it again: ${commandOf(task.file.filepath, task.name, error.message)}`
      // First, as the end of a long message is cut off; reporters show the one or the other.
      error.stack = `${again}\n${error.stack ?? ''}`
      error.message = `${again}\n${error.message}`
    }
  })
})
