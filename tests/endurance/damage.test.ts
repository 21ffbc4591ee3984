import { cpSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderQuery } from '../../src/shared/thread-query.ts'
import { expectCacheEqualsPlatform } from '../integration/engine/support/compare-with-platform.ts'
import { CERTAIN_HARM, damage } from '../integration/engine/support/damage.ts'
import { conversations, fetched, PATIENCE_MS } from '../integration/engine/support/damaged-cache.ts'
import { eventually } from '../integration/engine/support/eventually.ts'
import { openTestEngine, type TestEngine } from '../integration/engine/support/test-engine.ts'
import { startTestPlatform, type TestPlatform } from '../integration/engine/support/test-platform.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { counts, eachCase } from './support/endurance.ts'

/** Damages of each file. */
const COUNT = counts(15)

/** The files of an account as they lie on the disk: closed well, or as a sudden end leaves them. */
const filesOf = async (engine: TestEngine, isEndedSuddenly: boolean): Promise<string> => {
  const kept = temporaryDirectory()
  if (!isEndedSuddenly) await engine.close()
  cpSync(engine.directory, kept, { recursive: true })
  if (isEndedSuddenly) await engine.close()
  return kept
}

/** Nothing yet, where a cache that was made anew waits for its inbox. */
const untilTheInboxIsHere = (thrown: unknown): null => {
  if (!String(thrown).includes('has no such inbox')) throw thrown
  return null
}

describe('a cache that is damaged at random', () => {
  const open = async () => {
    const platform = await startTestPlatform({}, { generate: { threads: 60, seed: 5 } })
    const engine = await openTestEngine(platform)
    await engine.settled()
    return { platform, engine, expected: await conversations(engine, platform.inboxId) }
  }

  it.each([false, true])(
    'opens every time, says what happened, and equals the platform again (ended suddenly: %s)',
    async (isEndedSuddenly) => {
      const { platform, engine, expected } = await open()
      const files = await filesOf(engine, isEndedSuddenly)
      await eachCase(COUNT, async (seed) => {
        const directory = temporaryDirectory()
        cpSync(files, directory, { recursive: true })
        const what = damage(join(directory, 'cache.sqlite'), seed)
        try {
          const again = await openTestEngine(platform, directory)
          for (const folder of ['inbox', 'archive', 'sent', 'spam', 'trash'] as const) {
            await again
              .call('thread.list', { query: folderQuery(platform.inboxId, folder), offset: 0, limit: 200 })
              .catch(() => null)
          }
          await fetched(again)
          await again.call('sync.now', {})
          await fetched(again)
          // To read all of it may be what meets the damage: the cache is made anew then, and its inbox has to come again.
          await eventually(
            async () => {
              const found = await conversations(again, platform.inboxId).catch(untilTheInboxIsHere)
              return JSON.stringify(found) === JSON.stringify(expected)
            },
            (isSame) => isSame,
          )
          await fetched(again)
          await expectCacheEqualsPlatform(again, platform)
          const problems = await again.call('problem.list', {})
          if (CERTAIN_HARM.includes(what)) expect(problems).not.toEqual([])
          const isSetAside = readdirSync(directory).some((name) => name.includes('set-aside'))
          if (isSetAside) expect(problems.map(({ id }) => id)).toContain('cache-damaged')
          await again.close()
        } catch (thrown) {
          throw new Error(`${what}: ${String(thrown)}`, { cause: thrown })
        }
      })
    },
    PATIENCE_MS + COUNT * 20_000,
  )
})

describe('an outbox that is damaged at random', () => {
  const PENDING = 6
  /** Saved searches, which nobody else has, in their order. */
  const SAVED = ['from:ann', 'from:bob', 'is:unread']

  const openWithChanges = async (): Promise<{ platform: TestPlatform; engine: TestEngine }> => {
    const platform = await startTestPlatform({}, { generate: { threads: 20, seed: 5 } })
    const engine = await openTestEngine(platform)
    await engine.settled()
    const { inboxId } = platform
    await platform.fault({ kind: 'error_500', method: 'PATCH' })
    const { items } = await engine.call('thread.list', {
      query: folderQuery(inboxId, 'inbox'),
      offset: 0,
      limit: PENDING,
    })
    expect(items).toHaveLength(PENDING)
    for (const { id, read } of items) {
      await engine.call('thread.change', { inboxId, threadIds: [id], change: { read: !read } })
    }
    for (const text of SAVED) await engine.call('savedSearch.save', { inboxId, name: text, text })
    return { platform, engine }
  }
  const savedIn = async (engine: TestEngine) => (await engine.call('savedSearch.list', {})).map(({ text }) => text)

  it.each([
    ['outbox.sqlite', false],
    ['outbox.sqlite', true],
    ['outbox-second.sqlite', false],
    ['outbox-second.sqlite', true],
  ])(
    'loses no change and no saved search, whatever happens to one of its files (%s, ended suddenly: %s)',
    async (name, isEndedSuddenly) => {
      const { platform, engine } = await openWithChanges()
      const files = await filesOf(engine, isEndedSuddenly)
      await eachCase(COUNT, async (seed) => {
        const directory = temporaryDirectory()
        cpSync(files, directory, { recursive: true })
        const what = damage(join(directory, name), seed)
        try {
          const again = await openTestEngine(platform, directory)
          expect(await again.status()).toMatchObject({ pendingChanges: PENDING })
          expect(await savedIn(again)).toEqual(SAVED)
          const problems = await again.call('problem.list', {})
          if (CERTAIN_HARM.includes(what)) {
            expect(problems).toMatchObject([{ message: expect.stringContaining('nothing is lost') as string }])
          }
          await again.close()
        } catch (thrown) {
          throw new Error(`${what}: ${String(thrown)}`, { cause: thrown })
        }
      })
    },
    PATIENCE_MS + COUNT * 20_000,
  )

  it(
    'keeps or tells of every change and saved search where both files are damaged at once',
    async () => {
      const { platform, engine } = await openWithChanges()
      const files = await filesOf(engine, true)
      await eachCase(COUNT, async (seed) => {
        const directory = temporaryDirectory()
        cpSync(files, directory, { recursive: true })
        const what = damage(join(directory, 'outbox.sqlite'), seed)
        damage(join(directory, 'outbox-second.sqlite'), seed)
        try {
          const again = await openTestEngine(platform, directory)
          const { pendingChanges } = await again.status()
          const told = (await again.call('problem.list', {})).map(({ message }) => message)
          if (pendingChanges !== PENDING || (await savedIn(again)).toSorted().join() !== SAVED.join()) {
            expect(told).toEqual([expect.stringMatching(/check that all of them are there/i)])
          }
          await again.close()
        } catch (thrown) {
          throw new Error(`${what}: ${String(thrown)}`, { cause: thrown })
        }
      })
    },
    PATIENCE_MS + COUNT * 20_000,
  )
})
