import { Worker } from 'node:worker_threads'
import { createBirpc, type BirpcReturn } from 'birpc'
import type { EngineLink, HostLink } from '../shared/engine-link.ts'
import { describeThrown, logLine, type LogLine } from '../shared/log.ts'
import { fail, type Problem, type Result } from '../shared/result.ts'

const STOPPED = 'The mail engine stopped and is restarting. Nothing is lost; try again in a moment.'

const stopped = (): Result<never> => fail('internal', STOPPED)

/** Whether a call came to nothing because the thread ended. */
export const isStopped = ({ code, message }: Problem): boolean => code === 'internal' && message === STOPPED

/** What of an engine answers with a result, and so with a problem where the thread has ended. `createEngine` does what they say. */
const ANSWERING = [
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
  'callAcross',
  'diagnostics',
  'sqliteVersion',
  'original',
  'attachment',
  'picture',
  'contactTable',
  'startExport',
] as const satisfies readonly (keyof EngineLink)[]
type Answering = (typeof ANSWERING)[number]

/** What the thread sees of the environment: where Node keeps what it has compiled, and whose certificates count. */
const KEPT_VARIABLES: readonly string[] = ['NODE_COMPILE_CACHE', 'NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE']

/** How a thread ended unexpectedly. */
export interface ThreadEnd {
  readonly reason: LogLine
  readonly isOutOfMemory: boolean
}

/** What the thread is started with (`worker.ts`). */
export interface EngineStart {
  /** Whether it does as little as possible: nothing that could have ended the one before. */
  readonly isSafe: boolean
}

export interface EngineThread extends EngineLink {
  /** Closes every account and ends the thread. */
  readonly stop: () => Promise<void>
}

/**
 * Starts the engine in a thread of its own. A thread that dies is told to `onDeath` once; calls that were under way,
 * and all later ones, answer with a problem instead of waiting for ever.
 * @param entry the worker's file, built or in TypeScript
 */
export const startEngineThread = (
  entry: string | URL,
  start: EngineStart,
  host: HostLink,
  onDeath: (end: ThreadEnd) => void,
): EngineThread => {
  // The environment may hold a key: the engine is given its own by `open`.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => KEPT_VARIABLES.includes(name)))
  const worker = new Worker(entry, { env, name: 'linnet-engine', workerData: start })
  let alive = true
  const rpc: BirpcReturn<EngineLink, HostLink> = createBirpc<EngineLink, HostLink>(host, {
    post: (message: unknown) => worker.postMessage(message),
    on: (listener) => worker.on('message', listener),
    // The engine's own requests have time-outs; a long download is not a fault.
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
    onDeath({
      reason: thrown === null ? logLine`the thread ended with code ${code}` : describeThrown(thrown),
      isOutOfMemory: thrown instanceof Error && 'code' in thrown && thrown.code === 'ERR_WORKER_OUT_OF_MEMORY',
    })
  })

  const guarded =
    (name: Answering) =>
    async (...input: readonly unknown[]): Promise<Result<unknown>> => {
      if (!alive) return stopped()
      try {
        // What goes in and comes out is the method's own, which the link's type says.
        return await (rpc[name] as (...input: readonly unknown[]) => Promise<Result<unknown>>)(...input)
      } catch (failed) {
        host.log('error', logLine`engine: ${describeThrown(failed)}`)
        return stopped()
      }
    }
  const answering = Object.fromEntries(ANSWERING.map((name) => [name, guarded(name)])) as Pick<EngineLink, Answering>

  const open = new Set<string>()
  const close = async (accountId: string): Promise<void> => {
    open.delete(accountId)
    if (alive) await rpc.close(accountId).catch(() => undefined)
  }
  return {
    ...answering,
    open: (account) => {
      open.add(account.id)
      return answering.open(account)
    },
    cancelTests: async () => {
      if (alive) await rpc.cancelTests().catch(() => undefined)
    },
    leave: async (caller) => {
      if (alive) await rpc.leave(caller).catch(() => undefined)
    },
    networkChanged: async () => {
      if (alive) await rpc.networkChanged().catch(() => undefined)
    },
    waysChosen: async () => {
      if (alive) await rpc.waysChosen().catch(() => undefined)
    },
    close,
    stop: async () => {
      stopping = true
      await Promise.all([...open].map(close))
      await worker.terminate()
    },
  }
}
