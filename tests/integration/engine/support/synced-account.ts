import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { ServiceOptions } from '../../../../packages/platform/src/service.ts'
import { eventually } from './eventually.ts'
import { madeOnce } from './synced-once.ts'
import { openSettledEngine, openTestEngine, type TestEngine } from './test-engine.ts'
import { startTestPlatform, type TestPlatform } from './test-platform.ts'
import { skip, testClock } from './test-time.ts'

type Mailbox = Partial<Pick<ServiceOptions, 'dataset' | 'generate'>>

export interface SyncedAccount {
  readonly platform: TestPlatform
  readonly engine: TestEngine
  /** The platform's file, for restarting it. */
  readonly data: string
}

const filesIn = (folder: string) => ({ data: join(folder, 'platform.sqlite'), directory: join(folder, 'engine') })

/**
 * A platform and an engine with all of its mail, for tests that start after the first sync. The mailbox is synced once
 * per run; each test opens copies of the files.
 * @param through puts a proxy between the two
 */
export const openSynced = async (
  mailbox: Mailbox,
  through: (platform: TestPlatform) => Promise<string> | string = ({ baseUrl }) => baseUrl,
): Promise<SyncedAccount> => {
  const { folder, facts } = await madeOnce(JSON.stringify(mailbox), async (original) => {
    const { data, directory } = filesIn(original)
    mkdirSync(directory)
    const platform = await startTestPlatform({}, { ...mailbox, data })
    const engine = await openSettledEngine(platform, directory)
    await engine.close()
    await platform.stop()
    return { apiKey: platform.apiKey, madeAt: testClock().now() }
  })
  // Ensures that no timestamp lies in the future.
  const openedAt = Math.max(facts.madeAt, testClock().now())
  if (openedAt > testClock().now()) await skip(openedAt - testClock().now())
  const { data, directory } = filesIn(folder)
  const platform = await startTestPlatform({}, { ...mailbox, data, apiKey: facts.apiKey })
  const engine = await openTestEngine({ ...facts, baseUrl: await through(platform) }, directory)
  // Waits for a sync with this platform; the copied state is older.
  await eventually(engine.status, ({ lastSyncAt }) => (lastSyncAt ?? 0) >= openedAt)
  await engine.settled()
  return { platform, engine, data }
}
