import { Worker } from 'node:worker_threads'
import { createBirpc, type BirpcReturn } from 'birpc'
import type { CommandName, CommandOutput } from '../shared/contract.ts'
import type { EngineApi, HostLink } from '../shared/engine-api.ts'
import { describeThrown, logLine, type LogLine } from '../shared/log.ts'
import { fail, unwrap, type Problem, type Result } from '../shared/result.ts'

const STOPPED = 'The mail engine stopped and is restarting. Nothing is lost; try again in a moment.'

const failStopped = (): Result<never> => fail('internal', STOPPED)

export const isEngineStopped = ({ code, message }: Problem): boolean => code === 'internal' && message === STOPPED

/** Methods that return a problem if the thread has stopped. */
const RESULT_METHODS = [
  'parseBaseUrl',
  'test',
  'beginSignIn',
  'finishSignIn',
  'endSignIn',
  'testConnection',
  'inboxesIn',
  'usageOf',
  'open',
  'setKey',
  'call',
  'diagnostics',
  'sqliteVersion',
  'original',
  'attachment',
  'picture',
  'contactTable',
  'startExport',
] as const satisfies readonly (keyof EngineApi)[]
type ResultMethod = (typeof RESULT_METHODS)[number]

/** Environment variables the thread inherits: Node's compile cache and extra certificates. */
const INHERITED_VARIABLES: readonly string[] = ['NODE_COMPILE_CACHE', 'NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE']

export interface WorkerCrash {
  readonly reason: LogLine
  readonly isOutOfMemory: boolean
}

/** The worker's `workerData` (`worker.ts`). */
export interface EngineWorkerData {
  /** Skips optional parts that may have crashed the thread. */
  readonly isSafe: boolean
}

export interface EngineWorker extends EngineApi {
  /** Closes every account and stops the thread. */
  readonly stop: () => Promise<void>
}

/** Calls the engine for the host itself. @throws ProblemError the engine's error */
export const callEngine = async <Name extends CommandName>(
  engine: EngineWorker,
  accountId: string,
  name: Name,
  input: object,
  caller: string,
): Promise<CommandOutput<Name>> =>
  // The engine implements the same contract that `CommandOutput` is derived from, so the cast is safe.
  unwrap(await engine.call(accountId, name, input, caller)) as CommandOutput<Name>

/** Starts the engine thread. Calls to a dead thread return a problem. @param entry built or TypeScript file */
export const startEngineWorker = (
  entry: string | URL,
  start: EngineWorkerData,
  host: HostLink,
  onCrash: (end: WorkerCrash) => void,
): EngineWorker => {
  // Other variables may hold an API key. The engine gets its keys through `open`.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => INHERITED_VARIABLES.includes(name)))
  const worker = new Worker(entry, { env, name: 'linnet-engine', workerData: start })
  let alive = true
  const rpc: BirpcReturn<EngineApi, HostLink> = createBirpc<EngineApi, HostLink>(host, {
    post: (message: unknown) => worker.postMessage(message),
    on: (listener) => worker.on('message', listener),
    // The engine's own requests time out. A long download is not an error.
    timeout: -1,
  })

  let stopping = false
  let thrown: unknown = null
  worker.on('error', (error: unknown) => {
    thrown = error
    host.log('error', logLine`engine: ${describeThrown(error)}`)
  })
  worker.on('exit', (code) => {
    alive = false
    rpc.$close()
    if (stopping) return
    host.log('error', logLine`engine: the thread ended with code ${code}`)
    onCrash({
      reason: thrown === null ? logLine`the thread ended with code ${code}` : describeThrown(thrown),
      isOutOfMemory: thrown instanceof Error && 'code' in thrown && thrown.code === 'ERR_WORKER_OUT_OF_MEMORY',
    })
  })

  const guarded =
    (name: ResultMethod) =>
    async (...input: readonly unknown[]): Promise<Result<unknown>> => {
      if (!alive) return failStopped()
      try {
        // The link's type defines the method's input and output.
        return await (rpc[name] as (...input: readonly unknown[]) => Promise<Result<unknown>>)(...input)
      } catch (failed) {
        host.log('error', logLine`engine: ${describeThrown(failed)}`)
        return failStopped()
      }
    }
  const answering = Object.fromEntries(RESULT_METHODS.map((name) => [name, guarded(name)])) as Pick<
    EngineApi,
    ResultMethod
  >

  const notify = async (ask: () => Promise<unknown>): Promise<void> => {
    if (alive) await ask().catch(() => undefined)
  }

  const open = new Set<string>()
  const close = (accountId: string): Promise<void> => {
    open.delete(accountId)
    return notify(() => rpc.close(accountId))
  }
  return {
    ...answering,
    open: (account) => {
      open.add(account.id)
      return answering.open(account)
    },
    cancelTests: () => notify(() => rpc.cancelTests()),
    leave: (caller) => notify(() => rpc.leave(caller)),
    networkChanged: () => notify(() => rpc.networkChanged()),
    proxyChanged: () => notify(() => rpc.proxyChanged()),
    close,
    stop: async () => {
      stopping = true
      await Promise.all([...open].map(close))
      await worker.terminate()
    },
  }
}
