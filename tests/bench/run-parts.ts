import type { ChildProcess } from 'node:child_process'
import { subscribe } from 'node:diagnostics_channel'
import type { Figure } from './figure.ts'
import { watchMachine, type MachineLoad } from './machine-load.ts'
import { forgetPlatforms } from './platforms.ts'

export type Measure = () => Promise<readonly Figure[]>

export interface Measured extends Figure {
  readonly part: string
  readonly machine: MachineLoad
}

export interface Outcome {
  readonly figures: readonly Measured[]
  readonly failures: readonly string[]
}

const running = new Set<ChildProcess>()
subscribe('child_process', (message) => {
  const { process: child } = message as { readonly process: ChildProcess }
  running.add(child)
  child.once('exit', () => running.delete(child))
})

export const endPrograms = (): void => {
  for (const child of running) child.kill('SIGKILL')
}

/** @throws if the part throws, times out, can never finish, or measures nothing */
const runPart = async (measure: Measure, limitMs: number): Promise<readonly Figure[]> => {
  const limit = Promise.withResolvers<never>()
  const stuck = (): void => limit.reject(new Error('It waits for something that never comes.'))
  const timer = setTimeout(
    () => limit.reject(new Error(`It did not end within ${limitMs / 60_000} minutes.`)),
    limitMs,
  ).unref()
  // Emitted when nothing is left that could finish the part.
  process.once('beforeExit', stuck)
  try {
    const figures = await Promise.race([measure(), limit.promise])
    if (figures.length === 0) throw new Error('It measured nothing.')
    return figures
  } finally {
    clearTimeout(timer)
    process.off('beforeExit', stuck)
  }
}

/** Runs parts in turn, and kills whatever a failed part left running. @param onMeasured called once a part is done */
export const runParts = async (
  parts: Iterable<readonly [string, Measure]>,
  limitMs: number,
  onMeasured: (figure: Measured) => void = () => undefined,
): Promise<Outcome> => {
  const figures: Measured[] = []
  const failures: string[] = []
  for (const [part, measure] of parts) {
    console.error(`${new Date().toISOString()} ${part} …`)
    const loadSince = watchMachine()
    try {
      for (const figure of await runPart(measure, limitMs)) {
        const measured = { ...figure, part, machine: loadSince() }
        figures.push(measured)
        onMeasured(measured)
      }
    } catch (thrown) {
      failures.push(`${part}: ${thrown instanceof Error ? thrown.message : String(thrown)}`)
      endPrograms()
      forgetPlatforms()
    }
  }
  return { figures, failures }
}
