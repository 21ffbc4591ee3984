import { startBenchPlatform, type BenchPlatform } from './bench-platform.ts'

/** Threads of the large mailbox; BENCH_THREADS for a quick look at whether a part works. */
export const LARGE = Number(process.env.BENCH_THREADS ?? 100_000)

const started = new Map<string, Promise<BenchPlatform>>()

/** A platform that parts share; a mailbox of a hundred thousand threads takes up to a minute to make. */
export const sharedPlatform = (threads: number, rateLimit: 'off' | '10'): Promise<BenchPlatform> => {
  const key = `${threads} ${rateLimit}`
  const platform = started.get(key) ?? startBenchPlatform(threads, rateLimit)
  started.set(key, platform)
  return platform
}

export const stopPlatforms = async (): Promise<void> => {
  // One that could not start is the failure of its part.
  for (const platform of await Promise.allSettled(started.values())) {
    if (platform.status === 'fulfilled') await platform.value.stop()
  }
}

/** Has later parts start platforms of their own. */
export const forgetPlatforms = (): void => started.clear()

/** Asks a platform itself. @throws where the answer is no success */
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
