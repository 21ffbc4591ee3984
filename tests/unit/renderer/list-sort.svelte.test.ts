// @vitest-environment jsdom
import { flushSync, untrack } from 'svelte'
import { describe, expect, it } from 'vitest'
import { listCorrespondents, findCorrespondents } from '../../../src/renderer/features/threads/correspondent.ts'
import { findChosenOrder } from '../../../src/renderer/features/thread-list/list-sort.ts'
import { toggleFilter } from '../../../src/renderer/features/thread-list/list-filters.ts'
import { describeWait, isWaiting } from '../../../src/renderer/features/threads/waiting.ts'
import { MAX_WAIT_MS } from '../../../src/shared/list-order.ts'
import { endAfterEach } from './support/end-after-each.ts'
import { fixtureThreads, INBOX } from './support/fixture-mail.ts'
import { inbox, openWindow } from './support/open-window.ts'
import { until } from './support/until.ts'

const ending = endAfterEach()
const HOUR = 3_600_000

describe('the order of a list', () => {
  it('is remembered for lists of the same kind, and never applies to a filtered list', () => {
    const { id: inboxId } = INBOX
    const listOrders = { inbox: 'waiting', label: 'oldest' } as const
    const orderOf = (route: Parameters<typeof findChosenOrder>[1]) => findChosenOrder({ listOrders }, route)
    expect(orderOf({ view: 'folder', inboxId, folder: 'inbox' })).toBe('waiting')
    expect(orderOf({ view: 'folder', inboxId: 'another', folder: 'inbox' })).toBe('waiting')
    expect(orderOf({ view: 'folder', inboxId, folder: 'archive' })).toBe('newest')
    expect(orderOf({ view: 'label', inboxId, labelId: 'l' })).toBe('oldest')
    expect(orderOf({ view: 'folder', inboxId, folder: 'inbox', only: 'unread' })).toBe('newest')
    expect(orderOf({ view: 'search', inboxId, query: 'fog' })).toBe('newest')
  })

  it('reads the same list in the chosen order, keeps the open thread, and selects all of it', async () => {
    const { session, shell, called, run, follow } = await openWindow(inbox('thread-1'), ending.signal)
    const { threads } = session
    const rows = () => threads.rows?.loaded().map(({ id }) => id)
    const before = rows()
    run('sort.oldest')
    await until(() => threads.rows?.order === 'oldest')
    expect(rows()).toEqual(before?.toReversed())
    expect(threads.cursor.id).toBe('thread-1')
    expect(called('thread.list').at(-1)).toMatchObject({ order: 'oldest' })
    threads.selection.addWholeList()
    expect(threads.selection.size).toBe(before?.length)
    expect(threads.rows?.loaded().every((thread) => threads.selection.has(thread))).toBe(true)
    // A filtered list is a search, which has one order.
    const filtered = toggleFilter(shell.route.current, 'unread')
    if (filtered !== null) shell.route.go(filtered)
    await follow()
    await until(() => threads.rows?.order === 'newest')
    expect(threads.orders).toEqual(['newest'])
  })
})

describe('a list shown from the effect of a component', () => {
  it('outlives the component', async () => {
    const { session, run } = await openWindow(inbox(null), ending.signal)
    const end = $effect.root(() => {
      $effect(() => untrack(() => run('sort.oldest')))
    })
    flushSync()
    end()
    await until(() => session.threads.rows?.order === 'oldest')
    expect(session.threads.thread('thread-1')?.id).toBe('thread-1')
  })
})

describe('the wait of a thread', () => {
  const now = Date.UTC(2026, 5, 1)
  const [listed] = fixtureThreads(1)
  const waitOf = (age: number, fields = {}) =>
    listed === undefined
      ? undefined
      : describeWait({ ...listed, folder: 'inbox', isWaiting: true, receivedAt: now - age, ...fields }, now)

  it('is told in hours and days, from an hour to a month', () => {
    expect(waitOf(HOUR - 1)).toBeNull()
    expect(waitOf(HOUR)).toEqual({ short: '1 h', spoken: 'waiting for an answer for 1 hour' })
    expect(waitOf(49 * HOUR)).toEqual({ short: '2 d', spoken: 'waiting for an answer for 2 days' })
    expect(waitOf(MAX_WAIT_MS + 1)).toBeNull()
  })

  it('ends when the thread leaves the inbox or is answered', () => {
    expect(waitOf(HOUR, { folder: 'archive' })).toBeNull()
    expect(waitOf(HOUR, { isWaiting: undefined })).toBeNull()
    expect(isWaiting({ folder: 'inbox', receivedAt: now }, now)).toBe(false)
  })
})

describe('the people of a row in words', () => {
  const wordsOf = (fields: Partial<Parameters<typeof findCorrespondents>[0]>): string =>
    listCorrespondents(findCorrespondents({ writers: [], from: null, to: [], folder: 'inbox', read: true, ...fields }))
  const writer = (from: string, isMe = false) => ({ from, isMe, isUnread: false })

  it('have no empty parts', () => {
    expect(wordsOf({ writers: [writer('Ann Lee <ann@acme.example>')] })).toBe('Ann Lee')
    expect(wordsOf({ writers: [writer('Ann Lee <ann@acme.example>'), writer('', true)] })).toBe('Ann Lee and me')
    const many = ['Ann Lee', 'Bob Ray', 'Cy Fox', 'Di Oak'].map((name) =>
      writer(`${name} <${name.slice(0, 2)}@a.example>`),
    )
    expect(wordsOf({ writers: many })).toBe('Ann, Bob, and 2 more')
    expect(wordsOf({ writers: [writer('', true)], to: ['Ann Lee <ann@acme.example>'] })).toBe('To Ann Lee')
  })
})
