import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { cpus, freemem, release, totalmem, type } from 'node:os'
import manifest from '../../package.json' with { type: 'json' }
import type { AboutLinnet } from '../shared/about-linnet.ts'
import type { Handlers } from '../shared/contract.ts'
import { ProblemError } from '../shared/result.ts'
import type { HostOptions } from './host-options.ts'
import type { EngineKeeper } from './engine-keeper.ts'
import type { Proxies } from './proxies.ts'
import type { EngineDiagnostics } from '../shared/engine-link.ts'
import type { LogFile } from './log-file.ts'
import { redact } from './redact.ts'
import type { WayKind, WayNamer } from '../shared/proxy.ts'
import type { RunMode } from '../shared/run-state.ts'

type AppCommand =
  | `app.${'diagnostics' | 'about' | 'assistantServer' | 'openLicences' | 'notices' | 'showUnread' | 'setLogLevel'}`
  | 'menu.show'
  | 'window.open'
  | 'window.keepStill'
  | 'folder.choose'

type Versions = Readonly<Partial<Record<string, string>>>

/** @param sqlite the engine's SQLite version; null if it does not answer */
const describeAbout = ({ electron, chrome, node }: Versions, sqlite: string | null): AboutLinnet => {
  const parts = [
    { name: 'Electron', version: electron },
    { name: 'Chromium', version: chrome },
    { name: 'Node.js', version: node },
    { name: 'SQLite', version: sqlite ?? undefined },
  ] as const
  return {
    version: manifest.version,
    parts: parts.flatMap(({ name, version }) => (version === undefined ? [] : [{ name, version }])),
    hasElectron: electron !== undefined,
  }
}

const LINES = 60

interface DiagnosticParts {
  readonly kind: 'electron' | 'browser'
  readonly dataDirectory: string
  readonly logFile: Pick<LogFile, 'level' | 'lastLines'>
  /** The browser's user agent; null in Electron, whose versions are known. */
  readonly browser: string | null
  readonly accounts: readonly DiagnosedAccount[]
  /** The names of the crash files, oldest first. */
  readonly crashes: readonly string[]
  readonly mode: RunMode
}

interface DiagnosedAccount {
  readonly kind: string
  readonly directory: string
  /** How its platform is reached; null where nobody says. */
  readonly way: WayKind | null
  /** Null where the account is not open, or the engine does not answer. */
  readonly engine: EngineDiagnostics | null
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

/** The files of a folder with their sizes; a name that is none of Linnet's own kinds is not told. */
const sizesIn = async (directory: string): Promise<readonly string[]> => {
  const names = await readdir(directory).catch(() => [])
  const sizes = await Promise.all(
    names.map(async (name) => {
      const size = await stat(join(directory, name)).then(
        (stats) => megabytes(stats.size),
        () => 'unreadable',
      )
      return `  ${/^(?:cache|outbox|problems)[\w.-]*$/.test(name) ? name : 'another file'}: ${size}`
    }),
  )
  return sizes.sort()
}

const WHO: Readonly<Record<WayNamer, string>> = {
  ...{ person: 'in the settings', environment: 'by the environment', system: 'by the system' },
  ...{ here: 'by nobody: it is on this computer', nobody: 'by nobody' },
}

/** Never names a proxy: it is often a company's. */
const describeWay = (way: WayKind | null): string => {
  if (way === null) return 'Way: unknown'
  const kind =
    way.kind === 'direct' ? 'direct' : way.kind === 'unreadable' ? 'an unreadable proxy' : `${way.kind} proxy`
  return `Way: ${kind}, named ${WHO[way.by]}`
}

const describeAccount = async (account: DiagnosedAccount): Promise<readonly string[]> => {
  const { engine } = account
  const said =
    engine === null
      ? ['  The engine does not answer.']
      : [
          ...Object.entries(engine.counts).map(([what, count]) => `  ${what.replaceAll('_', ' ')}: ${count}`),
          `Sync: ${engine.sync.connection}`,
          `  progress: ${engine.sync.progress === null ? 'none' : `${engine.sync.progress.done} of ${engine.sync.progress.total}`}`,
          `  last sync: ${engine.sync.lastSyncAt === null ? 'never' : new Date(engine.sync.lastSyncAt).toISOString()}`,
          `  changes that wait: ${engine.sync.pendingChanges}`,
          `  says a problem: ${engine.sync.problem === null ? 'no' : 'yes'}`,
          `Certificates: ${engine.trusted.builtIn} built in, ${engine.trusted.system} of the system, ${engine.trusted.extra} of NODE_EXTRA_CA_CERTS`,
          ...(engine.tested.length === 0
            ? []
            : [`Last test: ${engine.tested.map(({ name, state }) => `${name} ${state}`).join(', ')}`]),
        ]
  return [`Account: ${account.kind}`, ...(await sizesIn(account.directory)), describeWay(account.way), ...said]
}

/** For a person to read, then to copy for a helper: no address, key, subject, text, ID or folder is in it. */
export const describeDiagnostics = async (parts: DiagnosticParts): Promise<string> => {
  const versions: Versions = process.versions
  const { electron, chrome, node } = versions
  return [
    `Linnet ${manifest.version}, ${parts.kind === 'electron' ? 'desktop' : 'browser host'}`,
    `System: ${type()} ${release()}, ${process.arch}, ${cpus().length} cores, ${megabytes(freemem())} of ${megabytes(totalmem())} free`,
    ...(electron === undefined ? [] : [`Electron ${electron}, Chromium ${chrome ?? 'unknown'}`]),
    `Node ${node ?? 'unknown'}, up ${Math.round(process.uptime())} s, ${megabytes(process.memoryUsage.rss())}`,
    ...(parts.browser === null ? [] : [`Browser: ${parts.browser.replaceAll(/[^\x20-\x7e]|@/g, '?')}`]),
    ...(parts.accounts.length === 0 ? ['Account: none is connected'] : []),
    ...(await Promise.all(parts.accounts.map(describeAccount))).flat(),
    ...(parts.mode === 'safe' ? ['Safe mode'] : []),
    ...(parts.crashes.length === 0 ? [] : ['Crash files, oldest first:', ...parts.crashes.map((name) => `  ${name}`)]),
    `Log (${parts.logFile.level()}), the last lines:`,
    ...parts.logFile.lastLines(LINES).map((line) => `  ${redact(line, [parts.dataDirectory])}`),
  ].join('\n')
}

export const appHandlers = (
  options: HostOptions,
  engine: EngineKeeper,
  proxies: Pick<Proxies, 'kindOf'>,
): Handlers<AppCommand> => {
  const { dataDirectory, logFile } = options
  return {
    'app.diagnostics': async ({ browser }) => {
      const told = await Promise.all(
        engine.accounts.state().accounts.map(async ({ id, kind, isOpen, baseUrl }) => {
          const asked = isOpen ? await engine.now().diagnostics(id) : null
          const way = await proxies.kindOf(baseUrl).catch(() => null)
          return { kind, directory: join(dataDirectory, 'accounts', id), way, engine: asked?.ok ? asked.data : null }
        }),
      )
      const text = await describeDiagnostics({
        kind: options.kind,
        dataDirectory,
        logFile,
        browser,
        accounts: told,
        crashes: options.crashFiles.names(),
        mode: engine.run.state().mode,
      })
      return { text, logLevel: logFile.level() }
    },
    'app.about': async () => {
      const sqlite = await engine.now().sqliteVersion()
      return describeAbout(process.versions, sqlite.ok ? sqlite.data : null)
    },
    'app.assistantServer': () => options.assistantServer,
    'app.openLicences': async () => {
      if (options.openLicences === null) {
        throw new ProblemError({ code: 'not_found', message: 'Your browser shows its own licences.' })
      }
      await options.openLicences()
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
    'app.showUnread': ({ count }) => options.showUnread?.(count),
    'menu.show': ({ commands }, { caller }) => options.showMenu?.(commands, caller),
    'window.open': ({ address }) => options.openWindow?.(address),
    // Handled by `keep-first-view.ts`, which sees every answer.
    'window.keepStill': () => null,
    'app.setLogLevel': ({ level }) => logFile.setLevel(level),
    'folder.choose': async ({ of, at }) => {
      if (options.chooseFolder === null) {
        throw new ProblemError({ code: 'not_found', message: 'A browser cannot choose folders. Type the path.' })
      }
      const path = await options.chooseFolder(of, at)
      return path === null ? null : { path }
    },
  }
}
