import { DIRECT } from '../../src/shared/proxy.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { KeepingChoiceStore } from '../../src/engine/keeping/choices.ts'
import { startEngineThread } from '../../src/host/engine-thread.ts'
import type { CommandInput, CommandOutput, EngineCommand } from '../../src/shared/contract.ts'
import type { BenchPlatform } from './bench-platform.ts'

/** An engine in its thread, as a host runs it. */
export interface BenchEngine {
  readonly directory: string
  readonly call: <Name extends EngineCommand>(name: Name, input: CommandInput<Name>) => Promise<CommandOutput<Name>>
  readonly stop: () => Promise<void>
}

export interface Bodies {
  /** How many days back bodies are fetched. */
  readonly days: number
}

const directories: string[] = []
process.once('exit', () => {
  for (const directory of directories) rmSync(directory, { recursive: true, force: true })
})

/** A fresh directory for an account, in which a depth has been chosen already; removed when the process ends. */
export const accountDirectory = ({ days }: Bodies): string => {
  const directory = mkdtempSync(join(tmpdir(), 'linnet-bench-'))
  // What is measured is sync: nothing is kept beside it.
  new KeepingChoiceStore(directory).set({ days, bytes: 0 })
  directories.push(directory)
  return directory
}

export const openBenchEngine = async (
  { baseUrl, apiKey }: Pick<BenchPlatform, 'baseUrl' | 'apiKey'>,
  directory: string,
): Promise<BenchEngine> => {
  const thread = startEngineThread(
    new URL('../../src/engine/worker.ts', import.meta.url),
    { isSafe: false },
    {
      event: () => undefined,
      keyAccepted: () => undefined,
      keyRenewed: () => Promise.resolve(),
      waysTo: () => Promise.resolve([DIRECT]),
      connectionTested: () => undefined,
      log: (level, line) => level === 'error' && console.error(line),
    },
    () => undefined,
  )
  const opened = await thread.open({ id: 'bench', baseUrl, directory, key: { apiKey, isAccepted: true } })
  if (!opened.ok) throw new Error(opened.error.message)
  return {
    directory,
    call: async (name, input) => {
      const answer = await thread.call('bench', name, input, 'window')
      if (!answer.ok) throw new Error(answer.error.message)
      return answer.data as CommandOutput<typeof name>
    },
    stop: () => thread.stop(),
  }
}

/** Asks until the answer is the one that is waited for. */
export const until = async (isReached: () => Promise<boolean> | boolean, everyMs: number): Promise<void> => {
  while (!(await isReached())) await new Promise((resolve) => setTimeout(resolve, everyMs))
}

/** Waits until the engine has fetched everything. */
export const synced = (engine: BenchEngine): Promise<void> =>
  until(async () => {
    const { progress, lastSyncAt, problem } = await engine.call('sync.status', {})
    if (problem !== null) throw new Error(problem)
    return progress === null && lastSyncAt !== null
  }, 50)
