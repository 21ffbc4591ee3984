import { describe, expect, it } from 'vitest'
import { parseSearch } from '../../../src/shared/search/parse-search.ts'
import { toDashboardAssignee } from '../../../src/shared/assignees.ts'
import { listCached } from './support/compare-with-platform.ts'
import { openSettledEngine, type TestEngine } from './support/test-engine.ts'
import { startTestPlatform, type TestPlatform } from './support/test-platform.ts'

const ADA = 'ada@linnet.example'
const BO = 'bo@linnet.example'

const assign = (platform: TestPlatform, threadId: string, assignee: string | null): Promise<unknown> =>
  platform.ask('PUT', `/_control/as/dashboard/inboxes/${platform.inboxId}/threads/${threadId}/assignee`, {
    assignee_email: assignee,
    assigned_by_email: BO,
  })

const createWebhook = (platform: TestPlatform): Promise<unknown> =>
  platform.ask('POST', '/webhooks', {
    endpoint: 'http://127.0.0.1:9/hook',
    events: ['inbox.email.received', 'inbox.thread.assigned', 'inbox.thread.unassigned'],
  })

const open = async (platform: TestPlatform, directory?: string): Promise<TestEngine> => {
  const engine = await openSettledEngine(platform, directory)
  await engine.call('window.activity', { activity: 'focused' })
  await engine.advance(5_000)
  await engine.advance(20_000)
  return engine
}

/** IDs of the threads that a typed search finds. */
const search = async (engine: TestEngine, inboxId: string, text: string): Promise<readonly string[]> => {
  const { me, inDashboard } = await engine.call('assignee.list', { inboxId })
  const labels = [...(await engine.call('label.list', { inboxId })), ...inDashboard.map(toDashboardAssignee)]
  const { filter, faults } = parseSearch(text, { labels, me, now: Date.now(), timeZone: 'UTC' })
  expect(faults).toEqual([])
  const query = { ...filter, inboxIds: [inboxId] }
  return (await engine.call('thread.list', { query, offset: 0, limit: 50 })).items.map(({ id }) => id)
}

describe('an assignee in the dashboard', () => {
  it('is shown, listed, searched and counted, and changes nothing on the platform', async () => {
    const platform = await startTestPlatform({}, { generate: { threads: 20, seed: 4 } })
    await createWebhook(platform)
    const engine = await open(platform)
    const { inboxId } = platform
    const [first, second, third] = (await listCached(engine, inboxId, 'inbox')).map(({ id }) => id)
    await assign(platform, first ?? '', 'Ada@Linnet.example')
    await assign(platform, second ?? '', BO)
    await engine.advance(5_000)

    const rows = await listCached(engine, inboxId, 'inbox')
    expect(rows.slice(0, 3).map(({ dashboardAssignee }) => dashboardAssignee)).toEqual([ADA, BO, undefined])
    expect(rows[0]?.labels).not.toContainEqual(expect.objectContaining({ name: `@${ADA}` }))
    expect((await engine.call('assignee.list', { inboxId })).inDashboard.toSorted()).toEqual([ADA, BO])
    expect(await engine.call('label.list', { inboxId })).not.toContainEqual(
      expect.objectContaining({ name: `@${ADA}` }),
    )
    expect(await search(engine, inboxId, `assigned:${ADA}`)).toEqual([first])
    expect(await search(engine, inboxId, `in:inbox -assigned:nobody`)).toEqual([first, second])
    expect(await search(engine, inboxId, 'in:inbox assigned:nobody')).not.toContain(first)
    expect(await search(engine, inboxId, 'in:inbox assigned:nobody')).toContain(third)
    await engine.call('assignee.setMe', { name: 'Bo' })
    expect(await search(engine, inboxId, 'assigned:me')).toEqual([second])
    const sent = platform.requests().filter((request) => request.includes('mark'))
    expect(sent).toEqual([])

    // A change of the thread's labels leaves the assignee alone.
    const { id: labelId } = await platform.ask<{ id: string }>('POST', `/inboxes/${inboxId}/labels`, { name: 'Fog' })
    await engine.call('sync.now', {})
    await engine.call('thread.change', { inboxId, threadIds: [first ?? ''], change: { setLabels: [labelId] } })
    await engine.settled()
    expect((await listCached(engine, inboxId, 'inbox'))[0]).toMatchObject({
      dashboardAssignee: ADA,
      labels: [{ id: labelId }],
    })
  })

  it('is replaced and removed, and survives a restart', async () => {
    const platform = await startTestPlatform({}, { generate: { threads: 20, seed: 4 } })
    await createWebhook(platform)
    const engine = await open(platform)
    const { inboxId } = platform
    const [id = ''] = (await listCached(engine, inboxId, 'inbox')).map((each) => each.id)
    const shown = async (from: TestEngine): Promise<string | undefined> =>
      (await listCached(from, inboxId, 'inbox')).find((each) => each.id === id)?.dashboardAssignee
    await assign(platform, id, ADA)
    await engine.advance(5_000)
    await assign(platform, id, BO)
    await engine.advance(5_000)
    expect(await shown(engine)).toBe(BO)
    expect((await engine.call('assignee.list', { inboxId })).inDashboard).toEqual([BO])
    await engine.close()
    const again = await open(platform, engine.directory)
    expect(await shown(again)).toBe(BO)
    await assign(platform, id, null)
    await again.advance(5_000)
    expect(await shown(again)).toBeUndefined()
    expect((await again.call('assignee.list', { inboxId })).inDashboard).toEqual([])
  })

  it('is found in a log from before the first sync', async () => {
    const platform = await startTestPlatform({}, { generate: { threads: 20, seed: 4 } })
    await createWebhook(platform)
    const { data } = await platform.ask<{ data: readonly { id: string }[] }>(
      'GET',
      `/inboxes/${platform.inboxId}/threads?folders=inbox`,
    )
    const ids = data.slice(0, 12).map(({ id }) => id)
    for (const id of ids) await assign(platform, id, ADA)
    const engine = await open(platform)
    const assigned = (await listCached(engine, platform.inboxId, 'inbox')).filter(
      ({ dashboardAssignee }) => dashboardAssignee === ADA,
    )
    expect(assigned.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
  })
})
