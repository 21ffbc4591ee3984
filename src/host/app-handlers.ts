import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { cpus, freemem, release, totalmem, type } from 'node:os'
import manifest from '../../package.json' with { type: 'json' }
import type { AboutLinnet } from '../shared/about-linnet.ts'
import type { Handlers } from '../shared/contract.ts'
import { createProblem } from '../shared/result.ts'
import type { HostOptions } from './host-options.ts'
import type { EngineSupervisor } from './engine-supervisor.ts'
import type { ProxyResolver } from './proxy-resolver.ts'
import type { EngineDiagnostics } from '../shared/engine-api.ts'
import type { LogFile } from './log-file.ts'
import { redact } from './redact.ts'
import type { RouteKind, RouteSource } from '../shared/proxy.ts'
import type { RunMode } from '../shared/run-state.ts'

type AppCommand =
  | `app.${'diagnostics' | 'about' | 'assistantServer' | 'openLicences' | 'notices' | 'showUnread' | 'setLogLevel'}`
  | 'menu.show'
  | 'window.open'
  | 'window.storeSnapshot'
  | 'folder.choose'

type Versions = Readonly<Partial<Record<string, string>>>

/** @param sqlite the engine's SQLite version, or null if it doesn't respond */
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

const MAX_LOG_LINES = 60

interface DiagnosticParts {
  readonly kind: 'electron' | 'browser'
  readonly dataDirectory: string
  readonly logFile: Pick<LogFile, 'level' | 'lastLines'>
  /** The browser's user agent. Null in Electron, whose versions are known. */
  readonly browser: string | null
  readonly accounts: readonly DiagnosedAccount[]
  /** Crash file names, oldest first. */
  readonly crashes: readonly string[]
  readonly mode: RunMode
}

interface DiagnosedAccount {
  readonly kind: string
  readonly directory: string
  /** Route to the account's platform, or null if unknown. */
  readonly way: RouteKind | null
  /** Null if the account is closed or the engine doesn't respond. */
  readonly engine: EngineDiagnostics | null
}

const formatMegabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

/** A folder's files with their sizes. Names that aren't Linnet's own are left out. */
const sizesIn = async (directory: string): Promise<readonly string[]> => {
  const names = await readdir(directory).catch(() => [])
  const sizes = await Promise.all(
    names.map(async (name) => {
      const size = await stat(join(directory, name)).then(
        (stats) => formatMegabytes(stats.size),
        () => 'unreadable',
      )
      return `  ${/^(?:cache|own|account|problems)[\w.-]*$/.test(name) ? name : 'another file'}: ${size}`
    }),
  )
  return sizes.sort()
}

const ROUTE_SOURCES: Readonly<Record<RouteSource, string>> = {
  ...{ person: 'set in Settings', environment: 'set by the environment', system: 'set by the system' },
  ...{ here: 'the server is on this computer', nobody: 'no proxy set' },
}

/** Never names a proxy, which often identifies a company. */
const describeRoute = (way: RouteKind | null): string => {
  if (way === null) return 'Route: unknown'
  const kind =
    way.kind === 'direct' ? 'direct' : way.kind === 'unreadable' ? 'an unreadable proxy' : `${way.kind} proxy`
  return `Route: ${kind}, ${ROUTE_SOURCES[way.by]}`
}

const describeAccount = async (account: DiagnosedAccount): Promise<readonly string[]> => {
  const { engine } = account
  const said =
    engine === null
      ? ['  The engine is not responding.']
      : [
          ...Object.entries(engine.counts).map(([what, count]) => `  ${what.replaceAll('_', ' ')}: ${count}`),
          `Sync: ${engine.sync.connection}`,
          `  progress: ${engine.sync.progress === null ? 'none' : `${engine.sync.progress.done} of ${engine.sync.progress.total}`}`,
          `  last sync: ${engine.sync.lastSyncAt === null ? 'never' : new Date(engine.sync.lastSyncAt).toISOString()}`,
          `  changes waiting: ${engine.sync.pendingChanges}`,
          `  problem reported: ${engine.sync.problem === null ? 'no' : 'yes'}`,
          `Certificates: ${engine.trusted.builtIn} built in, ${engine.trusted.system} from the system, ${engine.trusted.extra} from NODE_EXTRA_CA_CERTS`,
          ...(engine.tested.length === 0
            ? []
            : [`Last test: ${engine.tested.map(({ name, state }) => `${name} ${state}`).join(', ')}`]),
        ]
  return [`Account: ${account.kind}`, ...(await sizesIn(account.directory)), describeRoute(account.way), ...said]
}

/** Diagnostics for the user to read and pass on. Contains no address, key, subject, text, ID or folder. */
export const describeDiagnostics = async (parts: DiagnosticParts): Promise<string> => {
  const versions: Versions = process.versions
  const { electron, chrome, node } = versions
  return [
    `Linnet ${manifest.version}, ${parts.kind === 'electron' ? 'desktop' : 'browser host'}`,
    `System: ${type()} ${release()}, ${process.arch}, ${cpus().length} cores, ${formatMegabytes(freemem())} of ${formatMegabytes(totalmem())} free`,
    ...(electron === undefined ? [] : [`Electron ${electron}, Chromium ${chrome ?? 'unknown'}`]),
    `Node ${node ?? 'unknown'}, up ${Math.round(process.uptime())} s, ${formatMegabytes(process.memoryUsage.rss())}`,
    ...(parts.browser === null ? [] : [`Browser: ${parts.browser.replaceAll(/[^\x20-\x7e]|@/g, '?')}`]),
    ...(parts.accounts.length === 0 ? ['Account: none connected'] : []),
    ...(await Promise.all(parts.accounts.map(describeAccount))).flat(),
    ...(parts.mode === 'safe' ? ['Safe mode'] : []),
    ...(parts.crashes.length === 0 ? [] : ['Crash files, oldest first:', ...parts.crashes.map((name) => `  ${name}`)]),
    `Log (${parts.logFile.level()}), last lines:`,
    ...parts.logFile.lastLines(MAX_LOG_LINES).map((line) => `  ${redact(line, [parts.dataDirectory])}`),
  ].join('\n')
}

export const createAppHandlers = (
  options: HostOptions,
  engine: EngineSupervisor,
  proxies: Pick<ProxyResolver, 'kindOf'>,
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
        throw createProblem('not_found', 'Your browser lists its licences itself, usually on its About page.')
      }
      await options.openLicences()
    },
    'app.notices': async () => {
      try {
        return { text: await readFile(options.noticesFile, 'utf8') }
      } catch (cause) {
        throw createProblem('not_found', 'The third-party notices are missing from this copy of Linnet.', cause)
      }
    },
    'app.showUnread': ({ count }) => options.showUnread?.(count),
    'menu.show': ({ commands }, { caller }) => options.showMenu?.(commands, caller),
    'window.open': ({ address }) => options.openWindow?.(address),
    // Handled by `first-view-store.ts`, which sees every response.
    'window.storeSnapshot': () => null,
    'app.setLogLevel': ({ level }) => logFile.setLevel(level),
    'folder.choose': async ({ of, at }) => {
      if (options.chooseFolder === null) {
        throw createProblem('not_found', 'You can’t choose a folder in a browser. Type its path.')
      }
      const path = await options.chooseFolder(of, at)
      return path === null ? null : { path }
    },
  }
}
