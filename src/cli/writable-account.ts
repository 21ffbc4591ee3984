import { setTimeout as wait } from 'node:timers/promises'
import type { CommandInput, CommandOutput, EngineCommand, LinnetEvent } from '../shared/contract.ts'
import { unwrap } from '../shared/result.ts'
import type { LocalAccount } from './local-accounts.ts'
import { readEnvironmentKey, openLocalAccount } from './open-account.ts'
import { RunningLinnet } from './running-linnet.ts'
import { CommandError, EXIT, type Terminal } from './terminal.ts'

/** Longest wait for another command that holds the account, or for a Linnet that is starting. */
const OPEN_TIMEOUT_MS = 10_000
const RETRY_DELAY_MS = 100
/** Longest wait for a change to be sent, if this process sends it. */
const SEND_TIMEOUT_MS = 30_000

/** An account opened for changes: through the running Linnet, or by this process if none runs. */
export interface WritableAccount {
  /** True if this process sends its changes. Otherwise the running Linnet does, or Linnet when it next starts. */
  readonly sends: boolean
  /** True if requests go through the running Linnet. */
  readonly isRunning: boolean
  /** @throws ProblemError as specified in the contract */
  readonly ask: <Name extends EngineCommand>(name: Name, input: CommandInput<Name>) => Promise<CommandOutput<Name>>
  readonly listen: (listener: (event: LinnetEvent) => void) => void
  /** Resolves when the running Linnet closes; never if this process holds the account. */
  readonly lost: Promise<undefined>
  readonly close: () => Promise<void>
}

const viaRunningLinnet = async (running: RunningLinnet, { id, addresses }: LocalAccount): Promise<WritableAccount> => {
  const { accounts } = unwrap(await running.ask(null, 'account.state', {}))
  if (accounts.find((account) => account.id === id)?.isOpen !== true) {
    const name = addresses[0] ?? id
    throw new CommandError(
      `Linnet is running, but account ${name} is not open. Open the account in Linnet, then try again.`,
      EXIT.failed,
    )
  }
  return {
    sends: false,
    isRunning: true,
    ask: async (name, input) => unwrap(await running.ask(id, name, input)),
    listen: (listener) =>
      running.listen(({ accountId, ...event }) => {
        if (accountId === id) listener(event)
      }),
    lost: running.closed,
    close: () => {
      running.close()
      return Promise.resolve()
    },
  }
}

const openDirectly = async (account: LocalAccount, terminal: Terminal): Promise<WritableAccount> => {
  const key = readEnvironmentKey(account)
  const listeners = new Set<(event: LinnetEvent) => void>()
  const opened = await openLocalAccount(account, key, terminal, (event) =>
    listeners.forEach((listener) => listener(event)),
  )
  return {
    sends: key !== null,
    isRunning: false,
    listen: (listener) => void listeners.add(listener),
    lost: Promise.withResolvers<undefined>().promise,
    ...{ ask: opened.ask, close: opened.close },
  }
}

/** Waits for other commands or a starting Linnet. @throws CommandError on timeout, or if Linnet lacks the account */
export const openWritableAccount = async (account: LocalAccount, terminal: Terminal): Promise<WritableAccount> => {
  const until = Date.now() + OPEN_TIMEOUT_MS
  for (;;) {
    const running = await RunningLinnet.find(account.dataDirectory)
    try {
      return running === null ? await openDirectly(account, terminal) : await viaRunningLinnet(running, account)
    } catch (thrown) {
      running?.close()
      const isBusy = thrown instanceof CommandError && thrown.exitCode === EXIT.busy
      if (!isBusy || Date.now() > until) throw thrown
    }
    await wait(RETRY_DELAY_MS)
  }
}

/**
 * Searches the accounts in turn. An account that can't be opened doesn't block the others.
 * @returns the first non-null result, or null
 * @throws CommandError with the reason an account could not be opened, if no other account has a result
 */
export const findInAccounts = async <Found>(
  accounts: readonly LocalAccount[],
  terminal: Terminal,
  look: (opened: WritableAccount, account: LocalAccount) => Promise<Found | null>,
): Promise<Found | null> => {
  const refused: CommandError[] = []
  for (const account of accounts) {
    const opened = await openWritableAccount(account, terminal).catch((thrown: unknown) => {
      if (!(thrown instanceof CommandError)) throw thrown
      refused.push(thrown)
      return null
    })
    if (opened === null) continue
    try {
      const found = await look(opened, account)
      if (found !== null) return found
    } finally {
      await opened.close()
    }
  }
  const [first] = refused
  if (first !== undefined) throw first
  return null
}

/** Waits until this process has sent all the changes it can. @returns the number of changes left in the outbox */
export const waitUntilSent = async ({ sends, ask }: Pick<WritableAccount, 'ask' | 'sends'>): Promise<number> => {
  const until = Date.now() + SEND_TIMEOUT_MS
  for (;;) {
    const { pendingChanges, connection } = await ask('sync.status', {})
    const isOver = pendingChanges === 0 || !sends || Date.now() > until
    if (isOver || connection === 'offline' || connection === 'refused') return pendingChanges
    await wait(RETRY_DELAY_MS)
  }
}
