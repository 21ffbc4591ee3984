/**
 * Shared by the programs that get killed: an engine over a folder, random numbers from the seed on the command line,
 * and lines on stdout. `run-and-kill.ts` starts and kills them.
 */
import { writeSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { createEngine } from '../../../src/engine/engine.ts'
import type { CommandInput, CommandOutput, EngineCommand, LinnetEvent } from '../../../src/shared/contract.ts'
import type { EngineApi } from '../../../src/shared/engine-api.ts'
import type { Result } from '../../../src/shared/result.ts'
import { Random } from '../../support/random.ts'

const [seed = '0', baseUrl = '', apiKey = '', directory = '', ...more] = process.argv.slice(2)

/** Program-specific arguments, after the common ones. */
export const lifeArguments: readonly string[] = more
export const random = new Random(Number(seed))
export const print = (word: string, what: unknown): number => writeSync(1, `${word} ${JSON.stringify(what)}\n`)
export const ACCOUNT = 'life'

interface KillableEngine {
  readonly engine: EngineApi
  readonly ask: <Name extends EngineCommand>(
    name: Name,
    input: CommandInput<Name>,
  ) => Promise<Result<CommandOutput<Name>>>
}

export const openKillableEngine = async (
  onEvent: (event: LinnetEvent) => void = () => undefined,
): Promise<KillableEngine> => {
  const engine = createEngine({
    event: (_, event) => onEvent(event),
    keyAccepted: () => undefined,
    keyRenewed: () => Promise.resolve(),
    log: () => undefined,
  })
  const opened = await engine.open({ id: ACCOUNT, baseUrl, directory, key: { apiKey, isAccepted: true } })
  if (!opened.ok) {
    print('failed', opened.error)
    process.exit(1)
  }
  // Node writes the cache at exit, which a killed process never reaches.
  flushCompileCache()
  print('open', {})
  return {
    engine,
    ask: async (name, input) =>
      (await engine.call(ACCOUNT, name, input, 'window')) as Result<CommandOutput<typeof name>>,
  }
}
