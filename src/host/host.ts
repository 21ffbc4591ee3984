import { isAbsolute } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import {
  createDispatcher,
  isCommand,
  findCommandTarget,
  type AddressedEvent,
  type CallContext,
  type CommandOutput,
  type Handlers,
  type HostCommand,
} from '../shared/contract.ts'
import type { AppLink, WindowLink } from '../shared/app-link.ts'
import { getInputBounds, isWithinBounds, INPUT_TOO_LARGE_MESSAGE } from '../shared/input-bounds.ts'
import { describeThrown, logLine } from '../shared/log.ts'
import type { Preferences } from '../shared/preferences.ts'
import { fail, unwrap, type Result, createProblem } from '../shared/result.ts'
import type { RunMode } from '../shared/run-state.ts'
import { NOTICES_CALLER } from '../shared/notice.ts'
import { ALL_INBOXES, joinIds } from '../shared/unified-ids.ts'
import type { UpdateState } from '../shared/updates.ts'
import { StoredAccounts } from './stored-accounts.ts'
import { createAppHandlers } from './app-handlers.ts'
import { CommandSocket } from './command-socket.ts'
import { createDesktopHandlers } from './desktop.ts'
import { EngineSupervisor } from './engine-supervisor.ts'
import { createExportHandlers } from './export-handlers.ts'
import type { HostOptions } from './host-options.ts'
import { LinkQueue } from './link-queue.ts'
import { HostPreferences } from './preferences.ts'
import { ProxyResolver } from './proxy-resolver.ts'
import { ProxyLogins } from './proxy-logins.ts'
import { createPrintHandlers } from './print-jobs.ts'
import { restoreBackup } from './restore-backup.ts'
import type { PartCrash } from './run-state-tracker.ts'
import { createSpellingHandlers } from './spelling.ts'
import { createEventLoopMonitor } from './event-loop-monitor.ts'
import { createUpdateHandlers } from './updates.ts'

/** The caller outside the windows whose changes they can undo, or null. */
const commandedBy = ({ caller }: CallContext): 'command line' | 'notification' | null =>
  caller === NOTICES_CALLER ? 'notification' : caller.startsWith('command ') ? 'command line' : null

export class Host {
  readonly #log: HostOptions['logFile']['log']
  readonly #watchTurn = createEventLoopMonitor((level, line) => this.#log(level, line))
  readonly #listeners = new Set<(event: AddressedEvent) => void>()
  readonly #engine: EngineSupervisor
  readonly #preferences: HostPreferences
  readonly #links: LinkQueue
  readonly #dispatch: ReturnType<typeof createDispatcher>
  /** Resolves once the accounts are opened at start. A window may open earlier; its first request waits. */
  readonly #ready: Promise<void>
  readonly #socket: Promise<CommandSocket>

  /** @throws ProblemError `storage_failed` for a newer Linnet's settings */
  constructor(options: HostOptions) {
    this.#log = options.logFile.log
    const settings = new StoredAccounts(options.settings)
    this.#preferences = new HostPreferences(options.preferences, options.preferencesProblem, (payload, before) => {
      this.#emit({ name: 'preferences.changed', payload, accountId: null })
      if (payload.proxy !== before.proxy || payload.proxyAddress !== before.proxyAddress) this.#engine.proxyChanged()
    })
    const proxies = new ProxyResolver({
      preferences: () => this.preferences(),
      env: process.env,
      system: options.systemProxies,
      logins: new ProxyLogins(options.settings, options.vault),
      changed: () => this.#engine.proxyChanged(),
    })
    this.#engine = new EngineSupervisor(
      options,
      settings,
      (event) => this.#emit(event),
      this.#report,
      (origin) => proxies.to(origin),
    )
    this.#links = new LinkQueue(() => this.#emit({ name: 'link.waiting', payload: null, accountId: null }))
    this.#dispatch = createDispatcher('host', this.#handlers(options, settings, proxies), this.#report)
    this.#log('info', logLine`host: started as ${options.kind}`)
    const { accounts, run } = this.#engine
    void run.chosen.then(() => this.#engine.now())
    this.#ready = run.chosen.then(() => accounts.openAtStart(options.environmentAccount))
    this.#socket = this.#ready.then(() => {
      const { dataDirectory, bringToFront } = options
      const follow = (link: AppLink): void => {
        bringToFront()
        this.openLink(link)
      }
      return new CommandSocket({ host: this, dataDirectory, follow, log: this.#log })
    })
  }

  async call(name: string, input: unknown, context: CallContext): Promise<Result<unknown>> {
    if (!isWithinBounds(input, getInputBounds(name))) return fail('invalid_input', INPUT_TOO_LARGE_MESSAGE)
    const result = await this.#watchTurn(async () => {
      // Linnet may ask how to start before any account is open.
      if (!/^(?:run|preferences)\./.test(name)) await this.#ready
      return this.#route(name, input, context)
    })
    if (result.ok && name === 'account.state') this.#engine.run.up()
    const by = commandedBy(context)
    if (result.ok && name === 'thread.change' && by !== null) {
      const { changeId, threads } = result.data as CommandOutput<'thread.change'>
      const { accountId } = context
      this.#emit({ name: 'change.commanded', payload: { changeId, threads, by }, accountId })
      const inAll = joinIds([{ accountId: accountId ?? '', id: changeId }])
      this.#emit({ name: 'change.commanded', payload: { changeId: inAll, threads, by }, accountId: ALL_INBOXES })
    }
    if (!result.ok && isCommand(name)) this.#log('debug', logLine`${name}: ${result.error.code}`)
    return result
  }

  subscribe(listener: (event: AddressedEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Called when a window or tab closes (`CallContext`). */
  leave(caller: string): void {
    this.#engine.leave(caller)
  }

  preferences(): Preferences {
    return this.#preferences.current()
  }

  spellingChanged(): void {
    this.#emit({ name: 'spelling.changed', payload: null, accountId: null })
  }

  updateChanged(payload: UpdateState): void {
    this.#emit({ name: 'update.changed', payload, accountId: null })
  }

  /** Queues the link until a window can follow it. */
  openLink(link: WindowLink): void {
    this.#links.add(link)
  }

  windowCrashed(end: PartCrash): void {
    this.#engine.run.recordCrash('window', end)
  }

  /** `run.choose` for callers other than windows. */
  choose(mode: Exclude<RunMode, 'asking'>): void {
    void this.#engine.run.choose(mode).catch(this.#report)
  }

  /** After sleep or a network change: send pending changes now. */
  networkChanged(): void {
    this.#engine.networkChanged()
  }

  async close(): Promise<void> {
    // The socket opens after the accounts, which wait until the user chooses how to start.
    if (this.#engine.run.state().mode !== 'asking') await (await this.#socket).close()
    // Let changes awaiting the same promise reach the engine first. A window already shows them.
    await setImmediate()
    await this.#engine.close()
  }

  readonly #report = (thrown: unknown): void => this.#log('error', logLine`host: ${describeThrown(thrown)}`)

  #emit(event: AddressedEvent): void {
    for (const listener of this.#listeners) listener(event)
  }

  #route(name: string, input: unknown, context: CallContext): Promise<Result<unknown>> {
    const target = findCommandTarget(name)
    if (target === 'engine') return this.#engine.call(name, input, context)
    return this.#dispatch(name, input, context)
  }

  #handlers(options: HostOptions, settings: StoredAccounts, proxies: ProxyResolver): Handlers<HostCommand> {
    const { dataDirectory } = options
    const engine = this.#engine
    const { accounts, run } = engine
    return {
      ...accounts.handlers(),
      ...this.#preferences.handlers(),
      ...run.handlers(),
      ...createAppHandlers(options, engine, proxies),
      'link.take': () => this.#links.take(),
      'network.changed': () => {
        this.networkChanged()
        return null
      },
      ...proxies.handlers(),
      'network.test': async ({ run, tested }) => {
        const address =
          'accountId' in tested
            ? accounts.find(tested.accountId).baseUrl
            : unwrap(await engine.now().parseBaseUrl(tested.baseUrl))
        const { by } = await proxies.kindOf(address)
        return unwrap(await engine.now().testConnection(tested, run, by))
      },
      ...createPrintHandlers(options),
      ...createDesktopHandlers(options.desktop),
      ...createUpdateHandlers(options.updates, () => engine.unfinished()),
      ...createSpellingHandlers(options.spelling, () => this.preferences()),
      'backup.restore': async ({ folder }) => {
        if (!isAbsolute(folder)) {
          throw createProblem('invalid_input', 'Type the full path of the backup.')
        }
        const { id, unsent } = await restoreBackup(folder, dataDirectory, settings, { canReplace: false })
        return { ...(await accounts.open(id)), unsent }
      },
      ...createExportHandlers(options, engine),
    }
  }
}

export type ServedHost = Pick<Host, 'call' | 'subscribe' | 'leave' | 'preferences'>
