/** Browser host, for machines without a display or Electron's binary, and for end-to-end tests. */
import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { toDirectoryError, isDiskFullError, ensureDirectory } from '../host/data-directory.ts'
import { browserDataDirectory } from '../host/default-data-directory.ts'
import type { LaunchPlatform } from '../host/demo-platform.ts'
import { killIfStuck } from '../host/shutdown-watchdog.ts'
import { readEnvironmentClientId, takeEnvironmentAccount } from '../host/environment-account.ts'
import type { KeyVault } from '../host/stored-keys.ts'
import { CrashFiles } from '../host/crash-files.ts'
import { openExternally } from '../host/external-opener.ts'
import { openLog } from '../host/log-file.ts'
import { preparePreferencesFile } from '../host/preferences.ts'
import { PREFERENCES_NAME, SETTINGS_NAME } from '../host/settings-names.ts'
import { openSettingsFile, prepareSettingsFile } from '../host/settings-file.ts'
import { Host } from '../host/host.ts'
import { StartupRecorder } from '../host/startup-recorder.ts'
import { describeThrown, logLine } from '../shared/log.ts'
import { toProblem } from '../shared/result.ts'
import { announceHost, askRunningHost, readFormerPort, withdrawHost } from './running-host.ts'
import type { ExportTargets } from '../host/export-handlers.ts'
import { announceNewPort } from './refusals.ts'
import { Downloads, zipFiles } from './downloads.ts'
import { startBrowserServer, type BrowserServer } from './server.ts'

/** Exports are written to the data folder, where the browser fetches them. */
const createExportDownloads = (downloads: Pick<Downloads, 'offer'>): ExportTargets => ({
  targetOf: async (filename, lentFolder) => {
    // A separate folder, so the filename can't collide.
    const folder = join(lentFolder, `file-${randomUUID()}`)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    return { path: join(folder, filename), mayReplace: false, isLent: true }
  },
  deliver: (path, fetched) =>
    Promise.resolve({ kind: 'download', url: downloads.offer({ filename: basename(path), path, fetched }) }),
})

const USAGE = 'usage: npm start -- --browser [--no-open] [--port N] [--data-dir DIR] [--safe-start]'

interface Options {
  readonly open: boolean
  readonly port: number
  readonly dataDirectory: string
  readonly isSafe: boolean
}

class UsageError extends Error {}

const parseOptions = () => {
  const config = {
    options: {
      browser: { type: 'boolean' },
      'no-open': { type: 'boolean', default: false },
      port: { type: 'string', default: '0' },
      'data-dir': { type: 'string' },
      'safe-start': { type: 'boolean', default: false },
    },
  } as const
  try {
    return parseArgs(config)
  } catch (thrown) {
    throw new UsageError(thrown instanceof Error ? thrown.message : String(thrown))
  }
}

const readOptions = (): Options => {
  const { values } = parseOptions()
  const port = Number(values.port)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new UsageError(`--port takes 0 to 65535, not ${values.port}`)
  }
  if (values['data-dir'] === '') throw new UsageError('--data-dir takes a folder')
  const dataDirectory = resolve(values['data-dir'] ?? browserDataDirectory())
  return { open: !values['no-open'], port, dataDirectory, isSafe: values['safe-start'] }
}

/** A browser has no safe place to store a key, so the key lasts only as long as this process. The mail stays stored. */
const memoryVault: KeyVault = {
  storage: () => Promise.resolve('memory'),
  seal: () => Promise.resolve(null),
  unseal: () => Promise.reject(new Error('The in-memory vault has no sealed key.')),
}

const launchPlatform: LaunchPlatform = (args) => {
  const child = fork(join(import.meta.dirname, 'service.cjs'), args, { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
  if (child.stdout === null || child.stderr === null)
    throw new Error('The forked process has no stdout or stderr pipe.')
  return {
    stdout: child.stdout,
    stderr: child.stderr,
    kill: () => void child.kill('SIGTERM'),
    onExit: (listener) => void child.once('exit', listener),
  }
}

/** Prints a line of JSON for programs, or a sentence for the user. */
const printAddress = (address: { readonly url: string }): void => {
  if (process.stdout.isTTY)
    console.log(`Linnet is running at ${address.url} (this address works only once). Press Ctrl+C here to stop it.`)
  else console.log(JSON.stringify(address))
}

const main = async (): Promise<void> => {
  const options = readOptions()
  const environmentAccount = takeEnvironmentAccount(process.env)
  await ensureDirectory(options.dataDirectory)
  const openingFile = join(options.dataDirectory, 'open-linnet.html')
  const running = await askRunningHost(options.dataDirectory)
  if (running !== null) {
    console.error('Linnet is already running with this data folder. Opening another window.')
    printAddress(running)
    // The path isn't a secret, unlike the file's content. If no browser opens, the user still has the printed address.
    if (options.open) void openExternally(openingFile)
    return
  }
  const portBefore = await readFormerPort(options.dataDirectory)
  const logFile = openLog(options.dataDirectory)
  const settingsFile = join(options.dataDirectory, `${SETTINGS_NAME}.json`)
  const settingsProblem = prepareSettingsFile(settingsFile)
  const preferencesFile = join(options.dataDirectory, `${PREFERENCES_NAME}.json`)
  const preferencesProblem = preparePreferencesFile(preferencesFile)
  const downloads = new Downloads()
  const served = Promise.withResolvers<BrowserServer>()
  const openPage = async (): Promise<void> => {
    try {
      await (await served.promise).writeOpeningFile()
      void openExternally(openingFile)
    } catch (thrown) {
      logFile.log('warn', logLine`browser host: no opening page: ${describeThrown(thrown)}`)
      console.error('Linnet is running, but your browser could not be opened. Open the address above.')
    }
  }
  const host = new Host({
    dataDirectory: options.dataDirectory,
    engineEntry: join(import.meta.dirname, 'engine-worker.cjs'),
    launchPlatform,
    settings: openSettingsFile(settingsFile),
    settingsProblem,
    preferences: openSettingsFile(preferencesFile),
    preferencesProblem,
    vault: memoryVault,
    environmentAccount,
    clientId: readEnvironmentClientId(process.env),
    saveFile: (file) => Promise.resolve({ kind: 'download', url: downloads.offer(file) }),
    exportTargets: createExportDownloads(downloads),
    fileDrag: null,
    saveFiles: async (name, files) => ({ kind: 'download', url: downloads.offer(await zipFiles(name, files)) }),
    chooseFolder: null,
    printer: null,
    spelling: null,
    desktop: null,
    updates: null,
    kind: 'browser',
    systemProxies: null,
    showMenu: null,
    openWindow: null,
    // Browsers can't bring a tab to the front, so open one only if none is open.
    bringToFront: () => {
      void served.promise.then(({ isWatched }) => (options.open && !isWatched ? openPage() : undefined))
    },
    showUnread: null,
    logFile,
    crashFiles: new CrashFiles(options.dataDirectory, logFile),
    startWatch: new StartupRecorder(options.dataDirectory),
    isSafeAsked: options.isSafe,
    noticesFile: join(import.meta.dirname, '..', 'third-party-notices.txt'),
    openLicences: null,
    assistantServer: {
      command: process.execPath,
      args: [join(import.meta.dirname, 'linnet.cjs'), 'mcp', '--data', options.dataDirectory],
    },
  })
  const rendererDirectory = join(import.meta.dirname, '..', 'renderer')
  const server = await startBrowserServer({
    host,
    downloads,
    rendererDirectory,
    openingFile,
    port: options.port,
    log: logFile.log,
  })
  served.resolve(server)
  await announceHost(options.dataDirectory, { port: server.port, secret: server.ownSecret }).catch(
    (thrown: unknown) => {
      // Not fatal if the disk is full: mail can still be read, and only a second start can't find this host.
      if (!isDiskFullError(thrown)) throw toDirectoryError(options.dataDirectory, thrown)
      logFile.log('warn', logLine`browser host: not announced: ${describeThrown(thrown)}`)
    },
  )

  const stopAnnouncing = announceNewPort(portBefore, server.port)

  let stopping = false
  const stop = (): void => {
    if (stopping) return
    stopping = true
    killIfStuck(logFile.log)
    stopAnnouncing()
    void Promise.allSettled([withdrawHost(options.dataDirectory, server.port), server.close(), host.close()]).then(() =>
      process.exit(0),
    )
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)

  printAddress({ url: server.url })
  if (options.open) await openPage()
}

main().catch((thrown: unknown) => {
  console.error(`linnet: ${thrown instanceof Error ? thrown.message : toProblem(thrown).message}`)
  if (thrown instanceof UsageError) console.error(USAGE)
  process.exit(thrown instanceof UsageError ? 2 : 1)
})
