import { readFile } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import type {
  BodyOwner,
  CommandName,
  CommandOutput,
  HostCommand,
  Handlers,
  AddressedEvent,
  Asking,
  SavedFile,
} from '../shared/contract.ts'
import type { AppLink } from '../shared/app-link.ts'
import { createDispatcher, isCommand, roomOf } from '../shared/dispatch.ts'
import type { Credentials, EngineLink, RawEmail } from '../shared/engine-link.ts'
import { boundsOf, isWithinBounds, TOO_MUCH } from '../shared/input-bounds.ts'
import { describeThrown, logLine } from '../shared/log.ts'
import type { MenuCommand } from '../shared/menu-command.ts'
import { fail, ProblemError, type Problem, type Result } from '../shared/result.ts'
import type { UpdateState } from '../shared/updates.ts'
import type { RunMode } from '../shared/run-state.ts'
import { describeAbout } from './about.ts'
import { openAccountSettings } from './account-settings.ts'
import { createAccounts, type KeyVault } from './accounts.ts'
import type { CrashFiles } from './crash-files.ts'
import { desktopHandlers, type Desktop } from './desktop.ts'
import { updateHandlers, type HostUpdates, type Unfinished } from './updates.ts'
import { describeDiagnostics } from './describe-diagnostics.ts'
import type { LaunchPlatform } from './demo-platform.ts'
import { isStopped, startEngineThread, type EngineThread, type ThreadEnd } from './engine-thread.ts'
import { exportHandlers, type ExportDoor } from './exporting.ts'
import { createLinkQueue } from './link-queue.ts'
import type { LogFile } from './log-file.ts'
import { openPreferences, type HostPreferences } from './preferences.ts'
import { printHandlers, type Printer } from './print-jobs.ts'
import { createRestarts } from './restarts.ts'
import { restoreBackup } from './restore-backup.ts'
import type { SettingsStore } from './settings-file.ts'
import { openRun, type PartEnd } from './run.ts'
import { spellingHandlers, type Spelling } from './spelling.ts'
import type { StartWatch } from './start-watch.ts'

export interface HostOptions {
  readonly dataDirectory: string
  /** The engine thread's file. */
  readonly engineEntry: string | URL
  readonly launchPlatform: LaunchPlatform
  readonly settings: SettingsStore
  /** What a person should know of the settings; null where all is well. */
  readonly settingsProblem: Problem | null
  /** What a person has chosen of the windows, in a file of its own. */
  readonly preferences: SettingsStore
  /** What a person should know of that file; null where all is well. */
  readonly preferencesProblem: Problem | null
  readonly vault: KeyVault
  /** An account given from outside, by `LINNET_BASE_URL` and `LINNET_API_KEY`; its key is never kept. */
  readonly given: Credentials | null
  /** Brings a file to the person: a dialog on the desktop, a download in the browser. */
  readonly saveFile: (file: RawEmail) => Promise<SavedFile>
  /**
   * Brings several files to the person: into a folder on the desktop, as one file in the browser.
   * @param name of them together, without an ending
   * @param files are fetched one after the other
   */
  readonly saveFiles: (name: string, files: AsyncIterable<RawEmail>) => Promise<SavedFile>
  readonly exportDoor: ExportDoor
  /** Prints by the desktop's means; null in a browser, which prints by itself. */
  readonly printer: Printer | null
  /** Null in a browser, which checks spelling by itself. */
  readonly spelling: Spelling | null
  /** Null in a browser. */
  readonly desktop: Desktop | null
  /** How a desktop's Linnet becomes the next one; null in a browser. */
  readonly updates: HostUpdates | null
  /** The licences of others, as the build wrote them. */
  readonly noticesFile: string
  /** Shows those of Electron and Chromium; null in a browser. @throws ProblemError `not_found` where they are missing */
  readonly openLicences: (() => Promise<void>) | null
  readonly kind: 'electron' | 'browser'
  readonly logFile: LogFile
  readonly crashFiles: CrashFiles
  readonly startWatch: StartWatch
  /** Whether a person has asked for a safe start, by a switch. */
  readonly isSafeAsked: boolean
  /** Null where there are no dialogs of the desktop. */
  readonly chooseFolder: ChooseFolder | null
  /** Shows how many threads are unread beside Linnet's sign on the desktop; null where there is none. */
  readonly showUnread: ((count: number) => void) | null
  /** Shows a window's commands in the desktop's menu bar, as long as it is that window's turn; null where there is none. */
  readonly showMenu: ((commands: readonly MenuCommand[], caller: string) => void) | null
  /** Opens another window with what an address leads to; null in a browser, which does it by itself. */
  readonly openWindow: ((address: string) => void) | null
}

/** Has a person choose a folder. @param at where they begin; null where they thought better of it */
export type ChooseFolder = (of: 'backups' | 'backup', at: string | undefined) => Promise<string | null>

export interface Host {
  readonly call: (name: string, input: unknown, asking: Asking) => Promise<Result<unknown>>
  /** Returns the function that ends the subscription. */
  readonly subscribe: (listener: (event: AddressedEvent) => void) => () => void
  /** A window or tab is gone (`Asking`). */
  readonly leave: (caller: string) => void
  readonly preferences: HostPreferences['current']
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
 * What is asked again of the engine that takes the place of one that ended meanwhile. It says how a thread is to be, so that it
 * may be said twice; all else could be done twice.
 */
const REPEATED: ReadonlySet<string> = new Set<CommandName>(['thread.change'])

/**
 * What a host of the screens is made of, whichever the desktop: the accounts, the engine's thread and the demo.
 * @throws ProblemError `storage_failed` for settings of a newer Linnet
 */
export const startHost = (options: HostOptions): Host => {
  const { dataDirectory, logFile } = options
  const { log } = logFile
  const listeners = new Set<(event: AddressedEvent) => void>()
  const emit = (event: AddressedEvent): void => listeners.forEach((listener) => listener(event))
  const report = (thrown: unknown): void => log('error', logLine`host: ${describeThrown(thrown)}`)

  let engine: EngineThread | null = null
  const restarts = createRestarts()
  let reopened: Promise<void> = Promise.resolve()
  /** Whether the engine that ended last is there again, once that is known. */
  let revived: Promise<boolean> = Promise.resolve(true)

  const run = openRun({
    ...{ log, crashFiles: options.crashFiles, startWatch: options.startWatch, isSafeAsked: options.isSafeAsked },
    changed: (state) => emit({ name: 'run.changed', payload: state, accountId: null }),
    switched: () => {
      reopened = switchEngine().catch(report)
      return reopened
    },
  })

  const startEngine = (): EngineThread => {
    restarts.started()
    return startEngineThread(
      options.engineEntry,
      { isSafe: run.state().mode === 'safe' },
      {
        event: (accountId, event) => {
          emit({ ...event, accountId })
          if (event.name === 'inboxes.changed') accounts.inboxesChanged(accountId)
        },
        keyAccepted: (accountId, apiKey, inboxes) => accounts.keyAccepted(accountId, apiKey, inboxes),
        log,
      },
      (end) => {
        engine = null
        replaceEngine(end)
      },
    )
  }

  /** A thread that ended is started again with the accounts it had; one that ends over and over is not. */
  const replaceEngine = (end: ThreadEnd): void => {
    const pause = restarts.ended()
    run.ended('engine', { ...end, isBack: pause !== null })
    if (pause === null) {
      restarts.forgive()
      revived = Promise.resolve(false)
      reopened = accounts.fall({
        code: 'internal',
        message:
          'The mail engine keeps stopping. Your mail is safe. Open your account again, or start Linnet in safe mode.',
      })
      return
    }
    revived = sleep(pause, true)
    reopened = revived.then(() => accounts.reopen())
  }

  /** Has the engine run in another way, with all that is open. */
  const switchEngine = async (): Promise<void> => {
    restarts.forgive()
    const before = engine
    const switched = Promise.resolve(before?.stop()).then(() => {
      if (engine === before) engine = null
      return true
    })
    revived = switched
    await switched
    await accounts.reopen()
    // What fell before is opened again: that is what a person switches for.
    await accounts.openAtStart(options.given)
  }

  /** As long as an engine that ends is there again soon, opening goes on with that one. */
  const steadily = async <Answer>(ask: () => Promise<Result<Answer>>): Promise<Result<Answer>> => {
    for (;;) {
      const answer = await ask()
      if (answer.ok || !isStopped(answer.error) || !(await revived)) return answer
    }
  }
  const steadyEngine = (): EngineLink => ({
    ...engineNow(),
    open: (account) => steadily(() => engineNow().open(account)),
    parseBaseUrl: (text) => steadily(() => engineNow().parseBaseUrl(text)),
    inboxesIn: (directory) => steadily(() => engineNow().inboxesIn(directory)),
    test: (credentials) => steadily(() => engineNow().test(credentials)),
  })

  const settings = openAccountSettings(options.settings)
  const accounts = createAccounts({
    dataDirectory,
    settings,
    vault: options.vault,
    launchPlatform: options.launchPlatform,
    engine: steadyEngine,
    log,
    report,
    changed: () => emit({ name: 'account.changed', payload: accounts.state(), accountId: null }),
    problem: options.settingsProblem,
  })

  const preferences = openPreferences(options.preferences, options.preferencesProblem, (payload) =>
    emit({ name: 'preferences.changed', payload, accountId: null }),
  )

  const links = createLinkQueue(() => emit({ name: 'link.waiting', payload: null, accountId: null }))

  /** What the open accounts have not sent, or are writing. */
  const unfinished = async (): Promise<Unfinished> => {
    const each = await Promise.all(
      accounts
        .state()
        .accounts.filter(({ isOpen }) => isOpen)
        .map(async ({ id }) => {
          const ask = async <Name extends 'draft.list' | 'export.list'>(name: Name, input: object) => {
            const answer = await engineNow().call(id, name, input, 'host')
            if (!answer.ok) throw new ProblemError(answer.error)
            // The engine built the answer by the same table that types it.
            return answer.data as CommandOutput<Name>
          }
          const usage = await engineNow().usageOf(join(dataDirectory, 'accounts', id))
          if (!usage.ok) throw new ProblemError(usage.error)
          const drafts = await ask('draft.list', { isAsKnown: true })
          const exports = await ask('export.list', {})
          return {
            unsent: usage.data.unsentChanges + drafts.filter(({ state }) => state.kind === 'held').length,
            exports: exports.filter(({ stage }) => stage === 'gathering' || stage === 'writing').length,
          }
        }),
    )
    return {
      unsent: each.reduce((sum, { unsent }) => sum + unsent, 0),
      exports: each.reduce((sum, { exports }) => sum + exports, 0),
    }
  }

  const handlers: Handlers<HostCommand> = {
    ...accounts.handlers,
    ...preferences.handlers,
    ...run.handlers,
    'app.diagnostics': async ({ browser }) => {
      const told = await Promise.all(
        accounts.state().accounts.map(async ({ id, kind, isOpen }) => {
          const asked = isOpen ? await engineNow().diagnostics(id) : null
          return { kind, directory: join(dataDirectory, 'accounts', id), engine: asked?.ok ? asked.data : null }
        }),
      )
      const text = await describeDiagnostics({
        kind: options.kind,
        dataDirectory,
        logFile,
        browser,
        accounts: told,
        crashes: options.crashFiles.names(),
        mode: run.state().mode,
      })
      return { text, logLevel: logFile.level() }
    },
    'app.about': async () => {
      const sqlite = await engineNow().sqliteVersion()
      return describeAbout(process.versions, sqlite.ok ? sqlite.data : null)
    },
    'app.openLicences': async () => {
      if (options.openLicences === null) {
        throw new ProblemError({ code: 'not_found', message: 'Your browser shows its own licences.' })
      }
      await options.openLicences()
      return null
    },
    'app.notices': async () => {
      try {
        return { text: await readFile(options.noticesFile, 'utf8') }
      } catch (cause) {
        throw new ProblemError(
          { code: 'not_found', message: 'This copy of Linnet lacks the third-party notices.' },
          { cause },
        )
      }
    },
    'link.take': links.take,
    'app.showUnread': ({ count }) => {
      options.showUnread?.(count)
      return null
    },
    'menu.show': ({ commands }, { caller }) => {
      options.showMenu?.(commands, caller)
      return null
    },
    'window.open': ({ address }) => {
      options.openWindow?.(address)
      return null
    },
    'app.setLogLevel': ({ level }) => {
      logFile.setLevel(level)
      return null
    },
    ...printHandlers(options),
    ...desktopHandlers(options.desktop),
    ...updateHandlers(options.updates, unfinished),
    ...spellingHandlers(options.spelling, preferences.current),
    'backup.restore': async ({ folder }, caller) => {
      if (!isAbsolute(folder)) {
        const message = 'Type the full path of the backup.'
        throw new ProblemError({ code: 'invalid_input', message })
      }
      const { id, unsent } = await restoreBackup(folder, dataDirectory, settings, { canReplace: false })
      return { ...(await accounts.handlers['account.open']({ accountId: id }, caller)), unsent }
    },
    'folder.choose': async ({ of, at }) => {
      if (options.chooseFolder === null) {
        throw new ProblemError({ code: 'not_found', message: 'A browser cannot choose folders. Type the path.' })
      }
      const path = await options.chooseFolder(of, at)
      return path === null ? null : { path }
    },
    ...exportHandlers({
      door: options.exportDoor,
      saveFile: options.saveFile,
      engine: () => engineNow(),
      account: (accountId) => {
        const { id } = accounts.find(accountId)
        return { id, directory: join(dataDirectory, 'accounts', id) }
      },
    }),
    'original.save': async ({ of }, { accountId }) => {
      const original = await engineNow().original(accounts.find(accountId).id, of)
      if (!original.ok) throw new ProblemError(original.error)
      return options.saveFile(original.data)
    },
    'attachment.save': async ({ of, attachmentId }, { accountId }) =>
      options.saveFile(await attachmentOf(accounts.find(accountId).id, of, attachmentId)),
    'attachment.saveAll': async ({ of }, { accountId, caller }) => {
      const account = accounts.find(accountId)
      const listed = await engineNow().call(account.id, 'attachment.list', { of }, caller)
      if (!listed.ok) throw new ProblemError(listed.error)
      // The engine built the answer by the same table that types it.
      const { items, problem } = listed.data as CommandOutput<'attachment.list'>
      if (problem !== null) throw new ProblemError(problem)
      const each = async function* (): AsyncGenerator<RawEmail> {
        for (const { id } of items) yield await attachmentOf(account.id, of, id)
      }
      return options.saveFiles('Attachments', each())
    },
  }
  const attachmentOf = async (accountId: string, of: BodyOwner, attachmentId: string): Promise<RawEmail> => {
    const attachment = await engineNow().attachment(accountId, of, attachmentId)
    if (!attachment.ok) throw new ProblemError(attachment.error)
    return attachment.data
  }
  const engineNow = (): EngineThread => (engine ??= startEngine())
  const answer = createDispatcher('host', handlers, report)

  const route = async (name: string, input: unknown, asking: Asking): Promise<Result<unknown>> => {
    const room = roomOf(name)
    if (room !== 'engine' && room !== 'across') return answer(name, input, asking)
    await reopened
    if (room === 'across') return engineNow().callAcross(name, input, asking.caller)
    if (asking.accountId === null) return fail('no_account', 'Connect an account first.')
    const { accountId, caller } = asking
    if (!REPEATED.has(name)) return engineNow().call(accountId, name, input, caller)
    return steadily(async () => {
      await reopened
      return engineNow().call(accountId, name, input, caller)
    })
  }
  log('info', logLine`host: started as ${options.kind}`)
  // The thread reads its code meanwhile, whatever of this comes before it is needed.
  void run.chosen.then(engineNow)
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
    preferences: preferences.current,
    updateChanged: (payload) => emit({ name: 'update.changed', payload, accountId: null }),
    spellingChanged: () => emit({ name: 'spelling.changed', payload: null, accountId: null }),
    openLink: links.add,
    leave: (caller) => void engine?.leave(caller),
    windowEnded: (end) => run.ended('window', end),
    choose: (mode) => void run.choose(mode).catch(report),
    close: async () => {
      // Where nobody has said how to start, nothing was opened.
      if (run.state().mode !== 'asking') await ready
      // What has waited for that as well is on its way to the engine first: a change that a window shows is not to be lost.
      await setImmediate()
      // An account that is being opened is not asked for again and again of an engine that has ended for good.
      revived = Promise.resolve(false)
      await engine?.stop()
      await accounts.close()
      run.close()
    },
  }
}
