import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { ServiceOptions } from '../../../../src/service/service.ts'
import { eventually } from './eventually.ts'
import { madeOnce } from './made-once.ts'
import { openTestEngine, type TestEngine } from './test-engine.ts'
import { startTestPlatform, type TestPlatform } from './test-platform.ts'
import { skip, testClock } from './test-time.ts'

type Mailbox = Partial<Pick<ServiceOptions, 'dataset' | 'generate'>>

export interface SyncedAccount {
  readonly platform: TestPlatform
  readonly engine: TestEngine
  /** The platform's file, to start it again. */
  readonly data: string
}

const filesIn = (folder: string) => ({ data: join(folder, 'platform.sqlite'), directory: join(folder, 'engine') })

/**
 * A platform and an engine that has all of its mail: for tests that begin after the first sync. The mailbox is synced once for
 * all tests of a run; each has copies, and an engine that is opened anew over them.
 * @param through what stands between the two, if anything does
 */
export const openSynced = async (
  mailbox: Mailbox,
  through: (platform: TestPlatform) => Promise<string> | string = ({ baseUrl }) => baseUrl,
): Promise<SyncedAccount> => {
  const { folder, facts } = await madeOnce(JSON.stringify(mailbox), async (original) => {
    const { data, directory } = filesIn(original)
    mkdirSync(directory)
    const platform = await startTestPlatform({}, { ...mailbox, data })
    const engine = await openTestEngine(platform, directory)
    await engine.settled()
    await engine.close()
    await platform.stop()
    return { apiKey: platform.apiKey, madeAt: testClock().now() }
  })
  // Nothing of it lies ahead.
  const openedAt = Math.max(facts.madeAt, testClock().now())
  if (openedAt > testClock().now()) await skip(openedAt - testClock().now())
  const { data, directory } = filesIn(folder)
  const platform = await startTestPlatform({}, { ...mailbox, data, apiKey: facts.apiKey })
  const engine = await openTestEngine({ ...facts, baseUrl: await through(platform) }, directory)
  // What it had synced before is not as the platform has it now.
  await eventually(engine.status, ({ lastSyncAt }) => (lastSyncAt ?? 0) >= openedAt)
  await engine.settled()
  return { platform, engine, data }
}
