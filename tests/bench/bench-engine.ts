import { DIRECT_ROUTE } from '../../src/shared/proxy.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PrefetchChoiceStore } from '../../src/engine/sync/prefetch-choices.ts'
import { openOwnFile } from '../support/own-file.ts'
import { startEngineWorker } from '../../src/host/engine-worker.ts'
import type { CommandInput, CommandOutput, EngineCommand } from '../../src/shared/contract.ts'
import type { BenchPlatform } from './bench-platform.ts'

export interface BenchEngine {
  readonly directory: string
  readonly call: <Name extends EngineCommand>(name: Name, input: CommandInput<Name>) => Promise<CommandOutput<Name>>
  readonly stop: () => Promise<void>
}

export interface Bodies {
  /** Number of days back to fetch bodies for. */
  readonly days: number
}

const directories: string[] = []
process.once('exit', () => {
  for (const directory of directories) rmSync(directory, { recursive: true, force: true })
})

/** Creates a directory for an account, with the sync depth already chosen. Removed when the process exits. */
export const accountDirectory = async ({ days }: Bodies): Promise<string> => {
  const directory = mkdtempSync(join(tmpdir(), 'linnet-bench-'))
  // Only sync is measured, so no files are prefetched.
  const own = openOwnFile(directory)
  new PrefetchChoiceStore(own).set({ days, bytes: 0 })
  await own.close()
  directories.push(directory)
  return directory
}

export const openBenchEngine = async (
  { baseUrl, apiKey }: Pick<BenchPlatform, 'baseUrl' | 'apiKey'>,
  directory: string,
): Promise<BenchEngine> => {
  const thread = startEngineWorker(
    new URL('../../src/engine/worker.ts', import.meta.url),
    { isSafe: false },
    {
      event: () => undefined,
      keyAccepted: () => undefined,
      keyRenewed: () => Promise.resolve(),
      routesTo: () => Promise.resolve([DIRECT_ROUTE]),
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
