import { describe, expect, it } from 'vitest'
import {
  createFolderQuery,
  createLabelQuery,
  threadQueryKey,
  type ThreadFilter,
  type ThreadQuery,
} from '../../../src/shared/thread-query.ts'
import { listCached } from './support/compare-with-platform.ts'
import { eventually } from './support/eventually.ts'
import { answered, idsOf, idsOnPlatform, searchFor, word } from './support/searches.ts'
import { startRecordingProxy } from './support/recording-proxy.ts'
import { openSynced } from './support/synced-account.ts'
import { openSettledEngine, type TestEngine } from './support/test-engine.ts'
import { startTestPlatform, type TestPlatform } from './support/test-platform.ts'

const openDemo = async (refusesChanges = false) => {
  const refusal = { status: 422, body: { statusCode: 422, name: 'validation_error', message: 'No.' } }
  const account = await openSynced({ dataset: 'demo' }, async ({ baseUrl }) =>
    refusesChanges ? (await startRecordingProxy(baseUrl, () => refusal)).baseUrl : baseUrl,
  )
  return { ...account, inboxId: account.platform.inboxId }
}

const searchRequests = ({ requests }: TestPlatform): number =>
  requests().filter((request) => request.includes('/threads/search')).length

const holds = (engine: TestEngine, query: ThreadQuery, threadId: string, isThere: boolean) =>
  eventually(
    async () => (await engine.call('thread.list', { query, offset: 0, limit: 200 })).items.map(({ id }) => id),
    (ids) => ids.includes(threadId) === isThere,
  )

describe('a search', () => {
  it('shows an excerpt in every row, even if reading takes a while', async () => {
    const platform = await startTestPlatform()
    const html = `<p>${'The harbour is quiet. <b>So be it.</b> '.repeat(1_200)}A lantern burns.</p>`
    for (let at = 0; at < 24; at += 1) await platform.deliver({ subject: `Log ${at}`, html })
    const engine = await openSettledEngine(platform)
    const query = searchFor(platform.inboxId, { text: [word('lantern')] })
    const { items } = await engine.call('thread.list', { query, offset: 0, limit: 50, localOnly: true })
    let missing = items.map(({ id: threadId, match }) => ({ threadId, emailId: match?.emailId ?? '' }))
    expect(missing).toHaveLength(24)
    const texts = new Set<string | null>()
    while (missing.length > 0) {
      const some = await engine.call('thread.excerpts', { query, found: missing })
      expect(some.map(({ threadId }) => threadId)).toEqual(
        missing.slice(0, some.length).map(({ threadId }) => threadId),
      )
      for (const { text } of some) texts.add(text)
      missing = missing.slice(some.length)
    }
    expect(texts).toEqual(new Set(['… be it. A lantern burns.']))
  })

  it('returns the excerpts of its first rows, up to the limit', async () => {
    const { engine, inboxId } = await openDemo()
    const query = searchFor(inboxId, { text: [word('the')] })
    const list = (excerpts?: number) =>
      engine.call('thread.list', {
        query,
        offset: 0,
        limit: 50,
        localOnly: true,
        ...(excerpts !== undefined && { excerpts }),
      })
    expect((await list()).excerpts).toBeUndefined()
    const { items, excerpts = [] } = await list(3)
    expect(excerpts.length).toBeGreaterThan(0)
    const found = items
      .slice(0, excerpts.length)
      .map(({ id: threadId, match }) => ({ threadId, emailId: match?.emailId ?? '' }))
    expect(found.length).toBeLessThanOrEqual(3)
    // A slow machine returns fewer at once.
    const again: (typeof excerpts)[number][] = []
    while (again.length < found.length) {
      again.push(...(await engine.call('thread.excerpts', { query, found: found.slice(again.length) })))
    }
    expect(excerpts).toEqual(again)
  })

  it('finds what the platform finds, in its order, at any scroll position', async () => {
    // Runs directly after the first sync; the other tests start with reopened files.
    const platform = await startTestPlatform({}, { dataset: 'demo' })
    const engine = await openSettledEngine(platform)
    const { inboxId } = platform
    for (const filter of [
      { text: [word('the')], folders: ['inbox', 'archive'] },
      { text: [word('the'), { text: 'you', isPhrase: false, isExcluded: true }] },
      { from: ['a'], hasAttachment: true, folders: ['inbox', 'archive', 'sent', 'trash', 'spam'] },
      { since: { kind: 'instant', at: Date.now() - 20 * 86_400_000 }, read: false },
    ] as const) {
      const query = searchFor(inboxId, filter)
      const expected = await idsOnPlatform(platform, query)
      expect(expected.length).toBeGreaterThan(0)
      expect(await idsOf(engine, query)).toEqual(expected)
    }
  })

  it('returns local results at once, and announces the platform’s response', async () => {
    const { engine, inboxId } = await openDemo()
    const query = searchFor(inboxId, { text: [word('the')] })
    const first = await engine.call('thread.list', { query, offset: 0, limit: 50 })
    expect(first.items).toHaveLength(50)
    expect(first.searched).toMatchObject({ computer: {}, platform: { state: 'waiting', at: null } })
    // The list is reread only after an event names it.
    const isNamed = (): number =>
      engine.events('threads.changed').filter(({ searches }) => searches?.includes(threadQueryKey(query))).length
    let page = first
    for (let told = 0; page.searched?.platform.state !== 'answered';) {
      told = await eventually(isNamed, (count) => count > told)
      page = await engine.call('thread.list', { query, offset: 0, limit: 50 })
    }
    expect(page.searched).toMatchObject({ platform: { state: 'answered' }, isCapped: false })
    expect(page.items.map(({ id }) => id)).toEqual(first.items.map(({ id }) => id))
    // Local matches refer to the e-mail by its own ID.
    const [top] = page.items.filter(({ match }) => match?.by === 'computer')
    const { emails } = await engine.call('thread.open', { inboxId, threadId: top?.id ?? '' })
    expect(emails.map(({ id }) => id)).toContain(top?.match?.emailId)
  })

  it('requests more platform pages only when needed, and not while typing', async () => {
    const { platform, engine, inboxId } = await openDemo()
    const before = searchRequests(platform)
    const query = searchFor(inboxId, { folders: ['inbox', 'archive', 'sent'], text: [word('a')] })
    const typed = await engine.call('thread.list', { query, offset: 0, limit: 100, localOnly: true })
    expect(typed).toMatchObject({ total: 100, hasMore: true, searched: { platform: { state: 'not asked' } } })
    expect(searchRequests(platform)).toBe(before)
    expect(await answered(engine, query, 100)).toMatchObject({ hasMore: true })
    for (let again = 0; again < 5; again += 1) await engine.call('thread.list', { query, offset: 0, limit: 100 })
    expect(searchRequests(platform)).toBe(before + 1)
    await engine.call('thread.list', { query, offset: 100, limit: 100 })
    await eventually(
      () => searchRequests(platform),
      (requests) => requests === before + 2,
    )
  })

  it('matches word prefixes while typing, unlike the entered search', async () => {
    const { engine, inboxId } = await openDemo()
    const here = async (text: string, lastWordIsPrefix: boolean) => {
      const query = { ...searchFor(inboxId, { text: [word('the'), word(text)] }), lastWordIsPrefix }
      return (await engine.call('thread.list', { query, offset: 0, limit: 200, localOnly: true })).items
    }
    const whole = await here('you', false)
    const typed = await here('yo', true)
    expect(whole.length).toBeGreaterThan(0)
    expect(typed.map(({ id }) => id)).toEqual(expect.arrayContaining(whole.map(({ id }) => id)))
    expect((await here('yo', false)).length).toBeLessThan(typed.length)
  })

  it('keeps the results from typing when entered, and adds the platform’s', async () => {
    const { platform, engine, inboxId } = await openDemo()
    const query = { ...searchFor(inboxId, { text: [word('yo')] }), lastWordIsPrefix: true }
    const typed = await engine.call('thread.list', { query, offset: 0, limit: 50, localOnly: true })
    expect(typed.items).toHaveLength(50)
    // The platform matches whole words.
    expect((await idsOnPlatform(platform, query)).length).toBeLessThan(10)
    const entered = await answered(engine, query, 50)
    expect(entered.items.map(({ id }) => id)).toEqual(typed.items.map(({ id }) => id))
    expect(entered.total).toBeGreaterThanOrEqual(typed.total)
  })

  it('finds nothing for non-words, locally and on the platform', async () => {
    const { platform, engine, inboxId } = await openDemo()
    const query = searchFor(inboxId, { text: [word('€')] })
    expect(await idsOnPlatform(platform, query)).toEqual([])
    expect(await answered(engine, query)).toMatchObject({ items: [], total: 0, hasMore: false })
  })

  it('stays cached until more than 31 others have been read', async () => {
    const { platform, engine, inboxId } = await openDemo()
    const read = (text: string) => answered(engine, searchFor(inboxId, { text: [word(text)] }), 1)
    await read('the')
    for (let other = 1; other < 32; other += 1) await read(`other${other}`)
    const before = searchRequests(platform)
    // This result is now the most recently used.
    await read('the')
    expect(searchRequests(platform)).toBe(before)
    for (let other = 0; other < 32; other += 1) await read(`another${other}`)
    await read('the')
    expect(searchRequests(platform)).toBe(before + 33)
  })

  it('shows the platform’s rejection in plain words, and names the cause', async () => {
    const { engine, inboxId } = await openDemo()
    const long = searchFor(inboxId, { text: Array.from({ length: 40 }, () => word('word')) })
    expect((await answered(engine, long)).searched?.platform).toMatchObject({
      state: 'failed',
      problem: {
        code: 'query_invalid',
        message:
          'The platform did not accept this search: The query parameter must contain at most 32 words, but received 40.',
        details: { parameter: 'query', most: 32, counted: 'words' },
      },
    })
    const labelId = '00000000-0000-4000-8000-000000000000'
    const labelled = searchFor(inboxId, { text: [word('the')], labelIds: [labelId] })
    expect((await answered(engine, labelled)).searched?.platform).toMatchObject({
      state: 'failed',
      problem: { code: 'not_found', details: { labelId } },
    })
  })

  it('reports what the platform would reject, even without asking it', async () => {
    const { platform, engine, inboxId } = await openDemo()
    const nobody = '00000000-0000-4000-8000-000000000000'
    const [label] = await engine.call('label.list', { inboxId })
    const people = Array.from({ length: 21 }, (_, at) => `somebody${at}`)
    const at = (day: string) => ({ kind: 'day' as const, day })
    const faulty: readonly Partial<ThreadFilter>[] = [
      { text: Array.from({ length: 33 }, () => word('word')) },
      { text: [{ text: 'red '.repeat(33), isPhrase: true, isExcluded: true }] },
      { text: [word('x'.repeat(257))] },
      { text: [word('the'), word('👍'.repeat(253))] },
      { from: people },
      { to: people, text: [word('the')] },
      { cc: people },
      { bcc: people.with(0, 'one,two').slice(1).concat('three,four') },
      { text: [word('the')], since: at('2026-06-01'), until: at('2026-05-01') },
      { labelIds: [nobody], read: false },
      { labelIds: [label?.id ?? '', nobody], text: [word('the')] },
      { labelIds: ['no such label'], text: [word('the')] },
      { labelIds: Array.from({ length: 51 }, () => label?.id ?? ''), text: [word('the')] },
    ]
    const sound: readonly Partial<ThreadFilter>[] = [
      { text: Array.from({ length: 32 }, () => word('word')) },
      { text: [word('👍'.repeat(256))] },
      { from: people.slice(1) },
      { labelIds: [label?.id ?? ''], read: false },
      { text: [word('the')], since: at('2026-05-01'), until: at('2026-05-02') },
      // The platform is never asked for mail that it has deleted.
      { text: Array.from({ length: 33 }, () => word('word')), dropped: true },
    ]
    const here = async (filter: Partial<ThreadFilter>) => {
      const query = searchFor(inboxId, filter)
      const asked = { offset: 0, limit: 50, localOnly: true }
      const own = await engine.call('thread.list', { query, ...asked })
      return own.searched?.platform
    }
    for (const filter of sound) expect([filter, await here(filter)]).toEqual([filter, { state: 'not asked' }])
    for (const filter of faulty) {
      const own = await here(filter)
      expect(own).toMatchObject({ state: 'failed', at: null })
      expect((await answered(engine, searchFor(inboxId, filter))).searched?.platform).toEqual(own)
    }
    await platform.stop()
    await engine.problemOf('sync.now', {})
    const unasked = searchFor(inboxId, { text: Array.from({ length: 34 }, () => word('fog')) })
    const problem = { code: 'query_invalid', details: { parameter: 'query', most: 32, counted: 'words' } }
    expect((await answered(engine, unasked)).searched?.platform).toMatchObject({ state: 'failed', problem })
  })

  it('finds other spellings locally only, and says which', async () => {
    const platform = await startTestPlatform()
    await platform.deliver({ subject: 'Plan', text: 'Jedziemy do Łodzi.' })
    const engine = await openSettledEngine(platform)
    const list = (text: string, localOnly: boolean) =>
      engine.call('thread.list', {
        query: {
          ...createFolderQuery(platform.inboxId, 'inbox'),
          text: [{ text, isPhrase: false, isExcluded: false }],
        },
        offset: 0,
        limit: 10,
        localOnly,
      })
    const here = await list('lodzi', true)
    expect([here.total, here.searched?.computer]).toEqual([1, { emails: 1, of: 1, spellings: ['łodzi'] }])
    const both = await eventually(
      () => list('lodzi', false),
      ({ searched }) => searched?.platform.state === 'answered',
    )
    expect([both.total, both.hasMore]).toEqual([1, false])
    expect((await list('łodzi', true)).searched?.computer).toEqual({ emails: 1, of: 1 })
  })

  it('gives way to a new search if it hangs', async () => {
    const { platform, engine, inboxId } = await openDemo()
    await platform.fault({ kind: 'delay', delay_ms: 60_000, path: `/inboxes/${inboxId}/threads/search`, times: 1 })
    const query = searchFor(inboxId, { text: [word('the')] })
    await engine.call('thread.list', { query, offset: 0, limit: 50 })
    await eventually(
      () => platform.ask<{ faults: { met: number }[] }>('GET', '/_control/faults'),
      ({ faults }) => faults[0]?.met === 1,
    )
    await engine.call('thread.searchAgain', { query })
    expect((await answered(engine, query)).searched?.platform).toMatchObject({ state: 'answered' })
  })

  it('matches words in the subject like the platform', async () => {
    const { platform, engine, inboxId } = await openDemo()
    const query = searchFor(inboxId, { text: [{ ...word('invoice'), isInSubject: true }] })
    const anywhere = await idsOnPlatform(platform, query)
    const found = await idsOf(engine, query)
    expect(found.length).toBeGreaterThan(0)
    expect(found.length).toBeLessThan(anywhere.length)
    expect(anywhere.filter((id) => found.includes(id))).toEqual(found)
    const { items } = await engine.call('thread.list', { query, offset: 0, limit: 200 })
    for (const { subject } of items) expect(subject).toMatch(/\binvoice\b/i)
  })

  it('includes archived mail in the first results, also offline', async () => {
    const { platform, engine, inboxId } = await openDemo()
    const query = searchFor(inboxId, { text: [word('sauna')] })
    const inArchive = await idsOnPlatform(platform, { ...query, folders: ['archive'] })
    expect(inArchive.length).toBeGreaterThan(0)
    expect(await idsOnPlatform(platform, { ...query, folders: ['inbox'] })).toEqual([])
    await platform.fault({ kind: 'delay', delay_ms: 60_000, path: `/inboxes/${inboxId}/threads/search` })
    const { items, searched } = await engine.call('thread.list', { query, offset: 0, limit: 50 })
    expect(items.map(({ id }) => id)).toEqual(inArchive)
    expect(items.every(({ folder }) => folder === 'archive')).toBe(true)
    expect(searched?.platform.state).toBe('waiting')
    expect(await engine.call('thread.countByFolder', { query: { ...query, folders: ['inbox'] } })).toMatchObject({
      folders: { inbox: 0, archive: inArchive.length },
      isWhole: true,
    })
  })

  it('continues although its last row was archived', async () => {
    const { platform, engine, inboxId } = await openDemo()
    const query = searchFor(inboxId, { text: [word('a')], folders: ['inbox'] })
    const all = await idsOnPlatform(platform, query)
    const { items } = await answered(engine, query, 100)
    const gone = items.slice(-3).map(({ id }) => id)
    await engine.call('thread.change', { inboxId, threadIds: gone, change: { folder: 'archive' } })
    await engine.settled()
    expect(await idsOf(engine, query)).toEqual(all.filter((id) => !gone.includes(id)))
  })

  it('shows platform results after checking their cached folder', async () => {
    const { platform, engine, inboxId } = await openDemo()
    const items = await listCached(engine, inboxId, 'archive')
    const query = searchFor(inboxId, { text: [word('the')] })
    const found = await idsOnPlatform(platform, { ...query, folders: ['archive'] })
    const moved = items.find(({ id }) => found.includes(id))?.id ?? ''
    await platform.ask('PATCH', `/inboxes/${inboxId}/threads/${moved}`, { folder: 'inbox' })
    await answered(engine, query)
    await holds(engine, query, moved, true)
  })

  it('keeps its rows without the platform, and retries automatically', async () => {
    const { platform, engine, inboxId, data } = await openDemo()
    const query = searchFor(inboxId, { text: [word('fog')] })
    const { total } = await answered(engine, query)
    const { port } = new URL(platform.baseUrl)
    await platform.stop()
    expect(await engine.problemOf('sync.now', {})).toMatchObject({ code: 'unreachable' })
    const offline = await answered(engine, query)
    expect(offline).toMatchObject({ total, freshness: { state: 'cached' } })
    expect(offline.searched?.platform).toMatchObject({
      state: 'failed',
      at: expect.any(Number) as number,
      problem: { code: 'unreachable', message: expect.stringMatching(/offline/) as string },
    })
    const told = engine.events('threads.changed').length
    await startTestPlatform({}, { port: Number(port), apiKey: platform.apiKey, data })
    await engine.call('window.activity', { activity: 'focused' })
    // Reading a list doesn't repeat a failed search. The retry happened automatically.
    await eventually(
      () => engine.call('thread.list', { query, offset: 0, limit: 50 }),
      ({ searched }) => searched?.platform.state === 'answered',
    )
    const news = engine.events('threads.changed').slice(told)
    expect(news.some(({ searches }) => searches?.includes(threadQueryKey(query)))).toBe(true)
  })

  it('names the inbox or label that the platform no longer has', async () => {
    const { platform, engine, inboxId } = await openDemo()
    const failure = async (filter: Parameters<typeof searchFor>[1]) => {
      const { searched } = await answered(engine, searchFor(inboxId, filter))
      return searched?.platform.state === 'failed' ? searched.platform.problem : undefined
    }
    const [label] = await engine.call('label.list', { inboxId })
    const { id = '', name = '' } = label ?? {}
    await platform.ask('DELETE', `/inboxes/${inboxId}/labels/${id}`)
    expect(await failure({ text: [word('fog')], labelIds: [id] })).toMatchObject({
      code: 'not_found',
      message: `The platform no longer has the label “${name}”. Remove it from the search.`,
      details: { missing: 'label', labelId: id, name },
    })
    const [inbox] = (await engine.call('inbox.list', {})).inboxes
    const address = inbox?.name ?? inbox?.emailAddress ?? ''
    await platform.ask('DELETE', `/inboxes/${inboxId}`)
    expect(await failure({ text: [word('fog')] })).toMatchObject({
      code: 'not_found',
      message: `The inbox ${address} is no longer on the platform. Linnet keeps its mail.`,
      details: { missing: 'inbox', name: address },
    })
  })

  it('is refreshed by F5, and keeps its rows meanwhile', async () => {
    const { platform, engine, inboxId } = await openDemo()
    const query = searchFor(inboxId, { text: [word('fog')] })
    const before = await answered(engine, query)
    await platform.fault({ kind: 'delay', delay_ms: 300, path: `/inboxes/${inboxId}/threads/search`, times: 1 })
    const look = engine.call('sync.now', {})
    const meanwhile = await eventually(
      () => engine.call('thread.list', { query, offset: 0, limit: 50 }),
      ({ searched }) => searched?.platform.state === 'waiting',
    )
    expect(meanwhile.items).toEqual(before.items)
    await look
    const after = await answered(engine, query)
    expect(after.freshness.at ?? 0).toBeGreaterThan(before.freshness.at ?? Infinity)
  })
})

describe('lists by folder, label, words and state', () => {
  const open = async (refusesChanges = false) => {
    const { platform, engine, inboxId } = await openDemo(refusesChanges)
    const items = await listCached(engine, inboxId, 'inbox')
    const [thread] = items.filter(({ read, labels }) => !read && labels.length > 0)
    if (thread === undefined) throw new Error('the demo has unread mail with labels')
    const words = (thread.subject ?? '').split(/[^a-z]+/i).filter(Boolean)
    const searches = [
      searchFor(inboxId, { text: words.map(word) }),
      searchFor(inboxId, { read: false, folders: ['inbox', 'archive'] }),
    ]
    const folder = createFolderQuery(inboxId, 'inbox')
    const queries = [folder, createLabelQuery(inboxId, thread.labels[0]?.id ?? ''), ...searches]
    for (const query of searches) await answered(engine, query)
    for (const query of queries) await holds(engine, query, thread.id, true)
    const lists = (): Promise<readonly (readonly string[])[]> =>
      Promise.all(
        queries.map(async (query) =>
          (await engine.call('thread.list', { query, offset: 0, limit: 200 })).items.map(({ id }) => id),
        ),
      )
    const without = (all: readonly (readonly string[])[]) => all.map((ids) => ids.filter((id) => id !== thread.id))
    return { platform, engine, inboxId, thread, folder, searches, queries, lists, without }
  }

  it('drop a moved thread at once, and restore it in place on undo', async () => {
    const { platform, engine, inboxId, thread, lists, without } = await open()
    const before = await lists()
    await platform.fault({ kind: 'error_503', method: 'PATCH', path: '/inboxes' })
    const change = { inboxId, threadIds: [thread.id], change: { folder: 'trash' as const } }
    const { changeId } = await engine.call('thread.change', change)
    expect(await lists()).toEqual(without(before))
    await engine.call('change.undo', { changeId })
    expect(await lists()).toEqual(before)
    await platform.fault()
    const again = await engine.call('thread.change', change)
    await engine.settled()
    await engine.call('sync.now', {})
    expect(await lists()).toEqual(without(before))
    await engine.call('change.undo', { changeId: again.changeId })
    expect(await lists()).toEqual(before)
  })

  it('restore the row of a rejected change', async () => {
    const { engine, inboxId, thread, lists, without } = await open(true)
    const before = await lists()
    await engine.call('thread.change', { inboxId, threadIds: [thread.id], change: { folder: 'trash' } })
    expect(await lists()).toEqual(without(before))
    await eventually(engine.rollbackNotices, (problems) => problems.length > 0)
    expect(await lists()).toEqual(before)
  })

  it('follow another client’s moves', async () => {
    const { platform, engine, inboxId, thread, queries } = await open()
    for (const folder of ['trash', 'inbox'] as const) {
      await platform.ask('PATCH', `/inboxes/${inboxId}/threads/${thread.id}`, { folder })
      await engine.call('sync.now', {})
      for (const query of queries) await holds(engine, query, thread.id, folder === 'inbox')
    }
  })

  it('show new e-mail on top, and are named in events', async () => {
    const { platform, engine, thread, folder, searches } = await open()
    const told = engine.events('threads.changed').length
    await platform.deliver({ subject: thread.subject ?? '', headers: { references: '<none@example.com>' } })
    await engine.call('sync.now', {})
    for (const query of [folder, ...searches]) {
      const { items } = await eventually(
        () => engine.call('thread.list', { query, offset: 0, limit: 1 }),
        ({ items: [first] }) => first?.subject === thread.subject && first.id !== thread.id,
      )
      const news = engine.events('threads.changed').slice(told)
      expect(news.some(({ threadIds }) => threadIds.includes(items[0]?.id ?? ''))).toBe(true)
    }
    await eventually(
      () => engine.events('threads.changed').slice(told),
      (news) => searches.every((query) => news.some((each) => each.searches?.includes(threadQueryKey(query)))),
    )
  })
})
