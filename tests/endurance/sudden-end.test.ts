import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ChangeWrite } from '../../src/engine/own/outbox/change.ts'
import { toThreadMarks } from '../../src/engine/own/outbox/changes/local-thread-state.ts'
import { buildThreadStateOverlay } from '../../src/engine/own/outbox/changes/thread-state.ts'
import { OutboxFile } from '../../src/engine/own/outbox/outbox-file.ts'
import { openCache } from '../../src/engine/store/cache.ts'
import { NO_PENDING_LABELS } from '../../src/engine/store/labels.ts'
import { FOLDERS, type Thread } from '../../src/shared/model.ts'
import { toMarkLabelId, SNOOZED_FOLDER, type ThreadMark } from '../../src/shared/thread-marks.ts'
import { isSpamOrTrash } from '../../src/shared/thread-state.ts'
import { createFolderQuery, createMarkQuery } from '../../src/shared/thread-query.ts'
import { expectCacheEqualsPlatform, listCached } from '../integration/engine/support/compare-with-platform.ts'
import { eventually } from '../integration/engine/support/eventually.ts'
import { localIds, idsOnPlatform, searchFor, word } from '../integration/engine/support/searches.ts'
import { startRecordingProxy } from '../integration/engine/support/recording-proxy.ts'
import { openOwnFile } from '../support/own-file.ts'
import { Random } from '../support/random.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { readThreadCounts } from '../support/thread-counts.ts'
import { openSettledEngine, openTestEngine, type TestEngine } from '../integration/engine/support/test-engine.ts'
import { startTestPlatform, type TestPlatform } from '../integration/engine/support/test-platform.ts'
import { counts, SEED } from './support/endurance.ts'
import { hasTaken, runAndKill, type OutputLine } from './support/run-and-kill.ts'
import { stateOfThread } from './support/state-of-thread.ts'

const ENDS = counts(25)
/** A run is killed after fewer confirmed changes than this, plus a random moment. */
const MAX_CHANGES = 8
/**
 * Maximum random delay before a kill, in milliseconds. The first runs, which have nothing to change yet, last no longer
 * than this.
 */
const LONGEST_MOMENT = 40
const FIRST_LIVES = Math.min(3, Math.ceil(ENDS / 5))
/** Number of threads: enough for a run to be killed during the first sync. */
const THREADS = Math.max(150, 15 * ENDS)
/** Number of kills of runs with mail that the platform has dropped. */
const ENDS_OF_KEPT = Math.ceil(ENDS / 5)

/** A change of a thread, or a name for the saved search. */
interface What {
  readonly threadId: string
  readonly change: Readonly<Record<string, unknown>>
  readonly name?: string
}
type Line = OutputLine<'open' | 'ask' | 'taken' | 'name' | 'named' | 'failed', What>

/** Runs an engine until it has confirmed some changes, plus a random moment. */
const live = (args: readonly string[], life: number, changes: number, random: Random): Promise<readonly Line[]> =>
  runAndKill<Line['word'], What>(
    'restless-engine',
    [SEED + life, ...args],
    hasTaken(changes),
    random.next() * LONGEST_MOMENT,
  )

/** Fields of each change, one by one, in printed order. */
const fieldsOf = (said: readonly Line[], word: Line['word']) =>
  said
    .filter((entry) => entry.word === word)
    .flatMap(({ what: { threadId, change } }) =>
      Object.entries(change).map(([field, value]) => ({ target: `${threadId} ${field}`, value })),
    )

/** Applies queued changes over the platform's last state, with no engine open. @returns threads shown differently */
const staleThreads = async (directory: string, inboxId: string): Promise<readonly string[]> => {
  const ownFile = openOwnFile(directory)
  const outbox = new OutboxFile(ownFile)
  const waiting = Map.groupBy(outbox.read().waiting, ({ id }) => id)
  const own = Map.groupBy(outbox.read().own, ({ id }) => id)
  const { cache } = openCache(join(directory, 'cache.sqlite'), {
    threads: {
      marks: (_, threadId) =>
        toThreadMarks(new Map((own.get(threadId) ?? []).map(({ field, value }) => [field, value]))),
      overlay: (_, threadId) => buildThreadStateOverlay(waiting.get(threadId) ?? []),
      confirmedSince: () => false,
    },
    topics: () => new Map(),
    labels: () => NO_PENDING_LABELS,
  })
  try {
    const inbox = { key: cache.inboxes.get(inboxId)?.key ?? 0, id: inboxId }
    const lists = [...FOLDERS.map((folder) => ({ folder })), { labelId: toMarkLabelId('snoozed') }]
    const ids = lists.flatMap((list) => cache.threads.list(inbox, list, { offset: 0, limit: 10_000 }))
    return [
      ...cache.threads.project(
        inbox,
        ids.map(({ id }) => id),
      ).threadIds,
    ]
  } finally {
    cache.close()
    await ownFile.close()
  }
}

const outOfReach = ({ apiKey }: TestPlatform) => ({ baseUrl: 'http://127.0.0.1:9', apiKey })

/** Starts and closes an engine offline, so that it can only repair what was cut off. */
const liveOffline = async (platform: TestPlatform, directory: string): Promise<void> => {
  const engine = await openTestEngine(outOfReach(platform), directory)
  await engine.close()
}

describe('an engine killed between writing the outbox and writing the cache', () => {
  it('shows completed changes as the platform has them when reopened offline', async () => {
    const platform = await startTestPlatform({}, { generate: { threads: 30, seed: 3 } })
    const { inboxId } = platform
    const { directory, settled, call, close } = await openTestEngine(platform)
    await settled()
    const query = createFolderQuery(inboxId, 'inbox')
    const { items } = await call('thread.list', { query, offset: 0, limit: 2 })
    const threadIds = items.map(({ id }) => id)
    await close()
    const write = async (writes: readonly ChangeWrite[]): Promise<void> => {
      const own = openOwnFile(directory)
      new OutboxFile(own).write(writes)
      await own.close()
    }
    const fields = threadIds.map((id) => ({ kind: 'thread', scope: inboxId, id, field: 'folder' }))
    await write(fields.map((target) => ({ target, change: { ...target, wanted: 'trash', sending: null } })))
    // Applying the queued changes alters every thread.
    expect((await staleThreads(directory, inboxId)).toSorted()).toEqual(threadIds.toSorted())
    await write(fields.map((target) => ({ target, change: null })))
    await liveOffline(platform, directory)
    expect(await staleThreads(directory, inboxId)).toEqual([])
  })
})

const MARKS: readonly (readonly [ThreadMark, (state: ReturnType<typeof stateOfThread>) => boolean])[] = [
  ['starred', ({ star }) => star],
  ['muted', ({ mute }) => mute],
  ['snoozed', ({ snoozedUntil }) => snoozedUntil !== null],
  ['reminder', ({ remindAt }) => remindAt !== null],
]

/** Checks that each mark's list has its threads, and that snoozed threads are in no folder. */
const expectMarksToBeListed = async (
  engine: TestEngine,
  inboxId: string,
  threads: readonly Thread[],
): Promise<void> => {
  for (const [mark, has] of MARKS) {
    const marked = threads.filter((thread) => has(stateOfThread(thread)) && !isSpamOrTrash(thread.folder))
    const listed = await localIds(engine, createMarkQuery(inboxId, mark))
    expect([mark, listed.toSorted()]).toEqual([mark, marked.map(({ id }) => id).toSorted()])
    if (mark === 'snoozed') expect(marked.filter(({ folder }) => folder !== SNOOZED_FOLDER)).toEqual([])
  }
}

/** Checks that each field has its last confirmed value, or one requested later and cut off by a kill. */
const expectTakenToBeKept = async (engine: TestEngine, inboxId: string, said: readonly Line[]): Promise<void> => {
  const allowed = new Map(fieldsOf(said, 'taken').map(({ target, value }) => [target, new Set([value])]))
  const pending = new Map<string, unknown>()
  for (const { word, what } of said) {
    for (const [field, value] of Object.entries(word === 'ask' || word === 'taken' ? what.change : {})) {
      const target = `${what.threadId} ${field}`
      if (word === 'ask') pending.set(target, value)
      else {
        pending.delete(target)
        allowed.set(target, new Set([value]))
      }
      // A cut-off change may or may not have been stored. If none was confirmed before, the thread may be unchanged.
      const cutOff = pending.get(target)
      if (cutOff !== undefined && word === 'ask') allowed.get(target)?.add(cutOff)
    }
  }
  const threads = new Map<string, Thread>()
  for (const { what } of said.filter(({ word }) => word === 'ask')) {
    if (threads.has(what.threadId)) continue
    threads.set(what.threadId, (await engine.call('thread.open', { inboxId, threadId: what.threadId })).thread)
  }
  for (const [target, values] of allowed) {
    const [threadId = '', field = ''] = target.split(' ')
    const thread = threads.get(threadId)
    const value = thread && new Map<string, unknown>(Object.entries(stateOfThread(thread))).get(field)
    // A thread sent entirely by the inbox is filed under `sent` when it is moved back.
    const isFiled = value === 'sent' && values.has('inbox')
    expect([target, [...values], value, isFiled || values.has(value)]).toEqual([target, [...values], value, true])
  }
  await expectMarksToBeListed(engine, inboxId, [...threads.values()])
}

describe('an engine killed at a random moment', () => {
  it(
    'starts clean each time, loses no confirmed change and sends none twice',
    async () => {
      const platform = await startTestPlatform({}, { generate: { threads: THREADS, seed: 11 } })
      const proxy = await startRecordingProxy(platform.baseUrl)
      const directory = temporaryDirectory()
      const args = [proxy.baseUrl, platform.apiKey, directory, platform.inboxId]

      const random = new Random(SEED)
      const said: Line[] = []
      for (let end = 0; end < ENDS; end += 1) {
        // The last run always makes changes, so that even a short test makes some.
        const some = end === ENDS - 1 ? MAX_CHANGES : random.below(MAX_CHANGES)
        const changes = end < FIRST_LIVES ? 0 : some
        said.push(...(await live(args, end, changes, random)))
        const { stored, counted } = readThreadCounts(join(directory, 'cache.sqlite'))
        expect(stored).toEqual(counted)
        if (changes === 0) continue
        await liveOffline(platform, directory)
        expect(await staleThreads(directory, platform.inboxId)).toEqual([])
      }
      expect(said.filter(({ word }) => word === 'open')).toHaveLength(ENDS)
      expect(said.filter(({ word }) => word === 'failed')).toEqual([])
      expect(fieldsOf(said, 'taken').length).toBeGreaterThanOrEqual(MAX_CHANGES)

      const engine = await openSettledEngine({ baseUrl: proxy.baseUrl, apiKey: platform.apiKey }, directory)
      await engine.call('sync.now', {})
      await engine.settled()
      expect(await engine.rollbackNotices()).toEqual([])
      await expectCacheEqualsPlatform(engine, platform)

      // Local search finds what the platform finds: the index is complete, wherever indexing was interrupted.
      const everything = searchFor(platform.inboxId, { folders: FOLDERS })
      const { items } = await engine.call('thread.list', { query: everything, offset: 0, limit: 1 })
      const [inSubject = ''] = (items[0]?.subject ?? '').split(/[^a-z]+/iu).filter((each) => each !== '')
      for (const filter of [
        { text: [word(inSubject)] },
        { text: [{ ...word(inSubject), isExcluded: true }] },
        { from: ['a'], since: { kind: 'instant', at: 0 } },
        { hasAttachment: false, read: true },
      ] as const) {
        const query = searchFor(platform.inboxId, { ...filter, folders: FOLDERS })
        const expected = await idsOnPlatform(platform, query)
        expect(expected.length).toBeGreaterThan(0)
        expect(await localIds(engine, query)).toEqual(expected)
      }
      const names = said
        .filter(({ word: kind }) => kind === 'name' || kind === 'named')
        .map(({ word: kind, what }) => ({ isKept: kind === 'named', name: what.name }))
      // The saved search has its last confirmed name, or a later one whose request was interrupted.
      const last = names.findLastIndex(({ isKept }) => isKept)
      const cutOff = names.slice(last).map(({ name }) => name)
      const saved = await engine.call('savedSearch.list', {})
      expect(saved).toHaveLength(1)
      expect(cutOff).toContain(saved[0]?.name)
      expect(await engine.call('problem.list', {})).toEqual([])

      await expectTakenToBeKept(engine, platform.inboxId, said)

      // Marks are never sent, and locally snoozed threads stay where they were on the platform.
      const fieldsSent = proxy.changes().flatMap(({ body }) => Object.keys(body ?? {}))
      expect(fieldsSent.filter((field) => field !== 'read' && field !== 'folder')).toEqual([])
      const snoozed = await localIds(engine, createMarkQuery(platform.inboxId, 'snoozed'))
      for (const id of snoozed) {
        const { folder } = await platform.ask<Thread>('GET', `/inboxes/${platform.inboxId}/threads/${id}`)
        expect([id, folder]).toEqual([id, expect.stringMatching(/^(?:inbox|sent)$/)])
      }

      // A change sent twice appears as the same value twice in a row.
      const lastSent = new Map<string, unknown>()
      const repeated = proxy
        .changes()
        .filter(({ status }) => status === 200)
        .flatMap(({ path, body }) =>
          Object.entries(body as Record<string, unknown>).flatMap(([field, value]) => {
            const target = `${path} ${field}`
            const isRepeated = lastSent.get(target) === value
            lastSent.set(target, value)
            return isRepeated ? [`${target} ${String(value)}`] : []
          }),
        )
      expect(repeated).toEqual([])
    },
    120_000 + ENDS * 12_000,
  )

  it('keeps confirmed changes to mail that the platform has dropped, without requests', async () => {
    const platform = await startTestPlatform({ retentionDays: 30 }, { generate: { threads: 60, seed: 12 } })
    const { inboxId } = platform
    const first = await openSettledEngine(platform)
    await platform.ask('POST', '/_control/clock', { advance_ms: 40 * 24 * 60 * 60 * 1000 })
    await eventually(
      async () => {
        await first.call('sync.now', {})
        return Promise.all(FOLDERS.map((folder) => listCached(first, inboxId, folder)))
      },
      (folders) => folders.every((threads) => threads.length === 0),
      60_000,
    )
    await first.close()
    const random = new Random(SEED)
    const said: Line[] = []
    for (let end = 0; end < ENDS_OF_KEPT; end += 1) {
      const args = [platform.baseUrl, platform.apiKey, first.directory, inboxId]
      said.push(...(await live(args, end, 1 + random.below(MAX_CHANGES), random)))
      const { stored, counted } = readThreadCounts(join(first.directory, 'cache.sqlite'))
      expect(stored).toEqual(counted)
      await liveOffline(platform, first.directory)
      expect(await staleThreads(first.directory, inboxId)).toEqual([])
    }
    expect(said.filter(({ word }) => word === 'failed')).toEqual([])
    const engine = await openSettledEngine(platform, first.directory)
    expect(await engine.rollbackNotices()).toEqual([])
    await expectTakenToBeKept(engine, inboxId, said)
    expect(platform.requests().filter((request) => request.startsWith('PATCH'))).toEqual([])
  })
})
