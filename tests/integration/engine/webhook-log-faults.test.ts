import { cpSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../../support/temporary-directory.ts'
import { expectCacheEqualsPlatform, listCached } from './support/compare-with-platform.ts'
import { countRequests, createWebhook, openFedEngine } from './support/fed-engine.ts'
import { openSettledEngine } from './support/test-engine.ts'
import { startTestPlatform } from './support/test-platform.ts'
import { startWebhookLogProxy } from './support/webhook-log-proxy.ts'

describe('a webhook’s log with faults', () => {
  it('leaves endless bursts to the ordinary polls', async () => {
    const platform = await startTestPlatform({}, { generate: { threads: 80, seed: 4 } })
    await createWebhook(platform)
    const engine = await openFedEngine(platform)
    const threads = (await listCached(engine, platform.inboxId, 'inbox')).slice(0, 30)
    const burst = async (): Promise<readonly string[]> => {
      // Read once it is over, however long it takes.
      await engine.call('window.activity', { activity: 'hidden' })
      for (const folder of ['spam', 'inbox', 'spam', 'inbox', 'spam', 'inbox', 'spam', 'archive']) {
        for (const { id } of threads)
          await platform.ask('PATCH', `/inboxes/${platform.inboxId}/threads/${id}`, { folder })
      }
      return countRequests(platform, async () => {
        await engine.call('window.activity', { activity: 'focused' })
        await engine.advance(1_000)
      })
    }
    const first = await burst()
    await engine.settled()
    await expectCacheEqualsPlatform(engine, platform)
    await platform.deliver({ subject: 'After the burst' })
    await engine.advance(5_000)
    expect((await listCached(engine, platform.inboxId, 'inbox'))[0]).toMatchObject({ subject: 'After the burst' })
    const second = await burst()
    const lists = (requests: readonly string[]): number =>
      requests.filter((request) => request.includes('/inboxes')).length
    expect(lists(first)).toBeGreaterThanOrEqual(7)
    expect(lists(second)).toBeLessThan(7)
    for (let second = 0; second < 240; second += 8) await engine.advance(8_000)
    await expectCacheEqualsPlatform(engine, platform)
  })

  it.each(['repeats', 'reorders', 'odd types'] as const)('tells of new mail at once although it %s', async (fault) => {
    const platform = await startTestPlatform({}, { generate: { threads: 40, seed: 4 } })
    await createWebhook(platform)
    const log = await startWebhookLogProxy(platform)
    const engine = await openFedEngine({ ...platform, baseUrl: log.baseUrl })
    log.fault(fault)
    const threads = (await listCached(engine, platform.inboxId, 'inbox')).slice(0, 12)
    for (const { id } of threads) {
      await platform.ask('PATCH', `/inboxes/${platform.inboxId}/threads/${id}`, { folder: 'archive' })
      await platform.deliver({ subject: `News of ${id}` })
    }
    await engine.advance(5_000)
    const subjects = (await listCached(engine, platform.inboxId, 'inbox')).map(({ subject }) => subject)
    expect(subjects).toEqual(expect.arrayContaining(threads.map(({ id }) => `News of ${id}`)))
    const asked = log.requests().length
    for (let second = 0; second < 240; second += 8) await engine.advance(8_000)
    await expectCacheEqualsPlatform(engine, platform)
    expect(log.requests().length - asked).toBeLessThan(80)
    expect((await engine.status()).problem).toBeNull()
  })

  it.each(['loses', 'forgets', 'empty payloads', 403, 404] as const)(
    'leaves the work to the ordinary polls if it is at fault: %s',
    async (fault) => {
      const platform = await startTestPlatform({}, { generate: { threads: 40, seed: 4 } })
      await createWebhook(platform)
      const log = await startWebhookLogProxy(platform)
      const engine = await openFedEngine({ ...platform, baseUrl: log.baseUrl })
      log.fault(fault)
      const threads = (await listCached(engine, platform.inboxId, 'inbox')).slice(0, 12)
      for (const { id } of threads) {
        await platform.ask('PATCH', `/inboxes/${platform.inboxId}/threads/${id}`, { folder: 'archive' })
        await platform.deliver({ subject: `News of ${id}` })
      }
      for (let second = 0; second < 600; second += 8) await engine.advance(8_000)
      await expectCacheEqualsPlatform(engine, platform)
      expect((await engine.status()).problem).toBeNull()
      log.fault(null)
      for (let second = 0; second < 900; second += 15) await engine.advance(15_000)
      await platform.deliver({ subject: 'After the fault' })
      await engine.advance(5_000)
      expect((await listCached(engine, platform.inboxId, 'inbox'))[0]).toMatchObject({ subject: 'After the fault' })
    },
  )

  it('tells of new mail although one payload can never be read', async () => {
    const platform = await startTestPlatform({}, { generate: { threads: 40, seed: 4 } })
    const webhook = await createWebhook(platform)
    const engine = await openFedEngine(platform)
    await platform.deliver({ subject: 'The first' })
    const { data } = await platform.ask<{ data: readonly { id: string }[] }>('GET', `/webhooks/${webhook}/events`)
    await platform.fault(...data.map(({ id }) => `error_500 GET /webhooks/${webhook}/events/${id}`))
    for (let second = 0; second < 300; second += 5) await engine.advance(5_000)
    await platform.deliver({ subject: 'The second' })
    await engine.advance(5_000)
    expect((await listCached(engine, platform.inboxId, 'inbox'))[0]).toMatchObject({ subject: 'The second' })
    expect(await engine.call('feed.state', {})).toMatchObject({ kind: 'distrusted' })
  })

  it('causes one poll of everything after 10,000 events', async () => {
    const platform = await startTestPlatform({}, { generate: { threads: 250, seed: 4 } })
    await createWebhook(platform)
    const engine = await openFedEngine(platform)
    await engine.close()
    const { data } = await platform.ask<{ data: readonly { id: string }[] }>(
      'GET',
      `/inboxes/${platform.inboxId}/threads?folders=inbox,archive&limit=100`,
    )
    for (let round = 0; round < 100; round += 1) {
      const folder = round % 2 === 0 ? 'spam' : 'inbox'
      await Promise.all(
        data.map(({ id }) => platform.ask('PATCH', `/inboxes/${platform.inboxId}/threads/${id}`, { folder })),
      )
    }
    await platform.deliver({ subject: 'The last one' })
    const again = await openSettledEngine(platform, engine.directory)
    await again.call('window.activity', { activity: 'focused' })
    const asked = await countRequests(platform, () => again.advance(5_000))
    expect(asked.length).toBeLessThan(150)
    expect((await listCached(again, platform.inboxId, 'inbox'))[0]).toMatchObject({ subject: 'The last one' })
    await platform.deliver({ subject: 'After the holiday' })
    await again.advance(5_000)
    expect((await listCached(again, platform.inboxId, 'inbox'))[0]).toMatchObject({ subject: 'After the holiday' })
    for (let second = 0; second < 600; second += 8) await again.advance(8_000)
    await expectCacheEqualsPlatform(again, platform)
  })

  it('is read as often for two windows as for one', async () => {
    const platform = await startTestPlatform()
    await createWebhook(platform)
    const engine = await openFedEngine(platform)
    for (const caller of ['first', 'second'])
      await engine.link.call('test', 'window.activity', { activity: 'focused' }, caller)
    await engine.advance(5_000)
    const asked = await countRequests(platform, async () => {
      for (let second = 0; second < 60; second += 5) await engine.advance(5_000)
    })
    expect(asked.filter((request) => request.includes('/events')).length).toBeLessThanOrEqual(12)
    await platform.deliver({ subject: 'For both' })
    await engine.advance(5_000)
    expect(await listCached(engine, platform.inboxId, 'inbox')).toMatchObject([{ subject: 'For both' }])
  })

  it('doesn’t hold up the ordinary polls if it doesn’t respond', async () => {
    const platform = await startTestPlatform({}, { generate: { threads: 40, seed: 4 } })
    await createWebhook(platform)
    const log = await startWebhookLogProxy(platform)
    const engine = await openFedEngine({ ...platform, baseUrl: log.baseUrl })
    log.fault('held payloads')
    const threads = (await listCached(engine, platform.inboxId, 'inbox')).slice(0, 20)
    for (const { id } of threads)
      await platform.ask('PATCH', `/inboxes/${platform.inboxId}/threads/${id}`, { folder: 'archive' })
    await engine.advance(5_000)
    await platform.deliver({ subject: 'Not held up' })
    // Less than the timeout of a request.
    for (let poll = 0; poll < 3; poll += 1) await engine.advance(8_000)
    expect((await listCached(engine, platform.inboxId, 'inbox'))[0]).toMatchObject({ subject: 'Not held up' })
  })

  it('causes few polls of everything if one inbox can’t be polled', async () => {
    const platform = await startTestPlatform()
    const desk = await platform.ask<{ id: string }>('POST', '/inboxes', { email_address: 'desk@linnet.example' })
    await createWebhook(platform)
    await platform.deliver({ subject: 'Before' })
    const log = await startWebhookLogProxy(platform)
    const engine = await openFedEngine({ ...platform, baseUrl: log.baseUrl })
    log.fault('forgets')
    await platform.fault(`error_500 GET /inboxes/${desk.id}/threads`)
    await platform.deliver({ subject: 'After the gap' })
    const asked = await countRequests(platform, async () => {
      for (let second = 0; second < 900; second += 15) await engine.advance(15_000)
    })
    const polls = asked.filter((request) => request.startsWith(`GET /inboxes/${platform.inboxId}/labels`)).length
    expect(polls).toBeGreaterThan(0)
    expect(polls).toBeLessThan(9)
    await platform.fault()
    for (let second = 0; second < 120; second += 8) await engine.advance(8_000)
    expect((await listCached(engine, platform.inboxId, 'inbox'))[0]).toMatchObject({ subject: 'After the gap' })
  })

  it('handles events again that were stored before the engine was killed', async () => {
    const platform = await startTestPlatform({}, { generate: { threads: 400, seed: 4 } })
    await createWebhook(platform)
    const log = await startWebhookLogProxy(platform)
    const engine = await openFedEngine({ ...platform, baseUrl: log.baseUrl })
    const threads = await listCached(engine, platform.inboxId, 'inbox')
    const moved = threads.at(-1)?.id ?? ''
    log.fault('held payloads')
    await platform.ask('PATCH', `/inboxes/${platform.inboxId}/threads/${moved}`, { folder: 'archive' })
    await engine.advance(5_000)
    expect((await listCached(engine, platform.inboxId, 'inbox')).map(({ id }) => id)).toContain(moved)
    const killed = temporaryDirectory()
    cpSync(engine.directory, killed, { recursive: true })
    await engine.close()
    const again = await openSettledEngine(platform, killed)
    await again.call('window.activity', { activity: 'focused' })
    await again.advance(5_000)
    expect((await listCached(again, platform.inboxId, 'inbox')).map(({ id }) => id)).not.toContain(moved)
  })
})
