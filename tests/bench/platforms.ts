import { startBenchPlatform, type BenchPlatform } from './bench-platform.ts'

/** Threads of the large mailbox. Lower BENCH_THREADS for a quick check that a part works. */
export const LARGE = Number(process.env.BENCH_THREADS ?? 100_000)

const started = new Map<string, Promise<BenchPlatform>>()

/** A platform shared by several parts. Generating 100,000 threads takes up to a minute. */
export const sharedPlatform = (threads: number, rateLimit: 'off' | '10'): Promise<BenchPlatform> => {
  const key = `${threads} ${rateLimit}`
  const platform = started.get(key) ?? startBenchPlatform(threads, rateLimit)
  started.set(key, platform)
  return platform
}

export const stopPlatforms = async (): Promise<void> => {
  // A failed start is reported by the part that needs the platform.
  for (const platform of await Promise.allSettled(started.values())) {
    if (platform.status === 'fulfilled') await platform.value.stop()
  }
}

/** Makes later parts start their own platforms. */
export const forgetPlatforms = (): void => started.clear()

/** Sends a request to a platform. @throws if the response is an error */
export const askPlatform = async <Answer>(
  { baseUrl, apiKey }: Pick<BenchPlatform, 'baseUrl' | 'apiKey'>,
  path: string,
  method = 'GET',
  body?: unknown,
): Promise<Answer> => {
  const answer = await fetch(`${baseUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', 'user-agent': 'linnet-bench' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as Answer
}
