import { describe, expect, it } from 'vitest'
import { listCached } from './support/compare-with-platform.ts'
import { eventually } from './support/eventually.ts'
import { startInterceptingProxy } from './support/intercepting-proxy.ts'
import { openSettledEngine } from './support/test-engine.ts'
import { startTestPlatform } from './support/test-platform.ts'

it('keeps changes queued while the platform returns only 404s', async () => {
  const platform = await startTestPlatform({}, { generate: { threads: 10, seed: 2 } })
  const proxy = await startInterceptingProxy(platform.baseUrl)
  const engine = await openSettledEngine({ ...platform, baseUrl: proxy.baseUrl })
  const { inboxId } = platform
  const items = await listCached(engine, inboxId, 'inbox')
  const threadId = items[0]?.id ?? ''
  proxy.intercept(() => 404)
  const before = proxy.requests().length
  await engine.call('thread.change', { inboxId, threadIds: [threadId], change: { folder: 'archive' } })
  // The change is retried only once the lookup has finished.
  await eventually(
    () =>
      proxy
        .requests()
        .slice(before)
        .filter((request) => request.startsWith('PATCH')).length,
    (tries) => tries > 1,
  )
  expect(await engine.status()).toMatchObject({ pendingChanges: 1 })
  expect(await engine.rollbackNotices()).toEqual([])
  proxy.intercept(() => null)
  await engine.call('sync.now', {})
  await eventually(engine.status, ({ pendingChanges }) => pendingChanges === 0)
  expect(await platform.ask('GET', `/inboxes/${inboxId}/threads/${threadId}`)).toMatchObject({ folder: 'archive' })
})

it('loses no inbox while the platform returns only 404s', async () => {
  const platform = await startTestPlatform({}, { generate: { threads: 10, seed: 2 } })
  const proxy = await startInterceptingProxy(platform.baseUrl)
  const engine = await openSettledEngine({ ...platform, baseUrl: proxy.baseUrl })
  proxy.intercept(() => 404)
  expect(await engine.problemOf('sync.now', {})).toMatchObject({ code: 'platform_failed' })
  expect((await engine.call('inbox.list', {})).inboxes).toMatchObject([{ onServer: true }])
  expect(await engine.call('problem.list', {})).toEqual([])
  proxy.intercept(() => null)
  await engine.call('sync.now', {})
  await eventually(engine.status, ({ problem }) => problem === null)
})

describe('a brief burst of 404s', () => {
  const startMailbox = async () => {
    const platform = await startTestPlatform({}, { generate: { threads: 10, seed: 2 } })
    const proxy = await startInterceptingProxy(platform.baseUrl)
    const engine = await openSettledEngine({ ...platform, baseUrl: proxy.baseUrl })
    return { platform, engine, inboxId: platform.inboxId, intercept: proxy.intercept }
  }
  /** Returns a 404 for the next requests. */
  const next = (count: number) => {
    let left = count
    return (): number | null => (left-- > 0 ? 404 : null)
  }

  // The outage may end between any two lookup requests.
  it.each([1, 2, 3, 4, 5, 6, 7])('undoes no move of a thread: %i responses', async (count) => {
    const { platform, engine, inboxId, intercept } = await startMailbox()
    const items = await listCached(engine, inboxId, 'inbox')
    const threadId = items[0]?.id ?? ''
    intercept(next(count))
    await engine.call('thread.change', { inboxId, threadIds: [threadId], change: { folder: 'archive', read: true } })
    await eventually(engine.status, ({ pendingChanges }) => pendingChanges === 0)
    expect(await engine.rollbackNotices()).toEqual([])
    expect(await platform.ask('GET', `/inboxes/${inboxId}/threads/${threadId}`)).toMatchObject({ folder: 'archive' })
  })

  it.each([1, 2, 3, 4, 5])('undoes no topic subscription: %i responses', async (count) => {
    const { platform, engine, intercept } = await startMailbox()
    const address = 'reader@people.example'
    const { id: contactId } = await platform.ask<{ id: string }>('POST', '/contacts', { email: address })
    const { id: topicId } = await platform.ask<{ id: string }>('POST', '/topics', {
      name: 'News',
      default_subscription: 'opt_in',
    })
    await engine.call('person.refresh', { address })
    intercept(next(count))
    await engine.call('contact.setTopic', { contactId, topicId, subscription: 'opt_out' })
    await eventually(engine.status, ({ pendingChanges }) => pendingChanges === 0)
    expect(await engine.rollbackNotices()).toEqual([])
    const { data } = await platform.ask<{ data: readonly unknown[] }>('GET', `/contacts/${contactId}/topics`)
    expect(data).toContainEqual(expect.objectContaining({ id: topicId, subscription: 'opt_out' }))
  })
})
