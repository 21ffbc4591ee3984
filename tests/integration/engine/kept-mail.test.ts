import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FOLDERS, type Thread } from '../../../src/shared/model.ts'
import {
  createFolderQuery,
  createLabelQuery,
  createLocalOnlyQuery,
  type ThreadQuery,
} from '../../../src/shared/thread-query.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'
import { eventually } from './support/eventually.ts'
import { answered, idsOf, searchFor, word } from './support/searches.ts'
import { openSettledEngine, type TestEngine } from './support/test-engine.ts'
import { startTestPlatform, type TestPlatform } from './support/test-platform.ts'

const DAY_MS = 24 * 60 * 60 * 1000

const openMailbox = async (subjects: readonly string[], data: string | null = null) => {
  const platform = await startTestPlatform({ retentionDays: 30 }, { data })
  const { inboxId } = platform
  const labelIds: string[] = []
  for (const name of ['Billing', 'Later']) {
    labelIds.push((await platform.ask<{ id: string }>('POST', `/inboxes/${inboxId}/labels`, { name })).id)
  }
  for (const subject of subjects) await platform.deliver({ subject, text: `About ${subject} and its lantern.` })
  const engine = await openSettledEngine(platform)
  return { platform, engine, inboxId, labelIds }
}

const everyFolder = async (engine: TestEngine, inboxId: string): Promise<readonly Thread[]> => {
  const pages = await Promise.all(
    FOLDERS.map((folder) =>
      engine.call('thread.list', { query: createFolderQuery(inboxId, folder), offset: 0, limit: 200 }),
    ),
  )
  return pages.flatMap(({ items }) => items)
}

const dropAll = async (platform: TestPlatform, engine: TestEngine): Promise<readonly Thread[]> => {
  await platform.ask('POST', '/_control/clock', { advance_ms: 31 * DAY_MS })
  return eventually(
    async () => {
      await engine.call('sync.now', {})
      return everyFolder(engine, platform.inboxId)
    },
    (threads) => threads.length > 0 && threads.every(({ onServer }) => !onServer),
  )
}

const subjectsOf = async (engine: TestEngine, query: ThreadQuery): Promise<readonly (string | null)[]> => {
  const { items } = await engine.call('thread.list', { query, offset: 0, limit: 100 })
  return items.map(({ subject }) => subject)
}

const read = async (engine: TestEngine, inboxId: string, threadId: string) =>
  (await engine.call('thread.open', { inboxId, threadId })).thread

const changesSent = (platform: TestPlatform): readonly string[] =>
  platform.requests().filter((request) => /^(?:PATCH|POST|DELETE) \/inboxes\/[^/]+\/threads/.test(request))

const named = (threads: readonly Thread[], subject: string): Thread => {
  const thread = threads.find((each) => each.subject === subject)
  if (thread === undefined) throw new Error(`${subject} is not listed`)
  return thread
}

describe('mail deleted on the platform', () => {
  it('stays listed and readable, and is organized locally without requests', async () => {
    const { platform, engine, inboxId, labelIds } = await openMailbox(['Tide', 'Fog', 'Rope'])
    const kept = await dropAll(platform, engine)
    expect(kept.map(({ subject }) => subject)).toEqual(['Rope', 'Fog', 'Tide'])
    const before = platform.requests().length
    const [tide, fog, rope] = ['Tide', 'Fog', 'Rope'].map((subject) => named(kept, subject))
    if (tide === undefined || fog === undefined || rope === undefined) throw new Error('three threads were listed')
    for (const { id } of kept) {
      const { emails } = await engine.call('thread.open', { inboxId, threadId: id })
      expect(emails.map(({ onServer, text }) => [onServer, text?.includes('lantern')])).toEqual([[false, true]])
    }
    const change = (threadId: string, wanted: Record<string, unknown>) =>
      engine.call('thread.change', { inboxId, threadIds: [threadId], change: wanted })
    await change(tide.id, { folder: 'archive', read: true })
    await change(fog.id, { addLabels: labelIds, read: true })
    await change(fog.id, { removeLabels: labelIds.slice(1) })
    await change(rope.id, { folder: 'trash' })
    await engine.settled()
    expect(
      platform
        .requests()
        .slice(before)
        .filter((request) => request.includes('/threads/')),
    ).toEqual([])
    expect(await engine.rollbackNotices()).toEqual([])
    expect(await subjectsOf(engine, createFolderQuery(inboxId, 'inbox'))).toEqual(['Fog'])
    expect(await subjectsOf(engine, createFolderQuery(inboxId, 'archive'))).toEqual(['Tide'])
    expect(await subjectsOf(engine, createFolderQuery(inboxId, 'trash'))).toEqual(['Rope'])
    expect(await subjectsOf(engine, createLabelQuery(inboxId, labelIds[0] ?? ''))).toEqual(['Fog'])

    await engine.close()
    const again = await openSettledEngine(platform, engine.directory)
    expect(await read(again, inboxId, tide.id)).toMatchObject({ folder: 'archive', read: true, onServer: false })
    const fogAgain = await read(again, inboxId, fog.id)
    expect([fogAgain.read, fogAgain.labels.map(({ name }) => name), fogAgain.onServer]).toEqual([
      true,
      ['Billing'],
      false,
    ])
    expect((await again.status()).pendingChanges).toBe(0)
  })

  it('is organized offline with undo, and in bulk as a large change', async () => {
    const subjects = Array.from({ length: 25 }, (_, at) => `Buoy ${at}`)
    const { platform, engine, inboxId } = await openMailbox(subjects)
    const kept = await dropAll(platform, engine)
    await platform.stop()
    await engine.problemOf('sync.now', {})
    const rest = () => eventually(engine.status, ({ pendingChanges }) => pendingChanges === 0)
    const first = kept[0]?.id ?? ''

    const { changeId } = await engine.call('thread.change', {
      inboxId,
      threadIds: [first],
      change: { folder: 'trash' },
    })
    await rest()
    const undone = await engine.call('change.undo', { changeId })
    await rest()
    expect(await read(engine, inboxId, first)).toMatchObject({ folder: 'inbox' })
    if (!undone.undone) throw new Error('there was nothing to undo')
    await engine.call('change.undo', { changeId: undone.changeId })
    await rest()
    expect(await read(engine, inboxId, first)).toMatchObject({ folder: 'trash' })

    const matching = { query: createFolderQuery(inboxId, 'inbox'), upTo: Date.now() + DAY_MS, except: [] }
    const all = await engine.call('thread.change', { inboxId, matching, change: { folder: 'archive', read: true } })
    expect(all.threads).toBe(24)
    await rest()
    expect((await subjectsOf(engine, createFolderQuery(inboxId, 'archive'))).length).toBe(24)
    await engine.call('change.undo', { changeId: all.changeId })
    await rest()
    await eventually(
      () => subjectsOf(engine, createFolderQuery(inboxId, 'inbox')),
      (inbox) => inbox.length === 24,
    )
    expect((await engine.status()).connection).toBe('offline')
    expect(await engine.rollbackNotices()).toEqual([])
  })

  it('keeps unsent changes from before its deletion, without notices', async () => {
    const { platform, engine, inboxId, labelIds } = await openMailbox(['Tide', 'Fog'])
    const kept = await everyFolder(engine, inboxId)
    const [tide, fog] = [named(kept, 'Tide').id, named(kept, 'Fog').id]
    await platform.fault({ kind: 'error_503', method: 'PATCH' }, { kind: 'error_503', method: 'POST' })
    await engine.call('thread.change', { inboxId, threadIds: [tide], change: { folder: 'archive', read: true } })
    await engine.call('thread.change', { inboxId, threadIds: [fog], change: { addLabels: labelIds } })
    // By now each change was sent at least once, with an unknown outcome.
    await eventually(
      () => Promise.resolve(changesSent(platform)),
      (sent) => sent.some((line) => line.startsWith('PATCH')) && sent.some((line) => line.startsWith('POST')),
    )
    await platform.ask('POST', '/_control/clock', { advance_ms: 31 * DAY_MS }).catch(() => undefined)
    await platform.fault()
    await platform.ask('POST', '/_control/clock', { advance_ms: 1 })
    await engine.settled()
    expect(await engine.rollbackNotices()).toEqual([])
    expect(await read(engine, inboxId, tide)).toMatchObject({ folder: 'archive', read: true })
    expect((await read(engine, inboxId, fog)).labels.map(({ name }) => name)).toEqual(['Billing', 'Later'])
    const dropped = await dropAll(platform, engine)
    expect(dropped.map(({ folder }) => folder).toSorted()).toEqual(['archive', 'inbox'])
  })

  it('keeps a label created for it, and loses one deleted on the platform', async () => {
    const { platform, engine, inboxId, labelIds } = await openMailbox(['Tide'])
    const [tide] = await dropAll(platform, engine)
    const threadIds = [tide?.id ?? '']
    const { labelId } = await engine.call('label.create', { inboxId, name: 'Harbour', color: '#E93D82' })
    await engine.call('thread.change', { inboxId, threadIds, change: { addLabels: [labelId, ...labelIds] } })
    await engine.settled()
    const { data } = await platform.ask<{ data: { id: string; name: string }[] }>('GET', `/inboxes/${inboxId}/labels`)
    const harbour = data.find(({ name }) => name === 'Harbour')?.id ?? ''
    expect(await subjectsOf(engine, createLabelQuery(inboxId, harbour))).toEqual(['Tide'])

    await platform.ask('DELETE', `/inboxes/${inboxId}/labels/${labelIds[0] ?? ''}`)
    await engine.call('sync.now', {})
    const left = await read(engine, inboxId, threadIds[0] ?? '')
    expect(left.labels.map(({ name }) => name).toSorted()).toEqual(['Harbour', 'Later'])

    const deleted = await engine.call('label.delete', { inboxId, labelId: harbour })
    await engine.settled()
    expect((await read(engine, inboxId, threadIds[0] ?? '')).labels.map(({ name }) => name)).toEqual(['Later'])
    await engine.call('change.undo', { changeId: deleted.changeId })
    await engine.settled()
    expect((await read(engine, inboxId, threadIds[0] ?? '')).labels.map(({ name }) => name)).toEqual([
      'Later',
      'Harbour',
    ])
  })

  it('is synced normally again if it returns', async () => {
    const directory = temporaryDirectory()
    const file = join(directory, 'platform.sqlite')
    const { platform, engine, inboxId } = await openMailbox(['Tide'], file)
    await platform.stop()
    const copy = join(directory, 'before.sqlite')
    copyFileSync(file, copy)
    const port = Number(new URL(platform.baseUrl).port)
    const sameKey = { apiKey: platform.apiKey, port }
    const dropping = await startTestPlatform({ retentionDays: 30 }, { ...sameKey, data: file })
    const [tide] = await dropAll(dropping, engine)
    const threadIds = [tide?.id ?? '']
    await engine.call('thread.change', { inboxId, threadIds, change: { folder: 'archive', read: true } })
    await engine.settled()
    await dropping.stop()

    const before = await startTestPlatform({}, { ...sameKey, data: copy })
    const back = await eventually(
      async () => {
        await engine.call('sync.now', {}).catch(() => undefined)
        return read(engine, inboxId, threadIds[0] ?? '')
      },
      ({ onServer }) => onServer,
    )
    expect(back).toMatchObject({ folder: 'inbox', read: false })
    await engine.call('thread.change', { inboxId, threadIds, change: { folder: 'spam' } })
    await engine.settled()
    expect(await before.ask('GET', `/inboxes/${inboxId}/threads/${threadIds[0] ?? ''}`)).toMatchObject({
      folder: 'spam',
    })
  })

  it('keeps old e-mails, marked, when new mail arrives', async () => {
    const { platform, engine, inboxId } = await openMailbox(['Tide'])
    const [tide] = await everyFolder(engine, inboxId)
    const threadId = tide?.id ?? ''
    await platform.ask('POST', '/_control/clock', { advance_ms: 20 * DAY_MS })
    const first = (await engine.call('thread.open', { inboxId, threadId })).emails[0]
    await platform.deliver({ subject: 'Re: Tide', text: 'It turns.', inReplyTo: first?.messageId ?? '' })
    await platform.ask('POST', '/_control/clock', { advance_ms: 11 * DAY_MS })
    const whole = await eventually(
      async () => {
        await engine.call('sync.now', {})
        return engine.call('thread.open', { inboxId, threadId })
      },
      ({ emails }) => emails.length === 2 && emails[0]?.onServer === false,
    )
    expect(whole.emails.map(({ onServer, text }) => [onServer, text?.trim()])).toEqual([
      [false, 'About Tide and its lantern.'],
      [true, 'It turns.'],
    ])
    expect(whole.thread.onServer).toBe(true)
  })

  it('differs from threads that only lost their oldest e-mails', async () => {
    const { platform, engine, inboxId } = await openMailbox(['Tide'])
    const [tide] = await everyFolder(engine, inboxId)
    const threadId = tide?.id ?? ''
    const inReplyTo = (await engine.call('thread.open', { inboxId, threadId })).emails[0]?.messageId ?? ''
    await platform.ask('POST', '/_control/clock', { advance_ms: 20 * DAY_MS })
    for (const text of ['It turns.', 'It turns again.']) {
      await platform.deliver({ subject: 'Re: Tide', text, inReplyTo })
    }
    await engine.call('sync.now', {})
    await engine.settled()
    await engine.call('thread.change', { inboxId, threadIds: [threadId], change: { read: true } })
    await engine.settled()
    await eventually(
      async () => (await engine.call('thread.open', { inboxId, threadId })).emails,
      (emails) => emails.length === 3 && emails.every(({ read: isRead }) => isRead),
    )
    await platform.ask('POST', '/_control/clock', { advance_ms: 11 * DAY_MS })
    await eventually(
      async () => {
        await engine.call('sync.now', {})
        await engine.settled()
        return engine.call('thread.open', { inboxId, threadId })
      },
      ({ emails }) => emails[0]?.onServer === false,
    )
    const { emails } = await engine.call('thread.open', { inboxId, threadId })
    expect(emails.map(({ onServer }) => onServer)).toEqual([false, true, true])
  })

  it('has its own list and count, and can be left out of other lists', async () => {
    const { platform, engine, inboxId, labelIds } = await openMailbox(['Tide', 'Fog', 'Rope'])
    const localOnly = createLocalOnlyQuery(inboxId)
    const inboxOf = async () => (await engine.call('inbox.list', {})).inboxes.find(({ id }) => id === inboxId)
    expect(await subjectsOf(engine, localOnly)).toEqual([])
    expect(await inboxOf()).not.toHaveProperty('localOnly')
    const [, , tide] = await dropAll(platform, engine)
    await platform.deliver({ subject: 'New' })
    await engine.call('sync.now', {})
    await engine.settled()
    expect(await subjectsOf(engine, localOnly)).toEqual(['Rope', 'Fog', 'Tide'])
    expect(await inboxOf()).toMatchObject({ localOnly: 3, unread: 4, unreadLocalOnly: 3 })
    const threadIds = [tide?.id ?? '']
    await engine.call('thread.change', {
      inboxId,
      threadIds,
      change: { folder: 'archive', read: true, addLabels: labelIds },
    })
    await engine.settled()
    expect(await inboxOf()).toMatchObject({ localOnly: 3, unread: 3, unreadLocalOnly: 2 })
    const there = async (query: ThreadQuery): Promise<readonly (string | null)[]> => {
      const { items, total } = await engine.call('thread.list', {
        query: { ...query, dropped: false },
        offset: 0,
        limit: 100,
      })
      expect(total).toBe(items.length)
      return items.map(({ subject }) => subject)
    }
    expect(await there(createFolderQuery(inboxId, 'inbox'))).toEqual(['New'])
    expect(await there(createFolderQuery(inboxId, 'archive'))).toEqual([])
    expect(await there(createLabelQuery(inboxId, labelIds[0] ?? ''))).toEqual([])
    expect(await subjectsOf(engine, createLabelQuery(inboxId, labelIds[0] ?? ''))).toEqual(['Tide'])

    const matching = { query: localOnly, upTo: Number.MAX_SAFE_INTEGER, except: [] }
    expect(await engine.call('thread.change', { inboxId, matching, change: { folder: 'trash' } })).toMatchObject({
      threads: 3,
      isWhole: true,
    })
    await engine.settled()
    expect(await subjectsOf(engine, localOnly)).toEqual([])
    expect(await inboxOf()).not.toHaveProperty('localOnly')
    expect(await subjectsOf(engine, createFolderQuery(inboxId, 'inbox'))).toEqual(['New'])
    expect(await subjectsOf(engine, createFolderQuery(inboxId, 'trash'))).toEqual(['Rope', 'Fog', 'Tide'])
  })

  it('is found by search, merged with platform results or alone', async () => {
    const { platform, engine, inboxId } = await openMailbox(['Tide', 'Fog', 'Rope'])
    const kept = await dropAll(platform, engine)
    await platform.deliver({ subject: 'New', text: 'Another lantern.' })
    await engine.call('sync.now', {})
    await engine.settled()
    const lantern = searchFor(inboxId, { text: [word('lantern')] })
    await answered(engine, lantern)
    expect(await idsOf(engine, lantern)).toHaveLength(4)
    expect(await subjectsOf(engine, lantern)).toEqual(['New', 'Rope', 'Fog', 'Tide'])
    // A manual search whose results lack these threads removes none of the rows.
    await engine.call('thread.searchAgain', { query: lantern })
    await answered(engine, lantern)
    expect(await subjectsOf(engine, lantern)).toEqual(['New', 'Rope', 'Fog', 'Tide'])

    const asked = platform.requests().length
    const localOnly = searchFor(inboxId, { text: [word('lantern')], dropped: true })
    const found = await engine.call('thread.list', { query: localOnly, offset: 0, limit: 10 })
    expect(found.items.map(({ id }) => id)).toEqual(kept.map(({ id }) => id))
    expect(found).toMatchObject({ hasMore: false, searched: { platform: { state: 'not asked' } } })
    const others = searchFor(inboxId, { text: [word('lantern')], dropped: false })
    await answered(engine, others)
    expect(await subjectsOf(engine, others)).toEqual(['New'])
    const searches = platform
      .requests()
      .slice(asked)
      .filter((request) => request.includes('/search'))
    expect(searches).toHaveLength(1)
  })
})
