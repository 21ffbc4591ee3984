import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FaultRule } from '../../packages/platform/src/http/fault-rule.ts'
import { FOLDERS, MOVE_TARGETS, type Thread } from '../../src/shared/model.ts'
import { createFolderQuery, isInScope, createLabelQuery } from '../../src/shared/thread-query.ts'
import {
  expectCacheEqualsPlatform,
  listAllCached,
  listCached,
} from '../integration/engine/support/compare-with-platform.ts'
import { eventually } from '../integration/engine/support/eventually.ts'
import {
  MIRRORED_PERSON,
  MIRRORED_SEARCHES,
  openWindowModel,
  type WindowModel,
} from '../integration/engine/support/window-model.ts'
import { idsOf, idsOnPlatform, searchFor } from '../integration/engine/support/searches.ts'
import { openSettledEngine, openTestEngine, type TestEngine } from '../integration/engine/support/test-engine.ts'
import {
  PlatformAnswerError,
  startTestPlatform,
  type TestPlatform,
} from '../integration/engine/support/test-platform.ts'
import { counts, runs } from './support/endurance.ts'

const RUNS = counts(12)

/** State shared by both sides of a run. A restart replaces the engine. */
interface World {
  readonly platform: TestPlatform
  readonly labelIds: readonly string[]
  engine: TestEngine
  /** A window of the engine, replaced by a restart. */
  mirror: WindowModel
  readonly changeIds: string[]
  /** How far the platform's clock is ahead, in milliseconds. */
  ahead: number
  /** Every thread ever listed here. */
  readonly seen: Set<string>
  /** Threads that the user deleted for good while only this computer had them. */
  readonly deleted: Set<string>
}

const HOUR_MS = 60 * 60 * 1000
const RETENTION_DAYS = 30
/** A run's mail is from the last sixteen hours, so this leaves some hours until the oldest of it is dropped. */
const AHEAD_MS = (RETENTION_DAYS * 24 - 17) * HOUR_MS

const passTime = async (world: World, milliseconds: number): Promise<void> => {
  world.ahead += milliseconds
  await world.platform.ask('POST', '/_control/clock', { advance_ms: milliseconds })
}

/** All local threads by ID. Adds them to `seen`. */
const everyThread = async ({ engine, platform, seen }: World): Promise<ReadonlyMap<string, Thread>> => {
  const threads = new Map<string, Thread>()
  for (const folder of FOLDERS) {
    for (const thread of await listAllCached(engine, platform.inboxId, folder)) threads.set(thread.id, thread)
  }
  for (const id of threads.keys()) seen.add(id)
  return threads
}

/** Visible state of threads that only this computer has. */
const keptStates = (threads: ReadonlyMap<string, Thread>) =>
  [...threads.values()].flatMap(({ id, folder, read, onServer }) => (onServer ? [] : [[id, { folder, read }] as const]))

type Action = (world: World) => Promise<unknown>

const pick = <Item>(items: readonly Item[], index: number): Item | undefined => items[index % Math.max(items.length, 1)]

const cachedThread = async ({ engine, platform }: World, index: number): Promise<string | undefined> => {
  const folder = pick(FOLDERS, index) ?? 'inbox'
  return pick(await listAllCached(engine, platform.inboxId, folder), index)?.id
}
const platformThread = async ({ platform }: World, index: number): Promise<string | undefined> => {
  const { data } = await platform.ask<{ data: { id: string }[] }>(
    'GET',
    `/inboxes/${platform.inboxId}/threads?folders=${FOLDERS.join(',')}&limit=100`,
  )
  return pick(data, index)?.id
}

const anyLabel = async ({ engine, platform }: World, at: number): Promise<string | undefined> =>
  pick(await engine.call('label.list', { inboxId: platform.inboxId }), at)?.id

const index = fc.nat(1000)
const threadChange = fc.oneof(
  fc.record({ read: fc.boolean() }),
  fc.record({ folder: fc.constantFrom(...MOVE_TARGETS) }),
  fc.record({ read: fc.boolean(), folder: fc.constantFrom(...MOVE_TARGETS) }),
)

const personChanges = fc.tuple(index, threadChange).map(([at, change]): Action => async (world) => {
  const threadId = await cachedThread(world, at)
  if (threadId === undefined) return
  const { changeId } = await world.engine.call('thread.change', {
    inboxId: world.platform.inboxId,
    threadIds: [threadId],
    change,
  })
  world.changeIds.push(changeId)
})
const personLabels = fc.tuple(index, index, fc.boolean()).map(([at, label, isAdded]): Action => async (world) => {
  const threadId = await cachedThread(world, at)
  const labelId = await anyLabel(world, label)
  if (threadId === undefined || labelId === undefined) return
  const change = isAdded ? { addLabels: [labelId] } : { removeLabels: [labelId] }
  await world.engine.call('thread.change', { inboxId: world.platform.inboxId, threadIds: [threadId], change })
})
/** Undoes the last change. The next undo then reverts this one. */
const personUndoes = fc.constant<Action>(async ({ engine, changeIds }) => {
  const changeId = changeIds.pop()
  if (changeId === undefined) return
  const undone = await engine.call('change.undo', { changeId })
  if (undone.undone) changeIds.push(undone.changeId)
})
/** Creates a label and puts it on a thread immediately, or renames or deletes the newest created one. */
const personMakesLabels = fc
  .tuple(index, fc.constantFrom('make', 'make', 'rename', 'delete'))
  .map(([at, what]): Action => async (world) => {
    const { engine, platform, changeIds } = world
    const { inboxId } = platform
    const own = (await engine.call('label.list', { inboxId })).filter(({ name }) => name.startsWith('Own'))
    const last = own.at(-1)
    const name = `Own ${own.length} ${at}`
    if (own.some((label) => label.name === name)) return
    if (what === 'make' || last === undefined) {
      const { labelId, changeId } = await engine.call('label.create', { inboxId, name, color: '#E93D82' })
      changeIds.push(changeId)
      const threadId = await cachedThread(world, at)
      if (threadId === undefined) return
      await engine.call('thread.change', { inboxId, threadIds: [threadId], change: { addLabels: [labelId] } })
    } else if (what === 'rename') {
      changeIds.push((await engine.call('label.update', { inboxId, labelId: last.id, name })).changeId)
    } else changeIds.push((await engine.call('label.delete', { inboxId, labelId: last.id })).changeId)
  })
/** Selects everything in a list and changes it: many threads at once, in parts, waiting for the result or not. */
const personSweeps = fc
  .record({
    at: index,
    what: fc.constantFrom('folder', 'folder', 'label', 'search'),
    change: fc.oneof(threadChange, fc.constantFrom('add', 'remove')),
    isWaitedFor: fc.boolean(),
    isLimited: fc.boolean(),
  })
  .map(({ at, what, change, isWaitedFor, isLimited }): Action => async (world) => {
    const { engine, platform, changeIds } = world
    const { inboxId } = platform
    const labelId = await anyLabel(world, at)
    const query =
      what === 'search'
        ? searchFor(inboxId, pick(MIRRORED_SEARCHES, at) ?? {})
        : what === 'label' && labelId !== undefined
          ? createLabelQuery(inboxId, labelId)
          : createFolderQuery(inboxId, pick(FOLDERS, at) ?? 'inbox')
    const { items } = await engine.call('thread.list', { query, offset: 0, limit: 30 })
    const ids = labelId === undefined ? [] : [labelId]
    const wanted = change === 'add' ? { addLabels: ids } : change === 'remove' ? { removeLabels: ids } : change
    if (typeof change === 'string' && ids.length === 0) return
    const matching = {
      query,
      upTo: isLimited ? (items[0]?.receivedAt ?? 0) - 1 : Date.now() + 1e12,
      except: items.slice(0, at % 3).map(({ id }) => id),
    }
    const swept = engine
      .call('thread.change', { inboxId, matching, change: wanted })
      .then(({ changeId }) => void changeIds.push(changeId))
    if (isWaitedFor) await swept
    // A restart may stop the bulk change, or its label may be gone.
    else swept.catch(() => undefined)
  })
const personCancels = index.map((at): Action => async ({ engine }) => {
  const changeId = pick(await engine.call('change.underWay', {}), at)?.changeId
  // The change may have finished.
  if (changeId !== undefined) await engine.call('change.cancel', { changeId }).catch(() => undefined)
})
/** Adds the person shown in the contact panel to the contacts, refreshes their data, or sets one of their topics. */
const personMeets = fc.constantFrom('add', 'look', 'choose').map((what): Action => async ({ engine, changeIds }) => {
  const address = MIRRORED_PERSON
  // An existing contact can't be added, and a fault may hit the refresh.
  if (what === 'look') await engine.call('person.refresh', { address }).catch(() => undefined)
  else if (what === 'add') {
    const added = engine.call('contact.add', { address, firstName: 'Ada', lastName: null })
    await added.then(({ changeId }) => changeIds.push(changeId)).catch(() => undefined)
  } else {
    const { contactId, topics } = await engine.call('person.get', { address })
    const topic = topics?.topics[0]
    if (topic === undefined) return
    const subscription = topic.subscription === 'opt_in' ? 'opt_out' : 'opt_in'
    changeIds.push((await engine.call('contact.setTopic', { contactId, topicId: topic.id, subscription })).changeId)
  }
})
const personLooks = fc.constant<Action>(({ engine }) => engine.call('sync.now', {}).catch(() => undefined))
const personRestarts = fc.constant<Action>(async (world) => {
  await world.engine.close()
  world.engine = await openTestEngine(world.platform, world.engine.directory)
  world.mirror = await openWindowModel(world.engine, world.platform.inboxId, world.labelIds)
})

/** Deletes threads that only this computer has, one by one or as a list. */
const personDeletesKept = fc.tuple(index, fc.boolean()).map(([at, isList]): Action => async (world) => {
  const { engine, platform, seen, deleted } = world
  const { inboxId } = platform
  const kept = [...(await everyThread(world)).values()].filter(({ onServer }) => !onServer)
  const thread = pick(kept, at)
  if (thread === undefined) return
  const query = createFolderQuery(inboxId, FOLDERS.find((folder) => folder === thread.folder) ?? 'inbox')
  const chosen = isList
    ? { inboxId, matching: { query, upTo: Date.now() + 1e12, except: [] } }
    : { inboxId, threadIds: [thread.id] }
  await engine.call('thread.deleteKept', chosen)
  const left = await everyThread(world)
  // Nothing else is deleted. A list may also include threads that the platform drops in the meantime.
  for (const { id } of isList ? kept : [thread]) if (!left.has(id)) deleted.add(id)
  for (const id of isList ? seen : []) if (!left.has(id)) deleted.add(id)
})

const personOpens = index.map((at): Action => async (world) => {
  const threadId = await cachedThread(world, at)
  // Threads that aren't cached yet can't be fetched during a fault.
  if (threadId !== undefined) await world.mirror.open(threadId).catch(() => undefined)
})

/** Faults also hit other clients, which then skip a turn. Any other rejected request means that the test is wrong. */
const unlessFaulty =
  (act: Action): Action =>
  async (world) => {
    try {
      await act(world)
    } catch (thrown) {
      const isFault =
        thrown instanceof PlatformAnswerError
          ? thrown.status >= 500
          : thrown instanceof TypeError || thrown instanceof SyntaxError
      if (!isFault) throw thrown
    }
  }

/** Once the platform drops mail, it may drop a thread between listing it and using it. */
const unlessDropped = async ({ ahead }: World, asked: Promise<unknown>): Promise<void> => {
  await asked.catch((thrown: unknown) => {
    if (ahead <= AHEAD_MS || !(thrown instanceof PlatformAnswerError) || thrown.status !== 404) throw thrown
  })
}

const othersChange = fc.tuple(index, threadChange).map(([at, change]): Action => async (world) => {
  const id = await platformThread(world, at)
  if (id === undefined) return
  await unlessDropped(world, world.platform.ask('PATCH', `/inboxes/${world.platform.inboxId}/threads/${id}`, change))
})
const othersLabel = fc.tuple(index, index).map(([at, label]): Action => async (world) => {
  const id = await platformThread(world, at)
  const labels = [pick(world.labelIds, label)]
  if (id === undefined) return
  const path = `/inboxes/${world.platform.inboxId}/threads/${id}/labels`
  await unlessDropped(world, world.platform.ask('PUT', path, { labels }))
})
/** Creates a label, or deletes one that was not there at the start, whoever created it. */
const othersMakeLabels = fc
  .tuple(index, fc.constantFrom('make', 'delete', 'rename'))
  .map(([at, what]): Action => async ({ platform, labelIds }) => {
    const path = `/inboxes/${platform.inboxId}/labels`
    const { data } = await platform.ask<{ data: { id: string; name: string }[] }>('GET', path)
    const label = pick(
      data.filter(({ id }) => !labelIds.includes(id)),
      at,
    )
    const name = `Theirs ${data.length} ${at}`
    if (data.some((each) => each.name === name)) return
    if (what === 'make' || label === undefined) await platform.ask('POST', path, { name })
    else if (what === 'rename') await platform.ask('PATCH', `${path}/${label.id}`, { name })
    else await platform.ask('DELETE', `${path}/${label.id}`)
  })
const mailArrives = index.map(
  (subject): Action =>
    ({ platform }) =>
      platform.deliver({ subject: `News ${subject % 9}` }),
)
const mailIsSent = index.map((at): Action => async (world) => {
  const { platform } = world
  const id = await platformThread(world, at)
  if (id === undefined) return
  const { data } = await platform.ask<{ data: { id: string }[] }>(
    'GET',
    `/inboxes/${platform.inboxId}/threads/${id}/emails`,
  )
  await platform.ask('POST', `/inboxes/${platform.inboxId}/threads/${id}/emails/${data[0]?.id ?? ''}/reply`, {
    text: 'Thank you.',
  })
})

/** Within a second, the platform drops mail older than its retention. */
const timePasses = fc.integer({ min: 1, max: 6 }).map(
  (hours): Action =>
    (world) =>
      passTime(world, hours * HOUR_MS),
)

const fault = fc
  .record({
    kind: fc.constantFrom('error_500', 'error_503', 'html', 'lost', 'truncated_json', 'malformed_json', 'delay'),
    method: fc.constantFrom('GET', 'PATCH', 'POST', 'DELETE'),
    times: fc.integer({ min: 1, max: 2 }),
    delay_ms: fc.constant(30),
    path: fc.constant('/inboxes'),
  })
  .map(
    (rule: FaultRule): Action =>
      ({ platform }) =>
        platform.fault(rule),
  )
/** Until `allIsWell`, nothing is confirmed and no remote changes arrive. The window still sees local changes. */
const isUnreachable = fc.constant<Action>(({ platform }) => platform.fault({ kind: 'error_503', path: '/' }))
const allIsWell = fc.constant<Action>(({ platform }) => platform.fault())

const action = fc.oneof(
  { weight: 6, arbitrary: personChanges },
  { weight: 3, arbitrary: personLabels },
  { weight: 3, arbitrary: personUndoes },
  { weight: 2, arbitrary: personMakesLabels },
  { weight: 3, arbitrary: personSweeps },
  { weight: 1, arbitrary: personCancels },
  { weight: 2, arbitrary: personMeets },
  { weight: 2, arbitrary: personLooks },
  { weight: 1, arbitrary: personRestarts },
  { weight: 2, arbitrary: personOpens },
  { weight: 2, arbitrary: personDeletesKept },
  { weight: 4, arbitrary: othersChange.map(unlessFaulty) },
  { weight: 2, arbitrary: othersLabel.map(unlessFaulty) },
  { weight: 1, arbitrary: othersMakeLabels.map(unlessFaulty) },
  { weight: 2, arbitrary: mailArrives },
  { weight: 2, arbitrary: timePasses },
  { weight: 1, arbitrary: mailIsSent.map(unlessFaulty) },
  { weight: 2, arbitrary: fault },
  { weight: 3, arbitrary: isUnreachable },
  { weight: 2, arbitrary: allIsWell },
)

const expectOldToBeDropped = async ({ platform, ahead }: World): Promise<void> => {
  await eventually(
    () =>
      platform.ask<{ data: { received_at: string }[] }>(
        'GET',
        `/inboxes/${platform.inboxId}/threads?folders=${FOLDERS.join(',')}&limit=100`,
      ),
    ({ data }) => {
      const oldest = Date.now() + ahead - RETENTION_DAYS * 24 * HOUR_MS
      return data.every((thread) => Date.parse(thread.received_at) >= oldest)
    },
  )
}

/** Compares both sides, with retries: they learn of dropped mail one after the other. */
const expectEqualOnceSettled = async ({ engine, platform }: World): Promise<void> => {
  for (let tries = 3; ; tries -= 1) {
    await engine.call('sync.now', {})
    await engine.settled()
    await engine.call('sync.now', {})
    try {
      await expectCacheEqualsPlatform(engine, platform)
      return
    } catch (thrown) {
      if (tries === 1) throw thrown
    }
  }
}

/** Threads that only this computer has can be changed, alone and in bulk, and undone, also across a restart. */
const expectKeptToBeSorted = async (world: World, threads: ReadonlyMap<string, Thread>): Promise<void> => {
  const { platform } = world
  const before = keptStates(threads)
  if (before.length === 0) return
  const isQuiet = () => eventually(world.engine.status, ({ pendingChanges }) => pendingChanges === 0)
  const change = { folder: 'archive', read: true } as const
  const asked = platform.requests().length
  const { changeId } = await world.engine.call('thread.change', {
    inboxId: platform.inboxId,
    threadIds: before.map(([id]) => id),
    change,
  })
  await isQuiet()
  await world.engine.close()
  world.engine = await openTestEngine(platform, world.engine.directory)
  expect(keptStates(await everyThread(world)).toSorted()).toEqual(before.map(([id]) => [id, change]).toSorted())
  await world.engine.call('change.undo', { changeId })
  await isQuiet()
  expect(keptStates(await everyThread(world)).toSorted()).toEqual(before.toSorted())
  const sent = platform
    .requests()
    .slice(asked)
    .filter((request) => request.startsWith('PATCH'))
  expect(sent).toEqual([])
  await world.engine.settled()
  world.mirror = await openWindowModel(world.engine, platform.inboxId, world.labelIds)
}

describe('random changes on both sides, with faults', () => {
  it('leave the cache equal to the platform, its searches and the window', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 10, maxLength: 40 }), async (actions) => {
        const platform = await startTestPlatform(
          { retentionDays: RETENTION_DAYS },
          { generate: { threads: 40, seed: 4 } },
        )
        const labelIds: string[] = []
        for (const name of ['One', 'Two', 'Three']) {
          labelIds.push(
            (await platform.ask<{ id: string }>('POST', `/inboxes/${platform.inboxId}/labels`, { name })).id,
          )
        }
        await platform.ask('POST', '/topics', { name: 'Tide tables', default_subscription: 'opt_out' })
        const engine = await openSettledEngine(platform)
        const mirror = await openWindowModel(engine, platform.inboxId, labelIds)
        const world: World = {
          platform,
          labelIds,
          engine,
          mirror,
          changeIds: [],
          ahead: 0,
          seen: new Set(),
          deleted: new Set(),
        }
        await passTime(world, AHEAD_MS)
        for (const act of actions) {
          await act(world)
          await world.mirror.rest()
          await everyThread(world)
        }
        await platform.fault()
        await expectOldToBeDropped(world)
        await expectEqualOnceSettled(world)
        const threads = await everyThread(world)
        // No thread is lost because the platform dropped it, and none causes an error.
        expect([...world.seen].filter((id) => !threads.has(id) && !world.deleted.has(id))).toEqual([])
        expect([...world.deleted].filter((id) => threads.has(id))).toEqual([])
        for (const [threadId] of keptStates(threads)) {
          const { thread } = await world.engine.call('thread.open', { inboxId: platform.inboxId, threadId })
          expect(thread.id).toBe(threadId)
        }
        for (const { message } of await world.engine.rollbackNotices())
          expect(message).not.toContain('or on this computer')
        await expectKeptToBeSorted(world, threads)
        const listed = await platform.ask<{ data: { id: string; name: string; color: string }[] }>(
          'GET',
          `/inboxes/${platform.inboxId}/labels`,
        )
        expect(await world.engine.call('label.list', { inboxId: platform.inboxId })).toEqual(
          listed.data.map(({ id, name, color }) => ({ id, name, color })),
        )
        await world.mirror.rest()
        for (const filter of MIRRORED_SEARCHES) {
          const query = searchFor(platform.inboxId, filter)
          const found = await idsOf(world.engine, query)
          const here = found.filter((id) => threads.get(id)?.onServer === true)
          const there = filter.dropped === true ? [] : await idsOnPlatform(platform, query)
          expect([filter, here]).toEqual([filter, there])
          // Local-only threads are found as well, in the same order.
          const wanted = [...threads.values()].filter(
            (thread) =>
              !thread.onServer &&
              isInScope(query, { ...thread, labelIds: thread.labels.map(({ id }) => id) }) &&
              query.text.every(({ text }) => thread.subject?.toLowerCase().split(/\W+/u).includes(text) === true),
          )
          expect([filter, wanted.map(({ id }) => id).filter((id) => !found.includes(id))]).toEqual([filter, []])
          const times = found.map((id) => threads.get(id)?.receivedAt ?? 0)
          expect(times).toEqual(times.toSorted((one, other) => other - one))
        }
        for (const { id, emailCount } of await listCached(world.engine, platform.inboxId, 'inbox')) {
          const { emails } = await world.engine.call('thread.open', { inboxId: platform.inboxId, threadId: id })
          expect([id, emails.filter(({ onServer }) => onServer).length]).toEqual([id, emailCount])
        }
        await eventually(
          () => world.engine.call('change.underWay', {}),
          (underWay) => underWay.length === 0,
        )
        await world.mirror.rest()
        expect(await world.engine.status()).toMatchObject({ connection: 'online', problem: null, pendingChanges: 0 })
        await world.engine.close()
        await platform.stop()
      }),
      { ...runs(RUNS), endOnFailure: true },
    )
  })
})
