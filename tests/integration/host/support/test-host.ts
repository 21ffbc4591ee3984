import { fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { HostOptions } from '../../../../src/host/host-options.ts'
import type { KeyVault } from '../../../../src/host/stored-keys.ts'
import type { LaunchPlatform } from '../../../../src/host/demo-platform.ts'
import type { SettingsStore } from '../../../../src/host/settings-file.ts'
import { Host } from '../../../../src/host/host.ts'
import type {
  AccountsState,
  AddressedEvent,
  CallContext,
  CommandInput,
  CommandName,
  CommandOutput,
  ConnectedAccount,
} from '../../../../src/shared/contract.ts'
import type { Account } from '../../../../src/shared/model.ts'
import type { RequestedFile } from '../../../../src/shared/engine-api.ts'
import { ProblemError, type Problem } from '../../../../src/shared/result.ts'
import { CrashFiles } from '../../../../src/host/crash-files.ts'
import { StartupRecorder } from '../../../../src/host/startup-recorder.ts'
import { BUILT, root } from '../../../support/program.ts'

/** Settings that a test can inspect, kept across restarts. */
export interface TestSettings extends SettingsStore {
  readonly values: Map<string, unknown>
  readonly setFull: (isFull: boolean) => void
}

const openTestSettings = (values: Readonly<Record<string, unknown>> = {}): TestSettings => {
  const kept = new Map<string, unknown>(Object.entries(values))
  let isFull = false
  return {
    values: kept,
    setFull: (next) => {
      isFull = next
    },
    get: (key) => structuredClone(kept.get(key)),
    set: (changes) => {
      if (isFull) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
      for (const [key, value] of Object.entries(changes)) kept.set(key, structuredClone(value))
    },
  }
}

/** A fake keychain: sealed keys aren't plain text, and the keychain may lose them. */
export const openTestVault = () => {
  const vault = {
    kind: 'keychain' as AccountsState['keyStorage'],
    storage: () => Promise.resolve(vault.kind),
    isLost: false,
    /** Delays unsealing, as a password prompt would. */
    unlocked: Promise.resolve(),
    seal: (apiKey: string) => Promise.resolve(vault.kind === 'memory' ? null : Buffer.from(apiKey).toString('hex')),
    unseal: async (sealed: string) => {
      await vault.unlocked
      if (!vault.isLost) return Buffer.from(sealed, 'hex').toString()
      throw new ProblemError({ code: 'key_missing', message: 'The keychain does not give the key back.' })
    },
  }
  return vault satisfies KeyVault
}

export const launchPlatform: LaunchPlatform = (args) => {
  const child = fork(join(root, BUILT.service), [...args], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
  if (child.stdout === null || child.stderr === null) throw new Error('no pipes')
  return {
    stdout: child.stdout,
    stderr: child.stderr,
    kill: () => void child.kill('SIGTERM'),
    onExit: (listener) => void child.once('exit', listener),
  }
}

const temporaryDirectory = (): string => {
  const directory = mkdtempSync(join(tmpdir(), 'linnet-host-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

/** State that survives restarts of a host, and ways to start one on it. */
export interface TestMachine {
  readonly dataDirectory: string
  readonly settings: TestSettings
  readonly preferences: TestSettings
  readonly vault: ReturnType<typeof openTestVault>
  readonly saved: RequestedFile[]
  readonly log: string[]
  readonly start: (options?: Partial<HostOptions>) => TestHost
}

export interface TestHost {
  readonly host: Host
  readonly events: readonly AddressedEvent[]
  /** @throws the problem if the command fails */
  readonly ask: <Name extends CommandName>(name: Name, input: CommandInput<Name>) => Promise<CommandOutput<Name>>
  /** The window's account: the one opened last, or the first open one, or undefined. */
  readonly account: () => Promise<ConnectedAccount | undefined>
  /** Context of a call from the window. */
  readonly asking: () => Promise<CallContext>
  readonly problemOf: <Name extends CommandName>(name: Name, input: CommandInput<Name>) => Promise<Problem>
  readonly close: () => Promise<void>
}

export const openTestMachine = (): TestMachine => {
  const dataDirectory = temporaryDirectory()
  const settings = openTestSettings()
  const preferences = openTestSettings()
  const vault = openTestVault()
  const saved: RequestedFile[] = []
  const log: string[] = []
  return {
    dataDirectory,
    settings,
    preferences,
    vault,
    saved,
    log,
    start: (options = {}) => {
      const host = new Host({
        dataDirectory,
        engineEntry: join(root, BUILT.engine),
        launchPlatform,
        settings,
        settingsProblem: null,
        preferences,
        preferencesProblem: null,
        vault,
        environmentAccount: null,
        clientId: null,
        fileDrag: null,
        exportTargets: {
          targetOf: (filename) => Promise.resolve({ path: join(dataDirectory, filename), mayReplace: false }),
          deliver: (path) => Promise.resolve({ kind: 'saved', path }),
        },
        saveFile: (file) => {
          saved.push(file)
          return Promise.resolve({ kind: 'saved', path: file.filename })
        },
        saveFiles: async (name, files) => {
          for await (const file of files) saved.push(file)
          return { kind: 'saved', path: name }
        },
        noticesFile: join(dataDirectory, 'third-party-notices.txt'),
        openLicences: null,
        assistantServer: null,
        chooseFolder: null,
        printer: null,
        spelling: null,
        desktop: null,
        updates: null,
        kind: 'browser',
        systemProxies: null,
        showMenu: null,
        openWindow: null,
        bringToFront: () => undefined,
        showUnread: null,
        logFile: {
          log: (level, line) => log.push(`${level} ${line}`),
          level: () => 'info',
          setLevel: () => undefined,
          lastLines: () => log,
        },
        crashFiles: new CrashFiles(dataDirectory, { lastLines: () => log }),
        startWatch: new StartupRecorder(temporaryDirectory()),
        isSafeAsked: false,
        ...options,
      })
      let closing: Promise<void> | null = null
      const close = (): Promise<void> => (closing ??= host.close())
      onTestFinished(close)
      const events: AddressedEvent[] = []
      host.subscribe((event) => events.push(event))
      let opened: string | null = null
      const account = async (): Promise<ConnectedAccount | undefined> => {
        const result = await host.call('account.state', {}, { accountId: null, caller: 'window' })
        const { accounts } = result.ok ? (result.data as AccountsState) : { accounts: [] }
        const open = accounts.filter(({ isOpen }) => isOpen)
        return (
          open.find(({ id }) => id === opened) ?? open.find(({ isFromEnvironment }) => isFromEnvironment) ?? open[0]
        )
      }
      const asking = async (): Promise<CallContext> => ({ accountId: (await account())?.id ?? null, caller: 'window' })
      return {
        host,
        events,
        account,
        asking,
        ask: async (name, input) => {
          const result = await host.call(name, input, await asking())
          const isOpening = /^account\.(?:connect|decide|open|startDemo)$/.test(name)
          if (isOpening && result.ok) opened = (result.data as Account | null)?.id ?? opened
          if (!result.ok) throw new Error(`${name}: ${result.error.code}: ${result.error.message}`)
          return result.data as CommandOutput<typeof name>
        },
        problemOf: async (name, input) => {
          const result = await host.call(name, input, await asking())
          if (result.ok) throw new Error(`${name} did not fail: ${JSON.stringify(result.data)}`)
          return result.error
        },
        close,
      }
    },
  }
}
