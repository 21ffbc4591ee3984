import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { App } from 'electron'
import type { SettingsStore } from '../../host/settings-file.ts'
import type { Host } from '../../host/host.ts'
import { describeThrown, logLine, type Log } from '../../shared/log.ts'
import { findUpdateSource } from './update-source.ts'
import { createUpdates } from './updates.ts'

/** Put in when a release is built (electron.vite.config.ts). */
declare const UPDATE_FEED: string
declare const UPDATE_KEY: string

interface DesktopUpdatesParts {
  readonly app: App
  readonly process: Pick<NodeJS.Process, 'env' | 'platform' | 'resourcesPath'>
  readonly settings: SettingsStore
  readonly log: Log
  /** There before anything of an update is asked of it. */
  readonly host: () => Pick<Host, 'preferences' | 'subscribe' | 'updateChanged'>
  /** Has this program ended where it hangs, from now until what it answers with is called. */
  readonly closeAll: () => Promise<() => void>
}

/** electron-builder says in a file of its own what it has made a package of; null for a directory and an AppImage. */
const readPackageType = (resources: string): string | null => {
  try {
    return readFileSync(join(resources, 'package-type'), 'utf8').trim()
  } catch {
    return null
  }
}

/** Updates of a desktop's Linnet, by electron-updater, whose code is read only once a person has agreed to any. */
export const createDesktopUpdates = ({ app, process, settings, log, host, closeAll }: DesktopUpdatesParts) => {
  const { env, platform, resourcesPath } = process
  const found = findUpdateSource({
    ...{ isPackaged: app.isPackaged, platform, env, built: { feed: UPDATE_FEED, key: UPDATE_KEY } },
    packageType: app.isPackaged && platform === 'linux' ? readPackageType(resourcesPath) : null,
  })
  const source = 'source' in found ? found.source : null
  const note = (thrown: unknown): void => log('warn', logLine`updates: ${describeThrown(thrown)}`)
  const isWanted = (): boolean => host().preferences().looksForUpdates
  const updates = createUpdates({
    version: app.getVersion(),
    unable: 'unable' in found ? found.unable : null,
    server: source?.base.hostname ?? null,
    ...{ isWanted, settings, log: note },
    open: async () => {
      const { openUpdater } = await import('./open-updater.ts')
      if (source === null) throw new Error('There is no source of updates.')
      return openUpdater(app, source, note, () => {
        // Everything is closed already: the version that is here goes on as a new start of it.
        app.relaunch()
        app.exit()
      })
    },
    changed: (state) => host().updateChanged(state),
    leave: async (install) => {
      const isNotStuck = await closeAll()
      // A package of the system asks for a password, which a person may look for.
      isNotStuck()
      // The next version starts before this one has ended.
      app.releaseSingleInstanceLock()
      install()
    },
  })
  return {
    ...updates,
    followPreferences: (): void => {
      let wasWanted = isWanted()
      updates.follow(true)
      host().subscribe((event) => {
        if (event.name !== 'preferences.changed' || event.payload.looksForUpdates === wasWanted) return
        wasWanted = event.payload.looksForUpdates
        updates.follow(false)
      })
    },
  }
}
