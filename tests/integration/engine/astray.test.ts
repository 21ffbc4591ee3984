import { describe, expect, it } from 'vitest'
import { expectCacheEqualsPlatform, listCached } from './support/compare-with-platform.ts'
import { eventually } from './support/eventually.ts'
import { startInterceptingProxy } from './support/intercepting-proxy.ts'
import { openSettledEngine, openTestEngine, type TestEngine } from './support/test-engine.ts'
import { startTestPlatform } from './support/test-platform.ts'
import { createFolderQuery } from '../../../src/shared/thread-query.ts'

/** Inbox threads whose e-mails were not downloaded automatically. */
const withoutText = async (engine: TestEngine, inboxId: string): Promise<readonly string[]> => {
  const threads = await listCached(engine, inboxId, 'inbox')
  return threads.filter(({ snippet }) => snippet === null).map(({ id }) => id)
}
const isTop = (path: string): boolean => !path.includes('after=')
const once = (status: number, fits: (method: string, path: string) => boolean) => {
  let isOver = false
  return (method: string, path: string): number | null => {
    if (isOver || !fits(method, path)) return null
    isOver = true
    return status
  }
}

const openContractAlone = async () => {
  const platform = await startTestPlatform({ operations: 'contract' }, { generate: { threads: 20, seed: 2 } })
  const proxy = await startInterceptingProxy(platform.baseUrl)
  const engine = await openTestEngine({ ...platform, baseUrl: proxy.baseUrl })
  const { inboxId } = platform
  await engine.call('inbox.add', { inboxId })
  await engine.settled()
  return { platform, proxy, engine, inboxId }
}

describe('a stray error response', () => {
  it.each([404, 405])('loses no e-mail in a first sync when it hits a thread list: %i', async (status) => {
    const platform = await startTestPlatform({}, { generate: { threads: 60, seed: 2 } })
    const proxy = await startInterceptingProxy(platform.baseUrl)
    proxy.intercept(once(status, (_method, path) => path.includes('/threads?') && isTop(path)))
    const engine = await openSettledEngine({ ...platform, baseUrl: proxy.baseUrl })
    await engine.call('keeping.state', {})
    await engine.call('keeping.set', { days: null })
    await engine.settled()
    expect(await withoutText(engine, platform.inboxId)).toEqual([])
    const [thread] = await listCached(engine, platform.inboxId, 'inbox')
    const open = await engine.call('thread.open', { inboxId: platform.inboxId, threadId: thread?.id ?? '' })
    expect(open.emails).toHaveLength(thread?.emailCount ?? 0)
    await engine.call('sync.now', {})
    await expectCacheEqualsPlatform(engine, platform)
  })

  it('leaves threads readable after thread lists were rejected for a while', async () => {
    const platform = await startTestPlatform({}, { generate: { threads: 30, seed: 2 } })
    const proxy = await startInterceptingProxy(platform.baseUrl)
    proxy.intercept((_method, path) => (path.includes('/threads?') ? 404 : null))
    const engine = await openSettledEngine({ ...platform, baseUrl: proxy.baseUrl })
    await engine.call('sync.now', {})
    expect(await withoutText(engine, platform.inboxId)).toEqual([])
    proxy.intercept(() => null)
    await platform.deliver({ subject: 'After all' })
    await eventually(
      async () => {
        await engine.call('sync.now', {})
        return proxy.requests()
      },
      (requests) => requests.some((request) => request.endsWith('/threads 200')),
    )
    await engine.call('sync.now', {})
    await expectCacheEqualsPlatform(engine, platform)
  })

  it('doesn’t stop rejected e-mails from being fetched later', async () => {
    const platform = await startTestPlatform({}, { generate: { threads: 30, seed: 2 } })
    const proxy = await startInterceptingProxy(platform.baseUrl)
    proxy.intercept((_method, path) =>
      /\/threads\/[^/]+(?:\/emails)?(?:\?|$)/.test(path) && !path.includes('search') ? 404 : null,
    )
    const engine = await openTestEngine({ ...platform, baseUrl: proxy.baseUrl })
    await engine.call('keeping.set', { days: null })
    await engine.settled()
    const { inboxId } = platform
    expect((await listCached(engine, inboxId, 'inbox')).length).toBeGreaterThan(0)
    expect((await withoutText(engine, inboxId)).length).toBeGreaterThan(0)
    proxy.intercept(() => null)
    await eventually(
      async () => {
        await engine.call('sync.now', {})
        return withoutText(engine, inboxId)
      },
      (left) => left.length === 0,
    )
  })

  it('truncates no list of the account', async () => {
    const paths = ['/emails/receiving', '/emails', '/contacts']
    const platform = await startTestPlatform({}, { dataset: 'demo' })
    const proxy = await startInterceptingProxy(platform.baseUrl)
    const strays = paths.map((path) => once(404, (_method, asked) => asked.startsWith(`${path}?`)))
    proxy.intercept(
      (method, path) => strays.map((intercept) => intercept(method, path)).find((status) => status !== null) ?? null,
    )
    const engine = await openTestEngine({ ...platform, baseUrl: proxy.baseUrl })
    const onPlatform = await Promise.all(
      paths.map(async (path) => (await platform.ask<{ data: unknown[] }>('GET', `${path}?limit=100`)).data.length),
    )
    const window = { offset: 0, limit: 1 }
    await eventually(
      () =>
        Promise.all([
          engine.call('receivedEmail.list', window),
          engine.call('sentEmail.list', window),
          engine.call('contact.list', window),
        ]),
      (lists) => lists.every(({ total }, index) => Math.min(total, 100) === onPlatform[index]),
    )
  })

  it('removes no inbox when it hits the inbox list or an inbox’s requests', async () => {
    const platform = await startTestPlatform({}, { generate: { threads: 20, seed: 2 } })
    const proxy = await startInterceptingProxy(platform.baseUrl)
    const engine = await openSettledEngine({ ...platform, baseUrl: proxy.baseUrl })
    proxy.intercept((_method, path) => (path.startsWith('/inboxes?') ? 404 : null))
    await engine.call('sync.now', {})
    proxy.intercept((_method, path) => (path.startsWith('/inboxes/') && !path.includes('search') ? 404 : null))
    await engine.call('sync.now', {})
    expect((await engine.call('inbox.list', {})).inboxes).toMatchObject([{ onServer: true }])
    expect((await listCached(engine, platform.inboxId, 'inbox')).length).toBeGreaterThan(0)
    proxy.intercept(() => null)
    await platform.deliver({ subject: 'Still looked for' })
    await engine.call('sync.now', {})
    expect((await listCached(engine, platform.inboxId, 'inbox'))[0]?.subject).toBe('Still looked for')
  })

  it('removes no inbox on a contract-only platform', async () => {
    const { platform, proxy, engine, inboxId } = await openContractAlone()
    proxy.intercept(once(404, (_method, path) => path.includes('/threads/search')))
    await engine.call('sync.now', {})
    await platform.deliver({ subject: 'Still looked for' })
    await engine.call('sync.now', {})
    expect((await engine.call('inbox.list', {})).inboxes).toMatchObject([{ id: inboxId, onServer: true }])
    expect((await listCached(engine, inboxId, 'inbox'))[0]?.subject).toBe('Still looked for')
  })
})

describe('a missing inbox', () => {
  it('is marked, keeps its mail, and is reported until dismissed', async () => {
    const platform = await startTestPlatform({}, { generate: { threads: 20, seed: 2 } })
    const engine = await openSettledEngine(platform)
    const { inboxId } = platform
    const window = { query: createFolderQuery(inboxId, 'inbox'), offset: 0, limit: 5 } as const
    expect((await engine.call('thread.list', window)).freshness.state).toBe('live')
    await platform.ask('DELETE', `/inboxes/${inboxId}`)
    await engine.call('sync.now', {})
    expect((await engine.call('inbox.list', {})).inboxes).toMatchObject([{ id: inboxId, onServer: false }])
    const { items, freshness } = await engine.call('thread.list', window)
    expect(items.length).toBeGreaterThan(0)
    expect(freshness.state).toBe('cached')
    const problems = await engine.call('problem.list', {})
    expect(problems).toMatchObject([{ code: 'not_found', message: expect.stringContaining('no longer') as string }])
    expect(await engine.status()).toMatchObject({ connection: 'online', problem: null })
    const change = { inboxId, threadIds: [items[0]?.id ?? ''], change: { read: true } }
    expect(await engine.problemOf('thread.change', change)).toMatchObject({ code: 'not_found' })
    await engine.call('problem.dismiss', { id: problems[0]?.id ?? '' })
    await engine.call('sync.now', {})
    expect(await engine.call('problem.list', {})).toEqual([])
  })

  it('reappears when the platform has it again', async () => {
    const { platform, proxy, engine, inboxId } = await openContractAlone()
    proxy.intercept((_method, path) => (path.startsWith('/inboxes') ? 404 : null))
    await engine.call('sync.now', {})
    expect((await engine.call('inbox.list', {})).inboxes).toMatchObject([{ onServer: false }])
    await platform.deliver({ subject: 'Meanwhile' })
    proxy.intercept(() => null)
    await engine.call('sync.now', {})
    await engine.call('sync.now', {})
    expect((await engine.call('inbox.list', {})).inboxes).toMatchObject([{ onServer: true }])
    expect(await engine.call('problem.list', {})).toEqual([])
    expect((await listCached(engine, inboxId, 'inbox'))[0]?.subject).toBe('Meanwhile')
  })

  it('is no longer reported once the user adds it again', async () => {
    const platform = await startTestPlatform({ operations: 'contract' }, { generate: { threads: 20, seed: 2 } })
    const proxy = await startInterceptingProxy(platform.baseUrl)
    const engine = await openTestEngine({ ...platform, baseUrl: proxy.baseUrl })
    const { inboxId } = platform
    await engine.call('inbox.add', { inboxId })
    await engine.settled()
    proxy.intercept((_method, path) => (path.startsWith('/inboxes') ? 404 : null))
    await engine.call('sync.now', {})
    expect(await engine.call('problem.list', {})).toHaveLength(1)
    proxy.intercept(() => null)
    await engine.call('inbox.add', { inboxId })
    expect(await engine.call('problem.list', {})).toEqual([])
  })
})

describe('more than a page of inboxes', () => {
  it('are all listed', async () => {
    const platform = await startTestPlatform()
    for (let count = 0; count < 104; count += 1) {
      await platform.ask('POST', '/inboxes', { email_address: `inbox-${count}@linnet.example` })
    }
    const engine = await openTestEngine(platform)
    await eventually(
      () => engine.call('inbox.list', {}),
      ({ inboxes }) => inboxes.length > 0,
    )
    expect((await engine.call('inbox.list', {})).inboxes).toHaveLength(105)
  })
})

describe('a list provided by search', () => {
  it('ends before the oldest threads, which exist all the same', async () => {
    const platform = await startTestPlatform(
      { operations: 'contract', searchCap: 20 },
      { generate: { threads: 60, seed: 2 } },
    )
    const engine = await openTestEngine(platform)
    const { inboxId } = platform
    await engine.call('inbox.add', { inboxId })
    await engine.settled()
    const before = await listCached(engine, inboxId, 'inbox')
    expect(before.length).toBeGreaterThanOrEqual(20)
    for (let count = 0; count < 15; count += 1) await platform.deliver({ subject: `Newer ${count}` })
    await engine.call('sync.now', {})
    const after = await listCached(engine, inboxId, 'inbox')
    expect(after.length).toBe(before.length + 15)
  })
})
