import { cpSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { CommandInput } from '../../src/shared/contract.ts'
import type { ThreadMark } from '../../src/shared/thread-marks.ts'
import { createFolderQuery, createMarkQuery } from '../../src/shared/thread-query.ts'
import { expectCacheEqualsPlatform, listCached } from '../integration/engine/support/compare-with-platform.ts'
import { CERTAIN_HARM, damage } from '../integration/engine/support/damage.ts'
import { conversations, fetched, PATIENCE_MS } from '../integration/engine/support/damaged-cache.ts'
import { eventually } from '../integration/engine/support/eventually.ts'
import { openSettledEngine, openTestEngine, type TestEngine } from '../integration/engine/support/test-engine.ts'
import { startTestPlatform } from '../integration/engine/support/test-platform.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { counts, eachCase } from './support/endurance.ts'

/** Number of times each file is damaged. */
const COUNT = counts(15)

/** Copies an account's files as closed cleanly, or as left by a crash. */
const filesOf = async (engine: TestEngine, isEndedSuddenly: boolean): Promise<string> => {
  const kept = temporaryDirectory()
  if (!isEndedSuddenly) await engine.close()
  cpSync(engine.directory, kept, { recursive: true })
  if (isEndedSuddenly) await engine.close()
  return kept
}

/** Returns null while a rebuilt cache is waiting for its inbox. */
const nullWithoutInbox = (thrown: unknown): null => {
  if (!String(thrown).includes('has no such inbox')) throw thrown
  return null
}

const LATER = Date.UTC(2100, 0, 1)
const MARKS = {
  starred: { star: true },
  muted: { mute: true },
  snoozed: { snoozedUntil: LATER },
  reminder: { remindAt: LATER },
} as const satisfies Partial<Record<ThreadMark, CommandInput<'thread.change'>['change']>>

const marksIn = async (engine: TestEngine, inboxId: string) => {
  const lists = Object.keys(MARKS).map(async (mark) => {
    const query = createMarkQuery(inboxId, mark as keyof typeof MARKS)
    const { items } = await engine.call('thread.list', { query, offset: 0, limit: 50 })
    return [mark, items.map(({ id, folder, marks }) => ({ id, folder, marks }))] as const
  })
  return Object.fromEntries(await Promise.all(lists))
}

/** Gives each mark to a different thread, all in one folder. @returns `marksIn` */
const giveMarks = async (engine: TestEngine, inboxId: string, folder: 'inbox' | 'archive') => {
  const items = await listCached(engine, inboxId, folder)
  for (const [at, change] of Object.values(MARKS).entries()) {
    await engine.call('thread.change', { inboxId, threadIds: [items[at]?.id ?? ''], change })
  }
  const marks = await marksIn(engine, inboxId)
  expect(Object.values(marks).map((marked) => marked.length)).toEqual([1, 1, 1, 1])
  return marks
}

describe('a randomly damaged cache', () => {
  const open = async () => {
    const platform = await startTestPlatform({}, { generate: { threads: 60, seed: 5 } })
    const engine = await openSettledEngine(platform)
    const marks = await giveMarks(engine, platform.inboxId, 'inbox')
    await engine.settled()
    return { platform, engine, marks, expected: await conversations(engine, platform.inboxId) }
  }

  it.each([false, true])(
    'opens every time, reports the damage and recovers platform data and marks (ended suddenly: %s)',
    async (isEndedSuddenly) => {
      const { platform, engine, marks, expected } = await open()
      const files = await filesOf(engine, isEndedSuddenly)
      await eachCase(COUNT, async (seed) => {
        const directory = temporaryDirectory()
        cpSync(files, directory, { recursive: true })
        const what = damage(join(directory, 'cache.sqlite'), seed)
        try {
          const again = await openTestEngine(platform, directory)
          for (const folder of ['inbox', 'archive', 'sent', 'spam', 'trash'] as const) {
            await again
              .call('thread.list', { query: createFolderQuery(platform.inboxId, folder), offset: 0, limit: 200 })
              .catch(() => null)
          }
          await fetched(again)
          await again.call('sync.now', {})
          await fetched(again)
          // Reading everything may hit the damage. The cache is then rebuilt, and its inbox has to be fetched again.
          await eventually(
            async () => {
              const found = await conversations(again, platform.inboxId).catch(nullWithoutInbox)
              return JSON.stringify(found) === JSON.stringify(expected)
            },
            (isSame) => isSame,
          )
          await fetched(again)
          await expectCacheEqualsPlatform(again, platform)
          expect(await marksIn(again, platform.inboxId)).toEqual(marks)
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

describe('a randomly damaged outbox', () => {
  const PENDING = 6
  /** Saved searches, which exist nowhere else, in order. */
  const SAVED = ['from:ann', 'from:bob', 'is:unread']

  const openWithChanges = async () => {
    const platform = await startTestPlatform({}, { generate: { threads: 20, seed: 5 } })
    const engine = await openSettledEngine(platform)
    const { inboxId } = platform
    await platform.fault({ kind: 'error_500', method: 'PATCH' })
    const items = (await listCached(engine, inboxId, 'inbox')).slice(0, PENDING)
    expect(items).toHaveLength(PENDING)
    for (const { id, read } of items) {
      await engine.call('thread.change', { inboxId, threadIds: [id], change: { read: !read } })
    }
    for (const text of SAVED) await engine.call('savedSearch.save', { inboxId, name: text, text })
    return { platform, engine, marks: await giveMarks(engine, inboxId, 'archive') }
  }
  const savedIn = async (engine: TestEngine) => (await engine.call('savedSearch.list', {})).map(({ text }) => text)

  it.each([
    ['outbox.sqlite', false],
    ['outbox.sqlite', true],
    ['outbox-second.sqlite', false],
    ['outbox-second.sqlite', true],
  ])(
    'loses no change, saved search or mark if one file is damaged (%s, ended suddenly: %s)',
    async (name, isEndedSuddenly) => {
      const { platform, engine, marks } = await openWithChanges()
      const files = await filesOf(engine, isEndedSuddenly)
      await eachCase(COUNT, async (seed) => {
        const directory = temporaryDirectory()
        cpSync(files, directory, { recursive: true })
        const what = damage(join(directory, name), seed)
        try {
          const again = await openTestEngine(platform, directory)
          expect(await again.status()).toMatchObject({ pendingChanges: PENDING })
          expect(await savedIn(again)).toEqual(SAVED)
          expect(await marksIn(again, platform.inboxId)).toEqual(marks)
          const problems = await again.call('problem.list', {})
          if (CERTAIN_HARM.includes(what)) {
            expect(problems).toMatchObject([{ message: expect.stringContaining('nothing was lost') as string }])
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
    'keeps or reports every change, saved search and mark if both files are damaged',
    async () => {
      const { platform, engine, marks } = await openWithChanges()
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
          const isSame = JSON.stringify(await marksIn(again, platform.inboxId)) === JSON.stringify(marks)
          if (!isSame || pendingChanges !== PENDING || (await savedIn(again)).toSorted().join() !== SAVED.join()) {
            expect(told).toEqual([expect.stringMatching(/check whether anything/i)])
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
