// @vitest-environment jsdom
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createBackend } from '../../../src/renderer/kernel/backend.ts'
import { ToastManager } from '../../../src/renderer/kernel/toast-manager.svelte.ts'
import { ConversationManager } from '../../../src/renderer/features/threads/conversation-manager.svelte.ts'
import { ThreadActionsManager } from '../../../src/renderer/features/threads/thread-actions-manager.svelte.ts'
import { ThreadListManager } from '../../../src/renderer/features/threads/thread-list-manager.svelte.ts'
import type { Conversation } from '../../../src/shared/contract.ts'
import type { SearchCoverage, Thread, ThreadPage } from '../../../src/shared/model.ts'
import type { ThreadListRoute } from '../../../src/renderer/kernel/route.ts'
import type { Preferences } from '../../../src/shared/preferences.ts'
import { createFolderQuery, threadQueryKey } from '../../../src/shared/thread-query.ts'
import { endAfterEach } from './support/end-after-each.ts'
import { fixtureEmails, fixtureThreads, INBOX, LABELS } from './support/fixture-mail.ts'
import {
  createFixtureTransport,
  failing,
  type FixtureHandlers,
  type FixtureTransport,
} from './support/fixture-transport.ts'
import { until } from './support/until.ts'

const ending = endAfterEach()

const inboxOf = (folder: 'inbox' | 'archive') => ({ view: 'folder', inboxId: INBOX.id, folder }) as const

const firstThread = (): Thread => {
  const [thread] = fixtureThreads(1)
  if (thread === undefined) throw new Error('one thread was asked for')
  return thread
}

const showThreads = async (transport: FixtureTransport, route: ThreadListRoute): Promise<ThreadListManager> => {
  const threads = new ThreadListManager(createBackend(transport))
  threads.show(route)
  await until(() => threads.rows?.phase === 'ready')
  return threads
}

describe('thread list', () => {
  it('reloads when its folder changes, but not for another', async () => {
    const transport = createFixtureTransport()
    await showThreads(transport, inboxOf('inbox'))
    const reads = (): number => transport.calls.filter(({ name }) => name === 'thread.list').length
    const before = reads()
    const change = { inboxId: INBOX.id, labelIds: [], threadIds: [], searches: [] }
    transport.emit({ name: 'threads.changed', payload: { ...change, folders: ['trash'] } })
    transport.emit({ name: 'threads.changed', payload: { ...change, folders: ['inbox'], inboxId: 'another' } })
    expect(reads()).toBe(before)
    transport.emit({ name: 'threads.changed', payload: { ...change, folders: ['inbox'] } })
    await until(() => reads() > before)
  })

  it('restores its cursor after being emptied, even if the rows arrive late', async () => {
    const all = fixtureThreads(3).map((thread) => ({ ...thread, match: null }))
    let rows = all
    let late: Promise<unknown> = Promise.resolve()
    const freshness = { state: 'live', at: 0 } as const
    const transport = createFixtureTransport({
      handlers: {
        'thread.list': async () => {
          const items = rows
          await late
          return { items, total: items.length, hasMore: false, offset: 0, searched: null, freshness }
        },
      },
    })
    const threads = new ThreadListManager(createBackend(transport))
    const route = inboxOf('inbox')
    threads.show(route)
    await until(() => threads.rows?.total === 3)
    const shown = threads.rows
    if (shown === null) throw new Error('The list is there.')
    threads.cursor.moveTo(shown, 1)
    const goBack = threads.capturePlace()
    const list = { inboxId: INBOX.id, folders: ['inbox' as const], labelIds: [], threadIds: [], searches: [] }

    rows = []
    transport.emit({ name: 'threads.changed', payload: list })
    await until(() => shown.total === 0)
    threads.cursor.settle(shown)
    const answer = Promise.withResolvers<null>()
    goBack({ ...route, threadId: null }, answer.promise)
    rows = all
    const reading = Promise.withResolvers<null>()
    late = reading.promise
    answer.resolve(null)
    await new Promise((resolve) => setTimeout(resolve, 20))
    transport.emit({ name: 'threads.changed', payload: list })
    threads.cursor.settle(shown)
    reading.resolve(null)
    await until(() => shown.total === 3)
    threads.cursor.settle(shown)
    expect(threads.cursor.id).toBe(all[1]?.id)
  })

  it('reloads when one of its rows changes, even without gains or losses', async () => {
    const transport = createFixtureTransport()
    await showThreads(transport, inboxOf('inbox'))
    const before = transport.calls.length
    transport.emit({
      name: 'threads.changed',
      payload: { inboxId: INBOX.id, folders: [], labelIds: [], threadIds: ['thread-1'], searches: [] },
    })
    await until(() => transport.calls.length > before)
  })

  it('finds the next thread when one leaves', async () => {
    const threads = new ThreadListManager(createBackend(createFixtureTransport({ threads: 7 })))
    threads.show(inboxOf('inbox'))
    await until(() => threads.rows?.total === 3)
    const successorOf = (id: string, ...others: string[]) => threads.successorOf(id, new Set([id, ...others]))
    expect(successorOf('thread-0')).toBe('thread-1')
    expect(successorOf('thread-0', 'thread-1')).toBe('thread-2')
    expect(successorOf('thread-2')).toBe('thread-1')
    expect(successorOf('thread-2', 'thread-1')).toBe('thread-0')
    expect(successorOf('elsewhere')).toBeNull()
    expect(successorOf('thread-0', 'thread-1', 'thread-2')).toBeNull()
    expect(threads.successorOf('thread-0', new Set(['thread-1']))).toBe('thread-0')
    expect(threads.successorOf('thread-1', new Set(['thread-1']), 'newer')).toBe('thread-0')
    expect(threads.successorOf('thread-0', new Set(['thread-0']), 'newer')).toBe('thread-1')
  })
})

const searchOf = (query: string) => ({ view: 'search', inboxId: INBOX.id, query }) as const

describe('search', () => {
  const searched = (platform: SearchCoverage['platform']): SearchCoverage => ({
    computer: null,
    platform,
    isCapped: false,
    mayLag: false,
  })
  const page = (found: Partial<ThreadPage>): ThreadPage => ({
    items: [],
    offset: 0,
    total: 0,
    hasMore: false,
    freshness: { state: 'live', at: 0 },
    searched: searched({ state: 'answered', at: 0 }),
    ...found,
  })
  const found = (count: number) => fixtureThreads(count).map((thread) => ({ ...thread, match: null }))

  it('loads older pages while scrolling, until there are no more', async () => {
    const all = found(250)
    let known = 100
    const transport = createFixtureTransport({
      handlers: {
        'thread.list': ({ offset, limit }) => {
          known = Math.min(all.length, Math.max(known, offset + limit))
          const items = all.slice(0, known).slice(offset, offset + limit)
          return page({ items, offset, total: known, hasMore: known < all.length })
        },
      },
    })
    const threads = await showThreads(transport, searchOf('webcam'))
    expect([threads.rows?.total, threads.rows?.hasMore]).toEqual([100, true])
    threads.rows?.show(0, 20)
    expect(transport.calls).toHaveLength(1)
    for (let total = 100; total < all.length;) {
      threads.rows?.show(total - 20, total - 1)
      await until(() => (threads.rows?.total ?? 0) > total)
      total = threads.rows?.total ?? all.length
    }
    expect(threads.rows?.hasMore).toBe(false)
    threads.rows?.show(230, 249)
    await until(() => threads.rows?.at(249)?.id === 'thread-249')
  })

  it('shows changes at once, and hides a moved thread until undo', async () => {
    const transport = createFixtureTransport({ threads: 20 })
    const threads = await showThreads(transport, searchOf('in:inbox webcam'))
    threads.draw(['thread-0'], { read: true, removeLabels: ['label-1'] }, LABELS)
    expect(threads.thread('thread-0')).toMatchObject({ read: true, labels: [] })
    const archived = threads.draw(['thread-0'], { folder: 'archive' }, LABELS)
    expect(threads.rows?.indexOf('thread-0')).toBe(-1)
    archived.revert()
    expect(threads.rows?.indexOf('thread-0')).toBe(0)
  })

  it('for unread mail keeps threads just read, until refreshed, left or moved', async () => {
    const transport = createFixtureTransport({ threads: 20 })
    const threads = new ThreadListManager(createBackend(transport))
    const held = () => {
      const calls = transport.calls.filter(({ name }) => name === 'thread.list')
      return (calls.at(-1)?.input as { held: readonly string[] } | undefined)?.held ?? []
    }
    const unread = { ...searchOf('in:inbox is:unread'), threadId: null }
    threads.show(unread)
    await until(() => threads.rows?.phase === 'ready')
    const all = threads.rows?.total ?? 0
    const [first, second] = [threads.rows?.at(0), threads.rows?.at(1)]
    if (first === undefined || second === undefined) throw new Error('The fixture has unread threads.')
    threads.draw([first.id, second.id, 'elsewhere'], { read: true }, LABELS).accept()
    expect(threads.rows?.at(0)).toMatchObject({ id: first.id, read: true })
    expect(threads.loses(first, { read: true })).toBe(false)
    expect(threads.loses(first, { folder: 'archive' })).toBe(true)
    threads.draw([second.id], { folder: 'archive' }, LABELS)
    expect([threads.rows?.indexOf(second.id), threads.rows?.total]).toEqual([-1, all - 1])
    threads.rows?.reread()
    await until(() => held().length === 2)
    expect(held()).toEqual([first.id, second.id])

    // The open thread is still in use.
    threads.show({ ...unread, threadId: first.id })
    threads.release()
    await until(() => held().length === 1)
    threads.show(unread)
    threads.refresh()
    await until(() => held().length === 0)
    threads.draw([first.id], { read: true }, LABELS)
    threads.hide()
    threads.show(unread)
    await until(() => transport.calls.length > 5)
    expect(held()).toEqual([])
    // A search that ignores the read state holds no rows.
    threads.show(searchOf('webcam'))
    await until(() => threads.rows?.phase === 'ready')
    threads.draw([first.id], { read: true }, LABELS)
    threads.rows?.reread()
    expect(held()).toEqual([])
  })

  it('reloads for an event that names it or all searches, but no other', async () => {
    const transport = createFixtureTransport()
    const threads = await showThreads(transport, searchOf('webcam'))
    const key = threadQueryKey(threads.rows?.query ?? createFolderQuery('none', 'inbox'))
    const reads = (): number => transport.calls.filter(({ name }) => name === 'thread.list').length
    const tell = (searches: readonly string[] | null): void =>
      transport.emit({
        name: 'threads.changed',
        payload: { inboxId: INBOX.id, folders: ['inbox'], labelIds: [], threadIds: [], searches },
      })
    tell(['another'])
    await new Promise((resolve) => setTimeout(resolve, 40))
    expect(reads()).toBe(1)
    tell([key])
    await until(() => reads() === 2)
    tell(null)
    await until(() => reads() === 3)
  })

  it('asks the platform again on refresh, but not on an event', async () => {
    const transport = createFixtureTransport()
    const threads = await showThreads(transport, searchOf('webcam'))
    const names = (): readonly string[] => transport.calls.map(({ name }) => name)
    threads.refresh()
    await until(() => names().filter((name) => name === 'thread.list').length === 2)
    expect(names()).toEqual(['thread.list', 'thread.searchAgain', 'thread.list'])
  })

  it('stays loading while the platform is asked, and reports its failure', async () => {
    let platform: SearchCoverage['platform'] = { state: 'waiting', at: null }
    const transport = createFixtureTransport({
      handlers: { 'thread.list': () => page({ searched: searched(platform) }) },
    })
    const threads = new ThreadListManager(createBackend(transport))
    threads.show(searchOf('webcam'))
    await until(() => threads.rows?.searched !== null)
    expect(threads.rows?.phase).toBe('loading')
    platform = { state: 'failed', at: null, problem: { code: 'unreachable', message: 'You are offline.' } }
    threads.rows?.reread()
    await until(() => threads.rows?.phase === 'failed')
    expect(threads.rows?.problem?.message).toBe('You are offline.')
    platform = { state: 'answered', at: 1 }
    threads.rows?.reread()
    await until(() => threads.rows?.phase === 'ready')
  })

  it('reports a faulty query without any request', async () => {
    const transport = createFixtureTransport()
    const threads = await showThreads(transport, searchOf('form:fog'))
    expect(threads.isFaulty).toBe(true)
    expect(threads.rows).toMatchObject({ total: 0, problem: null })
    expect(transport.calls).toEqual([])
  })

  it('of all mail keeps archived threads, which are found in their new folder', async () => {
    const transport = createFixtureTransport({ threads: 20 })
    const threads = await showThreads(transport, searchOf('webcam'))
    threads.draw(['thread-0'], { folder: 'archive' }, LABELS)
    expect(threads.thread('thread-0')).toMatchObject({ folder: 'archive' })
    threads.draw(['thread-0'], { folder: 'trash' }, LABELS)
    expect(threads.rows?.indexOf('thread-0')).toBe(-1)
  })

  it('returns to the list it started from, reloaded at the same cursor', async () => {
    const transport = createFixtureTransport({ threads: 120 })
    const threads = new ThreadListManager(createBackend(transport))
    const inbox: ThreadListRoute = { view: 'folder', inboxId: INBOX.id, folder: 'inbox' }
    threads.show(inbox)
    await until(() => threads.rows?.phase === 'ready')
    const rows = threads.rows
    threads.goTo('thread-9')
    const index = threads.cursor.index
    expect(index).toBeGreaterThan(0)
    for (const typed of ['we', 'web']) {
      threads.type(searchOf(typed), { labels: [] })
      await until(() => !threads.isArriving)
    }
    threads.show({ ...searchOf('webcam'), threadId: null })
    await until(() => threads.shown?.view === 'search' && threads.rows?.phase === 'ready')
    expect(threads.rows).not.toBe(rows)
    const reads = transport.calls.length
    threads.show(inbox)
    await until(() => threads.shown?.view === 'folder')
    expect(threads.rows).toBe(rows)
    expect(threads.cursor).toMatchObject({ id: 'thread-9', index })
    expect(transport.calls.length).toBeGreaterThan(reads)
    threads.type(searchOf('we'), { labels: [] })
    threads.show(inbox)
    await until(() => !threads.isArriving)
    expect(threads.rows).toBe(rows)
    expect(threads.cursor.id).toBe('thread-9')
    threads.show({ ...inbox, folder: 'archive' })
    await until(() => threads.rows?.phase === 'ready')
    expect(threads.cursor.index).toBe(0)
  })

  it('runs locally while typed, keeps the old list until loaded, and then goes on as a full search', async () => {
    const transport = createFixtureTransport()
    const threads = await showThreads(transport, searchOf('webcam'))
    const before = threads.rows
    threads.type(searchOf('rec'), { labels: [] })
    // The request is sent before the address changes.
    expect(transport.calls.at(-1)).toMatchObject({ name: 'thread.list', input: { localOnly: true } })
    threads.show(searchOf('rec'))
    expect(threads.rows).toBe(before)
    expect(threads.shown).toMatchObject({ query: 'webcam' })
    expect(threads.isArriving).toBe(true)
    await until(() => !threads.isArriving)
    expect(threads.rows).not.toBe(before)
    const asked = () => transport.calls.filter(({ name }) => name === 'thread.list').at(-1)?.input
    expect(asked()).toMatchObject({ localOnly: true, query: { lastWordIsPrefix: true } })
    const { query } = threads.rows ?? {}
    const typed = threads.rows
    threads.ask()
    expect(threads.rows).toBe(typed)
    await until(() => !threads.isArriving)
    // Enter runs the same search, so the rows stay.
    expect(asked()).toMatchObject({ localOnly: false, query: { lastWordIsPrefix: true } })
    expect(threads.rows?.query).toEqual(query)
  })

  it('matches the start of the last word however opened, and whole words in quotes', async () => {
    const transport = createFixtureTransport()
    const threads = new ThreadListManager(createBackend(transport))
    for (const [text, lastWordIsPrefix] of [
      ['rec is:unread', true],
      ['"rec" is:unread', undefined],
    ] as const) {
      threads.show({ ...searchOf(text), threadId: null })
      await until(() => threads.rows?.phase === 'ready')
      expect(threads.searched?.lastWordIsPrefix).toBe(lastWordIsPrefix)
      threads.show({ view: 'folder', inboxId: INBOX.id, folder: 'inbox', tab: text })
      await until(() => threads.rows?.phase === 'ready')
      expect(threads.searched?.lastWordIsPrefix).toBe(lastWordIsPrefix)
    }
  })

  it('with a fault is empty, whether typed, entered or opened', async () => {
    const threads = new ThreadListManager(createBackend(createFixtureTransport()))
    const faulty = searchOf('rec is:flagged')
    for (const begin of [
      () => threads.type(faulty, { labels: [] }),
      () => threads.show({ ...faulty, threadId: null }),
      () => {
        threads.type(faulty, { labels: [] })
        threads.ask()
      },
    ]) {
      threads.show({ ...searchOf('webcam'), threadId: null })
      await until(() => threads.rows?.phase === 'ready' && threads.rows.total > 0)
      expect(threads.isFaulty).toBe(false)
      begin()
      await until(() => !threads.isArriving && threads.rows?.phase === 'ready')
      expect(threads).toMatchObject({ isFaulty: true, shown: { query: faulty.query }, rows: { total: 0 } })
    }
  })

  it('says why the platform rejected it', async () => {
    const problem = { code: 'query_invalid', message: 'The search is too long.' } as const
    const transport = createFixtureTransport({
      handlers: { 'thread.list': () => page({ searched: searched({ state: 'failed', at: null, problem }) }) },
    })
    const threads = await showThreads(transport, searchOf('webcam'))
    expect(threads.rows).toMatchObject({ isRefused: true, problem: { message: 'The search is too long.' } })
  })
})

/** The conversation manager, and the threads it counted as opened by the user. */
const openReader = (
  transport = createFixtureTransport(),
  markRead: () => Preferences['markRead'] = () => 'at-once',
) => {
  const opened: string[] = []
  const backend = createBackend(transport)
  const conversation = new ConversationManager(backend, ({ id }) => opened.push(id), markRead, ending.signal)
  return { conversation, opened }
}

describe('open thread', () => {
  it('is marked as read when opened, and stays unread if the user says so', async () => {
    const transport = createFixtureTransport()
    const { conversation, opened } = openReader(transport)
    conversation.show(INBOX.id, 'thread-0')
    await until(() => opened.length === 1)
    await transport.call('thread.change', { inboxId: INBOX.id, threadIds: ['thread-0'], change: { read: true } }, null)
    await until(() => conversation.conversation?.thread.read === true)
    await transport.call('thread.change', { inboxId: INBOX.id, threadIds: ['thread-0'], change: { read: false } }, null)
    await until(() => conversation.conversation?.thread.read === false)
    expect(opened).toEqual(['thread-0'])
  })

  it('is not marked as read when skipped quickly', async () => {
    const { conversation, opened } = openReader()
    conversation.show(INBOX.id, 'thread-0')
    await until(() => conversation.conversation !== null)
    conversation.show(INBOX.id, 'thread-7')
    await until(() => opened.length > 0)
    expect(opened).toEqual(['thread-7'])
  })

  it.each([
    ['at-once', 300, 600],
    ['soon', 1900, 2100],
    ['never', 60_000, 120_000],
  ] as const)('is marked as read at the chosen time: %s', async (when, before, after) => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { conversation, opened } = openReader(createFixtureTransport(), () => when)
    conversation.show(INBOX.id, 'thread-0')
    await vi.waitFor(() => expect(conversation.conversation).not.toBeNull())
    await vi.advanceTimersByTimeAsync(before)
    expect(opened).toEqual([])
    await vi.advanceTimersByTimeAsync(after - before)
    expect(opened).toEqual(when === 'never' ? [] : ['thread-0'])
  })

  it('stays unread if the setting changes to never while it is open', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    let when: 'soon' | 'never' = 'soon'
    const { conversation, opened } = openReader(createFixtureTransport(), () => when)
    conversation.show(INBOX.id, 'thread-0')
    await vi.waitFor(() => expect(conversation.conversation).not.toBeNull())
    when = 'never'
    await vi.advanceTimersByTimeAsync(5000)
    expect(opened).toEqual([])
  })

  it('is marked as read when an e-mail arrives, but not when its state changes', async () => {
    const [thread] = fixtureThreads(2).filter(({ read }) => read)
    if (thread === undefined) throw new Error('one of two threads is read')
    let emails = fixtureEmails({ ...thread, emailCount: 1 })
    let isRead = true
    const transport = createFixtureTransport({
      handlers: {
        'thread.open': () => ({ thread: { ...thread, read: isRead }, emails, freshness: { state: 'live', at: 0 } }),
      },
    })
    const { conversation, opened } = openReader(transport)
    conversation.show(INBOX.id, thread.id)
    await until(() => conversation.conversation !== null)
    const tell = (): void =>
      transport.emit({ name: 'emails.changed', payload: { inboxId: INBOX.id, threadIds: [thread.id] } })
    isRead = false
    emails = emails.map((email) => ({ ...email, read: false }))
    tell()
    await until(() => conversation.conversation?.thread.read === false)
    emails = [...emails, ...emails.map((email) => ({ ...email, id: 'new' }))]
    tell()
    await until(() => opened.length > 0)
    expect(opened).toEqual([thread.id])
    expect(conversation.conversation?.emails).toHaveLength(2)
  })

  it('reports new e-mails and moves by others, but not the user’s own', async () => {
    const [first] = fixtureThreads(1)
    if (first === undefined) throw new Error('there is a thread')
    let thread: Thread = { ...first, read: true, emailCount: 2 }
    let emails = fixtureEmails(thread)
    const transport = createFixtureTransport({
      handlers: {
        'thread.open': () => ({ thread, emails, sentElsewhere: ['theirs'], freshness: { state: 'live', at: 0 } }),
      },
    })
    const { conversation } = openReader(transport)
    const tell = (movedLocally?: readonly string[]): void => {
      const payload = { inboxId: INBOX.id, threadIds: [thread.id], ...(movedLocally && { movedLocally }) }
      transport.emit({ name: 'threads.changed', payload: payload as never })
    }
    const readAgain = async (movedLocally?: readonly string[]): Promise<void> => {
      const before = conversation.conversation
      tell(movedLocally)
      await until(() => conversation.conversation !== before)
    }
    conversation.show(INBOX.id, thread.id)
    await until(() => conversation.conversation !== null)
    expect([conversation.arrived, conversation.moved]).toEqual([[], null])

    const own = conversation.draw([thread.id], { folder: 'archive' }, [])
    own.accept()
    thread = { ...thread, folder: 'archive' }
    await readAgain()
    expect(conversation.moved).toBeNull()

    const [answer] = emails.map((email): typeof email => ({ ...email, id: 'answer', direction: 'outbound' }))
    const [news] = emails.map((email): typeof email => ({ ...email, id: 'news', direction: 'inbound' }))
    if (answer === undefined || news === undefined) throw new Error('there are e-mails')
    emails = [...emails, answer, { ...answer, id: 'theirs' }, news]
    thread = { ...thread, folder: 'spam' }
    await readAgain()
    expect(conversation.arrived.map(({ id }) => id)).toEqual(['theirs', 'news'])
    expect(conversation.moved).toEqual({ kind: 'moved', from: 'archive', to: 'spam' })
    conversation.dismissArrived()
    conversation.draw([thread.id], { folder: 'inbox' }, []).revert()
    expect([conversation.arrived, conversation.moved]).toEqual([[], null])

    // Moved in another of the user's windows, or back after a failed “Send and archive” (W3).
    thread = { ...thread, folder: 'inbox' }
    await readAgain([thread.id])
    expect(conversation.moved).toBeNull()
    thread = { ...thread, folder: 'archive' }
    await readAgain(['another'])
    expect(conversation.moved).not.toBeNull()
    tell([thread.id])
    expect(conversation.moved).toBeNull()

    thread = { ...thread, onServer: false }
    await readAgain()
    expect(conversation.moved).toEqual({ kind: 'gone' })
    expect(conversation.conversation?.emails).toHaveLength(5)
    conversation.dismissMoved()
    conversation.show(INBOX.id, 'thread-5')
    expect([conversation.arrived, conversation.moved]).toEqual([[], null])
  })

  it('shows current label names, ignoring events of other inboxes', async () => {
    const [thread] = fixtureThreads(1).map((each) => ({ ...each, read: true }))
    if (thread === undefined) throw new Error('there is a thread')
    const label = { id: 'label-1', name: 'Before', color: '#E93D82' }
    let name = label.name
    const transport = createFixtureTransport({
      handlers: {
        'thread.open': () => ({
          thread: { ...thread, labels: [{ ...label, name }] },
          emails: fixtureEmails(thread),
          freshness: { state: 'live', at: 0 },
        }),
      },
    })
    const { conversation } = openReader(transport)
    conversation.show(INBOX.id, thread.id)
    await until(() => conversation.conversation !== null)
    name = 'After'
    transport.emit({ name: 'labels.changed', payload: { inboxId: 'another', replaced: [] } })
    transport.emit({ name: 'labels.changed', payload: { inboxId: INBOX.id, replaced: [] } })
    await until(() => conversation.conversation?.thread.labels[0]?.name === 'After')
    expect(transport.calls.filter((call) => call.name === 'thread.open')).toHaveLength(2)
  })

  it('is the last one opened, whichever response arrives first', async () => {
    const answers = new Map<string, (conversation: Conversation) => void>()
    const threads = fixtureThreads(3).map((thread) => ({ ...thread, read: true }))
    const transport = createFixtureTransport({
      handlers: { 'thread.open': ({ threadId }) => new Promise((resolve) => answers.set(threadId, resolve)) },
    })
    const { conversation } = openReader(transport)
    conversation.show(INBOX.id, 'thread-1')
    conversation.show(INBOX.id, 'thread-2')
    await until(() => answers.size === 2)
    for (const id of ['thread-2', 'thread-1']) {
      const thread = threads.find((each) => each.id === id)
      if (thread === undefined) throw new Error('three threads were asked for')
      answers.get(id)?.({ thread, emails: fixtureEmails(thread), freshness: { state: 'live', at: 0 } })
    }
    await until(() => conversation.conversation !== null)
    await new Promise((resolve) => setTimeout(resolve, 0))
    expect(conversation.conversation?.thread.id).toBe('thread-2')
  })

  it('completes its opening even if it changes before the first response', async () => {
    const [thread] = fixtureThreads(1).map((each) => ({ ...each, read: false, emailCount: 3 }))
    if (thread === undefined) throw new Error('there is a thread')
    const answers: ((conversation: Conversation) => void)[] = []
    const transport = createFixtureTransport({
      handlers: {
        'thread.open': () => new Promise((resolve) => answers.push(resolve)),
        'thread.matchedEmail': () => fixtureEmails(thread)[1]?.id ?? null,
      },
    })
    const { conversation, opened } = openReader(transport)
    conversation.show(INBOX.id, thread.id, createFolderQuery(INBOX.id, 'inbox'))
    await until(() => answers.length === 1)
    transport.emit({ name: 'emails.changed', payload: { inboxId: INBOX.id, threadIds: [thread.id] } })
    await until(() => answers.length === 2)
    for (const answer of answers) answer({ thread, emails: fixtureEmails(thread), freshness: { state: 'live', at: 0 } })
    await until(() => opened.length > 0)
    expect(opened).toEqual([thread.id])
    expect(conversation.recent.map(({ id }) => id)).toEqual([thread.id])
    expect(conversation.matchedId).toBe(fixtureEmails(thread)[1]?.id)
  })

  it('reports that it is gone', async () => {
    const { conversation } = openReader()
    conversation.show(INBOX.id, 'nowhere')
    await until(() => conversation.problem !== null)
    expect(conversation.problem?.message).toBe('This thread is gone.')
  })
})

describe('change of a thread', () => {
  /** Records each patch and its outcome. */
  const createCanvas = () => {
    const drawn: { patch: unknown; fate: 'drawn' | 'accepted' | 'reverted' }[] = []
    return {
      drawn,
      draw: (_: unknown, patch: unknown) => {
        const entry: (typeof drawn)[number] = { patch, fate: 'drawn' }
        drawn.push(entry)
        return { accept: () => (entry.fate = 'accepted'), revert: () => (entry.fate = 'reverted') }
      },
    }
  }

  it('offers an undo of this change only', async () => {
    const transport = createFixtureTransport()
    const toasts = new ToastManager()
    const { drawn, draw } = createCanvas()
    const actions = new ThreadActionsManager(createBackend(transport), toasts, draw)
    await actions.change([firstThread()], { folder: 'archive' }, 'Archived')
    await actions.change([firstThread()], { read: true }, null)
    expect(toasts.toasts.map(({ text }) => text)).toEqual(['Archived'])
    toasts.toasts[0]?.action?.run()
    await until(() => drawn.at(-1)?.fate === 'accepted')
    expect(toasts.toasts.map(({ text }) => text)).toEqual(['Undone: archived'])
    expect(drawn.map(({ fate }) => fate)).toEqual(['reverted', 'accepted', 'accepted'])
    expect(drawn.at(-1)?.patch).toMatchObject({ folder: 'inbox' })
    expect(actions.canUndo).toBe(false)
  })

  it('can be undone before the engine responds, whatever the response', async () => {
    const outcomes = [
      { isRefused: false, said: ['Undone: archived'], fates: ['reverted', 'accepted'] },
      { isRefused: true, said: ['The disk is full. Nothing was changed.'], fates: ['reverted', 'reverted'] },
    ]
    for (const { isRefused, said, fates } of outcomes) {
      const handlers: FixtureHandlers = {
        'thread.change': failing({ code: 'storage_failed', message: 'The disk is full. Nothing was changed.' }),
      }
      const transport = createFixtureTransport(isRefused ? { handlers } : {})
      const toasts = new ToastManager()
      const { drawn, draw } = createCanvas()
      const actions = new ThreadActionsManager(createBackend(transport), toasts, draw)
      const change = actions.change([firstThread()], { folder: 'archive' }, 'Archived')
      actions.undo()
      expect(drawn.at(-1)?.patch).toMatchObject({ folder: 'inbox' })
      expect(await change).toBe(!isRefused)
      await until(() => drawn.at(-1)?.fate !== 'drawn')
      expect(toasts.toasts.map(({ text }) => text)).toEqual(said)
      // The archive patch was reverted before; its outcome stays.
      expect(drawn.map(({ fate }) => fate).slice(1)).toEqual(fates.slice(1))
    }
  })

  it('is reverted and reported if the engine rejects it', async () => {
    const transport = createFixtureTransport({
      handlers: {
        'thread.change': failing({ code: 'storage_failed', message: 'The disk is full. Nothing was changed.' }),
      },
    })
    const toasts = new ToastManager()
    const { drawn, draw } = createCanvas()
    const actions = new ThreadActionsManager(createBackend(transport), toasts, draw)
    expect(await actions.change([firstThread()], { folder: 'archive' }, 'Archived')).toBe(false)
    expect(toasts.toasts).toMatchObject([{ tone: 'problem', text: 'The disk is full. Nothing was changed.' }])
    expect(drawn.map(({ fate }) => fate)).toEqual(['reverted'])
  })
})
