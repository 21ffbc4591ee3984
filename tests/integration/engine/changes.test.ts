import { describe, expect, it } from 'vitest'
import type { Thread } from '../../../src/shared/model.ts'
import { expectCacheEqualsPlatform, listCached } from './support/compare-with-platform.ts'
import { eventually } from './support/eventually.ts'
import { startRecordingProxy } from './support/recording-proxy.ts'
import { startInterceptingProxy } from './support/intercepting-proxy.ts'
import { openSynced } from './support/synced-account.ts'
import { openSettledEngine, openTestEngine, type TestEngine } from './support/test-engine.ts'
import { startTestPlatform, type TestPlatform } from './support/test-platform.ts'
import { createFolderQuery, createLabelQuery } from '../../../src/shared/thread-query.ts'

const openMailbox = async (threads = 5) => {
  const { platform, engine } = await openSynced({ generate: { threads, seed: 7 } })
  const inbox = createFolderQuery(platform.inboxId, 'inbox')
  const { items } = await engine.call('thread.list', { query: inbox, offset: 0, limit: 50 })
  const [first, second] = items
  if (first === undefined || second === undefined) throw new Error('the mailbox has too few threads in its inbox')
  return { platform, engine, inboxId: platform.inboxId, first, second }
}

const find = async (engine: TestEngine, inboxId: string, { id }: Pick<Thread, 'id'>): Promise<Thread> =>
  (await engine.call('thread.open', { inboxId, threadId: id })).thread

const changesSent = (platform: TestPlatform): readonly string[] =>
  platform.requests().filter((request) => /^(?:PATCH|POST|DELETE) \/inboxes/.test(request))

describe('a change of a thread', () => {
  it('shows at once and reaches the platform soon after', async () => {
    const { platform, engine, inboxId, first } = await openMailbox(40)
    await engine.call('thread.change', {
      inboxId,
      threadIds: [first.id],
      change: { folder: 'archive', read: !first.read },
    })
    expect(await find(engine, inboxId, first)).toMatchObject({ folder: 'archive', read: !first.read })
    await engine.settled()
    expect(changesSent(platform)).toEqual([`PATCH /inboxes/${inboxId}/threads/${first.id} 200`])
    await expectCacheEqualsPlatform(engine, platform)
  })

  it('is undone: dropped if unsent, reversed if sent', async () => {
    const { platform, engine, inboxId, first } = await openMailbox(40)
    const sent = await engine.call('thread.change', { inboxId, threadIds: [first.id], change: { folder: 'trash' } })
    await engine.settled()
    await engine.call('change.undo', { changeId: sent.changeId })
    expect(await find(engine, inboxId, first)).toMatchObject({ folder: 'inbox' })
    await engine.settled()
    expect(changesSent(platform)).toHaveLength(2)

    await platform.stop()
    expect(await engine.problemOf('sync.now', {})).toMatchObject({ code: 'unreachable' })
    const unsent = await engine.call('thread.change', { inboxId, threadIds: [first.id], change: { folder: 'spam' } })
    expect((await engine.status()).pendingChanges).toBe(1)
    await engine.call('change.undo', { changeId: unsent.changeId })
    expect(await eventually(engine.status, ({ pendingChanges }) => pendingChanges === 0)).toMatchObject({
      connection: 'offline',
    })
    expect(await engine.problemOf('change.undo', { changeId: 'unknown' })).toMatchObject({ code: 'not_found' })
  })

  it('can be undone and redone repeatedly, online and offline', async () => {
    const { platform, engine, inboxId, first } = await openMailbox(40)
    const undo = async (changeId: string): Promise<string> => {
      const undone = await engine.call('change.undo', { changeId })
      if (!undone.undone) throw new Error('there was nothing to undo')
      return undone.changeId
    }
    const change = { folder: 'archive', read: !first.read } as const
    const made = await engine.call('thread.change', { inboxId, threadIds: [first.id], change })
    await engine.settled()
    const undone = await undo(made.changeId)
    expect(await find(engine, inboxId, first)).toMatchObject({ folder: 'inbox', read: first.read })
    await engine.settled()
    await platform.fault({ kind: 'error_503' })
    const redone = await undo(undone)
    expect(await find(engine, inboxId, first)).toMatchObject(change)
    const undoneAgain = await undo(redone)
    expect(await find(engine, inboxId, first)).toMatchObject({ folder: 'inbox', read: first.read })
    await undo(undoneAgain)
    await platform.fault()
    await engine.settled()
    expect(await find(engine, inboxId, first)).toMatchObject(change)
    await expectCacheEqualsPlatform(engine, platform)
  })

  it('keeps later changes when it is undone', async () => {
    const { engine, inboxId, first } = await openMailbox(40)
    const archived = await engine.call('thread.change', {
      inboxId,
      threadIds: [first.id],
      change: { folder: 'archive' },
    })
    await engine.call('thread.change', { inboxId, threadIds: [first.id], change: { folder: 'trash' } })
    expect(await engine.call('change.undo', { changeId: archived.changeId })).toEqual({ undone: false })
    expect(await find(engine, inboxId, first)).toMatchObject({ folder: 'trash' })
  })

  it('survives a restart offline, and is sent when the platform returns', async () => {
    const platform = await startTestPlatform({}, { generate: { threads: 40, seed: 7 }, data: null })
    const engine = await openSettledEngine(platform)
    const { inboxId } = platform
    const items = await listCached(engine, inboxId, 'inbox')
    const thread = items[0]
    await platform.fault({ kind: 'lost', method: 'PATCH' }, { kind: 'error_503' })
    await engine.call('thread.change', { inboxId, threadIds: [thread?.id ?? ''], change: { folder: 'archive' } })
    await engine.close()

    const again = await openTestEngine(platform, engine.directory)
    expect(await find(again, inboxId, { id: thread?.id ?? '' })).toMatchObject({ folder: 'archive' })
    await platform.fault()
    await again.settled()
    await expectCacheEqualsPlatform(again, platform)
  })

  it('isn’t sent twice if its response is lost', async () => {
    const { platform, engine, inboxId, first } = await openMailbox(40)
    await platform.fault({ kind: 'lost', method: 'PATCH', times: 1 })
    await engine.call('thread.change', { inboxId, threadIds: [first.id], change: { folder: 'archive' } })
    await engine.settled()
    expect(changesSent(platform)).toHaveLength(1)
    expect(await find(engine, inboxId, first)).toMatchObject({ folder: 'archive' })
  })

  it('is applied locally without a notice if the thread is gone', async () => {
    const { platform, engine, inboxId, first } = await openMailbox(40)
    await platform.ask('DELETE', `/inboxes/${inboxId}/threads/${first.id}`)
    await platform.ask('POST', '/_control/clock', { advance_ms: 31 * 24 * 60 * 60 * 1000 })
    await eventually(
      () =>
        platform.ask('GET', `/inboxes/${inboxId}/threads/${first.id}`).then(
          () => 'there',
          () => 'gone',
        ),
      (state) => state === 'gone',
    )
    await engine.call('thread.change', { inboxId, threadIds: [first.id], change: { folder: 'archive', read: true } })
    await eventually(engine.status, ({ pendingChanges }) => pendingChanges === 0)
    expect(await engine.rollbackNotices()).toEqual([])
    expect(await find(engine, inboxId, first)).toMatchObject({ folder: 'archive', read: true, onServer: false })
  })

  it('adds and removes labels with one call each, in the thread’s order', async () => {
    const { platform, engine, inboxId, first } = await openMailbox(40)
    const ids: string[] = []
    for (const name of ['One', 'Two', 'Three']) {
      ids.push((await platform.ask<{ id: string }>('POST', `/inboxes/${inboxId}/labels`, { name })).id)
    }
    await engine.call('sync.now', {})
    await engine.call('thread.change', { inboxId, threadIds: [first.id], change: { addLabels: ids } })
    const names = (await find(engine, inboxId, first)).labels.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['One', 'Two', 'Three']))
    await engine.settled()
    await engine.call('thread.change', { inboxId, threadIds: [first.id], change: { removeLabels: ids.slice(0, 2) } })
    await engine.settled()
    const list = await engine.call('thread.list', {
      query: createLabelQuery(inboxId, ids[2] ?? ''),
      offset: 0,
      limit: 10,
    })
    expect(list.items.map(({ id }) => id)).toEqual([first.id])
    await expectCacheEqualsPlatform(engine, platform)
  })

  it('succeeds if the label to remove is already gone', async () => {
    const platform = await startTestPlatform({ missingLabel: 'not_found' }, { generate: { threads: 40, seed: 7 } })
    const engine = await openSettledEngine(platform)
    const { inboxId } = platform
    const { id } = await platform.ask<{ id: string }>('POST', `/inboxes/${inboxId}/labels`, { name: 'One' })
    const items = await listCached(engine, inboxId, 'inbox')
    const threadId = items[0]?.id ?? ''
    await platform.ask('POST', `/inboxes/${inboxId}/threads/${threadId}/labels`, { labels: [id] })
    await engine.call('sync.now', {})
    await platform.ask('DELETE', `/inboxes/${inboxId}/threads/${threadId}/labels/${id}`)
    await engine.call('thread.change', { inboxId, threadIds: [threadId], change: { removeLabels: [id] } })
    await engine.settled()
    expect(await engine.rollbackNotices()).toEqual([])
    await expectCacheEqualsPlatform(engine, platform)
  })
})

describe('the events for windows', () => {
  it('name every affected list, even if the platform files a thread elsewhere', async () => {
    const { platform, engine, inboxId } = await openMailbox(40)
    const draft = { to: ['bob@example.org'], subject: 'Sent alone', text: 'Hello' }
    const { id } = await platform.ask<{ id: string }>('POST', `/inboxes/${inboxId}/drafts`, draft)
    await platform.ask('POST', `/inboxes/${inboxId}/drafts/${id}/send`)
    await engine.call('sync.now', {})
    await engine.settled()
    const items = await listCached(engine, inboxId, 'sent')
    const thread = items.find(({ folder }) => folder === 'sent')
    if (thread === undefined) throw new Error('the mailbox has no thread that was only sent')
    const archived = await engine.call('thread.change', {
      inboxId,
      threadIds: [thread.id],
      change: { folder: 'archive' },
    })
    await engine.settled()
    const rows = async (folder: 'inbox' | 'archive' | 'sent'): Promise<readonly string[]> =>
      (
        await engine.call('thread.list', { query: createFolderQuery(inboxId, folder), offset: 0, limit: 100 })
      ).items.map(({ id }) => id)
    // Simulates a window that rereads a list only when an event names it.
    const shown = new Map<string, readonly string[]>()
    const FOLDERS_SHOWN = ['inbox', 'archive', 'sent'] as const
    for (const folder of FOLDERS_SHOWN) shown.set(folder, await rows(folder))
    let heard = engine.events('threads.changed').length
    expect(await engine.call('change.undo', { changeId: archived.changeId })).toMatchObject({ undone: true })
    const differing = async (): Promise<readonly string[]> => {
      const events = engine.events('threads.changed').slice(heard)
      heard += events.length
      const named = new Set(events.flatMap(({ folders }) => folders))
      for (const folder of FOLDERS_SHOWN) if (named.has(folder)) shown.set(folder, await rows(folder))
      const { pendingChanges } = await engine.status()
      const found = pendingChanges > 0 ? ['pending'] : []
      for (const folder of FOLDERS_SHOWN) {
        if (JSON.stringify(shown.get(folder)) !== JSON.stringify(await rows(folder))) found.push(folder)
      }
      return found
    }
    expect(await eventually(differing, (found) => found.length === 0)).toEqual([])
    expect(shown.get('inbox')).not.toContain(thread.id)
    await expectCacheEqualsPlatform(engine, platform)
  })
})

describe('a rejected change', () => {
  const makeLabels = async (platform: TestPlatform, names: readonly string[]): Promise<readonly string[]> => {
    const ids: string[] = []
    for (const name of names) {
      ids.push((await platform.ask<{ id: string }>('POST', `/inboxes/${platform.inboxId}/labels`, { name })).id)
    }
    return ids
  }

  it('only drops the label if it was deleted elsewhere', async () => {
    const { platform, engine, inboxId, first } = await openMailbox(40)
    const [kept = '', deleted = ''] = await makeLabels(platform, ['Kept', 'Deleted'])
    await engine.call('sync.now', {})
    await platform.ask('DELETE', `/inboxes/${inboxId}/labels/${deleted}`)
    await engine.call('thread.change', {
      inboxId,
      threadIds: [first.id],
      change: { addLabels: [kept, deleted], folder: 'archive', read: !first.read },
    })
    await engine.settled()
    const thread = await find(engine, inboxId, first)
    expect(thread).toMatchObject({ onServer: true, folder: 'archive', read: !first.read })
    expect(thread.labels.map(({ id }) => id)).toContain(kept)
    expect(thread.labels.map(({ id }) => id)).not.toContain(deleted)
    expect((await engine.rollbackNotices()).map(({ message }) => message)).toEqual([
      expect.stringContaining('no longer has this label'),
    ])
    expect((await engine.call('label.list', { inboxId })).map(({ id }) => id)).not.toContain(deleted)
    await engine.call('thread.change', { inboxId, threadIds: [first.id], change: { folder: 'inbox' } })
    await engine.settled()
    await expectCacheEqualsPlatform(engine, platform)
  })

  it('only drops the folder, and keeps the rest of its request', async () => {
    const platform = await startTestPlatform({}, { generate: { threads: 40, seed: 7 } })
    const { inboxId } = platform
    const { baseUrl, changes } = await startRecordingProxy(platform.baseUrl, ({ method, body }) =>
      method === 'PATCH' && (body as { folder?: string }).folder === 'archive'
        ? { status: 422, body: { statusCode: 422, name: 'validation_error', message: 'Not this folder.' } }
        : null,
    )
    const engine = await openSettledEngine({ baseUrl, apiKey: platform.apiKey })
    const items = await listCached(engine, inboxId, 'inbox')
    const thread = items[0]
    if (thread === undefined) throw new Error('the inbox is empty')
    await engine.call('thread.change', {
      inboxId,
      threadIds: [thread.id],
      change: { folder: 'archive', read: !thread.read },
    })
    await engine.settled()
    expect(await find(engine, inboxId, thread)).toMatchObject({ folder: 'inbox', read: !thread.read, onServer: true })
    expect(changes().map(({ body }) => body)).toEqual([{ read: !thread.read }])
    expect((await engine.rollbackNotices()).map(({ message }) => message)).toEqual([
      expect.stringContaining('Not this folder.'),
    ])
  })

  it('is reported once for all threads of a deleted inbox, which is marked', async () => {
    const { platform, engine, inboxId, first } = await openMailbox(40)
    const items = await listCached(engine, inboxId, 'inbox')
    await platform.ask('DELETE', `/inboxes/${inboxId}`)
    await engine.call('thread.change', {
      inboxId,
      threadIds: items.map(({ id }) => id),
      change: { folder: 'archive' },
    })
    await eventually(engine.status, ({ pendingChanges }) => pendingChanges === 0)
    expect((await engine.rollbackNotices()).map(({ message }) => message)).toEqual([
      expect.stringContaining('the inbox is no longer'),
    ])
    expect(await find(engine, inboxId, first)).toMatchObject({ folder: 'inbox' })
  })

  const openWithStrays = async (count: number) => {
    const platform = await startTestPlatform({}, { generate: { threads: 40, seed: 7 } })
    const { inboxId } = platform
    let strays = count
    const { baseUrl } = await startRecordingProxy(platform.baseUrl, ({ method }) => {
      if (method !== 'PATCH' || strays === 0) return null
      strays -= 1
      return { status: 404, body: { statusCode: 404, name: 'not_found', message: 'Not found' } }
    })
    const engine = await openSettledEngine({ baseUrl, apiKey: platform.apiKey })
    const items = await listCached(engine, inboxId, 'inbox')
    await engine.call('thread.change', { inboxId, threadIds: [items[0]?.id ?? ''], change: { folder: 'archive' } })
    await eventually(engine.status, ({ pendingChanges }) => pendingChanges === 0)
    await engine.settled()
    return { platform, engine }
  }

  it.each([1, 4])('is retried after a false 404: %i times', async (count) => {
    const { platform, engine } = await openWithStrays(count)
    expect(await engine.rollbackNotices()).toEqual([])
    await expectCacheEqualsPlatform(engine, platform)
  })

  it.each([
    { status: 403, page: '<html>Blocked</html>' },
    { status: 400, page: '' },
    { status: 407, page: '<html>Sign in to the proxy</html>' },
    405,
    408,
  ])('is retried if a gateway rejected it: %o', async (answer) => {
    const platform = await startTestPlatform({}, { generate: { threads: 10, seed: 7 } })
    const { baseUrl, intercept } = await startInterceptingProxy(platform.baseUrl)
    const engine = await openSettledEngine({ ...platform, baseUrl })
    const { inboxId } = platform
    const items = await listCached(engine, inboxId, 'inbox')
    let isOver = false
    intercept((method) => {
      if (method !== 'PATCH' || isOver) return null
      isOver = true
      return answer
    })
    await engine.call('thread.change', { inboxId, threadIds: [items[0]?.id ?? ''], change: { folder: 'archive' } })
    await eventually(engine.status, ({ pendingChanges }) => pendingChanges === 0)
    expect(await engine.rollbackNotices()).toEqual([])
    const thread = await platform.ask('GET', `/inboxes/${inboxId}/threads/${items[0]?.id ?? ''}`)
    expect(thread).toMatchObject({ folder: 'archive' })
  })

  it.each([413, 422])('is undone with a notice after status %i in a web page', async (status) => {
    const platform = await startTestPlatform({}, { generate: { threads: 10, seed: 7 } })
    const { baseUrl, intercept } = await startInterceptingProxy(platform.baseUrl)
    const engine = await openSettledEngine({ ...platform, baseUrl })
    const { inboxId } = platform
    const items = await listCached(engine, inboxId, 'inbox')
    intercept((method) => (method === 'PATCH' ? { status, page: '<html>No</html>' } : null))
    await engine.call('thread.change', { inboxId, threadIds: [items[0]?.id ?? ''], change: { folder: 'archive' } })
    await eventually(engine.rollbackNotices, (notices) => notices.length === 1)
    expect(await engine.status()).toMatchObject({ pendingChanges: 0 })
  })

  it('is undone with a notice after repeated false 404s', async () => {
    const { platform, engine } = await openWithStrays(Number.POSITIVE_INFINITY)
    expect(await engine.rollbackNotices()).toHaveLength(1)
    await expectCacheEqualsPlatform(engine, platform)
  })

  it('is reported to later windows, also after a restart, until dismissed', async () => {
    const { platform, engine } = await openWithStrays(Number.POSITIVE_INFINITY)
    await engine.close()
    const again = await openTestEngine(platform, engine.directory)
    const [told] = await again.rollbackNotices()
    expect(told?.message).toContain('was undone')
    await again.call('problem.dismiss', { id: told?.id ?? '' })
    expect(await again.rollbackNotices()).toEqual([])
  })

  it('leaves room for other notices when there are many', async () => {
    const platform = await startTestPlatform({}, { generate: { threads: 60, seed: 7 } })
    const { inboxId } = platform
    const { baseUrl } = await startRecordingProxy(platform.baseUrl, () => ({
      status: 422,
      body: { statusCode: 422, name: 'validation_error', message: 'No.' },
    }))
    const engine = await openSettledEngine({ baseUrl, apiKey: platform.apiKey })
    const items = await listCached(engine, inboxId, 'inbox')
    await engine.call('thread.change', { inboxId, threadIds: items.map(({ id }) => id), change: { folder: 'archive' } })
    await eventually(engine.status, ({ pendingChanges }) => pendingChanges === 0)
    const told = await engine.rollbackNotices()
    expect(told).toHaveLength(6)
    expect(told.map(({ message }) => message)).toContainEqual(expect.stringContaining('More changes were undone'))
  })
})

describe('a topic subscription', () => {
  it('stays as chosen if an older response arrives late', async () => {
    const platform = await startTestPlatform()
    const { baseUrl, hold } = await startInterceptingProxy(platform.baseUrl)
    const address = 'reader@people.example'
    const { id: contactId } = await platform.ask<{ id: string }>('POST', '/contacts', { email: address })
    const { id: topicId } = await platform.ask<{ id: string }>('POST', '/topics', {
      name: 'News',
      default_subscription: 'opt_in',
    })
    const engine = await openSettledEngine({ ...platform, baseUrl })
    await engine.call('person.refresh', { address })
    let release = (): void => undefined
    const late = new Promise<void>((resolve) => {
      release = resolve
    })
    let asked = 0
    hold((method, path) => {
      if (method !== 'GET' || !path.includes('/topics')) return null
      asked += 1
      return asked === 1 ? late : null
    })
    // Refetches after a while. The delayed response predates the choice.
    await engine.advance(120_000)
    const question = engine.call('person.refresh', { address })
    await eventually(
      () => asked,
      (count) => count === 1,
    )
    await engine.call('contact.setTopic', { contactId, topicId, subscription: 'opt_out' })
    await eventually(engine.status, ({ pendingChanges }) => pendingChanges === 0)
    release()
    await question
    const { topics } = await engine.call('person.get', { address })
    expect(topics?.topics).toContainEqual(expect.objectContaining({ id: topicId, subscription: 'opt_out' }))
  })
})
