import { describe, expect, it } from 'vitest'
import { listCached } from './support/compare-with-platform.ts'
import { eventually } from './support/eventually.ts'
import { startInterceptingProxy } from './support/intercepting-proxy.ts'
import { openTestEngine } from './support/test-engine.ts'
import { startTestPlatform } from './support/test-platform.ts'

const DAY_MS = 24 * 60 * 60 * 1000

const startMailbox = async (threads: number) => {
  const platform = await startTestPlatform({}, { generate: { threads, seed: 2 } })
  const proxy = await startInterceptingProxy(platform.baseUrl)
  const { inboxId } = platform
  const open = () => openTestEngine({ ...platform, baseUrl: proxy.baseUrl })
  return { platform, proxy, inboxId, open }
}

describe('requests that the platform fails to answer', () => {
  it('don’t delay other threads’ e-mails if the newest thread’s are rejected', async () => {
    const { platform, proxy, inboxId, open } = await startMailbox(40)
    await platform.deliver({ subject: 'Refused' })
    const listed = await platform.ask<{ data: readonly { id: string; subject: string }[] }>(
      'GET',
      `/inboxes/${inboxId}/threads?folders=inbox`,
    )
    const [newest] = listed.data
    expect(newest?.subject).toBe('Refused')
    proxy.intercept((_method, path) => (path.includes(`/${newest?.id ?? ''}/emails`) ? 403 : null))
    const engine = await open()
    await eventually(engine.status, ({ lastSyncAt, progress }) => lastSyncAt !== null && progress === null)
    await eventually(
      async () => (await listCached(engine, inboxId, 'inbox')).filter(({ snippet }) => snippet === null),
      (lacking) => lacking.length === 1,
    )
  })

  it.each([0, 1])('don’t block lookups of other threads missing from a list: %i', async (at) => {
    const { platform, proxy, inboxId, open } = await startMailbox(10)
    const engine = await open()
    await engine.settled()
    const gone = (await listCached(engine, inboxId, 'inbox')).slice(1, 3).map(({ id }) => id)
    for (const id of gone) await platform.ask('DELETE', `/inboxes/${inboxId}/threads/${id}`)
    await platform.ask('POST', '/_control/clock', { advance_ms: 31 * DAY_MS })
    await eventually(
      () => platform.ask<{ data: readonly unknown[] }>('GET', `/inboxes/${inboxId}/threads?folders=trash`),
      ({ data }) => data.length === 0,
    )
    proxy.intercept((_method, path) => (path.endsWith(`/threads/${gone[at] ?? ''}`) ? 500 : null))
    await eventually(
      async () => {
        await engine.call('sync.now', {}).catch(() => undefined)
        return engine.call('thread.open', { inboxId, threadId: gone[1 - at] ?? '' })
      },
      ({ thread }) => !thread.onServer,
    )
  })

  it('are reported until answered, whatever else succeeds', async () => {
    const { platform, proxy, open } = await startMailbox(10)
    proxy.intercept((_method, path) => (path.includes('folders=spam') ? 500 : null))
    const engine = await open()
    await eventually(engine.status, ({ problem }) => problem !== null)
    const heard = engine.events('sync.changed').length
    await platform.deliver({ subject: 'Another', text: 'Words' })
    // Polling, bodies and checks succeed in the meantime.
    await engine.call('window.activity', { activity: 'hidden' })
    await engine.call('window.activity', { activity: 'focused' })
    await eventually(
      () => listCached(engine, platform.inboxId, 'inbox'),
      ([thread]) => thread?.snippet === 'Words',
    )
    expect(
      engine
        .events('sync.changed')
        .slice(heard)
        .filter(({ problem }) => problem === null),
    ).toEqual([])
    proxy.intercept(() => null)
    await eventually(engine.status, ({ problem }) => problem === null, 60_000)
  })

  it('never count a rejected key as a connection', async () => {
    const { proxy, open } = await startMailbox(10)
    const engine = await open()
    await engine.settled()
    proxy.intercept(() => 401)
    await engine.call('sync.now', {}).catch(() => undefined)
    expect(await engine.status()).toMatchObject({ connection: 'refused' })
    const heard = engine.events('sync.changed').length
    // Wakes every loop.
    await engine.call('keeping.set', { days: null })
    expect(await engine.status()).toMatchObject({ connection: 'refused' })
    await eventually(
      () => engine.events('sync.changed').slice(heard),
      (events) => events.length > 0,
    )
    const connections = engine
      .events('sync.changed')
      .slice(heard)
      .map(({ connection }) => connection)
    expect([...new Set(connections)]).toEqual(['refused'])
  })

  it('slow down with a rejected key, and resume with another one', async () => {
    const { platform, proxy, open } = await startMailbox(10)
    const engine = await open()
    await engine.settled()
    proxy.intercept(() => 401)
    await engine.call('sync.now', {}).catch(() => undefined)
    await engine.advance(5 * 60_000)
    const before = proxy.requests().length
    for (let minute = 0; minute < 60; minute += 10) await engine.advance(10 * 60_000)
    expect(proxy.requests().length - before).toBeLessThan(30)
    proxy.intercept(() => null)
    await engine.link.setKey('test', { apiKey: platform.apiKey, isAccepted: true })
    await eventually(engine.status, ({ connection }) => connection === 'online')
  })

  it('don’t delay another inbox’s new e-mails', async () => {
    const { platform, proxy, inboxId, open } = await startMailbox(10)
    const address = 'second@linnet.example'
    const { id: second } = await platform.ask<{ id: string }>('POST', '/inboxes', { email_address: address })
    const engine = await open()
    await engine.settled()
    proxy.intercept((_method, path) => (path.includes(`/inboxes/${inboxId}/threads?`) ? 500 : null))
    await platform.deliver({ subject: 'To the second', text: 'Words', to: address })
    expect(await engine.problemOf('sync.now', {})).toMatchObject({ code: 'platform_failed' })
    await eventually(
      () => listCached(engine, second, 'inbox'),
      ([thread]) => thread?.snippet === 'Words',
    )
  })

  it('are retried ever more rarely for all but the start of each list', async () => {
    const { proxy, open } = await startMailbox(250)
    proxy.intercept((_method, path) => (path.includes('/threads?') && path.includes('after=') ? 404 : null))
    const lost = () => proxy.requests().filter((request) => request.endsWith(' 404')).length
    const engine = await open()
    await eventually(lost, (count) => count > 0)
    // Without back-off there would be about thirty requests per second.
    await engine.advance(4_000)
    expect(lost()).toBeLessThan(30)
    proxy.intercept(() => null)
    await engine.settled()
    expect((await engine.call('inbox.list', {})).inboxes).toMatchObject([{ onServer: true }])
  })
})
