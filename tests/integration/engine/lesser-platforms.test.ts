import { describe, expect, it } from 'vitest'
import { FOLDERS } from '../../../src/shared/model.ts'
import { listCached } from './support/compare-with-platform.ts'
import { eventually } from './support/eventually.ts'
import { startInterceptingProxy } from './support/intercepting-proxy.ts'
import { openSettledEngine, openTestEngine } from './support/test-engine.ts'
import { startTestPlatform } from './support/test-platform.ts'
import { createFolderQuery } from '../../../src/shared/thread-query.ts'

describe('an account without inboxes', () => {
  it.each(['not_found', 'forbidden'] as const)('has received e-mails, contacts and topics: %s', async (inboxes) => {
    const platform = await startTestPlatform({ inboxes }, { dataset: 'demo' })
    const engine = await openTestEngine(platform)
    const status = await engine.settled()
    expect(status).toMatchObject({ connection: 'online', problem: null })
    expect(await engine.call('inbox.list', {})).toMatchObject({ inboxes: [], freshness: { state: 'live' } })
    expect((await engine.call('receivedEmail.list', { offset: 0, limit: 1 })).total).toBeGreaterThan(100)
    const { items } = await engine.call('contact.list', { offset: 0, limit: 1 })
    const { topics } = await engine.call('person.refresh', { address: items[0]?.email ?? '' })
    expect(topics?.topics.length).toBeGreaterThan(0)
  })
})

it('requests the inboxes again after a proxy’s web page', async () => {
  const platform = await startTestPlatform()
  const proxy = await startInterceptingProxy(platform.baseUrl)
  proxy.intercept((_method, path) => (path.startsWith('/inboxes') ? { status: 403, page: '<h1>Forbidden</h1>' } : null))
  const engine = await openTestEngine({ ...platform, baseUrl: proxy.baseUrl })
  const { problem } = await eventually(engine.status, (status) => status.problem !== null)
  expect(problem).toContain('status 403')
  expect((await engine.call('inbox.list', {})).freshness.state).not.toBe('live')
  proxy.intercept(() => null)
  await engine.call('sync.now', {})
  await engine.settled()
  expect((await engine.call('inbox.list', {})).inboxes).toMatchObject([{ id: platform.inboxId }])
})

describe('a contract-only platform', () => {
  it('lists threads by search in an inbox added by its ID', async () => {
    const full = await startTestPlatform({}, { dataset: 'demo' })
    const platform = await startTestPlatform({ operations: 'contract' }, { dataset: 'demo' })
    const engine = await openSettledEngine(platform)
    expect((await engine.call('inbox.list', {})).inboxes).toEqual([])
    expect(await engine.problemOf('inbox.add', { inboxId: 'unknown' })).toMatchObject({ code: 'not_found' })

    const { inboxId } = platform
    await engine.call('inbox.add', { inboxId })
    await engine.call('sync.now', {})
    await eventually(engine.status, ({ progress }) => progress === null)
    for (const folder of FOLDERS) {
      const { data } = await full.ask<{ data: unknown[] }>(
        'GET',
        `/inboxes/${full.inboxId}/threads?folders=${folder}&limit=100`,
      )
      const { total } = await engine.call('thread.list', {
        query: createFolderQuery(inboxId, folder),
        offset: 0,
        limit: 1,
      })
      expect([folder, Math.min(total, 100)]).toEqual([folder, data.length])
    }
    expect((await engine.call('inbox.list', {})).inboxes).toMatchObject([{ id: inboxId }])
    expect(await engine.status()).toMatchObject({ connection: 'online', problem: null })
  })

  it('removes a label from a thread, the contract’s only change', async () => {
    const platform = await startTestPlatform({ operations: 'contract' }, { dataset: 'demo' })
    const engine = await openTestEngine(platform)
    const { inboxId } = platform
    await engine.call('inbox.add', { inboxId })
    await engine.call('sync.now', {})
    await engine.settled()
    const items = await listCached(engine, inboxId, 'inbox')
    const labelled = items.find(({ labels }) => labels.length > 0)
    const labelId = labelled?.labels[0]?.id ?? ''
    await engine.call('thread.change', {
      inboxId,
      threadIds: [labelled?.id ?? ''],
      change: { removeLabels: [labelId] },
    })
    await engine.settled()
    expect(await engine.rollbackNotices()).toEqual([])
    expect(await engine.problemOf('thread.open', { inboxId, threadId: labelled?.id ?? '' })).toMatchObject({
      code: 'refused',
    })
    await engine.call('thread.change', { inboxId, threadIds: [labelled?.id ?? ''], change: { folder: 'archive' } })
    await eventually(engine.rollbackNotices, (notices) => notices.length === 1)
    expect((await engine.status()).pendingChanges).toBe(0)
  })
})
