/**
 * Seed, scale and failure messages of the endurance tests. All randomness comes from the seed, so a failure can print
 * the command that reproduces it:
 * - `ENDURANCE_SEED`: random by default; each file prints its own
 * - `ENDURANCE_SCALE`: 0.2 by default; `npm test -- --long` sets 10
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

const USUAL_TIMEOUT = 300_000
vi.setConfig({ testTimeout: USUAL_TIMEOUT * Math.max(1, SCALE) })

console.log(`ENDURANCE_SEED=${SEED} ENDURANCE_SCALE=${SCALE}`)

/**
 * A count at this run's scale.
 * @param usual the count at scale 1
 * @param least the smallest count that still proves something
 * @param long the minimum at the scale of `--long`, if ten times the usual count is too few
 */
export const counts = (usual: number, { least = 1, long = 0 } = {}): number =>
  Math.max(least, Math.ceil(usual * SCALE), SCALE >= LONG_SCALE ? long : 0)

let running: number | null = null
/** Differs per test, so the tests of a file don't all start with the same kind of damage. */
let offset = 0

/** Runs a series of cases, each with its own seed, or only the one in `ENDURANCE_CASE`. */
export const eachCase = async (count: number, work: (seed: number) => Promise<void> | void): Promise<void> => {
  const only = env.ENDURANCE_CASE
  const numbers = only === undefined ? Array.from({ length: count }, (_, number) => number) : [Number(only)]
  for (const number of numbers) {
    running = number
    await work(SEED + offset + number)
  }
  running = null
}

/** Parameters for fast-check. `ENDURANCE_PATH` replays a single case. */
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
    // `-t` takes a regular expression, and the shell must not expand it.
    ...['npx vitest run', relative(root, file), '-t', `"${name.replace(/[^\w ,:-]/gu, '.')}"`],
  ].join(' ')
}

beforeEach(({ task, onTestFailed }) => {
  running = null
  offset = Buffer.from(task.name).reduce((sum, byte) => (31 * sum + byte) % 1_000_003, 0)
  onTestFailed(() => {
    for (const error of task.result?.errors ?? []) {
      const again = `Run it again: ${commandOf(task.file.filepath, task.name, error.message)}`
      // The command comes first, because long messages are truncated. Reporters show either the stack or the message.
      error.stack = `${again}\n${error.stack ?? ''}`
      error.message = `${again}\n${error.message}`
    }
  })
})
