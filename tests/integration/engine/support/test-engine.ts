import type { Clock } from '../../../../src/engine/timing/clock.ts'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createEngine } from '../../../../src/engine/engine.ts'
import { KeepingChoiceStore, type KeepingChoices } from '../../../../src/engine/keeping/choices.ts'
import { TAKEN_BACK } from '../../../../src/engine/outbox/taken-back.ts'
import type {
  CommandInput,
  CommandOutput,
  EngineCommand,
  EventName,
  Events,
  LinnetEvent,
} from '../../../../src/shared/contract.ts'
import type { EngineLink, HostLink } from '../../../../src/shared/engine-link.ts'
import type { SyncStatus } from '../../../../src/shared/model.ts'
import type { Problem, Result, StandingProblem } from '../../../../src/shared/result.ts'
import { BUILT, root } from '../../../support/program.ts'
import { temporaryDirectory } from '../../../support/temporary-directory.ts'
import { engineClock, pass, skip } from './test-time.ts'
import { eventually } from './eventually.ts'
import type { TestPlatform } from './test-platform.ts'

/** An engine in this process, with an account open. */
export interface TestEngine {
  readonly link: EngineLink
  readonly directory: string
  /** @throws where the command fails, with its problem */
  readonly call: <Name extends EngineCommand>(name: Name, input: CommandInput<Name>) => Promise<CommandOutput<Name>>
  /** The problem of a command that is to fail. */
  readonly problemOf: <Name extends EngineCommand>(name: Name, input: CommandInput<Name>) => Promise<Problem>
  readonly events: <Name extends EventName>(name: Name) => readonly Events[Name][]
  /** What is told of changes that the platform refused. */
  readonly takenBack: () => Promise<readonly StandingProblem[]>
  readonly log: () => readonly string[]
  readonly status: () => Promise<SyncStatus>
  /** Waits until everything is fetched and every change is confirmed. */
  readonly settled: () => Promise<SyncStatus>
  /** Moves the time of the test, for this engine and all others. */
  readonly pass: (milliseconds: number) => Promise<void>
  /** The same for a long time, as when the computer has slept. */
  readonly skip: (milliseconds: number) => Promise<void>
  readonly close: () => Promise<void>
}

export const expectOk = <Data>(result: Result<Data>): Data => {
  if (!result.ok) throw new Error(JSON.stringify(result.error))
  return result.data
}

/** The engine's own threads: one is started for each original, and from the sources it takes twice as long to start. */
const BUILT_THREADS = { partsWorker: join(root, BUILT.partsWorker), backupWorker: join(root, BUILT.backupWorker) }

/** What is not asked for is not fetched: what a test asks for is what it sees. */
const ONLY_OPENED: KeepingChoices = { days: 30, bytes: 0 }

/**
 * @param keeping what is kept without being asked for: nothing, unless it is given or was chosen in the folder before
 * @param waysTo the ways to a server: directly, unless it is given
 * @param clock the test's, unless it is given
 */
export const openTestEngine = async (
  { baseUrl, apiKey }: Pick<TestPlatform, 'baseUrl' | 'apiKey'>,
  directory = temporaryDirectory(),
  keeping?: KeepingChoices,
  waysTo?: HostLink['waysTo'],
  clock: Clock = engineClock(),
): Promise<TestEngine> => {
  if (keeping !== undefined || !existsSync(join(directory, 'keeping.json'))) {
    new KeepingChoiceStore(directory).set(keeping ?? ONLY_OPENED)
  }
  const events: LinnetEvent[] = []
  const log: string[] = []
  const link = createEngine(
    {
      event: (_, event) => events.push(event),
      keyAccepted: () => undefined,
      keyRenewed: () => Promise.resolve(),
      log: (level, line) => log.push(`${level} ${line}`),
    },
    { clock, ...BUILT_THREADS, ...(waysTo !== undefined && { waysTo }) },
  )
  onTestFinished(() => link.close('test'))
  expectOk(await link.open({ id: 'test', baseUrl, directory, key: { apiKey, isAccepted: true } }))

  const call: TestEngine['call'] = async (name, input) =>
    expectOk((await link.call('test', name, input, 'window')) as Result<CommandOutput<typeof name>>)
  const status = (): Promise<SyncStatus> => call('sync.status', {})
  return {
    link,
    directory,
    call,
    problemOf: async (name, input) => {
      const result = await link.call('test', name, input, 'window')
      if (result.ok) throw new Error(`${name} did not fail: ${JSON.stringify(result.data)}`)
      return result.error
    },
    events: (name) =>
      events.filter((event) => event.name === name).map(({ payload }) => payload as Events[typeof name]),
    takenBack: async () => (await call('problem.list', {})).filter(({ id }) => id.startsWith(TAKEN_BACK)),
    log: () => log,
    status,
    settled: () =>
      eventually(
        status,
        ({ progress, lastSyncAt, pendingChanges, connection }) =>
          progress === null && lastSyncAt !== null && pendingChanges === 0 && connection === 'online',
        undefined,
        ({ progress, pendingChanges }) => JSON.stringify([progress, pendingChanges]),
      ),
    pass,
    skip,
    close: () => link.close('test'),
  }
}
