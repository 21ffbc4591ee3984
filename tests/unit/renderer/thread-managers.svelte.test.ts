// @vitest-environment jsdom
import { afterEach, describe, expect, it } from 'vitest'
import { createBackend } from '../../../src/renderer/backend.ts'
import { ToastManager } from '../../../src/renderer/app/toast-manager.svelte.ts'
import { ConversationManager } from '../../../src/renderer/features/reader/conversation-manager.svelte.ts'
import { SearchResults } from '../../../src/renderer/features/search/search-results.svelte.ts'
import { ThreadActionsManager } from '../../../src/renderer/features/threads/thread-actions-manager.ts'
import { ThreadListManager } from '../../../src/renderer/features/threads/thread-list-manager.svelte.ts'
import type { Conversation } from '../../../src/shared/contract.ts'
import type { SearchPage, Thread } from '../../../src/shared/model.ts'
import { ProblemError } from '../../../src/shared/result.ts'
import { fixtureEmails, fixtureThreads, INBOX, LABELS } from './support/fixture-mail.ts'
import { createFixtureTransport } from './support/fixture-transport.ts'
import { until } from './support/until.ts'

let ending = new AbortController()
afterEach(() => {
  ending.abort()
  ending = new AbortController()
})

const inboxOf = (folder: 'inbox' | 'archive') => ({ view: 'folder', inboxId: INBOX.id, folder }) as const

const firstThread = (): Thread => {
  const [thread] = fixtureThreads(1)
  if (thread === undefined) throw new Error('one thread was asked for')
  return thread
}

describe('the list of threads', () => {
  it('is read again when its folder changes, and left alone when another one does', async () => {
    const transport = createFixtureTransport()
    const threads = new ThreadListManager(createBackend(transport))
    threads.show(inboxOf('inbox'))
    await until(() => threads.rows?.phase === 'ready')
    const reads = (): number => transport.calls.filter(({ name }) => name === 'thread.list').length
    const before = reads()
    const change = { inboxId: INBOX.id, labelIds: [], threadIds: [] }
    transport.emit({ name: 'threads.changed', payload: { ...change, folders: ['trash'] } })
    transport.emit({ name: 'threads.changed', payload: { ...change, folders: ['inbox'], inboxId: 'another' } })
    expect(reads()).toBe(before)
    transport.emit({ name: 'threads.changed', payload: { ...change, folders: ['inbox'] } })
    await until(() => reads() > before)
  })

  it('is read again when a row in it is different, though no list lost or gained one', async () => {
    const transport = createFixtureTransport()
    const threads = new ThreadListManager(createBackend(transport))
    threads.show(inboxOf('inbox'))
    await until(() => threads.rows?.phase === 'ready')
    const before = transport.calls.length
    transport.emit({
      name: 'threads.changed',
      payload: { inboxId: INBOX.id, folders: [], labelIds: [], threadIds: ['thread-1'] },
    })
    await until(() => transport.calls.length > before)
  })

  it('says which thread comes next where one leaves', async () => {
    const threads = new ThreadListManager(createBackend(createFixtureTransport({ threads: 7 })))
    threads.show(inboxOf('inbox'))
    await until(() => threads.rows?.total === 3)
    expect(threads.neighbourOf('thread-0')).toBe('thread-1')
    expect(threads.neighbourOf('thread-2')).toBe('thread-1')
    expect(threads.neighbourOf('elsewhere')).toBeNull()
  })
})

describe('a search', () => {
  it('asks for older pages as it is scrolled, until there are none', async () => {
    const transport = createFixtureTransport({ threads: 200 })
    const results = new SearchResults(createBackend(transport), INBOX.id, 'webcam')
    await until(() => results.phase === 'ready')
    expect([results.total, results.hasMore]).toEqual([20, true])
    results.show(0, 3)
    expect(transport.calls).toHaveLength(1)
    results.show(10, 19)
    await until(() => results.total === 40)
    results.show(30, 39)
    await until(() => !results.hasMore)
    expect(results.total).toBe(50)
    expect(transport.calls.at(1)?.input).toMatchObject({ after: results.at(19)?.id })
  })

  it('draws a change without asking again, and takes a moved thread out until that is undone', async () => {
    const transport = createFixtureTransport({ threads: 20 })
    const results = new SearchResults(createBackend(transport), INBOX.id, 'webcam')
    await until(() => results.phase === 'ready')
    results.draw(['thread-0'], { read: true, removeLabels: ['label-1'] }, LABELS)
    expect(results.at(0)).toMatchObject({ read: true, labels: [] })
    const archived = results.draw(['thread-0'], { folder: 'archive' }, LABELS)
    expect(results.indexOf('thread-0')).toBe(-1)
    archived.revert()
    expect(results.indexOf('thread-0')).toBe(0)
    expect(transport.calls).toHaveLength(1)
  })

  it('is asked for anew by a person who has waited long enough, and the answer that comes late is let go', async () => {
    const answers: ((page: SearchPage) => void)[] = []
    const transport = createFixtureTransport({
      handlers: { 'thread.search': () => new Promise((resolve) => answers.push(resolve)) },
    })
    const results = new SearchResults(createBackend(transport), INBOX.id, 'webcam')
    results.refresh()
    await until(() => answers.length === 2)
    answers[1]?.({ items: [{ ...firstThread(), matchedEmailId: null }], next: null })
    await until(() => results.phase === 'ready')
    answers[0]?.({ items: [], next: null })
    await new Promise((resolve) => setTimeout(resolve, 0))
    expect(results.total).toBe(1)
  })

  it('that the platform refuses says why', async () => {
    const transport = createFixtureTransport({
      handlers: {
        'thread.search': () => {
          throw new ProblemError({ code: 'query_invalid', message: 'The search is too long.' })
        },
      },
    })
    const results = new SearchResults(createBackend(transport), INBOX.id, 'webcam')
    await until(() => results.phase === 'failed')
    expect(results.problem?.message).toBe('The search is too long.')
  })
})

describe('the open thread', () => {
  it('is marked as read when a person opens it, and stays unread when they say so while it is open', async () => {
    const opened: string[] = []
    const transport = createFixtureTransport()
    const conversation = new ConversationManager(createBackend(transport), ({ id }) => opened.push(id), ending.signal)
    conversation.show(INBOX.id, 'thread-0')
    await until(() => opened.length === 1)
    await transport.call('thread.change', { inboxId: INBOX.id, threadIds: ['thread-0'], change: { read: true } })
    await until(() => conversation.conversation?.thread.read === true)
    await transport.call('thread.change', { inboxId: INBOX.id, threadIds: ['thread-0'], change: { read: false } })
    await until(() => conversation.conversation?.thread.read === false)
    expect(opened).toEqual(['thread-0'])
  })

  it('is not marked as read when it is only passed over', async () => {
    const opened: string[] = []
    const conversation = new ConversationManager(
      createBackend(createFixtureTransport()),
      ({ id }) => opened.push(id),
      ending.signal,
    )
    conversation.show(INBOX.id, 'thread-0')
    await until(() => conversation.conversation !== null)
    conversation.show(INBOX.id, 'thread-7')
    await until(() => opened.length > 0)
    expect(opened).toEqual(['thread-7'])
  })

  it('is marked as read when an e-mail arrives in it, and not when only its state has changed', async () => {
    const [thread] = fixtureThreads(2).filter(({ read }) => read)
    if (thread === undefined) throw new Error('one of two threads is read')
    let emails = fixtureEmails({ ...thread, emailCount: 1 })
    let isRead = true
    const opened: string[] = []
    const transport = createFixtureTransport({
      handlers: {
        'thread.open': () => ({ thread: { ...thread, read: isRead }, emails, freshness: { state: 'live', at: 0 } }),
      },
    })
    const conversation = new ConversationManager(createBackend(transport), ({ id }) => opened.push(id), ending.signal)
    conversation.show(INBOX.id, thread.id)
    await until(() => conversation.conversation !== null)
    const tell = (): void =>
      transport.emit({ name: 'emails.changed', payload: { inboxId: INBOX.id, threadIds: [thread.id] } })
    // Somebody marks it as unread elsewhere.
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

  it('is the one that was opened last, whichever answer comes first', async () => {
    const answers = new Map<string, (conversation: Conversation) => void>()
    const threads = fixtureThreads(3).map((thread) => ({ ...thread, read: true }))
    const transport = createFixtureTransport({
      handlers: { 'thread.open': ({ threadId }) => new Promise((resolve) => answers.set(threadId, resolve)) },
    })
    const conversation = new ConversationManager(createBackend(transport), () => undefined, ending.signal)
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

  it('that has gone says so', async () => {
    const conversation = new ConversationManager(
      createBackend(createFixtureTransport()),
      () => undefined,
      ending.signal,
    )
    conversation.show(INBOX.id, 'nowhere')
    await until(() => conversation.problem !== null)
    expect(conversation.problem?.message).toBe('This thread is gone.')
  })
})

describe('a change of a thread', () => {
  /** Keeps what was drawn, and what became of it. */
  const createCanvas = () => {
    const drawn: { patch: unknown; fate: 'drawn' | 'accepted' | 'reverted' }[] = []
    return {
      drawn,
      draw: (_: readonly string[], patch: unknown) => {
        const entry: (typeof drawn)[number] = { patch, fate: 'drawn' }
        drawn.push(entry)
        return { accept: () => (entry.fate = 'accepted'), revert: () => (entry.fate = 'reverted') }
      },
    }
  }

  it('is said with a way to take it back, which takes back this change and no other', async () => {
    const transport = createFixtureTransport()
    const toasts = new ToastManager()
    const { drawn, draw } = createCanvas()
    const actions = new ThreadActionsManager(createBackend(transport), toasts, draw)
    await actions.change(firstThread(), { folder: 'archive' }, 'Archived.')
    await actions.change(firstThread(), { read: true }, null)
    expect(toasts.toasts.map(({ text }) => text)).toEqual(['Archived.'])
    toasts.toasts[0]?.undo?.()
    await until(() => toasts.toasts.some(({ text }) => text === 'Undone.'))
    expect(toasts.toasts.map(({ text }) => text)).toEqual(['Undone.'])
    expect(drawn.map(({ fate }) => fate)).toEqual(['reverted', 'accepted', 'accepted'])
    expect(drawn.at(-1)?.patch).toMatchObject({ folder: 'inbox' })
    actions.undoLast()
    expect(toasts.toasts.at(-1)?.text).toBe('There is nothing to undo.')
  })

  it('that is refused is reported and taken off the screen', async () => {
    const transport = createFixtureTransport({
      handlers: {
        'thread.change': () => {
          throw new ProblemError({ code: 'storage_failed', message: 'The disk is full. Nothing was changed.' })
        },
      },
    })
    const toasts = new ToastManager()
    const { drawn, draw } = createCanvas()
    const actions = new ThreadActionsManager(createBackend(transport), toasts, draw)
    expect(await actions.change(firstThread(), { folder: 'archive' }, 'Archived.')).toBe(false)
    expect(toasts.toasts).toMatchObject([{ tone: 'problem', text: 'The disk is full. Nothing was changed.' }])
    expect(drawn.map(({ fate }) => fate)).toEqual(['reverted'])
  })
})
