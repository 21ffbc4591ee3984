import { startProgram } from '../support/program.ts'

/** The local platform in a process of its own, with what it has answered. */
export interface BenchPlatform {
  readonly baseUrl: string
  readonly apiKey: string
  readonly inboxId: string
  /** Every request that it has answered so far, such as `GET /inboxes 200`. */
  readonly answered: () => readonly string[]
  readonly stop: () => Promise<unknown>
}

interface Announcement {
  readonly base_url: string
  readonly api_key: string
  readonly inbox_id: string
}

/** @param rateLimit requests a second, or `off` */
export const startBenchPlatform = async (threads: number, rateLimit: string): Promise<BenchPlatform> => {
  const program = await startProgram('src/service/main.ts', [
    ...['--port', '0', '--smtp-port', '0', '--dataset', 'empty', '--rate-limit', rateLimit],
    ...(threads === 0 ? [] : ['--threads', String(threads), '--seed', '1']),
  ])
  const { base_url: baseUrl, api_key: apiKey, inbox_id: inboxId } = JSON.parse(program.firstLine) as Announcement
  return {
    baseUrl,
    apiKey,
    inboxId,
    answered: () =>
      [...program.log().matchAll(/^(?:\S+ )?((?:GET|POST|PATCH|PUT|DELETE) \S+ \d{3}) \d+ ms$/gm)].map(
        ([, request = '']) => request,
      ),
    stop: () => program.stop(),
  }
}
