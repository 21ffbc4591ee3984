import { FOLDERS } from '../../src/shared/model.ts'
import { accountDirectory, openBenchEngine, until } from './bench-engine.ts'
import { startBenchPlatform } from './bench-platform.ts'
import type { Figure } from './figure.ts'
import { createFolderQuery } from '../../src/shared/thread-query.ts'

const THREADS = 2_000
const BODIES = 200
const LIMIT = 10

/** First sync of 2,000 threads and the 200 newest bodies, at the platform's limit of ten requests per second. */
export const measureFirstSync = async (): Promise<readonly Figure[]> => {
  const platform = await startBenchPlatform(THREADS, String(LIMIT))
  const start = performance.now()
  const engine = await openBenchEngine(platform, await accountDirectory({ days: 365 }))
  const count = (shape: RegExp): number => platform.answered().filter((request) => shape.test(request)).length

  let pages = Number.POSITIVE_INFINITY
  await until(async () => {
    // Requests slow the engine down, so query the lengths of the lists only near the end.
    if (count(/\/emails 200$/) < BODIES) return false
    const lengths = await Promise.all(
      FOLDERS.map((folder) =>
        engine.call('thread.list', { query: createFolderQuery(platform.inboxId, folder), offset: 0, limit: 1 }),
      ),
    )
    pages = lengths.reduce((sum, { total }) => sum + Math.max(1, Math.ceil(total / 100)), 0)
    // One of the pages of threads is the check for new mail.
    return count(/\/threads 200$/) >= pages + 1
  }, 5)
  const seconds = (performance.now() - start) / 1000
  const refused = count(/ 429$/)
  await engine.stop()
  await platform.stop()

  // Requests for inboxes, labels, the check for new mail, all pages of folders, one page each of contacts and received
  // e-mails, and bodies.
  const needed = 1 + 1 + 1 + pages + 2 + BODIES
  const allowed = Math.floor((needed - 1) / LIMIT)
  return [
    {
      name: 'first sync of 2,000 threads and 200 bodies, against the time that the limit allows',
      measured: seconds / allowed,
      unit: '×',
      bound: { kind: 'at most', value: 1.05 },
      note: `${seconds.toFixed(2)} s for ${needed} requests, which ten a second allow in ${allowed} s`,
    },
    {
      name: 'answers 429 during that sync',
      measured: refused,
      unit: '',
      bound: { kind: 'at most', value: 1 },
      note: 'the local platform counts in fixed windows of a second',
    },
  ]
}
