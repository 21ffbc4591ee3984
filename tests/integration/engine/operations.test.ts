import { searchFor, word } from './support/searches.ts'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { filesUnder } from '../../support/files-under.ts'
import { expectCacheEqualsPlatform, listCached } from './support/compare-with-platform.ts'
import { eventually } from './support/eventually.ts'
import { openSynced } from './support/synced-account.ts'
import { expectOk, openSettledEngine, openTestEngine } from './support/test-engine.ts'
import { startTestPlatform, type TestPlatform } from './support/test-platform.ts'
import { createFolderQuery } from '../../../src/shared/thread-query.ts'

const faultsMet = async (platform: TestPlatform): Promise<number> => {
  const { faults } = await platform.ask<{ faults: { met: number }[] }>('GET', '/_control/faults')
  return faults[0]?.met ?? 0
}

describe('an account with the demo mailbox', () => {
  it('caches everything that the platform has', async () => {
    const platform = await startTestPlatform({}, { dataset: 'demo' })
    const engine = await openSettledEngine(platform)
    await expectCacheEqualsPlatform(engine, platform)

    const contacts = await platform.ask<{ data: { id: string }[] }>('GET', '/contacts')
    const listed = await engine.call('contact.list', { offset: 0, limit: 200 })
    expect(listed.items.map(({ id }) => id).sort()).toEqual(contacts.data.map(({ id }) => id).sort())
    const last = listed.items.at(-1)
    expect(await engine.call('contact.get', { contactId: last?.id ?? '' })).toEqual(last)
    const received = await platform.ask<{ data: { id: string }[] }>('GET', '/emails/receiving')
    expect((await engine.call('receivedEmail.list', { offset: 0, limit: 1 })).total).toBe(received.data.length)
    const { data: labels } = await platform.ask<{ data: { name: string }[] }>(
      'GET',
      `/inboxes/${platform.inboxId}/labels`,
    )
    const names = (await engine.call('label.list', { inboxId: platform.inboxId })).map(({ name }) => name)
    expect(names).toEqual(labels.map(({ name }) => name))
  })

  it('serves every screen from the cache', async () => {
    const { platform, engine } = await openSynced({ dataset: 'demo' })
    const { inboxId } = platform
    const page = await engine.call('thread.list', { query: createFolderQuery(inboxId, 'inbox'), offset: 0, limit: 50 })
    expect(page.items).toHaveLength(50)
    expect(page.freshness.state).toBe('live')
    const { inboxes } = await engine.call('inbox.list', {})
    const all = await engine.call('thread.list', { query: createFolderQuery(inboxId, 'inbox'), offset: 0, limit: 200 })
    expect(inboxes[0]?.unread).toBe(all.items.filter(({ read }) => !read).length)

    const thread = page.items.find(({ emailCount }) => emailCount > 1)
    const before = platform.requests().length
    const open = await engine.call('thread.open', { inboxId, threadId: thread?.id ?? '' })
    expect(open.emails).toHaveLength(thread?.emailCount ?? 0)
    expect(
      platform
        .requests()
        .slice(before)
        .filter((request) => request.includes('/emails')),
    ).toEqual([])
    const times = open.emails.map(({ receivedAt }) => receivedAt)
    expect(times).toEqual(times.toSorted((a, b) => a - b))
  })

  it('opens a thread that no list has shown yet', async () => {
    const platform = await startTestPlatform({}, { dataset: 'demo' })
    const { inboxId } = platform
    const { data } = await platform.ask<{ data: { id: string; subject: string }[] }>(
      'GET',
      `/inboxes/${inboxId}/threads?limit=1`,
    )
    const [newest] = data
    // The first poll hangs, and so does everything after it.
    await platform.fault({ kind: 'delay', delay_ms: 60_000, path: `/inboxes/${inboxId}/threads`, times: 1 })
    const engine = await openTestEngine(platform)
    await eventually(
      () => faultsMet(platform),
      (met) => met === 1,
    )
    const open = await engine.call('thread.open', { inboxId, threadId: newest?.id ?? '' })
    expect(open.thread).toMatchObject({ id: newest?.id, subject: newest?.subject, folder: 'inbox' })
    expect(open.emails).toHaveLength(open.thread.emailCount)
  })

  it('rejects lists of an unknown inbox', async () => {
    const platform = await startTestPlatform()
    const engine = await openTestEngine(platform)
    for (const query of [createFolderQuery('unknown', 'inbox'), searchFor('unknown', { text: [word('fog')] })]) {
      expect(await engine.problemOf('thread.list', { query, offset: 0, limit: 1 })).toMatchObject({ code: 'not_found' })
    }
  })

  it('removes a label, creates a share link and sets a topic', async () => {
    const { platform, engine } = await openSynced({ dataset: 'demo' })
    const { inboxId } = platform
    const items = await listCached(engine, inboxId, 'inbox')
    const labelled = items.find(({ labels }) => labels.length > 1)
    const label = labelled?.labels[0]
    await engine.call('thread.change', {
      inboxId,
      threadIds: [labelled?.id ?? ''],
      change: { removeLabels: [label?.id ?? ''] },
    })
    await engine.settled()
    const summary = await platform.ask<{ labels: { id: string }[] }>(
      'GET',
      `/inboxes/${inboxId}/threads/${labelled?.id ?? ''}`,
    )
    expect(summary.labels.map(({ id }) => id)).toEqual(labelled?.labels.slice(1).map(({ id }) => id))
    await expectCacheEqualsPlatform(engine, platform)

    const { items: received } = await engine.call('receivedEmail.list', { offset: 0, limit: 1 })
    const of = { list: 'received', emailId: received[0]?.id ?? '' } as const
    const { link } = await engine.call('shareLink.create', { of, expiresIn: '10m' })
    expect((await fetch(link.url)).status).toBe(200)

    const { items: contacts } = await engine.call('contact.list', { offset: 0, limit: 1 })
    const { id: contactId = '', email: address = '' } = contacts[0] ?? {}
    const { topics } = await engine.call('person.refresh', { address })
    const topic = topics?.topics[0]
    const subscription = topic?.subscription === 'opt_in' ? 'opt_out' : 'opt_in'
    await engine.call('contact.setTopic', { contactId, topicId: topic?.id ?? '', subscription })
    expect((await engine.call('person.get', { address })).topics?.topics[0]?.subscription).toBe(subscription)
    await engine.settled()
    const there = await platform.ask<{ data: { id: string; subscription: string }[] }>(
      'GET',
      `/contacts/${contactId}/topics`,
    )
    expect(there.data.find(({ id }) => id === topic?.id)?.subscription).toBe(subscription)
  })

  it('reads a received e-mail and downloads its source without sending the key', async () => {
    const { engine } = await openSynced({ dataset: 'demo' })
    const { items } = await engine.call('receivedEmail.list', { offset: 0, limit: 1 })
    const detail = await engine.call('receivedEmail.get', { id: items[0]?.id ?? '' })
    expect(detail.hasRaw).toBe(true)
    const raw = expectOk(await engine.link.original('test', { list: 'received', emailId: detail.id }))
    expect(raw.filename).toMatch(/\.eml$/)
    expect(Buffer.from(raw.content).toString('latin1')).toContain('Message-ID')
  })

  it('keeps the key out of files, events and the log', async () => {
    const platform = await startTestPlatform({}, { dataset: 'demo' })
    const engine = await openSettledEngine(platform)
    await engine.problemOf('shareLink.create', { of: { list: 'sent', emailId: platform.apiKey } })
    await engine.close()
    for (const name of filesUnder(engine.directory)) {
      expect([name, readFileSync(join(engine.directory, name)).includes(platform.apiKey)]).toEqual([name, false])
    }
    expect(JSON.stringify(engine.log())).not.toContain(platform.apiKey)
    expect(JSON.stringify(engine.events('sync.changed'))).not.toContain(platform.apiKey)
  })
})
