import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { z } from 'zod'
import { logLine, type Log } from '../shared/log.ts'
import { createProblem } from '../shared/result.ts'
import { parseJsonAs } from '../shared/parse-json.ts'

/** A local platform process, reduced to what a host uses. Node's child process or Electron's utility process. */
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

const announcementSchema = z.object({ base_url: z.string(), api_key: z.string() })

export interface DemoProgress {
  readonly done: number
  readonly total: number
}

const PROGRESS = / Made (\d+) of (\d+) messages$/

/** Maximum silence during start, in milliseconds. Long enough that a slow computer doesn't look like a crash. */
const MAX_SILENCE_MS = 30_000

/** Reports progress at the first start. @throws ProblemError `internal` if it exits or hangs before it is ready */
export const startDemoPlatform = async (
  launch: LaunchPlatform,
  dataFile: string,
  log: Log,
  onProgress: (progress: DemoProgress) => void,
): Promise<DemoPlatform> => {
  // No web page: the window shows the mail, and a page without a key would show it to other users of the computer.
  const child = launch(['--port', '0', '--smtp-port', '0', '--dataset', 'demo', '--data', dataFile, '--no-page'])
  const exited = new Promise<void>((resolve) => child.onExit(resolve))
  const timer = setTimeout(() => child.kill(), MAX_SILENCE_MS)
  // Don't log its output, which mentions mail.
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

  const announcement = parseJsonAs(announcementSchema, firstLine ?? '')
  if (announcement === null) {
    log('error', logLine`demo platform: it did not announce itself`)
    child.kill()
    throw createProblem('internal', 'The demo could not start. Try again; if it fails again, report it.')
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
