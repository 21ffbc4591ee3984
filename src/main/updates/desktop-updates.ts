import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { App } from 'electron'
import type { SettingsStore } from '../../host/settings-file.ts'
import type { Host } from '../../host/host.ts'
import { describeThrown, logLine, type Log } from '../../shared/log.ts'
import { findUpdateSource } from './update-source.ts'
import { createUpdateChecker } from './updates.ts'

/** Defined when a release is built (electron.vite.config.ts). */
declare const UPDATE_FEED: string
declare const UPDATE_KEY: string

interface DesktopUpdatesParts {
  readonly app: App
  readonly process: Pick<NodeJS.Process, 'env' | 'platform' | 'resourcesPath'>
  readonly settings: SettingsStore
  readonly log: Log
  /** A getter, because the host is created later. */
  readonly host: () => Pick<Host, 'preferences' | 'subscribe' | 'updateChanged'>
  /** Closes everything and kills this process if it hangs, until the returned function is called. */
  readonly closeAll: () => Promise<() => void>
}

/** The package type from electron-builder's file. Null for a directory and an AppImage. */
const readPackageType = (resources: string): string | null => {
  try {
    return readFileSync(join(resources, 'package-type'), 'utf8').trim()
  } catch {
    return null
  }
}

/** Desktop updates by electron-updater, which is loaded only after the user has agreed to updates. */
export const createDesktopUpdates = ({ app, process, settings, log, host, closeAll }: DesktopUpdatesParts) => {
  const { env, platform, resourcesPath } = process
  const found = findUpdateSource({
    ...{ isPackaged: app.isPackaged, platform, env, built: { feed: UPDATE_FEED, key: UPDATE_KEY } },
    packageType: app.isPackaged && platform === 'linux' ? readPackageType(resourcesPath) : null,
  })
  const source = 'source' in found ? found.source : null
  const note = (thrown: unknown): void => log('warn', logLine`updates: ${describeThrown(thrown)}`)
  const isWanted = (): boolean => host().preferences().looksForUpdates
  const updates = createUpdateChecker({
    version: app.getVersion(),
    unable: 'unable' in found ? found.unable : null,
    server: source?.base.hostname ?? null,
    ...{ isWanted, settings, log: note },
    open: async () => {
      const { openUpdater } = await import('./open-updater.ts')
      if (source === null) throw new Error('No update source is configured.')
      return openUpdater(app, source, note, () => {
        // The old version has already shut down; relaunch it.
        app.relaunch()
        app.exit()
      })
    },
    changed: (state) => host().updateChanged(state),
    leave: async (install) => {
      const cancelKill = await closeAll()
      // A system package asks for a password. Don't kill the process while the user looks for it.
      cancelKill()
      // The new version starts before this one has exited.
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
