import { createEngine } from '../engine/engine.ts'
import { takeEnvironmentAccount } from '../host/environment-account.ts'
import { findEnvironmentProxy } from '../host/proxy-resolver.ts'
import type { CommandInput, CommandOutput, EngineCommand, LinnetEvent } from '../shared/contract.ts'
import type { AccountKey, ExportTarget } from '../shared/engine-api.ts'
import type { ExportRequest, ExportState } from '../shared/export.ts'
import { DIRECT_ROUTE } from '../shared/proxy.ts'
import { ProblemError, type Result } from '../shared/result.ts'
import type { LocalAccount } from './local-accounts.ts'
import { CommandError, EXIT, type Terminal } from './terminal.ts'

const unwrap = <Data>(result: Result<Data>): Data => {
  if (result.ok) return result.data
  if (/^SQLITE_(?:BUSY|LOCKED)/.test(String(result.error.details?.cause))) {
    throw new CommandError(
      'Another copy of Linnet has this account open. Do this in its window, or close that copy first.',
      EXIT.busy,
    )
  }
  throw new ProblemError(result.error)
}

let cachedEnvironmentAccount: ReturnType<typeof takeEnvironmentAccount> | undefined
/** Takes the account and its key from the environment. @throws ProblemError if only one of the two variables is set */
const environmentAccount = (): ReturnType<typeof takeEnvironmentAccount> => {
  if (cachedEnvironmentAccount === undefined) cachedEnvironmentAccount = takeEnvironmentAccount(process.env)
  return cachedEnvironmentAccount
}

/** Key from the environment, or null. A key typed in a window is out of reach: only the desktop app has it. */
export const readEnvironmentKey = ({ baseUrl }: LocalAccount): AccountKey | null => {
  const account = environmentAccount()
  if (account === null || account.baseUrl.replace(/\/+$/, '') !== baseUrl) return null
  // The engine checks which account the key belongs to before using it.
  return { apiKey: account.apiKey, isAccepted: false }
}

/** Like `readEnvironmentKey`, but for commands that need a key. @throws CommandError if there is none */
export const requireEnvironmentKey = (account: LocalAccount): AccountKey => {
  const key = readEnvironmentKey(account)
  if (key !== null) return key
  throw new CommandError(
    environmentAccount() === null
      ? 'Set LINNET_BASE_URL and LINNET_API_KEY. The command line cannot use the API key you entered in Linnet’s window.'
      : `LINNET_BASE_URL does not match this account’s platform: ${account.baseUrl ?? 'the demo'}.`,
    EXIT.usage,
  )
}

/** Opens an account in this process and syncs if there is a key. @throws CommandError if another Linnet has it open */
export const openLocalAccount = async (
  { id, baseUrl, directory }: LocalAccount,
  key: AccountKey | null,
  terminal: Terminal,
  told: (event: LinnetEvent) => void = () => undefined,
) => {
  if (baseUrl === null) throw new CommandError('The demo runs only while Linnet’s window is open.', EXIT.usage)
  const engine = createEngine(
    {
      event: (_accountId, event) => told(event),
      keyAccepted: () => undefined,
      keyRenewed: () => Promise.resolve(),
      log: (level, line) => {
        if (level === 'error') terminal.note(line)
      },
    },
    { routesTo: (origin) => Promise.resolve([findEnvironmentProxy(new URL(origin), process.env) ?? DIRECT_ROUTE]) },
  )
  unwrap(await engine.open({ id, baseUrl, directory, key }))
  return {
    /** @throws ProblemError as specified in the contract */
    ask: async <Name extends EngineCommand>(name: Name, input: CommandInput<Name>): Promise<CommandOutput<Name>> =>
      // The engine implements the same contract that `CommandOutput` is derived from, so the cast is safe.
      unwrap((await engine.call(id, name, input, 'command line')) as Result<CommandOutput<Name>>),
    /** @throws ProblemError for the same reasons as `EngineApi.startExport` */
    startExport: async (request: ExportRequest, target: ExportTarget): Promise<ExportState> =>
      unwrap(await engine.startExport(id, request, target)),
    close: () => engine.close(id),
  }
}

/** An account that this process holds exclusively, as a window would. */
export type ExclusiveAccount = Awaited<ReturnType<typeof openLocalAccount>>
