import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { AccountState, CommandOutput, HostCommand, Handlers, LinnetEvent, Transport } from '../shared/contract.ts'
import { createDispatcher, roomOf } from '../shared/dispatch.ts'
import type { AccountToOpen, RawEmail } from '../shared/engine-link.ts'
import { isWithinBounds } from '../shared/input-bounds.ts'
import { describeThrown, logLine, type Log } from '../shared/log.ts'
import type { Account } from '../shared/model.ts'
import { fail, ProblemError, toProblem, type Problem, type Result } from '../shared/result.ts'
import { makeDirectory } from './data-directory.ts'
import { startDemoPlatform, type DemoPlatform, type LaunchPlatform } from './demo-platform.ts'
import { startEngineThread, type EngineThread } from './engine-thread.ts'

/** An account as a host remembers it between two starts. The demo has no key: each start of it mints a new one. */
export type RememberedAccount =
  { readonly kind: 'platform'; readonly baseUrl: string; readonly apiKey: string } | { readonly kind: 'demo' }

/** Where the account and its key are kept. */
export interface Vault {
  readonly storage: AccountState['keyStorage']
  /** Null where nothing is kept. @throws ProblemError where what is kept cannot be read */
  readonly load: () => Promise<RememberedAccount | null>
  readonly save: (remembered: RememberedAccount) => Promise<void>
  readonly clear: () => Promise<void>
}

export interface HostOptions {
  readonly dataDirectory: string
  /** The engine thread's file. */
  readonly engineEntry: string | URL
  readonly launchPlatform: LaunchPlatform
  readonly vault: Vault
  /** An account given from outside, by `LINNET_BASE_URL` and `LINNET_API_KEY`; never kept. */
  readonly given: { readonly baseUrl: string; readonly apiKey: string } | null
  /** Brings a file to the person: a dialog on the desktop, a download in the browser. */
  readonly saveFile: (file: RawEmail) => Promise<CommandOutput<'receivedEmail.saveRaw'>>
  readonly log: Log
}

export interface Host extends Transport {
  readonly call: (name: string, input: unknown) => Promise<Result<unknown>>
  readonly close: () => Promise<void>
}

/** What a host of the screens is made of, whichever the desktop: the account, the engine's thread and the demo. */
export const startHost = (options: HostOptions): Host => {
  const { dataDirectory, vault, log } = options
  const listeners = new Set<(event: LinnetEvent) => void>()
  const emit = (event: LinnetEvent): void => listeners.forEach((listener) => listener(event))

  let account: Account | null = null
  let shown: AccountToOpen | null = null
  let problem: Problem | null = null
  let demo: DemoPlatform | null = null
  let engine = startEngine()
  let deaths: readonly number[] = []

  function startEngine(): EngineThread {
    return startEngineThread(
      options.engineEntry,
      {
        event: (accountId, event) => {
          if (accountId === account?.id) emit(event)
        },
        keyAccepted: () => undefined,
        log,
      },
      () => void reviveEngine(),
    )
  }

  /** A thread that died is started again with the account it had; one that dies over and over is left alone. */
  async function reviveEngine(): Promise<void> {
    deaths = [...deaths.filter((at) => at > Date.now() - 60_000), Date.now()]
    if (deaths.length > 3) {
      const message =
        'The mail engine keeps stopping. Your mail is kept; start Linnet again, and report it if it stays.'
      emit({ name: 'notice', payload: { code: 'internal', message } })
      return
    }
    engine = startEngine()
    if (shown === null) return
    const opened = await engine.open(shown)
    if (!opened.ok) emit({ name: 'notice', payload: opened.error })
    emit({ name: 'account.changed', payload: state() })
  }

  const state = (): AccountState => ({ account, keyStorage: vault.storage, problem })
  const directoryOf = (accountId: string): string => join(dataDirectory, 'accounts', accountId)
  const demoFile = (): string => join(dataDirectory, 'demo', 'platform.sqlite')

  const open = async (opening: Account, apiKey: string): Promise<void> => {
    const directory = directoryOf(opening.id)
    await makeDirectory(directory)
    const next = { id: opening.id, baseUrl: opening.baseUrl, directory, key: { apiKey, isAccepted: true } }
    unwrap(await engine.open(next))
    // Only now: an account that cannot be opened leaves the one before it open.
    const before = account
    account = opening
    shown = next
    problem = null
    if (before !== null && before.id !== opening.id) await engine.close(before.id)
    emit({ name: 'account.changed', payload: state() })
  }

  const openPlatform = (baseUrl: string, apiKey: string): Promise<void> =>
    open({ id: accountIdOf(baseUrl, apiKey), baseUrl, kind: 'platform' }, apiKey)

  const openDemo = async (): Promise<void> => {
    await makeDirectory(join(dataDirectory, 'demo'))
    const started = await startDemoPlatform(options.launchPlatform, demoFile(), log)
    try {
      await open({ id: 'demo', baseUrl: started.baseUrl, kind: 'demo' }, started.apiKey)
      demo = started
    } catch (thrown) {
      await started.stop()
      throw thrown
    }
  }

  const stopDemo = async (): Promise<void> => {
    await demo?.stop()
    demo = null
  }

  const opened = (): Account => {
    if (account === null) throw new ProblemError({ code: 'no_account', message: 'Connect an account first.' })
    return account
  }

  const handlers: Handlers<HostCommand> = {
    'account.state': state,
    'account.connect': async ({ baseUrl, apiKey }) => {
      unwrap(await engine.test({ baseUrl, apiKey }))
      await openPlatform(baseUrl, apiKey)
      await vault.save({ kind: 'platform', baseUrl, apiKey })
      return opened()
    },
    'account.startDemo': async () => {
      await stopDemo()
      await openDemo()
      await vault.save({ kind: 'demo' })
      return opened()
    },
    'account.disconnect': async () => {
      const leaving = account
      if (leaving !== null) await engine.close(leaving.id)
      account = null
      shown = null
      problem = null
      await vault.clear()
      await stopDemo()
      if (leaving?.kind === 'demo') {
        await rm(directoryOf(leaving.id), { recursive: true, force: true })
        await rm(join(dataDirectory, 'demo'), { recursive: true, force: true })
      }
      emit({ name: 'account.changed', payload: state() })
      return null
    },
    'receivedEmail.saveRaw': async ({ id }) => {
      return options.saveFile(unwrap(await engine.rawEmail(opened().id, id)))
    },
  }
  const report = (thrown: unknown): void => log('error', logLine`host: ${describeThrown(thrown)}`)
  const answer = createDispatcher('host', handlers, report)

  const openRemembered = async (): Promise<void> => {
    try {
      const remembered = options.given === null ? await vault.load() : ({ kind: 'platform', ...options.given } as const)
      if (remembered?.kind === 'demo') await openDemo()
      if (remembered?.kind === 'platform') await openPlatform(remembered.baseUrl, remembered.apiKey)
    } catch (thrown) {
      problem = toProblem(thrown)
      if (problem.code === 'internal') report(thrown)
    }
  }
  // The window does not wait for this; its first question does.
  const ready = openRemembered()

  return {
    call: async (name, input) => {
      if (!isWithinBounds(input))
        return fail('invalid_input', 'This is more than a command can take. Nothing was changed.')
      await ready
      if (roomOf(name) !== 'engine') return answer(name, input)
      if (account === null) return fail('no_account', 'Connect an account first.')
      return engine.call(account.id, name, input)
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close: async () => {
      await ready
      await engine.stop()
      await stopDemo()
    },
  }
}

/**
 * Names an account's folder. Two keys may be two teams with the same base URL, so both go in; the digest of a key of
 * full entropy does not give it away.
 */
const accountIdOf = (baseUrl: string, apiKey: string): string =>
  createHash('sha256').update(`linnet account\n${baseUrl}\n${apiKey}`).digest('hex').slice(0, 32)

const unwrap = <Data>(result: Result<Data>): Data => {
  if (!result.ok) throw new ProblemError(result.error)
  return result.data
}
