import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import manifest from '../../package.json' with { type: 'json' }
import type { AboutLinnet } from '../shared/about-linnet.ts'
import type { Handlers } from '../shared/contract.ts'
import { ProblemError } from '../shared/result.ts'
import { describeDiagnostics } from './describe-diagnostics.ts'
import type { HostOptions } from './host-options.ts'
import type { EngineKeeper } from './engine-keeper.ts'
import type { Proxies } from './proxies.ts'

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

/** What a host says of itself, and what it does with the desktop around the windows. */
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
    // Who keeps first views hears of every answer (keep-first-view.ts).
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
