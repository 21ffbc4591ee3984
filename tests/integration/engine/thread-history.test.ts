import { describe, expect, it } from 'vitest'
import type { HistoryEntry } from '../../../src/shared/contract.ts'
import { FEED_EVENTS } from '../../../src/shared/webhooks.ts'
import { listCached } from './support/compare-with-platform.ts'
import { eventually } from './support/eventually.ts'
import { openSettledEngine, type TestEngine } from './support/test-engine.ts'
import { startTestPlatform, type TestPlatform } from './support/test-platform.ts'

/** Nobody listens there. Events are logged whatever an endpoint answers. */
const ENDPOINT = 'http://127.0.0.1:9/hook'

interface Scene {
  readonly platform: TestPlatform
  readonly engine: TestEngine
  readonly webhookId: string
  readonly inboxId: string
  readonly threadId: string
  /** Path of the thread. */
  readonly path: string
  readonly history: () => Promise<readonly HistoryEntry[]>
}

/** An engine that reads the log of a webhook, with the focus, and a thread. */
const openScene = async (prepare: (platform: TestPlatform) => Promise<unknown> = () => Promise.resolve()) => {
  const platform = await startTestPlatform()
  const { inboxId } = platform
  const webhook = await platform.ask<{ id: string }>('POST', '/webhooks', { endpoint: ENDPOINT, events: FEED_EVENTS })
  await platform.deliver({ subject: 'Order 12' })
  await prepare(platform)
  const engine = await openSettledEngine(platform)
  await engine.call('window.activity', { activity: 'focused' })
  for (let step = 0; step < 3; step += 1) await engine.advance(5_000)
  const [thread] = await listCached(engine, inboxId, 'inbox')
  const threadId = thread?.id ?? ''
  return {
    ...{ platform, engine, webhookId: webhook.id, inboxId, threadId, path: `/inboxes/${inboxId}/threads/${threadId}` },
    history: async () => (await engine.call('thread.open', { inboxId, threadId })).history ?? [],
  } satisfies Scene
}

const createLabel = async ({ platform, inboxId }: Scene, name: string): Promise<string> =>
  (await platform.ask<{ id: string }>('POST', `/inboxes/${inboxId}/labels`, { name, color: '#00A2C7' })).id

describe('the history of a thread', () => {
  it('is not returned if no change is known', async () => {
    const { engine, inboxId, threadId } = await openScene()
    expect(await engine.call('thread.open', { inboxId, threadId })).not.toHaveProperty('history')
  })

  it('tells of moves, labels and assignments in the dashboard and by the agent', async () => {
    const scene = await openScene()
    const { platform, engine, path, history } = scene
    const labels = [await createLabel(scene, 'Billing')]
    const changes = [
      ['PATCH', `/_control/as/agent${path}`, { folder: 'archive' }],
      ['POST', `/_control/as/dashboard${path}/labels`, { labels }],
      ['DELETE', `/_control/as/agent${path}/labels/${labels[0] ?? ''}`],
      [
        'PUT',
        `/_control/as/dashboard${path}/assignee`,
        { assignee_email: 'ada@example.com', assigned_by_email: 'bo@example.com' },
      ],
      ['PUT', `/_control/as/agent${path}/assignee`, { assignee_email: null }],
      ['PATCH', path, { folder: 'trash' }],
    ] as const
    for (const [method, at, body] of changes) {
      await platform.ask(method, at, body)
      await engine.advance(5_000)
    }
    expect(await history()).toMatchObject([
      { kind: 'moved', by: 'agent', to: 'archive' },
      { kind: 'labelled', by: 'dashboard', added: ['Billing'], removed: [] },
      { kind: 'labelled', by: 'agent', added: [], removed: ['Billing'] },
      { kind: 'assigned', by: 'dashboard', assignee: 'ada@example.com', assignedBy: 'bo@example.com' },
      { kind: 'unassigned', by: 'agent', assignee: 'ada@example.com' },
      { kind: 'moved', by: 'api', to: 'trash' },
    ])
  })

  it('tells windows of each new entry', async () => {
    const { platform, engine, inboxId, threadId, path } = await openScene()
    const before = engine.events('history.changed').length
    await platform.ask('PUT', `/_control/as/agent${path}/assignee`, { assignee_email: 'ada@example.com' })
    await engine.advance(5_000)
    const after = await eventually(
      () => engine.events('history.changed').slice(before),
      (events) => events.length > 0,
    )
    expect(after).toEqual([{ inboxId, threadId }])
  })

  it('tells of changes from before Linnet first read the log', async () => {
    const { history } = await openScene(async ({ ask, inboxId }) => {
      const { data } = await ask<{ data: readonly { id: string }[] }>('GET', `/inboxes/${inboxId}/threads`)
      const path = `/inboxes/${inboxId}/threads/${data[0]?.id ?? ''}`
      await ask('PATCH', `/_control/as/agent${path}`, { folder: 'spam' })
      await ask('PATCH', `/_control/as/dashboard${path}`, { folder: 'inbox' })
    })
    expect(await history()).toMatchObject([{ by: 'agent' }, { by: 'dashboard' }])
  })

  it('names the current name of a label, and the last one of a deleted label', async () => {
    const scene = await openScene()
    const { platform, engine, inboxId, path, history } = scene
    const labels = [await createLabel(scene, 'Billing'), await createLabel(scene, 'Urgent')]
    await platform.ask('POST', `/_control/as/dashboard${path}/labels`, { labels })
    await engine.advance(5_000)
    await platform.ask('PATCH', `/inboxes/${inboxId}/labels/${labels[0] ?? ''}`, { name: 'Invoices' })
    await platform.ask('DELETE', `/inboxes/${inboxId}/labels/${labels[1] ?? ''}`)
    await engine.call('sync.now', {})
    const names = (await history()).flatMap((entry) => (entry.kind === 'labelled' ? entry.added : []))
    expect(names.toSorted()).toEqual(['Invoices', 'Urgent'])
  })

  it('tells changes by this computer from those of other clients of the API', async () => {
    const scene = await openScene()
    const { platform, engine, inboxId, threadId, path, history } = scene
    const labelId = await createLabel(scene, 'Billing')
    await engine.call('sync.now', {})
    const change = { folder: 'archive' as const, addLabels: [labelId] }
    await engine.call('thread.change', { inboxId, threadIds: [threadId], change })
    await engine.settled()
    await engine.advance(5_000)
    await platform.ask('PATCH', path, { folder: 'inbox' })
    await engine.advance(5_000)
    // The same change again, but by another client.
    await platform.ask('PATCH', path, { folder: 'archive' })
    await engine.advance(5_000)
    const all = await history()
    expect(
      all
        .slice(0, 2)
        .map(({ kind, by }) => `${kind} ${by ?? ''}`)
        .toSorted(),
    ).toEqual(['labelled here', 'moved here'])
    expect(all.slice(2)).toMatchObject([
      { kind: 'moved', to: 'inbox', by: 'api' },
      { kind: 'moved', to: 'archive', by: 'api' },
    ])
  })

  it('knows its own changes even if events have to be read again', async () => {
    const scene = await openScene()
    const { platform, engine, webhookId, inboxId, threadId, history } = scene
    const labelId = await createLabel(scene, 'Billing')
    await engine.call('sync.now', {})
    const change = { folder: 'archive' as const, addLabels: [labelId] }
    await engine.call('thread.change', { inboxId, threadIds: [threadId], change })
    await engine.settled()
    // The second payload can't be read, so both are read again.
    await platform.fault({ kind: 'error_500', path: `/webhooks/${webhookId}/events/`, skip: 1 })
    await engine.advance(5_000)
    await eventually(
      () => engine.call('feed.state', {}),
      ({ kind }) => kind === 'failing',
    )
    await platform.fault()
    await engine.advance(60_000)
    expect((await history()).map(({ by }) => by)).toEqual(['here', 'here'])
  })

  it('tells of a draft while it is written, and of its message once it is sent', async () => {
    const { platform, engine, inboxId, threadId, history } = await openScene()
    const drafts = `/_control/as/agent/inboxes/${inboxId}/drafts`
    const { emails } = await engine.call('thread.open', { inboxId, threadId })
    const reply = { thread_id: threadId, reply_to_email_id: emails[0]?.id, text: 'It is on its way.' }
    const given = await platform.ask<{ id: string }>('POST', drafts, reply)
    await engine.advance(5_000)
    expect(await history()).toMatchObject([{ kind: 'drafted', by: 'agent' }])
    await platform.ask('DELETE', `${drafts}/${given.id}`)
    await engine.advance(5_000)
    expect(await history()).toEqual([])
    const { id } = await platform.ask<{ id: string }>('POST', drafts, reply)
    await engine.advance(5_000)
    await platform.ask('PATCH', `${drafts}/${id}`, { text: 'It is on its way. Really.' })
    await engine.advance(5_000)
    expect(await history()).toMatchObject([{ kind: 'drafted', by: 'agent' }])
    await platform.ask('POST', `${drafts}/${id}/send`)
    await engine.advance(5_000)
    expect(await history()).toMatchObject([{ kind: 'sent', by: 'agent' }])
  })

  it('leaves out drafts and replies through the API, which Linnet shows anyway', async () => {
    const { platform, engine, inboxId, threadId, history } = await openScene()
    const { emails } = await engine.call('thread.open', { inboxId, threadId })
    const reply = { thread_id: threadId, reply_to_email_id: emails[0]?.id, text: 'It is on its way.' }
    const drafts = `/inboxes/${inboxId}/drafts`
    const { id } = await platform.ask<{ id: string }>('POST', drafts, reply)
    await platform.ask('POST', `${drafts}/${id}/send`)
    await platform.ask('POST', drafts, reply)
    await engine.advance(5_000)
    expect(await history()).toEqual([])
  })
})
