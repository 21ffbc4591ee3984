import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { logLine, type Log } from '../shared/log.ts'
import { ProblemError } from '../shared/result.ts'

/** A started local mail platform, as far as a host must know it: Node's child process or Electron's utility process. */
export interface PlatformProcess {
  readonly stdout: Readable
  readonly stderr: Readable
  readonly kill: () => void
  readonly onExit: (listener: () => void) => void
}

export type LaunchPlatform = (args: readonly string[]) => PlatformProcess

export interface DemoPlatform {
  readonly baseUrl: string
  readonly apiKey: string
  readonly stop: () => Promise<void>
}

interface Announcement {
  readonly base_url: string
  readonly api_key: string
}

const isAnnouncement = (value: unknown): value is Announcement =>
  typeof value === 'object' &&
  value !== null &&
  'base_url' in value &&
  typeof value.base_url === 'string' &&
  'api_key' in value &&
  typeof value.api_key === 'string'

/** Messages of the demo that are made, of all of them. */
export interface DemoProgress {
  readonly done: number
  readonly total: number
}

/** How the platform says on its error stream how far it is. */
const PROGRESS = / Made (\d+) of (\d+) messages$/

/** How long it may say nothing while it starts, milliseconds: a slow computer is not one on which it has ended. */
const LONGEST_SILENCE_MS = 30_000

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/**
 * Starts the local mail platform with the demo mailbox and waits for the one line with which it announces itself.
 * @param dataFile where the demo's mail lives between two starts
 * @param onProgress called while its mail is made, at the first start
 * @throws ProblemError `internal` where it ends, or says nothing for half a minute, before it has come up
 */
export const startDemoPlatform = async (
  launch: LaunchPlatform,
  dataFile: string,
  log: Log,
  onProgress: (progress: DemoProgress) => void,
): Promise<DemoPlatform> => {
  // The window shows its mail; a page without a key would show it to others.
  const child = launch(['--port', '0', '--smtp-port', '0', '--dataset', 'demo', '--data', dataFile, '--no-page'])
  const exited = new Promise<void>((resolve) => child.onExit(resolve))
  const timer = setTimeout(() => child.kill(), LONGEST_SILENCE_MS)
  // What it says of its mail is not for the log.
  createInterface({ input: child.stderr }).on('line', (line) => {
    const [, done, total] = PROGRESS.exec(line) ?? []
    if (done === undefined || total === undefined) return
    timer.refresh()
    onProgress({ done: Number(done), total: Number(total) })
  })

  const lines = createInterface({ input: child.stdout })
  const firstLine = await Promise.race([
    new Promise<string>((resolve) => lines.once('line', resolve)),
    exited.then(() => null),
  ])
  clearTimeout(timer)

  const announcement: unknown = firstLine === null ? null : parseJson(firstLine)
  if (!isAnnouncement(announcement)) {
    log('error', logLine`demo platform: it did not announce itself`)
    child.kill()
    throw new ProblemError({
      code: 'internal',
      message: 'The demo could not start. Try again; if it fails again, report it.',
    })
  }
  return {
    baseUrl: announcement.base_url,
    apiKey: announcement.api_key,
    stop: async () => {
      child.kill()
      await exited
    },
  }
}
