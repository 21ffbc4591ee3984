import { isAbsolute, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import {
  createDispatcher,
  isCommand,
  roomOf,
  type AddressedEvent,
  type Asking,
  type Handlers,
  type HostCommand,
} from '../shared/contract.ts'
import type { AppLink } from '../shared/app-link.ts'
import { boundsOf, isWithinBounds, TOO_MUCH } from '../shared/input-bounds.ts'
import { describeThrown, logLine } from '../shared/log.ts'
import type { Preferences } from '../shared/preferences.ts'
import { fail, ProblemError, type Result } from '../shared/result.ts'
import type { RunMode } from '../shared/run-state.ts'
import type { UpdateState } from '../shared/updates.ts'
import { AccountSettings } from './account-settings.ts'
import { appHandlers } from './app-handlers.ts'
import { desktopHandlers } from './desktop.ts'
import { EngineKeeper } from './engine-keeper.ts'
import { exportHandlers } from './exporting.ts'
import type { HostOptions } from './host-options.ts'
import { LinkQueue } from './link-queue.ts'
import { HostPreferences } from './preferences.ts'
import { printHandlers } from './print-jobs.ts'
import { restoreBackup } from './restore-backup.ts'
import type { PartEnd } from './run.ts'
import { savingHandlers } from './saving.ts'
import { spellingHandlers } from './spelling.ts'
import { updateHandlers } from './updates.ts'

export interface Host {
  readonly call: (name: string, input: unknown, asking: Asking) => Promise<Result<unknown>>
  /** Returns the function that ends the subscription. */
  readonly subscribe: (listener: (event: AddressedEvent) => void) => () => void
  /** A window or tab is gone (`Asking`). */
  readonly leave: (caller: string) => void
  readonly preferences: () => Preferences
  /** A word was added to the person's own dictionary. */
  readonly spellingChanged: () => void
  readonly updateChanged: (state: UpdateState) => void
  /** A link to Linnet was opened; it waits until a window can follow it. */
  readonly openLink: (link: AppLink) => void
  /** A window ended unexpectedly. */
  readonly windowEnded: (end: PartEnd) => void
  /** Goes on with as little as possible, or as usual: `run.choose` for what is no window. */
  readonly choose: (mode: Exclude<RunMode, 'asking'>) => void
  readonly close: () => Promise<void>
}

/**
 * What a host of the screens is made of, whichever the desktop: the accounts, the engine's thread and the demo.
 * @throws ProblemError `storage_failed` for settings of a newer Linnet
 */
export const startHost = (options: HostOptions): Host => {
  const { dataDirectory } = options
  const { log } = options.logFile
  const listeners = new Set<(event: AddressedEvent) => void>()
  const emit = (event: AddressedEvent): void => listeners.forEach((listener) => listener(event))
  const report = (thrown: unknown): void => log('error', logLine`host: ${describeThrown(thrown)}`)
  const settings = new AccountSettings(options.settings)
  const engine = new EngineKeeper(options, settings, emit, report)
  const { accounts, run } = engine
  const preferences = new HostPreferences(options.preferences, options.preferencesProblem, (payload) =>
    emit({ name: 'preferences.changed', payload, accountId: null }),
  )
  const links = new LinkQueue(() => emit({ name: 'link.waiting', payload: null, accountId: null }))

  const handlers: Handlers<HostCommand> = {
    ...accounts.handlers(),
    ...preferences.handlers(),
    ...run.handlers(),
    ...appHandlers(options, engine),
    'link.take': () => links.take(),
    ...printHandlers(options),
    ...desktopHandlers(options.desktop),
    ...updateHandlers(options.updates, () => engine.unfinished()),
    ...spellingHandlers(options.spelling, () => preferences.current()),
    'backup.restore': async ({ folder }) => {
      if (!isAbsolute(folder)) {
        const message = 'Type the full path of the backup.'
        throw new ProblemError({ code: 'invalid_input', message })
      }
      const { id, unsent } = await restoreBackup(folder, dataDirectory, settings, { canReplace: false })
      return { ...(await accounts.open(id)), unsent }
    },
    ...exportHandlers({
      door: options.exportDoor,
      saveFile: options.saveFile,
      engine: () => engine.now(),
      account: (accountId) => {
        const { id } = accounts.find(accountId)
        return { id, directory: join(dataDirectory, 'accounts', id) }
      },
    }),
    ...savingHandlers(options, engine),
  }
  const answer = createDispatcher('host', handlers, report)
  const route = (name: string, input: unknown, asking: Asking): Promise<Result<unknown>> => {
    const room = roomOf(name)
    if (room === 'engine') return engine.call(name, input, asking)
    if (room === 'across') return engine.callAcross(name, input, asking.caller)
    return answer(name, input, asking)
  }
  log('info', logLine`host: started as ${options.kind}`)
  // The thread reads its code meanwhile, whatever of this comes before it is needed.
  void run.chosen.then(() => engine.now())
  // The window does not wait for this; its first question does.
  const ready = run.chosen.then(() => accounts.openAtStart(options.given))

  return {
    call: async (name, input, asking) => {
      if (!isWithinBounds(input, boundsOf(name))) return fail('invalid_input', TOO_MUCH)
      // How to start is asked before anything is opened, by a window that looks as the person wants it to.
      if (!/^(?:run|preferences)\./.test(name)) await ready
      const result = await route(name, input, asking)
      if (result.ok && name === 'account.state') run.up()
      if (!result.ok && isCommand(name)) log('debug', logLine`${name}: ${result.error.code}`)
      return result
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    preferences: () => preferences.current(),
    updateChanged: (payload) => emit({ name: 'update.changed', payload, accountId: null }),
    spellingChanged: () => emit({ name: 'spelling.changed', payload: null, accountId: null }),
    openLink: (link) => links.add(link),
    leave: (caller) => engine.leave(caller),
    windowEnded: (end) => run.ended('window', end),
    choose: (mode) => void run.choose(mode).catch(report),
    close: async () => {
      // Where nobody has said how to start, nothing was opened.
      if (run.state().mode !== 'asking') await ready
      // What has waited for that as well is on its way to the engine first: a change that a window shows is not to be lost.
      await setImmediate()
      await engine.close()
    },
  }
}
