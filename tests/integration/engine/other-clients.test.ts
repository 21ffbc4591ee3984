import { describe, expect, it } from 'vitest'
import { expectCacheEqualsPlatform, listCached } from './support/compare-with-platform.ts'
import { eventually } from './support/eventually.ts'
import { openSettledEngine, openTestEngine, type TestEngine } from './support/test-engine.ts'
import { startTestPlatform, type TestPlatform } from './support/test-platform.ts'
import { createFolderQuery } from '../../../src/shared/thread-query.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** `LINNET_TEST_LONG=1` moves as many threads as when the bug was first seen. */
const THREADS = process.env.LINNET_TEST_LONG === '1' ? 4_000 : 900

/** A second client with six concurrent requests. */
const forAll = async (ids: readonly string[], act: (id: string) => Promise<unknown>): Promise<void> => {
  const left = [...ids]
  const work = async (): Promise<void> => {
    for (let id = left.pop(); id !== undefined; id = left.pop()) await act(id)
  }
  await Promise.all(Array.from({ length: 6 }, work))
}
/** Requests for single threads. */
const singles = (requests: readonly string[]): readonly string[] =>
  requests.filter((request) => /^GET \S+\/threads\/(?!search)[^/ ]+ /.test(request))
/** Polls for new mail, as when the window regains focus. */
const look = async (engine: TestEngine): Promise<void> => {
  const last = (await engine.status()).lastSyncAt ?? 0
  await engine.call('window.activity', { activity: 'hidden' })
  await engine.call('window.activity', { activity: 'focused' })
  await eventually(engine.status, ({ lastSyncAt }) => (lastSyncAt ?? 0) > last)
}
const newestSubject = async (engine: TestEngine, { inboxId }: TestPlatform): Promise<string | null | undefined> =>
  (await engine.call('thread.list', { query: createFolderQuery(inboxId, 'inbox'), offset: 0, limit: 1 })).items[0]
    ?.subject

describe('bulk changes by another client', () => {
  it('are followed in pages, without a request per thread', async () => {
    const platform = await startTestPlatform({}, { generate: { threads: THREADS, seed: 6 } })
    const engine = await openTestEngine(platform)
    await engine.call('keeping.set', { days: 1 })
    await engine.settled()
    const { inboxId } = platform
    const moved = (await listCached(engine, inboxId, 'inbox')).map(({ id }) => id)
    expect(moved.length).toBeGreaterThan(THREADS / 4)
    await forAll(moved, (id) => platform.ask('PATCH', `/inboxes/${inboxId}/threads/${id}`, { folder: 'archive' }))
    const before = platform.requests().length
    await engine.call('sync.now', {})
    await eventually(
      () => listCached(engine, inboxId, 'inbox'),
      (left) => left.length === 0,
    )
    const asked = platform.requests().slice(before)
    expect(singles(asked).length).toBeLessThan(moved.length / 10)
    expect(asked.length).toBeLessThan(moved.length / 4)
    await expectCacheEqualsPlatform(engine, platform)
  })

  it('don’t hide new mail while missing threads are looked up', async () => {
    const platform = await startTestPlatform({}, { generate: { threads: 450, seed: 6 } })
    const engine = await openTestEngine(platform)
    await engine.call('keeping.set', { days: 1 })
    await engine.settled()
    const { inboxId } = platform
    const gone = (await listCached(engine, inboxId, 'inbox')).slice(40).map(({ id }) => id)
    expect(gone.length).toBeGreaterThan(100)
    // Hide the window, so that no poll sees the threads while they are in the trash.
    await engine.call('window.activity', { activity: 'hidden' })
    await forAll(gone, (id) => platform.ask('DELETE', `/inboxes/${inboxId}/threads/${id}`))
    await platform.ask('POST', '/_control/clock', { advance_ms: 31 * DAY_MS })
    await eventually(
      () => platform.ask<{ data: unknown[] }>('GET', `/inboxes/${inboxId}/threads?folders=trash`),
      ({ data }) => data.length === 0,
    )
    // Requests for single threads are slow, as on a rate-limited platform.
    await platform.fault({ kind: 'delay', method: 'GET', path: `/inboxes/${inboxId}/threads/`, delay_ms: 600 })
    await eventually(
      async () => {
        await look(engine)
        return singles(platform.requests()).length
      },
      (asked) => asked > 1,
    )
    await platform.deliver({ subject: 'While you check' })
    await look(engine)
    await look(engine)
    expect(await newestSubject(engine, platform)).toBe('While you check')
    const left = (await listCached(engine, inboxId, 'inbox')).filter(({ id }) => gone.includes(id))
    expect(left.length).toBeGreaterThan(50)
  })
})

describe('a manual refresh', () => {
  it('polls twice at most, however often it is requested', async () => {
    const platform = await startTestPlatform({}, { generate: { threads: 40, seed: 6 } })
    const engine = await openSettledEngine(platform)
    const start = platform.requests().length
    await engine.call('sync.now', {})
    const one = platform.requests().length - start
    await Promise.all(Array.from({ length: 20 }, () => engine.call('sync.now', {})))
    expect(platform.requests().length - start - one).toBeLessThanOrEqual(3 * one)
  })

  it('includes mail that arrives during a poll', async () => {
    const platform = await startTestPlatform()
    const engine = await openSettledEngine(platform)
    const first = engine.call('sync.now', {})
    await platform.deliver({ subject: 'Just now' })
    await engine.call('sync.now', {})
    await first
    expect(await newestSubject(engine, platform)).toBe('Just now')
  })

  it('adds a new contact and removes none', async () => {
    const platform = await startTestPlatform()
    for (const name of ['ada', 'alan', 'edsger']) {
      await platform.ask('POST', '/contacts', { email: `${name}@example.com` })
    }
    const engine = await openTestEngine(platform)
    await eventually(
      () => engine.call('contact.list', { offset: 0, limit: 1 }),
      ({ total }) => total > 0,
    )
    await engine.settled()
    const { total } = await engine.call('contact.list', { offset: 0, limit: 1 })
    await platform.ask('POST', '/contacts', { email: 'grace@example.com' })
    await engine.call('sync.now', {})
    const now = await engine.call('contact.list', { offset: 0, limit: 200 })
    expect(now.total).toBe(total + 1)
    expect(now.items.map(({ email }) => email)).toContain('grace@example.com')
    expect(now.freshness.state).toBe('live')
  })
})

describe('a sync after an absence', () => {
  it('fetches all received and sent mail, however much a poll shows', async () => {
    const platform = await startTestPlatform()
    const engine = await openTestEngine(platform)
    await platform.deliver({ subject: 'Before' })
    const send = (count: number) =>
      platform.ask('POST', '/emails', {
        from: platform.inboxAddress,
        to: 'ada@example.com',
        subject: `Sent ${count}`,
        text: 'Hello',
      })
    await send(-1)
    await engine.settled()
    await engine.call('sync.now', {})
    await engine.close()
    for (let count = 0; count < 60; count += 1) {
      await platform.deliver({ subject: `Received ${count}` })
      await send(count)
    }
    const again = await openTestEngine(platform, engine.directory)
    await again.call('sync.now', {})
    const window = { offset: 0, limit: 1 }
    expect((await again.call('receivedEmail.list', window)).total).toBe(61)
    expect((await again.call('sentEmail.list', window)).total).toBe(61)
  })

  it('fetches everything below a thread dated in the future', async () => {
    const platform = await startTestPlatform({ trustDate: true })
    const engine = await openTestEngine(platform)
    await platform.deliver({ subject: 'From the future', date: new Date(Date.now() + 400 * DAY_MS) })
    for (let count = 0; count < 10; count += 1) await platform.deliver({ subject: `Before ${count}` })
    await engine.settled()
    await engine.call('sync.now', {})
    await engine.close()
    for (let count = 0; count < 140; count += 1) await platform.deliver({ subject: `Absent ${count}` })
    const again = await openTestEngine(platform, engine.directory)
    const { inboxId } = platform
    await look(again)
    const { total } = await again.call('thread.list', {
      query: createFolderQuery(inboxId, 'inbox'),
      offset: 0,
      limit: 1,
    })
    expect(total).toBe(151)
  })
})

describe('the sync status', () => {
  it('shows when each list was confirmed, at every poll', async () => {
    const platform = await startTestPlatform({}, { generate: { threads: 10, seed: 6 } })
    const engine = await openSettledEngine(platform)
    await engine.call('sync.now', {})
    const { inboxId } = platform
    const before = (await engine.status()).confirmedAt
    await engine.call('sync.now', {})
    const told = await eventually(
      () => engine.events('sync.changed').at(-1)?.confirmedAt,
      (at) => (at?.threads[inboxId] ?? 0) > (before.threads[inboxId] ?? 0),
    )
    for (const list of ['inboxes', 'received', 'sent', 'contacts'] as const) {
      expect(told?.[list]).toBeGreaterThan(before[list] ?? Number.MAX_SAFE_INTEGER)
    }
  })

  it('is read without changes or events', async () => {
    const platform = await startTestPlatform({}, { generate: { threads: 30, seed: 6 } })
    const engine = await openSettledEngine(platform)
    const statuses = [await engine.status()]
    // An event would arrive within a frame, and so before the platform's next response.
    const before = engine.events('sync.changed').length
    for (let count = 0; count < 50; count += 1) statuses.push(await engine.status())
    await platform.ask('GET', '/inboxes')
    expect(new Set(statuses.map((status) => JSON.stringify(status))).size).toBe(1)
    expect(engine.events('sync.changed').length - before).toBeLessThanOrEqual(1)
  })
})
