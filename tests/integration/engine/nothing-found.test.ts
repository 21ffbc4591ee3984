import { expect, it } from 'vitest'
import { eventually } from './support/eventually.ts'
import { startStrayingProxy } from './support/straying-proxy.ts'
import { openTestEngine } from './support/test-engine.ts'
import { startTestPlatform } from './support/test-platform.ts'

it('a platform that finds nothing at all takes no change back: it waits, and goes out when all is there again', async () => {
  const platform = await startTestPlatform({}, { generate: { threads: 10, seed: 2 } })
  const proxy = await startStrayingProxy(platform.baseUrl)
  const engine = await openTestEngine({ ...platform, baseUrl: proxy.baseUrl })
  await engine.settled()
  const { inboxId } = platform
  const { items } = await engine.call('thread.list', { inboxId, folder: 'inbox', offset: 0, limit: 1 })
  const threadId = items[0]?.id ?? ''
  proxy.stray(() => 404)
  const before = proxy.requests().length
  await engine.call('thread.change', { inboxId, threadIds: [threadId], change: { folder: 'archive' } })
  // The last question of the inquiry, and whatever is concluded from it: the change itself is tried again after that.
  await eventually(
    () =>
      proxy
        .requests()
        .slice(before)
        .filter((request) => request.startsWith('PATCH')).length,
    (tries) => tries > 1,
  )
  expect(await engine.status()).toMatchObject({ pendingChanges: 1 })
  expect(engine.events('notice')).toEqual([])
  proxy.stray(() => null)
  await engine.call('sync.now', {})
  await eventually(engine.status, ({ pendingChanges }) => pendingChanges === 0)
  expect(await platform.ask('GET', `/inboxes/${inboxId}/threads/${threadId}`)).toMatchObject({ folder: 'archive' })
})
