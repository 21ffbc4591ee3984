import { describe, expect, it } from 'vitest'
import { createFolderQuery } from '../../../src/shared/thread-query.ts'
import { FOLDERS } from '../../../src/shared/model.ts'
import { expectCacheEqualsPlatform, listCached } from './support/compare-with-platform.ts'
import { eventually } from './support/eventually.ts'
import { openSettledEngine, openTestEngine } from './support/test-engine.ts'
import { startTestPlatform } from './support/test-platform.ts'

describe('polling for new mail', () => {
  it('finds a new message, its text and the unread count', async () => {
    const platform = await startTestPlatform()
    const engine = await openSettledEngine(platform)
    await platform.deliver({ subject: 'Lunch?', text: 'At noon, by the river.' })
    await engine.call('sync.now', {})
    await engine.settled()
    const { inboxId } = platform
    const items = await listCached(engine, inboxId, 'inbox')
    expect(items).toMatchObject([{ subject: 'Lunch?', snippet: 'At noon, by the river.', read: false }])
    expect((await engine.call('inbox.list', {})).inboxes[0]?.unread).toBe(1)
    expect(engine.events('threads.changed').at(0)).toMatchObject({ inboxId, folders: ['inbox'] })
  })

  it('finds changes that don’t move a thread to the top', async () => {
    const platform = await startTestPlatform({}, { generate: { threads: 60, seed: 3 } })
    const engine = await openSettledEngine(platform)
    const { inboxId } = platform
    const [read, moved, trashed] = await listCached(engine, inboxId, 'inbox')
    await platform.ask('PATCH', `/inboxes/${inboxId}/threads/${read?.id ?? ''}`, { read: !read?.read })
    await platform.ask('PATCH', `/inboxes/${inboxId}/threads/${moved?.id ?? ''}`, { folder: 'archive' })
    await platform.ask('DELETE', `/inboxes/${inboxId}/threads/${trashed?.id ?? ''}`)
    await engine.call('sync.now', {})
    await expectCacheEqualsPlatform(engine, platform)
  })

  // More than one page of each list, and more threads than the engine remembers having checked.
  it.each([400, 1_600])('makes at most three requests when nothing is new, with %i threads', async (threads) => {
    const platform = await startTestPlatform({}, { generate: { threads, seed: 5 } })
    const engine = await openSettledEngine(platform)
    const before = platform.requests().length
    // Regaining focus polls at once.
    await engine.call('window.activity', { activity: 'hidden' })
    const last = (await engine.status()).lastSyncAt ?? 0
    await engine.call('window.activity', { activity: 'focused' })
    await eventually(engine.status, ({ lastSyncAt }) => (lastSyncAt ?? 0) > last)
    expect(platform.requests().length - before).toBeLessThanOrEqual(3)
    expect(platform.requests().length - before).toBeGreaterThan(0)
  })

  it.each([
    ['focused', 8_000],
    ['visible', 15_000],
    ['hidden', 60_000],
  ] as const)('runs at the pace of a window that is %s', async (activity, pause) => {
    const platform = await startTestPlatform()
    const engine = await openSettledEngine(platform)
    const lastLook = async (): Promise<number> => (await engine.status()).lastSyncAt ?? 0
    await engine.call('window.activity', { activity })
    // Ends the current pause; a poll then starts the next.
    await engine.skip(30_000)
    const before = await lastLook()
    await engine.advance(pause / 2)
    expect(await lastLook()).toBe(before)
    await engine.advance(pause / 2)
    expect(await lastLook()).toBeGreaterThan(before)
  })

  it('finds new mail in any of 60 inboxes with as few requests as in one', async () => {
    const platform = await startTestPlatform()
    const addresses = Array.from({ length: 59 }, (_, number) => `desk-${number}@linnet.example`)
    for (const email_address of addresses) await platform.ask('POST', '/inboxes', { email_address })
    const engine = await openSettledEngine(platform)
    await engine.call('window.activity', { activity: 'focused' })
    // Ends the current pause.
    await engine.skip(8_000)
    const before = platform.requests().length
    for (let poll = 0; poll < 20; poll += 1) await engine.advance(8_000)
    const asked = platform.requests().slice(before)
    expect(asked.filter((request) => !request.includes('/drafts')).length).toBeLessThanOrEqual(20 * 3)

    const { inboxes } = await engine.call('inbox.list', {})
    for (const { id } of inboxes) {
      const read = await engine.call('thread.list', { query: createFolderQuery(id, 'inbox'), offset: 0, limit: 1 })
      expect(read.freshness.state).toBe('live')
    }
    for (const address of [addresses[0], addresses[29], addresses[58]]) {
      await platform.deliver({ to: address, subject: `For ${address}` })
      await engine.advance(8_000)
      const inboxId = inboxes.find(({ emailAddress }) => emailAddress === address)?.id ?? ''
      // At once: waiting would let each inbox have its turn.
      expect(await listCached(engine, inboxId, 'inbox')).toMatchObject([{ subject: `For ${address}` }])
    }
  })

  it('polls an inbox again if its poll failed', async () => {
    const platform = await startTestPlatform()
    const addresses = Array.from({ length: 59 }, (_, number) => `desk-${number}@linnet.example`)
    for (const email_address of addresses) await platform.ask('POST', '/inboxes', { email_address })
    const engine = await openSettledEngine(platform)
    await engine.call('window.activity', { activity: 'focused' })
    await engine.skip(8_000)
    const { inboxes } = await engine.call('inbox.list', {})
    const desk = inboxes.find(({ emailAddress }) => emailAddress === addresses[33])?.id ?? ''
    await platform.deliver({ to: addresses[33], subject: 'Not lost' })
    await platform.fault({ kind: 'error_500', path: `/inboxes/${desk}/threads` })
    // Longer than a request is repeated.
    for (let poll = 0; poll < 8; poll += 1) await engine.advance(8_000)
    await platform.fault()
    // Fewer polls than it takes until each inbox has had its turn.
    for (let poll = 0; poll < 8; poll += 1) await engine.advance(8_000)
    expect(await listCached(engine, desk, 'inbox')).toMatchObject([{ subject: 'Not lost' }])
  })

  it('slows down while the platform fails', async () => {
    const platform = await startTestPlatform()
    const engine = await openSettledEngine(platform)
    await platform.fault({ kind: 'error_500', path: '/' })
    // Drafts have their own polling pauses.
    const asked = (): number => platform.requests().filter((request) => !request.includes('/drafts')).length
    const inAMinute = async (): Promise<number> => {
      const before = asked()
      for (let seconds = 0; seconds < 60; seconds += 5) await engine.advance(5_000)
      return asked() - before
    }
    await engine.skip(30_000)
    const first = await inAMinute()
    await inAMinute()
    expect(await inAMinute()).toBeLessThan(first / 2)
  })

  it('resumes after a restart without repeating a list', async () => {
    const platform = await startTestPlatform({}, { generate: { threads: 1_500, seed: 5 } })
    const engine = await openTestEngine(platform)
    await engine.call('window.activity', { activity: 'hidden' })
    await eventually(platform.requests, (requests) => requests.length > 12)
    await engine.close()
    const again = await openTestEngine(platform, engine.directory)
    await again.call('window.activity', { activity: 'hidden' })
    await again.settled()
    const pages = platform.requests().filter((request) => request.endsWith('/threads 200')).length
    const lengths = await Promise.all(
      FOLDERS.map(async (folder) => (await listCached(again, platform.inboxId, folder)).length),
    )
    const needed = lengths.reduce((sum, length) => sum + Math.max(1, Math.ceil(length / 100)), 0)
    // Each poll also reads the received e-mails, as does the crawl, once or twice. On a slow machine there are several.
    const polls = platform.requests().filter((request) => request.endsWith('/emails/receiving 200')).length - 1
    // One page for each of the five lists may have been repeated.
    expect(pages).toBeLessThanOrEqual(needed + polls + 5)
  })
})
