import { cpSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { OWN_NAME, OWN_SET_ASIDE, OWN_SNAPSHOT_NAME } from '../../src/engine/own/account-files.ts'
import type { CommandInput } from '../../src/shared/contract.ts'
import type { DraftContent } from '../../src/shared/drafts.ts'
import type { Thread } from '../../src/shared/model.ts'
import type { ThreadMark } from '../../src/shared/thread-marks.ts'
import { createFolderQuery, createMarkQuery } from '../../src/shared/thread-query.ts'
import { expectCacheEqualsPlatform, listCached } from '../integration/engine/support/compare-with-platform.ts'
import { CERTAIN_HARM, damage } from '../integration/engine/support/damage.ts'
import { conversations, fetched, PATIENCE_MS } from '../integration/engine/support/damaged-cache.ts'
import { eventually } from '../integration/engine/support/eventually.ts'
import {
  expectOk,
  openSettledEngine,
  openTestEngine,
  type TestEngine,
} from '../integration/engine/support/test-engine.ts'
import { startTestPlatform } from '../integration/engine/support/test-platform.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { counts, eachCase } from './support/endurance.ts'

/** Number of times each file is damaged. */
const COUNT = counts(15, { long: 200 })

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

describe('the user’s own data, randomly damaged', () => {
  const PENDING = 6
  const MESSAGE = /check whether your latest changes/i

  /** Everything here that exists nowhere else, by kind, in order. */
  const ownDataIn = async (engine: TestEngine, inboxId: string) => {
    const saved = (await engine.call('savedSearch.list', {})).map(({ text }) => text)
    const drafts = (await engine.call('draft.list', { inboxId })).map(({ subject }) => subject).toSorted()
    const { unsentChanges } = expectOk(await engine.link.usageOf(engine.directory))
    return { unsentChanges, saved, drafts, marks: await marksIn(engine, inboxId) }
  }

  const addSome = async (engine: TestEngine, inboxId: string, threads: readonly Thread[], name: string) => {
    for (const { id, read } of threads) {
      await engine.call('thread.change', { inboxId, threadIds: [id], change: { read: !read } })
    }
    for (const text of ['ann', 'bob']) {
      await engine.call('savedSearch.save', { inboxId, name: `${name} ${text}`, text: `from:${name}${text}` })
    }
    const content: DraftContent = {
      ...{ to: [], cc: [], bcc: [], subject: name, format: 'plain', html: '', quote: null, files: [] },
      text: 'From Tuesday. '.repeat(500),
    }
    await engine.call('draft.create', { inboxId, kind: 'new', target: null, content })
  }

  /** Writes half of the data before the last snapshot and half after it, or all before it. */
  const filesWithData = async (isEndedSuddenly: boolean) => {
    const platform = await startTestPlatform({}, { generate: { threads: 20, seed: 5 } })
    const { inboxId } = platform
    const first = await openSettledEngine(platform)
    await platform.fault({ kind: 'error_500', method: 'PATCH' }, { kind: 'error_500', method: 'POST' })
    const threads = (await listCached(first, inboxId, 'inbox')).slice(0, PENDING)
    expect(threads).toHaveLength(PENDING)
    await addSome(first, inboxId, threads.slice(0, PENDING / 2), 'early')
    await giveMarks(first, inboxId, 'archive')
    const early = await ownDataIn(first, inboxId)
    await first.close()
    const engine = await openTestEngine(platform, first.directory)
    await addSome(engine, inboxId, threads.slice(PENDING / 2), 'late')
    const all = await ownDataIn(engine, inboxId)
    return { platform, files: await filesOf(engine, isEndedSuddenly), early, all }
  }

  const messagesOf = async (engine: TestEngine) =>
    (await engine.call('problem.list', {})).flatMap(({ id, message }) => (id === 'own-damaged' ? [message] : []))

  it.each([false, true])(
    'loses at most what came after the snapshot, and never without a word (ended suddenly: %s)',
    async (isEndedSuddenly) => {
      const { platform, files, early, all } = await filesWithData(isEndedSuddenly)
      await eachCase(COUNT, async (seed) => {
        const directory = temporaryDirectory()
        cpSync(files, directory, { recursive: true })
        const what = damage(join(directory, OWN_NAME), seed)
        try {
          const again = await openTestEngine(platform, directory)
          const found = await ownDataIn(again, platform.inboxId)
          const told = await messagesOf(again)
          // The snapshot is complete after a clean end.
          if (!isEndedSuddenly) expect(found).toEqual(all)
          expect(found.saved).toEqual(expect.arrayContaining([...early.saved]))
          expect(found.drafts).toEqual(expect.arrayContaining([...early.drafts]))
          expect(found.marks).toEqual(all.marks)
          expect(found.unsentChanges).toBeGreaterThanOrEqual(early.unsentChanges)
          const isSame = JSON.stringify(found) === JSON.stringify(all)
          const isSetAside = readdirSync(directory).some((name) => name.startsWith(OWN_SET_ASIDE))
          if (!isSame || isSetAside || CERTAIN_HARM.includes(what)) {
            expect(told).toEqual([expect.stringMatching(MESSAGE)])
          }
          await again.close()
          // Reported once, and everything is stored again.
          const third = await openTestEngine(platform, directory)
          expect(await ownDataIn(third, platform.inboxId)).toEqual(found)
          expect(await messagesOf(third)).toEqual(told)
          await third.close()
        } catch (thrown) {
          throw new Error(`${what}: ${String(thrown)}`, { cause: thrown })
        }
      })
    },
    PATIENCE_MS + COUNT * 20_000,
  )

  it(
    'is complete if only the snapshot is damaged, which is then written again without a word',
    async () => {
      const { platform, files, all } = await filesWithData(true)
      await eachCase(COUNT, async (seed) => {
        const directory = temporaryDirectory()
        cpSync(files, directory, { recursive: true })
        const what = damage(join(directory, OWN_SNAPSHOT_NAME), seed)
        try {
          const again = await openTestEngine(platform, directory)
          expect(await ownDataIn(again, platform.inboxId)).toEqual(all)
          expect(await messagesOf(again)).toEqual([])
          await again.close()
          rmSync(join(directory, OWN_NAME))
          const fromSnapshot = await openTestEngine(platform, directory)
          expect(await ownDataIn(fromSnapshot, platform.inboxId)).toEqual(all)
          await fromSnapshot.close()
        } catch (thrown) {
          throw new Error(`${what}: ${String(thrown)}`, { cause: thrown })
        }
      })
    },
    PATIENCE_MS + COUNT * 20_000,
  )

  it(
    'never loses anything without a word, even if the snapshot is damaged too',
    async () => {
      const { platform, files, all } = await filesWithData(true)
      await eachCase(COUNT, async (seed) => {
        const directory = temporaryDirectory()
        cpSync(files, directory, { recursive: true })
        const what = [OWN_NAME, OWN_SNAPSHOT_NAME]
          .map((name, at) => damage(join(directory, name), seed + at))
          .join(', ')
        try {
          const again = await openTestEngine(platform, directory)
          const found = await ownDataIn(again, platform.inboxId)
          if (JSON.stringify(found) !== JSON.stringify(all)) {
            expect(await messagesOf(again)).toEqual([expect.stringMatching(MESSAGE)])
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
    'never loses anything without a word if it is damaged while it is open',
    async () => {
      const { platform, files, all } = await filesWithData(false)
      await eachCase(COUNT, async (seed) => {
        const directory = temporaryDirectory()
        cpSync(files, directory, { recursive: true })
        const { inboxId } = platform
        let what = ''
        try {
          const engine = await openTestEngine(platform, directory)
          what = damage(join(directory, OWN_NAME), seed)
          const isTaken = await engine.call('savedSearch.save', { inboxId, name: 'newest', text: 'from:newest' }).then(
            () => true,
            () => false,
          )
          await engine.close()
          const again = await openTestEngine(platform, directory)
          const found = await ownDataIn(again, inboxId)
          const expected = { ...all, saved: [...all.saved, ...(isTaken ? ['from:newest'] : [])] }
          if (JSON.stringify(found) !== JSON.stringify(expected)) {
            expect(await messagesOf(again)).toEqual([expect.stringMatching(MESSAGE)])
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
