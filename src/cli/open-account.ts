import { createEngine } from '../engine/engine.ts'
import { takeGivenAccount } from '../host/given-account.ts'
import { proxyOfEnvironment } from '../host/proxies.ts'
import type { CommandInput, CommandOutput, EngineCommand } from '../shared/contract.ts'
import type { AccountKey, EngineLink, ExportTarget } from '../shared/engine-link.ts'
import type { ExportState, ExportWish } from '../shared/export.ts'
import { DIRECT } from '../shared/proxy.ts'
import { ProblemError, type Result } from '../shared/result.ts'
import type { AccountHere } from './accounts-here.ts'
import { CommandError, EXIT, type Terminal } from './terminal.ts'

const unwrap = <Data>(result: Result<Data>): Data => {
  if (result.ok) return result.data
  if (/^SQLITE_(?:BUSY|LOCKED)/.test(String(result.error.details?.cause))) {
    throw new CommandError('Linnet is open with this account. Do this in its window, or close it first.', EXIT.busy)
  }
  throw new ProblemError(result.error)
}

/**
 * The key for an account from the environment, as the windows take it. A key that was typed there is in the system's
 * keychain, which only the desktop's Linnet can open, or nowhere.
 * @throws CommandError where there is none, or it is for another platform
 */
export const takeKey = ({ baseUrl }: AccountHere): AccountKey => {
  const given = takeGivenAccount(process.env)
  if (given === null) {
    throw new CommandError(
      'Set LINNET_BASE_URL and LINNET_API_KEY. The command line cannot read the window’s key.',
      EXIT.usage,
    )
  }
  if (given.baseUrl.replace(/\/+$/, '') !== baseUrl) {
    throw new CommandError(
      `LINNET_BASE_URL is not the platform of this account, which is ${baseUrl ?? 'the demo'}.`,
      EXIT.usage,
    )
  }
  // The engine asks whose key it is before it uses it.
  return { apiKey: given.apiKey, isAccepted: false }
}

/** An account that this process has for itself, as a window would. */
export class OpenedAccount {
  readonly #engine: EngineLink
  readonly #id: string

  /** @param id of an account that the engine has open */
  constructor(engine: EngineLink, id: string) {
    this.#engine = engine
    this.#id = id
  }

  /** @throws ProblemError as the contract says */
  async ask<Name extends EngineCommand>(name: Name, input: CommandInput<Name>): Promise<CommandOutput<Name>> {
    const result = await this.#engine.call(this.#id, name, input, 'command line')
    // The engine answers by the same table that types it.
    return unwrap(result as Result<CommandOutput<Name>>)
  }

  /** @throws ProblemError as `EngineLink.startExport` says */
  async startExport(wish: ExportWish, target: ExportTarget): Promise<ExportState> {
    return unwrap(await this.#engine.startExport(this.#id, wish, target))
  }

  close(): Promise<void> {
    return this.#engine.close(this.#id)
  }
}

/**
 * Opens an account in this process, and with a key begins to sync.
 * @throws CommandError where another Linnet has it open
 */
export const openAccountHere = async (
  { id, baseUrl, directory }: AccountHere,
  key: AccountKey | null,
  terminal: Terminal,
): Promise<OpenedAccount> => {
  if (baseUrl === null) throw new CommandError('The demo runs only while Linnet’s window is open.', EXIT.usage)
  const engine = createEngine(
    {
      event: () => undefined,
      keyAccepted: () => undefined,
      keyRenewed: () => Promise.resolve(),
      log: (level, line) => {
        if (level === 'error') terminal.note(line)
      },
    },
    { waysTo: (origin) => Promise.resolve([proxyOfEnvironment(new URL(origin), process.env) ?? DIRECT]) },
  )
  unwrap(await engine.open({ id, baseUrl, directory, key }))
  return new OpenedAccount(engine, id)
}
