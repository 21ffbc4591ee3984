import { expect, it } from 'vitest'
import type { Folder } from '../../src/shared/model.ts'
import { createFolderQuery } from '../../src/shared/thread-query.ts'
import { expectCacheEqualsPlatform } from '../integration/engine/support/compare-with-platform.ts'
import { eventually } from '../integration/engine/support/eventually.ts'
import { openSettledEngine, openTestEngine, type TestEngine } from '../integration/engine/support/test-engine.ts'
import { startTestPlatform } from '../integration/engine/support/test-platform.ts'
import { Random } from '../support/random.ts'
import { counts, SEED } from './support/endurance.ts'
import { runAndKill } from './support/run-and-kill.ts'

const THREADS = 260
const ENDS = counts(6, { least: 2, long: 100 })
/** Maximum milliseconds that a run continues after it has printed enough. */
const LONGEST_MOMENT = 60

type Swept = 'inbox' | 'archive'
type Word = 'open' | 'ask' | 'taken' | 'failed' | 'progressed'

const countIn = async (engine: TestEngine, inboxId: string, folder: Folder): Promise<number> =>
  (await engine.call('thread.list', { query: createFolderQuery(inboxId, folder), offset: 0, limit: 1 })).total

it(
  'applies a large change completely or not at all when killed, on the platform too',
  async () => {
    const platform = await startTestPlatform({}, { generate: { threads: THREADS, seed: 5 } })
    const first = await openSettledEngine(platform)
    const { inboxId } = platform
    const { directory } = first
    const totals = (engine: TestEngine): Promise<readonly number[]> =>
      Promise.all((['inbox', 'archive'] as const).map((folder) => countIn(engine, inboxId, folder)))
    const all = (await totals(first)).reduce((sum, total) => sum + total, 0)
    // From now on, one of the two folders holds everything.
    const matching = { query: createFolderQuery(inboxId, 'archive'), upTo: Date.now() + 1e12, except: [] }
    await first.call('thread.change', { inboxId, matching, change: { folder: 'inbox' } })
    await first.close()
    const random = new Random(SEED)
    for (let end = 0; end < ENDS; end += 1) {
      const args = [SEED + end, platform.baseUrl, platform.apiKey, directory, inboxId]
      const lines = 2 + random.below(6)
      const said = await runAndKill<Word, { readonly to?: Swept } | null>(
        'sweeping-engine',
        args,
        ({ length }) => length >= lines,
        random.next() * LONGEST_MOMENT,
      )
      expect(said.filter(({ word }) => word === 'failed')).toEqual([])
      const engine = await openTestEngine(platform, directory)
      const [inbox = 0, archive = 0] = await eventually(
        () => totals(engine),
        (counts) => counts.includes(0),
      )
      expect(inbox + archive).toBe(all)
      const last = said.findLast(({ word }) => word === 'taken' || word === 'ask')
      if (last?.word === 'taken') expect(last.what?.to === 'inbox' ? inbox : archive).toBe(all)
      await engine.close()
    }
    const engine = await openSettledEngine(platform, directory)
    await eventually(
      () => engine.call('change.underWay', {}),
      (underWay) => underWay.length === 0,
    )
    await engine.call('sync.now', {})
    await engine.settled()
    expect(await engine.rollbackNotices()).toEqual([])
    await expectCacheEqualsPlatform(engine, platform)
  },
  120_000 + ENDS * 15_000,
)
