import { describe, expect, it } from 'vitest'
import { createFolderQuery } from '../../../src/shared/thread-query.ts'
import { expectCacheEqualsPlatform, listCached } from './support/compare-with-platform.ts'
import { countRequests, createWebhook, EVENTS, openFedEngine } from './support/fed-engine.ts'
import { openSettledEngine } from './support/test-engine.ts'
import { startTestPlatform, type TestPlatform } from './support/test-platform.ts'

describe('the event log of a webhook', () => {
  it('tells of new mail, moves and labels in any of 60 inboxes with few requests', async () => {
    const platform = await startTestPlatform({}, { generate: { threads: 40, seed: 4 } })
    const addresses = Array.from({ length: 59 }, (_, number) => `desk-${number}@linnet.example`)
    for (const email_address of addresses) await platform.ask('POST', '/inboxes', { email_address })
    await createWebhook(platform)
    const engine = await openFedEngine(platform)
    const { inboxId } = platform
    const idle = await countRequests(platform, async () => {
      for (let second = 0; second < 300; second += 5) await engine.advance(5_000)
    })
    expect(idle.length / 300).toBeLessThanOrEqual(0.3)
    const { inboxes } = await engine.call('inbox.list', {})
    for (const { id } of inboxes) {
      const read = await engine.call('thread.list', { query: createFolderQuery(id, 'inbox'), offset: 0, limit: 1 })
      expect(read.freshness.state).toBe('live')
    }

    const [moved, labelled] = await listCached(engine, inboxId, 'inbox')
    const { id: labelId } = await platform.ask<{ id: string }>('POST', `/inboxes/${inboxId}/labels`, { name: 'Fog' })
    await platform.ask('PATCH', `/inboxes/${inboxId}/threads/${moved?.id ?? ''}`, { folder: 'archive' })
    await platform.ask('POST', `/inboxes/${inboxId}/threads/${labelled?.id ?? ''}/labels`, { labels: [labelId] })
    await platform.deliver({ to: addresses[33], subject: 'For desk 33' })
    await engine.advance(5_000)
    const desk = inboxes.find(({ emailAddress }) => emailAddress === addresses[33])?.id ?? ''
    expect(await listCached(engine, desk, 'inbox')).toMatchObject([{ subject: 'For desk 33' }])
    const left = await listCached(engine, inboxId, 'inbox')
    expect(left.map(({ id }) => id)).not.toContain(moved?.id)
    expect(left.find(({ id }) => id === labelled?.id)?.labels).toMatchObject([{ name: 'Fog' }])
    await expectCacheEqualsPlatform(engine, platform)
  })

  it('costs few requests outside the inboxes that a burst concerns', async () => {
    const platform = await startTestPlatform()
    const addresses = Array.from({ length: 59 }, (_, number) => `desk-${number}@linnet.example`)
    for (const email_address of addresses) await platform.ask('POST', '/inboxes', { email_address })
    for (let mail = 0; mail < 105; mail += 1) {
      await platform.deliver({ to: addresses[mail % 3], subject: `Order ${mail}` })
    }
    await createWebhook(platform)
    const engine = await openFedEngine(platform)
    const { inboxes } = await engine.call('inbox.list', {})
    const desks = addresses
      .slice(0, 3)
      .map((address) => inboxes.find(({ emailAddress }) => emailAddress === address)?.id ?? '')
    for (const desk of desks) {
      for (const { id } of (await listCached(engine, desk, 'inbox')).slice(0, 34))
        await platform.ask('PATCH', `/inboxes/${desk}/threads/${id}`, { folder: 'archive' })
    }
    const asked = await countRequests(platform, () => engine.advance(30_000))
    expect(asked.filter((request) => request.includes('/events/')).length).toBe(3 * 34)
    expect(asked.length - 3 * 34).toBeLessThanOrEqual(30)
    for (const desk of desks) await expectCacheEqualsPlatform(engine, platform, desk)
  })

  it.each([
    ['rate_limited', '/events'],
    ['error_500', '/events'],
    ['error_503', '/events'],
    ['html', '/events'],
    ['truncated_json', '/events'],
    ['missing_field', '/events'],
    // Only the payloads.
    ['error_500', '/events/'],
    ['missing_field', '/events/'],
  ] as const)('leaves the work to the ordinary polls during %s at %s', async (kind, path) => {
    const platform = await startTestPlatform({}, { generate: { threads: 40, seed: 4 } })
    const id = await createWebhook(platform)
    const engine = await openFedEngine(platform)
    await platform.fault({ kind, path: `/webhooks/${id}${path}` })
    await platform.deliver({ subject: 'During the fault' })
    const [moved] = await listCached(engine, platform.inboxId, 'inbox')
    await platform.ask('PATCH', `/inboxes/${platform.inboxId}/threads/${moved?.id ?? ''}`, { folder: 'archive' })
    for (let second = 0; second < 240; second += 8) await engine.advance(8_000)
    await expectCacheEqualsPlatform(engine, platform)
    // An optional log that can't be read is not a problem of the account.
    expect((await engine.status()).problem).toBeNull()
    await platform.fault()
    for (let second = 0; second < 900; second += 15) await engine.advance(15_000)
    await platform.deliver({ subject: 'After the fault' })
    await engine.advance(5_000)
    expect((await listCached(engine, platform.inboxId, 'inbox'))[0]).toMatchObject({ subject: 'After the fault' })
  })

  it.each([
    ['deleted', (platform: TestPlatform, id: string) => platform.ask('DELETE', `/webhooks/${id}`)],
    [
      'disabled',
      (platform: TestPlatform, id: string) => platform.ask('PATCH', `/webhooks/${id}`, { status: 'disabled' }),
    ],
  ])('of another webhook is read if the first is %s', async (_, end) => {
    const platform = await startTestPlatform()
    const first = await createWebhook(platform)
    const engine = await openFedEngine(platform)
    await createWebhook(platform, EVENTS.slice(1))
    await end(platform, first)
    for (let second = 0; second < 90; second += 5) await engine.advance(5_000)
    await platform.deliver({ subject: 'Through the second webhook' })
    await engine.advance(5_000)
    expect(await listCached(engine, platform.inboxId, 'inbox')).toMatchObject([
      { subject: 'Through the second webhook' },
    ])
    const asked = await countRequests(platform, () => engine.advance(5_000))
    expect(asked.filter((request) => request.includes(first))).toEqual([])
  })

  it('goes on where it was after a restart', async () => {
    const platform = await startTestPlatform({}, { generate: { threads: 40, seed: 4 } })
    await createWebhook(platform)
    const engine = await openFedEngine(platform)
    const [moved] = await listCached(engine, platform.inboxId, 'inbox')
    await engine.close()
    await platform.ask('PATCH', `/inboxes/${platform.inboxId}/threads/${moved?.id ?? ''}`, { folder: 'archive' })
    const again = await openSettledEngine(platform, engine.directory)
    await again.call('window.activity', { activity: 'focused' })
    await again.advance(5_000)
    expect((await listCached(again, platform.inboxId, 'inbox')).map(({ id }) => id)).not.toContain(moved?.id)
  })

  it('tells that an older e-mail was not delivered', async () => {
    const platform = await startTestPlatform()
    const send = async (subject: string): Promise<string> =>
      (
        await platform.ask<{ id: string }>('POST', '/emails', {
          ...{ from: platform.inboxAddress, to: 'ada@example.com', subject, text: 'Hello' },
        })
      ).id
    const bounced = await send('The bounced one')
    for (let number = 0; number < 30; number += 1) await send(`Later ${number}`)
    await createWebhook(platform)
    const engine = await openFedEngine(platform)
    await platform.ask('PUT', `/_control/emails/${bounced}`, {
      ...{ last_event: 'bounced', bounce: { type: 'Permanent', subType: 'NoEmail', message: 'No such user' } },
    })
    await engine.advance(5_000)
    const { items } = await engine.call('sentEmail.list', { offset: 0, limit: 50 })
    expect(items.find(({ id }) => id === bounced)).toMatchObject({ lastEvent: 'bounced' })
  })

  it('takes one payload for a new message, and none for the event of its thread', async () => {
    const platform = await startTestPlatform()
    await createWebhook(platform, ['inbox.email.received', 'inbox.thread.created'])
    const engine = await openFedEngine(platform)
    await platform.deliver({ subject: 'Once' })
    const asked = await countRequests(platform, () => engine.advance(5_000))
    expect(asked.filter((request) => request.includes('/events/')).length).toBe(1)
    expect(await listCached(engine, platform.inboxId, 'inbox')).toMatchObject([{ subject: 'Once' }])
  })

  it('is read no further than to events without use', async () => {
    const platform = await startTestPlatform()
    await createWebhook(platform, ['inbox.thread.created'])
    for (let mail = 0; mail < 130; mail += 1) await platform.deliver({ subject: `Order ${mail}` })
    const engine = await openFedEngine(platform)
    const asked = await countRequests(platform, () => engine.advance(5_000))
    expect(asked.filter((request) => request.includes('/events')).length).toBe(1)
  })
})
