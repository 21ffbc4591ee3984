import type { Clock } from '../../../../src/engine/timing/clock.ts'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createEngine } from '../../../../src/engine/engine.ts'
import { OWN_BACKUP_NAME, OWN_NAME, OWN_SNAPSHOT_NAME } from '../../../../src/engine/own/account-files.ts'
import type { PrefetchChoices } from '../../../../src/engine/sync/prefetch-choices.ts'
import { ROLLBACK_PROBLEM_ID_PREFIX } from '../../../../src/engine/own/outbox/rollback.ts'
import type {
  CommandInput,
  CommandOutput,
  EngineCommand,
  EventName,
  Events,
  LinnetEvent,
} from '../../../../src/shared/contract.ts'
import type { EngineApi, HostLink } from '../../../../src/shared/engine-api.ts'
import type { SyncStatus } from '../../../../src/shared/model.ts'
import type { Problem, Result, PersistentProblem } from '../../../../src/shared/result.ts'
import { BUILT, root } from '../../../support/program.ts'
import { temporaryDirectory } from '../../../support/temporary-directory.ts'
import { engineClock, advance, skip } from './test-time.ts'
import { eventually } from './eventually.ts'
import type { TestPlatform } from './test-platform.ts'

export interface TestEngine {
  readonly link: EngineApi
  readonly directory: string
  /** @throws the problem if the command fails */
  readonly call: <Name extends EngineCommand>(name: Name, input: CommandInput<Name>) => Promise<CommandOutput<Name>>
  readonly problemOf: <Name extends EngineCommand>(name: Name, input: CommandInput<Name>) => Promise<Problem>
  readonly events: <Name extends EventName>(name: Name) => readonly Events[Name][]
  /** Notices about changes that the platform rejected. */
  readonly rollbackNotices: () => Promise<readonly PersistentProblem[]>
  readonly log: () => readonly string[]
  readonly status: () => Promise<SyncStatus>
  /** Waits until everything has been fetched and every change confirmed. */
  readonly settled: () => Promise<SyncStatus>
  /** Advances the test clock for all engines. */
  readonly advance: (milliseconds: number) => Promise<void>
  /** Advances the test clock by a long time at once, as if the computer had slept. */
  readonly skip: (milliseconds: number) => Promise<void>
  readonly close: () => Promise<void>
}

export const expectOk = <Data>(result: Result<Data>): Data => {
  if (!result.ok) throw new Error(JSON.stringify(result.error))
  return result.data
}

/** The engine's built worker threads, which start twice as fast as the sources. Each raw source starts one. */
const BUILT_THREADS = { partsWorker: join(root, BUILT.partsWorker), filesWorker: join(root, BUILT.filesWorker) }

/** No automatic downloads, so tests see only their own requests. */
const ONLY_OPENED: PrefetchChoices = { days: 30, bytes: 0 }

/**
 * @param keeping download settings; by default nothing, or what the folder has stored
 * @param routesTo proxy routes; direct by default
 * @param clock the test clock by default
 */
export const openTestEngine = async (
  { baseUrl, apiKey }: Pick<TestPlatform, 'baseUrl' | 'apiKey'>,
  directory = temporaryDirectory(),
  keeping?: PrefetchChoices,
  routesTo?: HostLink['routesTo'],
  clock: Clock = engineClock(),
): Promise<TestEngine> => {
  const isNew = [OWN_NAME, OWN_SNAPSHOT_NAME, OWN_BACKUP_NAME].every((name) => !existsSync(join(directory, name)))
  const events: LinnetEvent[] = []
  const log: string[] = []
  const link = createEngine(
    {
      event: (_, event) => events.push(event),
      keyAccepted: () => undefined,
      keyRenewed: () => Promise.resolve(),
      log: (level, line) => log.push(`${level} ${line}`),
    },
    { clock, ...BUILT_THREADS, ...(routesTo !== undefined && { routesTo }) },
  )
  onTestFinished(() => link.close('test'))
  expectOk(await link.open({ id: 'test', baseUrl, directory, key: { apiKey, isAccepted: true } }))
  if (keeping !== undefined || isNew) expectOk(await link.call('test', 'keeping.set', keeping ?? ONLY_OPENED, 'test'))

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
    rollbackNotices: async () =>
      (await call('problem.list', {})).filter(({ id }) => id.startsWith(ROLLBACK_PROBLEM_ID_PREFIX)),
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
    advance,
    skip,
    close: () => link.close('test'),
  }
}

/** Opens an engine and waits until it has synced. */
export const openSettledEngine = async (...of: Parameters<typeof openTestEngine>): Promise<TestEngine> => {
  const engine = await openTestEngine(...of)
  await engine.settled()
  return engine
}
