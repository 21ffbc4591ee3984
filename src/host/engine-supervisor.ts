import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AddressedEvent, CallContext, CommandName } from '../shared/contract.ts'
import type { EngineApi, HostLink } from '../shared/engine-api.ts'
import { fail, unwrap, type Result } from '../shared/result.ts'
import { ALL_INBOXES } from '../shared/unified-ids.ts'
import type { StoredAccounts } from './stored-accounts.ts'
import { Accounts } from './accounts.ts'
import { callEngine, isEngineStopped, startEngineWorker, type EngineWorker, type WorkerCrash } from './engine-worker.ts'
import type { HostOptions } from './host-options.ts'
import { RestartPolicy } from './restart-policy.ts'
import { RunStateTracker } from './run-state-tracker.ts'
import type { UnfinishedWork } from './updates.ts'

/** Repeated after an engine restart. `thread.change` sets a final state; others could take effect twice. */
const RETRYABLE_COMMANDS: ReadonlySet<string> = new Set<CommandName>(['thread.change'])

export class EngineSupervisor {
  readonly run: RunStateTracker
  readonly accounts: Accounts
  readonly #options: HostOptions
  readonly #emit: (event: AddressedEvent) => void
  readonly #routesTo: HostLink['routesTo']
  readonly #restarts = new RestartPolicy()
  #engine: EngineWorker | null = null
  #reopened: Promise<void> = Promise.resolve()
  /** True if the stopped engine is being replaced, false if it stays down. */
  #revived: Promise<boolean> = Promise.resolve(true)

  constructor(
    options: HostOptions,
    settings: StoredAccounts,
    emit: (event: AddressedEvent) => void,
    report: (thrown: unknown) => void,
    routesTo: HostLink['routesTo'],
  ) {
    this.#options = options
    this.#emit = emit
    this.#routesTo = routesTo
    const { log } = options.logFile
    this.run = new RunStateTracker({
      ...{ ...options, log },
      changed: (state) => emit({ name: 'run.changed', payload: state, accountId: null }),
      switched: () => {
        this.#reopened = this.#switch().catch(report)
        return this.#reopened
      },
    })
    this.accounts = new Accounts({
      ...{ ...options, settings, log, report },
      engine: () => this.#retryingLink(),
      changed: () => emit({ name: 'account.changed', payload: this.accounts.state(), accountId: null }),
      problem: options.settingsProblem,
    })
  }

  /** The running engine, started if necessary. */
  now(): EngineWorker {
    return (this.#engine ??= this.#start())
  }

  /** Runs a window's command once the engine has reopened the accounts. */
  async call(name: string, input: unknown, { accountId, caller }: CallContext): Promise<Result<unknown>> {
    await this.#reopened
    if (accountId === null) return fail('no_account', 'Connect an account first.')
    const ask = (): Promise<Result<unknown>> =>
      this.now().call(accountId === ALL_INBOXES ? this.accounts.openIds() : accountId, name, input, caller)
    if (!RETRYABLE_COMMANDS.has(name)) return ask()
    return this.#retryAfterRestart(async () => {
      await this.#reopened
      return ask()
    })
  }

  leave(caller: string): void {
    void this.#engine?.leave(caller)
  }

  networkChanged(): void {
    void this.#engine?.networkChanged()
  }

  proxyChanged(): void {
    void this.#engine?.proxyChanged()
  }

  async unfinished(): Promise<UnfinishedWork> {
    const { accounts } = this.accounts.state()
    const each = await Promise.all(accounts.filter(({ isOpen }) => isOpen).map(({ id }) => this.#unfinishedOf(id)))
    return {
      unsent: each.reduce((sum, { unsent }) => sum + unsent, 0),
      exports: each.reduce((sum, { exports }) => sum + exports, 0),
    }
  }

  async close(): Promise<void> {
    // Stop retrying calls: the engine is stopped for good.
    this.#revived = Promise.resolve(false)
    await this.#engine?.stop()
    await this.accounts.close()
    this.run.close()
  }

  #start(): EngineWorker {
    this.#restarts.started()
    return startEngineWorker(
      this.#options.engineEntry,
      { isSafe: this.run.state().mode === 'safe' },
      {
        event: (accountId, event) => {
          this.#emit({ ...event, accountId })
          if (event.name === 'inboxes.changed') this.accounts.inboxesChanged(accountId)
        },
        keyAccepted: (accountId, apiKey, inboxes) => this.accounts.keyAccepted(accountId, apiKey, inboxes),
        keyRenewed: (accountId, was, now) => this.accounts.keyRenewed(accountId, was, now),
        routesTo: (origin) => this.#routesTo(origin),
        connectionTested: (run, steps) =>
          this.#emit({ name: 'network.tested', payload: { run, steps }, accountId: null }),
        log: this.#options.logFile.log,
      },
      (end) => {
        this.#engine = null
        this.#replace(end)
      },
    )
  }

  /** Restarts a crashed thread with its accounts, unless it keeps crashing. */
  #replace(end: WorkerCrash): void {
    const pause = this.#restarts.recordCrash()
    this.run.recordCrash('engine', { ...end, isRestarted: pause !== null })
    if (pause === null) {
      this.#restarts.forgive()
      this.#revived = Promise.resolve(false)
      this.#reopened = this.accounts.fall({
        code: 'internal',
        message:
          'The mail engine keeps stopping. Your mail is safe. Open your account again, or start Linnet in safe mode.',
      })
      return
    }
    this.#revived = sleep(pause, true)
    this.#reopened = this.#revived.then(() => this.accounts.reopen())
  }

  /** Restarts the engine in the other run mode, with all open accounts. */
  async #switch(): Promise<void> {
    this.#restarts.forgive()
    const before = this.#engine
    const switched = Promise.resolve(before?.stop()).then(() => {
      if (this.#engine === before) this.#engine = null
      return true
    })
    this.#revived = switched
    await switched
    await this.accounts.reopen()
    // Reopens accounts that the crash closed: they are the reason to switch.
    await this.accounts.openAtStart(this.#options.environmentAccount)
  }

  /** Repeats a request while the stopped engine is being replaced. */
  async #retryAfterRestart<Answer>(ask: () => Promise<Result<Answer>>): Promise<Result<Answer>> {
    for (;;) {
      const answer = await ask()
      if (answer.ok || !isEngineStopped(answer.error) || !(await this.#revived)) return answer
    }
  }

  #retryingLink(): EngineApi {
    return {
      ...this.now(),
      open: (account) => this.#retryAfterRestart(() => this.now().open(account)),
      parseBaseUrl: (text) => this.#retryAfterRestart(() => this.now().parseBaseUrl(text)),
      inboxesIn: (directory) => this.#retryAfterRestart(() => this.now().inboxesIn(directory)),
      test: (credentials) => this.#retryAfterRestart(() => this.now().test(credentials)),
    }
  }

  async #unfinishedOf(accountId: string): Promise<UnfinishedWork> {
    const usage = unwrap(await this.now().usageOf(join(this.#options.dataDirectory, 'accounts', accountId)))
    const drafts = await callEngine(this.now(), accountId, 'draft.list', { cacheOnly: true }, 'host')
    const exports = await callEngine(this.now(), accountId, 'export.list', {}, 'host')
    return {
      unsent: usage.unsentChanges + drafts.filter(({ state }) => state.kind === 'held').length,
      exports: exports.filter(({ stage }) => stage === 'gathering' || stage === 'writing').length,
    }
  }
}
