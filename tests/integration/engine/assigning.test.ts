import { describe, expect, it } from 'vitest'
import { parseAddress } from '../../../src/shared/address.ts'
import { assigneeOf, buildAssignmentChange, findAssignee, extractPersonName } from '../../../src/shared/assignees.ts'
import { parseSearch } from '../../../src/shared/search/parse-search.ts'
import { createFolderQuery, type ThreadQuery } from '../../../src/shared/thread-query.ts'
import { expectCacheEqualsPlatform, listCached } from './support/compare-with-platform.ts'
import { eventually } from './support/eventually.ts'
import { sendMessage } from './support/send-message.ts'
import { openSynced } from './support/synced-account.ts'
import { openSettledEngine, openTestEngine, type TestEngine } from './support/test-engine.ts'
import type { TestPlatform } from './support/test-platform.ts'

const COLOR = '#00A2C7'

const openMailbox = async () => {
  const { platform, engine } = await openSynced({ generate: { threads: 40, seed: 7 } })
  const { inboxId } = platform
  const items = await listCached(engine, inboxId, 'inbox')
  const threadIds = items.map(({ id }) => id)
  expect(threadIds.length).toBeGreaterThan(5)
  return { platform, engine, inboxId, threadIds }
}

/** Assigns as the window does: creates a missing label and removes the other assignees' labels. */
const assign = async (
  engine: TestEngine,
  inboxId: string,
  threadIds: readonly string[],
  name: string | null,
): Promise<string> => {
  const labels = await engine.call('label.list', { inboxId })
  const known = name === null ? undefined : findAssignee(name, labels)
  const labelId =
    name === null
      ? null
      : (known?.labels[0].id ??
        (await engine.call('label.create', { inboxId, name: `@${name}`, color: COLOR })).labelId)
  const { addLabels, removeLabels } = buildAssignmentChange(labels, labelId)
  const change = { addLabels: [...addLabels], removeLabels: [...removeLabels] }
  return (await engine.call('thread.change', { inboxId, threadIds: [...threadIds], change })).changeId
}

const whoHas = async (engine: TestEngine, inboxId: string, threadId = ''): Promise<string | null> =>
  assigneeOf((await engine.call('thread.open', { inboxId, threadId })).thread.labels)?.name ?? null

const read = async (engine: TestEngine, inboxId: string, text: string): Promise<ThreadQuery> => {
  const [labels, { me }] = await Promise.all([
    engine.call('label.list', { inboxId }),
    engine.call('assignee.list', { inboxId }),
  ])
  const { filter, faults } = parseSearch(text, { labels, me, now: Date.now(), timeZone: 'UTC' })
  expect(faults).toEqual([])
  return { ...filter, inboxIds: [inboxId] }
}
const found = async (
  engine: TestEngine,
  inboxId: string,
  text: string,
  localOnly = false,
): Promise<readonly string[]> =>
  (
    await engine.call('thread.list', { query: await read(engine, inboxId, text), offset: 0, limit: 200, localOnly })
  ).items.map(({ id }) => id)

const hold = async (platform: TestPlatform): Promise<void> =>
  platform.fault(...['POST', 'PATCH', 'DELETE', 'PUT'].map((method) => `error_503 ${method} /inboxes`))

describe('the assignee of a thread', () => {
  it('is a single person, offline and after a restart, with one undo', async () => {
    const { platform, engine, inboxId, threadIds } = await openMailbox()
    const [first = '', second = ''] = threadIds
    await assign(engine, inboxId, [first, second], 'mara')
    await engine.settled()
    await hold(platform)
    const changeId = await assign(engine, inboxId, [first], 'Theo Lind')
    expect(await whoHas(engine, inboxId, first)).toBe('Theo Lind')
    await engine.close()
    const again = await openTestEngine(platform, engine.directory)
    expect(await whoHas(again, inboxId, first)).toBe('Theo Lind')
    expect(await whoHas(again, inboxId, second)).toBe('mara')
    await platform.fault()
    await again.settled()
    const there = await platform.ask<{ labels: { name: string }[] }>('GET', `/inboxes/${inboxId}/threads/${first}`)
    expect(there.labels.map(({ name }) => name).filter((name) => name.startsWith('@'))).toEqual(['@Theo Lind'])
    expect(await again.call('change.undo', { changeId })).toMatchObject({ undone: true })
    expect(await whoHas(again, inboxId, first)).toBe('mara')
    await again.settled()
    await expectCacheEqualsPlatform(again, platform)
  })

  it('is the same on two computers that assign concurrently', async () => {
    const { platform, engine, inboxId, threadIds } = await openMailbox()
    const other = await openSettledEngine(platform)
    const [contested = '', plain = ''] = threadIds
    // Neither engine knows of the other's change or label.
    await hold(platform)
    await assign(engine, inboxId, [contested, plain], 'theo')
    await assign(other, inboxId, [contested], 'mara')
    await assign(other, inboxId, [plain], 'theo')
    expect([await whoHas(engine, inboxId, contested), await whoHas(other, inboxId, contested)]).toEqual([
      'theo',
      'mara',
    ])
    await platform.fault()
    const both = [engine, other]
    for (const each of both) await each.settled()
    for (const each of both) await each.call('sync.now', {})
    for (const each of both) {
      await eventually(
        () => whoHas(each, inboxId, contested),
        (name) => name === 'mara',
      )
      expect(await whoHas(each, inboxId, plain)).toBe('theo')
    }
    // Nothing repairs this automatically, but the next assignment leaves a single assignee.
    const writes = platform.requests().filter((request) => /^(?:POST|DELETE|PUT) \S+\/threads\//.test(request)).length
    for (const each of both) await each.call('sync.now', {})
    for (const each of both) await each.settled()
    expect(platform.requests().filter((request) => /^(?:POST|DELETE|PUT) \S+\/threads\//.test(request))).toHaveLength(
      writes,
    )
    await assign(other, inboxId, [contested], 'theo')
    await other.settled()
    await engine.call('sync.now', {})
    for (const each of both) {
      await eventually(
        () => whoHas(each, inboxId, contested),
        (name) => name === 'theo',
      )
    }
    const there = await platform.ask<{ labels: { name: string }[] }>('GET', `/inboxes/${inboxId}/threads/${contested}`)
    expect(there.labels.map(({ name }) => name).filter((name) => name.startsWith('@'))).toEqual(['@theo'])
    const labels = await platform.ask<{ data: { name: string }[] }>('GET', `/inboxes/${inboxId}/labels`)
    expect(
      labels.data
        .filter(({ name }) => name.startsWith('@'))
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(['@mara', '@theo'])
  })

  it('is found by assigned:, online and offline', async () => {
    const { platform, engine, inboxId, threadIds } = await openMailbox()
    const mara = threadIds.slice(0, 3)
    const theo = threadIds.slice(2, 6)
    await engine.call('assignee.setMe', { name: 'Theo' })
    const billing = (await engine.call('label.create', { inboxId, name: 'Accounts', color: COLOR })).labelId
    await engine.call('thread.change', {
      inboxId,
      threadIds: [...threadIds.slice(3, 9)],
      change: { addLabels: [billing] },
    })
    await assign(engine, inboxId, mara, 'mara')
    await assign(engine, inboxId, theo, 'theo')
    await engine.settled()
    const held = { mara: mara.filter((id) => !theo.includes(id)), theo, billed: threadIds.slice(3, 9) }
    const both = [...held.mara, ...held.theo]
    const EXPECTED: readonly (readonly [string, readonly string[]])[] = [
      ['in:inbox assigned:mara', held.mara],
      ['assigned:MARA', held.mara],
      ['in:inbox assigned:me', held.theo],
      ['in:inbox assigned:(mara, me)', both],
      ['in:inbox -assigned:nobody', both],
      ['in:inbox assigned:nobody', threadIds.filter((id) => !both.includes(id))],
      ['in:inbox -assigned:mara', threadIds.filter((id) => !held.mara.includes(id))],
      ['label:Accounts assigned:me', held.theo.filter((id) => held.billed.includes(id))],
      ['in:inbox label:Accounts assigned:nobody', held.billed.filter((id) => !both.includes(id))],
      ['assigned:me assigned:mara', []],
    ]
    for (const localOnly of [true, false]) {
      for (const [text, ids] of EXPECTED) {
        const listed = await eventually(
          async () => [...(await found(engine, inboxId, text, localOnly))].toSorted(),
          (now) => now.join() === [...ids].toSorted().join(),
        )
        expect([text, listed]).toEqual([text, [...ids].toSorted()])
      }
    }
    // Platform results, which ignore assignees, must not add or remove rows.
    await eventually(
      async () =>
        (
          await engine.call('thread.list', {
            ...{ query: await read(engine, inboxId, 'in:inbox assigned:nobody'), offset: 0, limit: 200 },
          })
        ).searched?.platform.state,
      (state) => state === 'answered',
    )
    expect([...(await found(engine, inboxId, 'in:inbox assigned:nobody'))].toSorted()).toEqual(
      threadIds.filter((id) => !both.includes(id)).toSorted(),
    )
    await hold(platform)
    // An open search updates: an assigned thread leaves `assigned:nobody` at once.
    await assign(engine, inboxId, threadIds.slice(-1), 'mara')
    expect(await found(engine, inboxId, 'in:inbox assigned:nobody')).not.toContain(threadIds.at(-1))
    expect(await found(engine, inboxId, 'in:inbox assigned:mara')).toContain(threadIds.at(-1))
  })

  it('is changed for all search results in one step', async () => {
    const { platform, engine, inboxId, threadIds } = await openMailbox()
    await assign(engine, inboxId, threadIds.slice(0, 2), 'mara')
    await assign(engine, inboxId, threadIds.slice(2, 3), 'theo')
    const labels = await engine.call('label.list', { inboxId })
    const { addLabels, removeLabels } = buildAssignmentChange(
      labels,
      findAssignee('theo', labels)?.labels[0].id ?? null,
    )
    const receipt = await engine.call('thread.change', {
      inboxId,
      matching: { query: createFolderQuery(inboxId, 'inbox'), upTo: Number.MAX_SAFE_INTEGER, except: [] },
      change: { addLabels: [...addLabels], removeLabels: [...removeLabels] },
    })
    expect(receipt.threads).toBe(threadIds.length - 1)
    for (const id of threadIds) expect(await whoHas(engine, inboxId, id)).toBe('theo')
    await engine.call('change.undo', { changeId: receipt.changeId })
    expect(await whoHas(engine, inboxId, threadIds[0])).toBe('mara')
    expect(await whoHas(engine, inboxId, threadIds[2])).toBe('theo')
    expect(await whoHas(engine, inboxId, threadIds[3])).toBeNull()
    await engine.settled()
    await expectCacheEqualsPlatform(engine, platform)
  })
})

it('counts the unread threads of the user and of nobody', async () => {
  const { engine, inboxId, threadIds } = await openMailbox()
  const unread = () => engine.call('assignee.unread', { inboxId })
  expect(await unread()).toEqual({ mine: null, nobodys: null })
  await engine.call('thread.change', { inboxId, threadIds: [...threadIds], change: { read: true } })
  await engine.call('thread.change', { inboxId, threadIds: threadIds.slice(0, 5), change: { read: false } })
  await assign(engine, inboxId, threadIds.slice(0, 2), 'mara')
  const whenCounted = (mine: number | null, nobodys: number) =>
    eventually(unread, (now) => now.mine === mine && now.nobodys === nobodys)
  await whenCounted(null, 3)
  await engine.call('assignee.setMe', { name: 'Mara' })
  await whenCounted(2, 3)
  await assign(engine, inboxId, threadIds.slice(2, 3), 'mara')
  await whenCounted(3, 2)
})

describe('the user’s own name', () => {
  it('is stored with the account across restarts, and windows are notified', async () => {
    const { platform, engine, inboxId } = await openMailbox()
    expect((await engine.call('assignee.list', { inboxId })).me).toEqual([])
    await engine.call('assignee.setMe', { name: ' @Mara   Lind ' })
    expect((await engine.call('assignee.list', { inboxId })).me).toEqual(['Mara Lind'])
    await eventually(
      () => Promise.resolve(engine.events('assignees.changed')),
      (told) => told.length === 1,
    )
    expect(await engine.problemOf('assignee.setMe', { name: '…' })).toMatchObject({ code: 'invalid_input' })
    await engine.close()
    const again = await openTestEngine(platform, engine.directory)
    expect((await again.call('assignee.list', { inboxId })).me).toEqual(['Mara Lind'])
    await again.call('assignee.setMe', { name: null })
    expect((await again.call('assignee.list', { inboxId })).me).toEqual([])
  })

  it('is suggested from the only person who writes, and an inbox’s own name is no colleague', async () => {
    const { engine, platform } = await openSynced({ dataset: 'demo' })
    const { inboxId } = platform
    // Sent in the name of the inbox.
    await sendMessage(engine, platform, 'ann@example.com')
    const { inboxes } = await engine.call('inbox.list', {})
    const [inbox] = inboxes
    const senderNames = async (): Promise<readonly string[]> => {
      const items = await listCached(engine, inboxId, 'sent')
      const senders = new Set<string>()
      for (const { id } of items) {
        const { emails } = await engine.call('thread.open', { inboxId, threadId: id })
        for (const { direction, from } of emails) if (direction === 'outbound') senders.add(from)
      }
      return [...senders].flatMap((from) => parseAddress(from).name ?? []).map(extractPersonName)
    }
    const names = await eventually(senderNames, (all) => all.includes(inbox?.fromName ?? ''))
    const { writers, suggested } = await engine.call('assignee.list', { inboxId })
    const people = [...new Set(names)].filter((name) => name !== inbox?.fromName && name !== inbox?.name)
    expect(writers.toSorted()).toEqual(people.toSorted())
    expect(suggested).toBe(people.length === 1 ? people[0] : people.length > 1 ? null : inbox?.fromName)
  })
})
