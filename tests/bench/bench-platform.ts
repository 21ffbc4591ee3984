import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** The local platform in a separate process, with a log of its responses. */
export interface BenchPlatform {
  readonly baseUrl: string
  readonly apiKey: string
  readonly inboxId: string
  readonly inboxAddress: string
  readonly smtpPort: number
  /** All requests answered so far, such as `GET /inboxes 200`. */
  readonly answered: () => readonly string[]
  readonly stop: () => Promise<void>
}

interface Announcement {
  readonly base_url: string
  readonly api_key: string
  readonly inbox_id: string
  readonly inbox_address: string
  readonly smtp_port: number
}

/**
 * Generating 100,000 threads takes up to a minute. @param rateLimit requests per second, or `off` @param switches more
 * switches of the local platform
 */
export const startBenchPlatform = async (
  threads: number,
  rateLimit: string,
  ...switches: readonly string[]
): Promise<BenchPlatform> => {
  const child = spawn(
    process.execPath,
    [
      join(import.meta.dirname, '..', '..', 'packages', 'platform', 'src', 'main.ts'),
      ...['--port', '0', '--smtp-port', '0', '--dataset', 'empty', '--rate-limit', rateLimit],
      ...switches,
      ...(threads === 0 ? [] : ['--threads', String(threads), '--seed', '1']),
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  const answered: string[] = []
  createInterface({ input: child.stderr }).on('line', (line) => {
    const request = /((?:GET|POST|PATCH|PUT|DELETE) \S+ \d{3}) \d+ ms$/.exec(line)?.[1]
    if (request !== undefined) answered.push(request)
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const firstLine = await Promise.race([
    new Promise<string>((resolve) => createInterface({ input: child.stdout }).once('line', resolve)),
    ended.then(() => Promise.reject(new Error('The local platform ended before it was ready.'))),
  ])
  const announced = JSON.parse(firstLine) as Announcement
  return {
    baseUrl: announced.base_url,
    apiKey: announced.api_key,
    inboxId: announced.inbox_id,
    inboxAddress: announced.inbox_address,
    smtpPort: announced.smtp_port,
    answered: () => answered,
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}
