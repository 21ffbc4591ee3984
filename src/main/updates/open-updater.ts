import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { session, type App } from 'electron'
import { autoUpdater, type AppUpdater, type UpdateInfo } from 'electron-updater'
import { parseUpdateInfo, Provider, type ProviderRuntimeOptions } from 'electron-updater/out/providers/Provider'
import { type ProblemError, createProblem } from '../../shared/result.ts'
import { resolveFeedFiles, MAX_FEED_BYTES, MAX_SIGNATURE_BYTES, verifyFeed, parsePublicKey } from './signed-feed.ts'
import type { UpdateSource } from './update-source.ts'
import type { Updater } from './updates.ts'

/** electron-updater's session, under its own name. In memory, without cache or cookies. */
const UPDATER_SESSION = 'electron-updater'
const REQUEST_TIMEOUT_MS = 30_000

const failed = (message: string, cause?: unknown): ProblemError => createProblem('unreachable', message, cause)

/** @throws ProblemError if the download fails or is too long */
const fetchBytes = async (url: URL, longest: number): Promise<Uint8Array> => {
  const from = session.fromPartition(UPDATER_SESSION, { cache: false })
  let answer: Response
  try {
    answer = await from.fetch(url.href, { credentials: 'omit', signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) })
  } catch (thrown) {
    throw failed('The update server cannot be reached. Linnet will try again tomorrow.', thrown)
  }
  if (!answer.ok || answer.body === null) {
    throw failed('The update server did not return any update information. Try again later.')
  }
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of answer.body as unknown as AsyncIterable<Uint8Array>) {
    length += piece.byteLength
    if (length > longest) {
      throw createProblem(
        'refused',
        'The update could not be verified: the update information is too large. Nothing was downloaded.',
      )
    }
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

/** Update provider that trusts the version list only by its signature. */
const signedProvider = ({ base, key }: UpdateSource) => {
  const publicKey = parsePublicKey(key)
  return class SignedProvider extends Provider<UpdateInfo> {
    constructor(_options: unknown, _updater: AppUpdater, runtime: ProviderRuntimeOptions) {
      super(runtime)
    }

    // Otherwise electron-updater would send a permanent ID of this computer.
    override setRequestHeaders(): void {
      super.setRequestHeaders(null)
    }

    async getLatestVersion(): Promise<UpdateInfo> {
      const name = `${this.getDefaultChannelName()}.yml`
      const url = new URL(name, base)
      const feed = await fetchBytes(url, MAX_FEED_BYTES)
      const signature = await fetchBytes(new URL(`${name}.sig`, base), MAX_SIGNATURE_BYTES)
      const info = parseUpdateInfo(verifyFeed(feed, signature, publicKey), name, url)
      // Check the files before offering the update.
      resolveFeedFiles(info.files, base)
      return info
    }

    resolveFiles({ files }: UpdateInfo) {
      return resolveFeedFiles(files, base).map(({ at, ...info }) => ({ url: at, info }))
    }
  }
}

/** Opens electron-updater on a signed list; acts only on request. @param failedToInstall called if installing fails */
export const openUpdater = (
  app: App,
  source: UpdateSource,
  log: (thrown: unknown) => void,
  failedToInstall: () => void,
): Updater => {
  const files = session.fromPartition(UPDATER_SESSION, { cache: false })
  // `lockDownSession` blocks requests in every session. This session may request updates and holds nothing else.
  files.webRequest.onBeforeRequest(({ url }, decide) => {
    const { protocol, origin } = new URL(url)
    decide({ cancel: protocol !== 'https:' && origin !== source.base.origin })
  })
  let isInstalling = false
  autoUpdater.autoDownload = false
  autoUpdater.autoInstallOnAppQuit = false
  autoUpdater.allowDowngrade = false
  // Partial downloads take many requests, and are verified only by the complete file's digest anyway.
  autoUpdater.disableDifferentialDownload = true
  autoUpdater.logger = null
  autoUpdater.on('error', (thrown) => {
    log(thrown)
    if (isInstalling) failedToInstall()
  })
  if (!app.isPackaged) {
    // Equivalent of the file that electron-builder puts next to a packaged app.
    const config = join(app.getPath('userData'), 'dev-app-update.yml')
    writeFileSync(
      config,
      'provider: generic\nurl: https://127.0.0.1:1/\nupdaterCacheDirName: linnet-updater-development\n',
    )
    autoUpdater.forceDevUpdateConfig = true
    autoUpdater.updateConfigPath = config
  }
  autoUpdater.setFeedURL({ provider: 'custom', updateProvider: signedProvider(source) })
  return {
    look: async () => {
      const found = await autoUpdater.checkForUpdates()
      return found?.isUpdateAvailable === true ? found.updateInfo.version : null
    },
    download: async (progress) => {
      const hear = ({ percent }: { readonly percent: number }): void => progress(percent / 100)
      autoUpdater.on('download-progress', hear)
      try {
        await autoUpdater.downloadUpdate()
      } catch (thrown) {
        throw failed('The update could not be downloaded or verified. Nothing was changed.', thrown)
      } finally {
        autoUpdater.off('download-progress', hear)
      }
    },
    install: () => {
      isInstalling = true
      autoUpdater.quitAndInstall(true, true)
    },
  }
}
