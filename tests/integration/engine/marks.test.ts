import { copyFileSync, cpSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CACHE_NAME, OWN_NAME } from '../../../src/engine/own/account-files.ts'
import type { ListedThread } from '../../../src/shared/model.ts'
import { parseSearch } from '../../../src/shared/search/parse-search.ts'
import { createFolderQuery, createMarkQuery, NO_FILTER, type ThreadQuery } from '../../../src/shared/thread-query.ts'
import type { ThreadStateChange } from '../../../src/shared/thread-state.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'
import { eventually } from './support/eventually.ts'
import { openSynced } from './support/synced-account.ts'
import { openSettledEngine, openTestEngine, type TestEngine } from './support/test-engine.ts'
import { testClock } from './support/test-time.ts'

const HOUR = 60 * 60_000
const DAY = 24 * HOUR

const listed = async (engine: TestEngine, query: ThreadQuery): Promise<readonly ListedThread[]> =>
  (await engine.call('thread.list', { query, offset: 0, limit: 100 })).items

const openMailbox = async () => {
  const { platform, engine } = await openSynced({ generate: { threads: 60, seed: 7 } })
  const { inboxId } = platform
  const inbox = createFolderQuery(inboxId, 'inbox')
  const threads = await listed(engine, inbox)
  const [first, second] = threads.filter(({ read, emailCount }) => read && emailCount > 0).slice(2)
  if (first === undefined || second === undefined) throw new Error('the mailbox has too few threads in its inbox')
  const change = (change: ThreadStateChange & { readonly folder?: 'inbox' | 'archive' }, { id } = first) =>
    engine.call('thread.change', { inboxId, threadIds: [id], change: change as never })
  const idsOf = async (query: ThreadQuery, from = engine): Promise<readonly string[]> =>
    (await listed(from, query)).map(({ id }) => id)
  const search = (text: string): ThreadQuery => ({
    ...NO_FILTER,
    ...parseSearch(text, { labels: [], now: testClock().now(), timeZone: 'UTC' }).filter,
    inboxIds: [inboxId],
  })
  return { platform, engine, inboxId, inbox, first, second, threads, change, idsOf, search }
}

describe('a star', () => {
  it('is searchable and undoable, offline too, and never sent', async () => {
    const { platform, engine, inboxId, first, second, change, idsOf, search } = await openMailbox()
    const before = platform.requests().filter((request) => request.startsWith('PATCH')).length
    await change({ star: true })
    const made = await change({ star: true }, second)
    expect(made).toMatchObject({ threads: 1 })
    expect(await change({ star: true }, second)).toMatchObject({ threads: 0 })
    expect((await engine.status()).pendingChanges).toBe(0)
    expect(await idsOf(createMarkQuery(inboxId, 'starred'))).toEqual([first.id, second.id])
    expect(await idsOf(search('is:starred in:anywhere'))).toEqual([first.id, second.id])
    expect((await idsOf(search('-is:starred in:inbox'))).includes(first.id)).toBe(false)

    await engine.call('change.undo', { changeId: made.changeId })
    expect(await idsOf(createMarkQuery(inboxId, 'starred'))).toEqual([first.id])
    await engine.close()
    await platform.stop()
    const again = await openTestEngine(platform, engine.directory)
    expect(await idsOf(createMarkQuery(inboxId, 'starred'), again)).toEqual([first.id])
    expect((await listed(again, createMarkQuery(inboxId, 'starred')))[0]?.marks).toMatchObject({ isStarred: true })
    expect(platform.requests().filter((request) => request.startsWith('PATCH'))).toHaveLength(before)
  })

  it('survives a lost cache', async () => {
    const { platform, engine, inboxId, first, change, idsOf } = await openMailbox()
    await change({ star: true })
    await change({ snoozedUntil: testClock().now() + DAY })
    await engine.close()
    const other = temporaryDirectory()
    copyFileSync(join(engine.directory, OWN_NAME), join(other, OWN_NAME))
    const again = await openSettledEngine(platform, other)
    expect(await idsOf(createMarkQuery(inboxId, 'starred'), again)).toEqual([first.id])
    expect(await idsOf(createMarkQuery(inboxId, 'snoozed'), again)).toEqual([first.id])
    expect(await idsOf(createFolderQuery(inboxId, 'inbox'), again)).not.toContain(first.id)
  })

  it('comes from the outbox if either file is an older copy', async () => {
    const { platform, engine, inboxId, inbox, first, second, threads, change, idsOf } = await openMailbox()
    await change({ read: false }, second)
    await engine.settled()
    await engine.close()
    const before = temporaryDirectory()
    cpSync(engine.directory, before, { recursive: true })
    const later = await openTestEngine(platform, engine.directory)
    const marked = [
      [first, { star: true }],
      [second, { snoozedUntil: testClock().now() + DAY }],
    ] as const
    for (const [{ id }, wanted] of marked) {
      await later.call('thread.change', { inboxId, threadIds: [id], change: wanted })
    }
    // The next write discards changes that have been applied to the cache.
    await later.call('savedSearch.save', { inboxId, name: 'new', text: 'is:unread' })
    await later.close()
    await platform.stop()
    const opened = (cache: string, own: string) => {
      const directory = temporaryDirectory()
      copyFileSync(join(cache, CACHE_NAME), join(directory, CACHE_NAME))
      copyFileSync(join(own, OWN_NAME), join(directory, OWN_NAME))
      return openTestEngine(platform, directory)
    }
    const all = threads.map(({ id }) => id)
    const withOldCache = await opened(before, engine.directory)
    expect(await idsOf(createMarkQuery(inboxId, 'starred'), withOldCache)).toEqual([first.id])
    expect(await idsOf(createMarkQuery(inboxId, 'snoozed'), withOldCache)).toEqual([second.id])
    expect(await idsOf(inbox, withOldCache)).toEqual(all.filter((id) => id !== second.id))
    const withOldOutbox = await opened(engine.directory, before)
    expect(await idsOf(createMarkQuery(inboxId, 'starred'), withOldOutbox)).toEqual([])
    expect(await idsOf(createMarkQuery(inboxId, 'snoozed'), withOldOutbox)).toEqual([])
    expect(await idsOf(inbox, withOldOutbox)).toEqual(all)
  })

  it('is set and undone for an entire list', async () => {
    const { engine, inboxId, inbox, threads, idsOf } = await openMailbox()
    const upTo = threads[0]?.receivedAt ?? 0
    const made = await engine.call('thread.change', {
      inboxId,
      matching: { query: inbox, upTo, except: [] },
      change: { star: true },
    })
    expect(made.threads).toBe(threads.length)
    expect(await idsOf(createMarkQuery(inboxId, 'starred'))).toEqual(threads.map(({ id }) => id))
    expect(await engine.call('change.underWay', {})).toEqual([])
    await engine.call('change.undo', { changeId: made.changeId })
    expect(
      await eventually(
        () => idsOf(createMarkQuery(inboxId, 'starred')),
        (ids) => ids.length === 0,
      ),
    ).toEqual([])
  })
})

describe('a snooze', () => {
  it('leaves the inbox locally, and returns on top with a notice', async () => {
    const { platform, engine, inboxId, inbox, first, threads, change, idsOf, search } = await openMailbox()
    const until = testClock().now() + 2 * HOUR
    await change({ snoozedUntil: until })
    expect(await idsOf(inbox)).toEqual(threads.map(({ id }) => id).filter((id) => id !== first.id))
    expect(await idsOf(createMarkQuery(inboxId, 'snoozed'))).toEqual([first.id])
    expect(await idsOf(search('in:snoozed'))).toEqual([first.id])
    expect(await idsOf(search('is:snoozed -is:starred'))).toEqual([first.id])
    const counted = await engine.call('thread.countByFolder', { query: search('') })
    expect(counted.folders).toMatchObject({ snoozed: 1, inbox: (await idsOf(inbox)).length })
    expect((await idsOf(search('in:inbox -is:starred'))).includes(first.id)).toBe(false)
    await engine.call('sync.now', {})
    expect(await idsOf(inbox)).not.toContain(first.id)
    const there = await platform.ask<{ folder: string }>('GET', `/inboxes/${inboxId}/threads/${first.id}`)
    expect(there.folder).toBe('inbox')

    await engine.skip(2 * HOUR)
    const [top] = await eventually(
      () => listed(engine, inbox),
      (rows) => rows[0]?.id === first.id,
    )
    expect(top).toMatchObject({ id: first.id, read: false, folder: 'inbox', listedAt: until })
    expect(top?.marks?.back).toEqual({ at: until, why: 'snoozed' })
    expect(engine.events('mail.arrived')).toMatchObject([
      { why: 'snoozed', count: 1, threads: [{ threadId: first.id }] },
    ])
    expect(await idsOf(search('is:back in:anywhere'))).toEqual([first.id])
    await change({ read: true })
    expect((await listed(engine, inbox))[0]).toMatchObject({ id: first.id, read: true })
    await change({ folder: 'archive' })
    expect(await idsOf(inbox)).not.toContain(first.id)
    expect(await idsOf(search('is:back in:anywhere'))).toEqual([])
  })

  it('ends while Linnet is closed, with the thread back at the next start', async () => {
    const { platform, engine, inbox, first, change } = await openMailbox()
    await change({ snoozedUntil: testClock().now() + HOUR })
    await engine.close()
    await testClock().skip(DAY)
    const again = await openTestEngine(platform, engine.directory)
    const [top] = await eventually(
      () => listed(again, inbox),
      (rows) => rows[0]?.id === first.id,
    )
    expect(top?.id).toBe(first.id)
    expect(again.events('mail.arrived')).toMatchObject([{ why: 'snoozed' }])
    await again.close()
    const third = await openTestEngine(platform, engine.directory)
    expect((await listed(third, inbox))[0]?.id).toBe(first.id)
    expect(third.events('mail.arrived')).toEqual([])
  })

  it.each(['spam', 'trash'])('ends silently if a colleague moved the thread to %s', async (folder) => {
    const { platform, engine, inboxId, inbox, first, change, idsOf } = await openMailbox()
    await change({ snoozedUntil: testClock().now() + HOUR, folder: 'archive' })
    await engine.settled()
    await engine.close()
    await platform.ask('PATCH', `/inboxes/${inboxId}/threads/${first.id}`, { folder })
    await testClock().skip(2 * HOUR)
    const again = await openSettledEngine(platform, engine.directory)
    await again.advance(60_000)
    await again.settled()
    expect(again.events('mail.arrived')).toEqual([])
    expect(await idsOf(inbox, again)).not.toContain(first.id)
    const there = await platform.ask<{ folder: string }>('GET', `/inboxes/${inboxId}/threads/${first.id}`)
    expect(there.folder).toBe(folder)
  })

  it('ends offline, too', async () => {
    const { platform, engine, inbox, first, change } = await openMailbox()
    await change({ snoozedUntil: testClock().now() + HOUR })
    await engine.close()
    await platform.stop()
    await testClock().skip(2 * HOUR)
    const again = await openTestEngine(platform, engine.directory)
    await eventually(
      () => listed(again, inbox),
      (rows) => rows[0]?.id === first.id,
    )
    expect(again.events('mail.arrived')).toMatchObject([{ why: 'snoozed' }])
  })

  it('is checked a moment ahead, so that a lost connection doesn’t delay its end', async () => {
    const { platform, engine, inboxId, inbox, first, change, idsOf } = await openMailbox()
    const until = testClock().now() + HOUR
    await change({ snoozedUntil: until })
    await engine.skip(HOUR - 25_000)
    const check = `GET /inboxes/${inboxId}/threads/${first.id} 200`
    await eventually(
      () => Promise.resolve(platform.requests()),
      (requests) => requests.includes(check),
    )
    expect(await idsOf(inbox)).not.toContain(first.id)
    expect(engine.events('mail.arrived')).toEqual([])
    await platform.stop()
    await testClock().skip(25_000)
    const [top] = await eventually(
      () => listed(engine, inbox),
      (rows) => rows[0]?.id === first.id,
    )
    expect(top?.listedAt).toBe(until)
    expect(platform.requests().filter((request) => request === check)).toHaveLength(1)
  })

  it('delays a due reminder, and ends with a mute, which can be undone', async () => {
    const { platform, engine, inboxId, inbox, first, second, change, idsOf } = await openMailbox()
    await change({ remindAt: testClock().now() + HOUR })
    await change({ snoozedUntil: testClock().now() + 3 * HOUR })
    await change({ snoozedUntil: testClock().now() + 3 * HOUR }, second)
    const muted = await change({ mute: true }, second)
    await engine.settled()
    const there = await platform.ask<{ folder: string }>('GET', `/inboxes/${inboxId}/threads/${second.id}`)
    expect(there.folder).toBe('archive')
    expect(await idsOf(createMarkQuery(inboxId, 'snoozed'))).toEqual([first.id])
    await engine.call('change.undo', { changeId: muted.changeId })
    expect(await idsOf(createMarkQuery(inboxId, 'snoozed'))).toEqual([first.id, second.id])
    await engine.skip(2 * HOUR)
    await engine.call('sync.now', {})
    expect(engine.events('mail.arrived')).toEqual([])
    expect(await idsOf(inbox)).not.toContain(first.id)
    await engine.skip(HOUR)
    await engine.call('sync.now', {})
    await eventually(
      () => Promise.resolve(engine.events('mail.arrived').map(({ why }) => why)),
      (told) => told.at(-1) === 'unanswered',
    )
    expect((await idsOf(inbox)).slice(0, 2).toSorted()).toEqual([first.id, second.id].toSorted())
  })

  it('returns the thread to its place when undone', async () => {
    const { engine, inbox, threads, change, idsOf } = await openMailbox()
    const made = await change({ snoozedUntil: testClock().now() + HOUR })
    await engine.call('change.undo', { changeId: made.changeId })
    expect(await idsOf(inbox)).toEqual(threads.map(({ id }) => id))
  })

  it('archives on the platform if wanted, and returns the thread there', async () => {
    const { platform, engine, inboxId, inbox, first, change, idsOf } = await openMailbox()
    const folderThere = async (): Promise<string> =>
      (await platform.ask<{ folder: string }>('GET', `/inboxes/${inboxId}/threads/${first.id}`)).folder
    await change({ snoozedUntil: testClock().now() + HOUR, folder: 'archive' })
    await engine.settled()
    expect(await folderThere()).toBe('archive')
    expect(await idsOf(createMarkQuery(inboxId, 'snoozed'))).toEqual([first.id])
    expect(await idsOf(createFolderQuery(inboxId, 'archive'))).not.toContain(first.id)
    await engine.skip(HOUR)
    await engine.settled()
    expect(await folderThere()).toBe('inbox')
    expect((await idsOf(inbox))[0]).toBe(first.id)
  })

  it('resumes if it ended because the clock was a day ahead', async () => {
    const { engine, platform, inbox, first, change, idsOf } = await openMailbox()
    const until = testClock().now() + 20 * HOUR
    await change({ snoozedUntil: until })
    await engine.close()
    const ahead = { ...testClock(), now: () => testClock().now() + DAY }
    const wrong = await openTestEngine(platform, engine.directory, undefined, undefined, ahead)
    await eventually(
      () => idsOf(inbox, wrong),
      (ids) => ids[0] === first.id,
    )
    await wrong.close()
    const right = await openTestEngine(platform, engine.directory)
    await eventually(
      () => idsOf(inbox, right),
      (ids) => !ids.includes(first.id),
    )
    expect((await listed(right, createMarkQuery(platform.inboxId, 'snoozed')))[0]?.marks?.snoozedUntil).toBe(until)
  })

  it('ends with new mail in the thread, but not with the user’s own', async () => {
    const { platform, engine, inboxId, inbox, change, idsOf } = await openMailbox()
    await platform.deliver({
      from: 'Ada <ada@example.com>',
      to: platform.inboxAddress,
      subject: 'Lunch',
      text: 'Tuesday?',
      messageId: '<lunch@example.com>',
    })
    const [lunch] = await eventually(
      async () => {
        await engine.call('sync.now', {})
        return listed(engine, inbox)
      },
      (rows) => rows[0]?.subject === 'Lunch',
    )
    if (lunch === undefined) throw new Error('no mail came')
    await change({ snoozedUntil: testClock().now() + 5 * DAY, star: true }, lunch)
    await engine.skip(HOUR)
    expect(await idsOf(inbox)).not.toContain(lunch.id)
    await platform.deliver({
      from: 'Ada <ada@example.com>',
      to: platform.inboxAddress,
      subject: 'Re: Lunch',
      text: 'Or Wednesday?',
      inReplyTo: '<lunch@example.com>',
      references: '<lunch@example.com>',
    })
    const [back] = await eventually(
      async () => {
        await engine.call('sync.now', {})
        return listed(engine, inbox)
      },
      (rows) => rows[0]?.id === lunch.id,
    )
    expect(back?.marks).toMatchObject({ snoozedUntil: null, back: null, isStarred: true })
    expect(await idsOf(createMarkQuery(inboxId, 'snoozed'))).toEqual([])
  })
})

describe('a muted thread', () => {
  it('leaves the inbox, and its new mail is archived silently', async () => {
    const { platform, engine, inbox, inboxId, idsOf, change } = await openMailbox()
    const deliver = (subject: string, more: object): Promise<void> =>
      platform.deliver({ from: 'Ada <ada@example.com>', to: platform.inboxAddress, subject, text: 'Hello.', ...more })
    await deliver('Noise', { messageId: '<noise@example.com>' })
    const [noise] = await eventually(
      async () => {
        await engine.call('sync.now', {})
        return listed(engine, inbox)
      },
      (rows) => rows[0]?.subject === 'Noise',
    )
    if (noise === undefined) throw new Error('no mail came')
    await engine.skip(HOUR)
    const told = engine.events('mail.arrived').length
    await change({ mute: true }, noise)
    await engine.settled()
    expect(await idsOf(inbox)).not.toContain(noise.id)
    await deliver('Re: Noise', { inReplyTo: '<noise@example.com>', references: '<noise@example.com>' })
    await eventually(
      async () => {
        await engine.call('sync.now', {})
        return (await listed(engine, createMarkQuery(inboxId, 'muted')))[0]?.emailCount
      },
      (count) => count === 2,
    )
    await engine.settled()
    const there = await platform.ask<{ folder: string; read: boolean }>(
      'GET',
      `/inboxes/${inboxId}/threads/${noise.id}`,
    )
    expect(there).toMatchObject({ folder: 'archive', read: true })
    await engine.advance(5_000)
    expect(engine.events('mail.arrived')).toHaveLength(told)
    await change({ folder: 'inbox' }, noise)
    expect(await idsOf(createMarkQuery(inboxId, 'muted'))).toEqual([])
  })
})

describe('a reminder', () => {
  it('returns an unanswered thread to the inbox until archived', async () => {
    const { platform, engine, inbox, inboxId, change } = await openMailbox()
    const draft = await platform.ask<{ id: string }>('POST', `/inboxes/${inboxId}/drafts`, {
      to: ['ada@example.com'],
      subject: 'An offer',
      text: 'What do you think?',
    })
    await platform.ask('POST', `/inboxes/${inboxId}/drafts/${draft.id}/send`)
    const [sent] = await eventually(
      async () => {
        await engine.call('sync.now', {})
        return listed(engine, createFolderQuery(inboxId, 'sent'))
      },
      (rows) => rows[0]?.subject === 'An offer',
    )
    if (sent === undefined) throw new Error('nothing was sent')
    expect(sent.folder).toBe('sent')
    const at = testClock().now() + 2 * DAY
    await change({ remindAt: at }, sent)
    expect((await listed(engine, createMarkQuery(inboxId, 'reminder')))[0]?.id).toBe(sent.id)
    await engine.skip(2 * DAY)
    await engine.call('sync.now', {})
    const [top] = await eventually(
      () => listed(engine, inbox),
      (rows) => rows[0]?.id === sent.id,
    )
    expect(top).toMatchObject({ folder: 'inbox', read: false })
    expect(top?.marks?.back).toEqual({ at, why: 'unanswered' })
    await change({ folder: 'archive' }, sent)
    await engine.settled()
    const there = await platform.ask<{ folder: string }>('GET', `/inboxes/${inboxId}/threads/${sent.id}`)
    expect(there.folder).toBe('sent')
    expect((await listed(engine, inbox)).map(({ id }) => id)).not.toContain(sent.id)
  })

  it.each([
    ['is ended by an answer', 'Ada <ada@example.com>', 0],
    ['is not ended by a bounce', 'Mail Delivery <MAILER-DAEMON@example.com>', 1],
  ])('%s', async (_, from, left) => {
    const { platform, engine, inbox, inboxId, change } = await openMailbox()
    const deliver = (subject: string, more: object): Promise<void> =>
      platform.deliver({ from: 'Ada <ada@example.com>', to: platform.inboxAddress, subject, text: 'Hello.', ...more })
    await deliver('Offer', { messageId: '<offer@example.com>' })
    const [offer] = await eventually(
      async () => {
        await engine.call('sync.now', {})
        return listed(engine, inbox)
      },
      (rows) => rows[0]?.subject === 'Offer',
    )
    if (offer === undefined) throw new Error('no mail came')
    await engine.skip(HOUR)
    await change({ remindAt: testClock().now() + DAY }, offer)
    await deliver('Re: Offer', { from, inReplyTo: '<offer@example.com>', references: '<offer@example.com>' })
    await eventually(
      async () => {
        await engine.call('sync.now', {})
        return (await listed(engine, inbox))[0]
      },
      (row) => row?.emailCount === 2,
    )
    await engine.settled()
    // Fetches the headers that identify automatic replies.
    await eventually(
      () => listed(engine, createMarkQuery(inboxId, 'reminder')),
      (rows) => rows.length === left,
    )
  })
})
