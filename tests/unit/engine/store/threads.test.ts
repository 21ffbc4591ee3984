import Database from 'better-sqlite3'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FOLDERS } from '../../../../src/shared/model.ts'
import { NO_FILTER, type CachedThreadList } from '../../../../src/shared/thread-query.ts'
import { summaryOf, threadOf } from '../../../support/raw-payloads.ts'
import { readThreadCounts } from '../../../support/thread-counts.ts'
import { openTestCache, listedThread } from '../support/open-test-cache.ts'

const now = { askedAt: 0, inSent: false }
const window = { offset: 0, limit: 200 }

describe('the thread cache', () => {
  it('lists a folder by latest activity in windows, with its total length', () => {
    const { cache, inbox } = openTestCache()
    cache.threads.storePage(
      inbox,
      Array.from({ length: 50 }, (_, minute) => listedThread(`t${minute}`, minute)),
      now,
    )
    const rows = cache.threads.list(inbox, { folder: 'inbox' }, { offset: 10, limit: 3 })
    expect(rows.map(({ id }) => id)).toEqual(['t39', 't38', 't37'])
    expect(cache.threadLists.count(inbox, { folder: 'inbox' })).toBe(50)
    expect(cache.threadLists.count(inbox, { folder: 'archive' })).toBe(0)
  })

  it('reports lists that lost, gained or reordered a row, and no others', () => {
    const { cache, inbox } = openTestCache()
    const label = { id: 'l1', name: 'Work', color: '#112233' }
    cache.threads.storePage(inbox, [listedThread('t1', 1, { labels: [label] }), listedThread('t2', 2)], now)

    const same = cache.threads.storePage(inbox, [listedThread('t1', 1, { labels: [label] })], now)
    expect([...same.threadIds]).toEqual([])

    const read = cache.threads.storePage(inbox, [listedThread('t2', 2, { read: true })], now)
    expect([[...read.threadIds], [...read.folders], read.unread]).toEqual([['t2'], [], true])

    const moved = cache.threads.storePage(inbox, [listedThread('t1', 1, { labels: [label], folder: 'trash' })], now)
    expect([[...moved.folders].sort(), [...moved.labelIds]]).toEqual([['inbox', 'trash'], ['l1']])

    const newer = cache.threads.storePage(inbox, [listedThread('t2', 9, { read: true })], now)
    expect([...newer.folders]).toEqual(['inbox'])
  })

  it('removes a thread only once the platform has dropped it', () => {
    const { cache, inbox } = openTestCache()
    cache.threads.storePage(inbox, [listedThread('t1', 1)], now)
    expect(cache.threads.remove(inbox, 't1')).toBeNull()
    expect(cache.threadLists.count(inbox, { folder: 'inbox' })).toBe(1)
    cache.threads.markGone(inbox, 't1')
    expect(cache.threads.remove(inbox, 't1')?.threadIds).toEqual(new Set(['t1']))
    expect(cache.threadLists.count(inbox, { folder: 'inbox' })).toBe(0)
  })

  it('records since when a thread has been in the trash', () => {
    const { cache, inbox } = openTestCache()
    const trashedAt = (id: string): number | undefined => cache.threads.get(inbox, id)?.trashedAt
    const before = Date.now()
    cache.threads.storePage(inbox, [listedThread('t1', 1), listedThread('t2', 2, { folder: 'trash' })], now)
    expect(trashedAt('t1')).toBeUndefined()
    const since = trashedAt('t2') ?? 0
    expect(since).toBeGreaterThanOrEqual(before - 1000)
    expect(since).toBeLessThanOrEqual(Date.now() + 1000)
    cache.threads.storePage(inbox, [listedThread('t2', 2, { folder: 'trash', read: true })], now)
    expect(trashedAt('t2')).toBe(since)
    cache.threads.storePage(inbox, [listedThread('t1', 1, { folder: 'trash' })], now)
    expect(trashedAt('t1')).toBeGreaterThanOrEqual(before - 1000)
    cache.threads.storePage(inbox, [listedThread('t2', 2, { folder: 'inbox' })], now)
    expect(trashedAt('t2')).toBeUndefined()
  })

  it('accepts local changes only to threads the platform has dropped', () => {
    const { cache, inbox } = openTestCache()
    const label = { id: 'l1', name: 'Work', color: '#112233' }
    cache.labels.put(inbox.key, label)
    cache.labels.put(inbox.key, { ...label, id: 'l2', name: 'Old' })
    cache.threads.storePage(
      inbox,
      [listedThread('t1', 1, { labels: [{ ...label, id: 'l2' }], future: 'kept' }), listedThread('t2', 2)],
      now,
    )
    expect(cache.threads.storeLocally(inbox, 't2', { folder: 'archive' })).toBeNull()
    expect(cache.threads.storeLocally(inbox, 'nobody', { folder: 'archive' })).toBeNull()
    expect(cache.threads.get(inbox, 't2')).toMatchObject({ folder: 'inbox', onServer: true })

    cache.threads.markGone(inbox, 't1')
    cache.labels.remove(inbox.key, 'l2')
    const touched = cache.threads.storeLocally(inbox, 't1', { folder: 'archive', read: true, addLabels: ['l1'] })
    expect([[...(touched?.folders ?? [])].sort(), [...(touched?.labelIds ?? [])].sort()]).toEqual([
      ['archive', 'inbox'],
      ['l1', 'l2'],
    ])
    const sorted = { folder: 'archive', read: true, onServer: false, labels: [label] }
    expect(cache.threads.get(inbox, 't1')).toMatchObject(sorted)
    // This is now the row's own state: projecting again changes nothing.
    cache.threads.project(inbox, ['t1'])
    expect(cache.threads.get(inbox, 't1')).toMatchObject(sorted)
    expect(cache.threads.serverState(inbox, 't1')).toEqual({ folder: 'archive', read: true, labelIds: ['l1'] })
    expect(cache.threadLists.idsWithLabel(inbox, 'l1')).toEqual(['t1'])

    // The platform lists the thread again, so its state wins.
    cache.threads.storePage(inbox, [listedThread('t1', 1)], now)
    expect(cache.threads.get(inbox, 't1')).toMatchObject({ folder: 'inbox', onServer: true, labels: [] })
  })

  it('lists dropped threads separately, with correct counts', () => {
    const { cache, inbox, file } = openTestCache()
    const label = { id: 'l1', name: 'Work', color: '#112233' }
    const some = Array.from({ length: 40 }, (_, at) =>
      listedThread(`t${at}`, at, {
        folder: at % 5 === 0 ? 'trash' : at % 2 === 0 ? 'inbox' : 'sent',
        ...(at % 3 === 0 && { labels: [label] }),
      }),
    )
    cache.threads.storePage(inbox, some, now)
    const dropped = some.filter((_, at) => at % 4 === 1 || at % 10 === 0)
    const touched = dropped.map(({ id }) => cache.threads.markGone(inbox, id))
    expect(touched.some(({ localOnly }) => localOnly)).toBe(true)
    const ids = (list: Parameters<typeof cache.threads.list>[1], offset = 0): readonly string[] =>
      cache.threads.list(inbox, list, { offset, limit: 200 }).map(({ id }) => id)
    const expectLists = (): void => {
      const localOnly = ids({ isLocalOnly: true })
      const kept = [...ids({ folder: 'inbox' }), ...ids({ folder: 'sent' }), ...ids({ folder: 'archive' })].filter(
        (id) => cache.threads.get(inbox, id)?.onServer === false,
      )
      expect([...localOnly].sort()).toEqual([...new Set(kept)].sort())
      expect(cache.threadLists.count(inbox, { isLocalOnly: true })).toBe(localOnly.length)
      for (const list of [{ folder: 'inbox' }, { folder: 'sent' }, { folder: 'trash' }, { labelId: 'l1' }] as const) {
        const there = ids(list).filter((id) => cache.threads.get(inbox, id)?.onServer === true)
        expect([list, ids({ ...list, withoutDropped: true })]).toEqual([list, there])
        expect(ids({ ...list, withoutDropped: true }, 2)).toEqual(there.slice(2))
        expect(cache.threadLists.count(inbox, { ...list, withoutDropped: true })).toBe(there.length)
        expect(
          cache.threadLists.after(inbox, { ...list, withoutDropped: true }, null, 200).map(({ id }) => id),
        ).toEqual(there)
      }
      const { stored, counted } = readThreadCounts(file)
      expect(stored).toEqual(counted)
    }
    expectLists()
    for (const { id } of dropped.slice(0, 6))
      cache.threads.storeLocally(inbox, id, { folder: 'archive', addLabels: ['l1'] })
    for (const { id } of dropped.slice(3, 8))
      cache.threads.storeLocally(inbox, id, { folder: 'trash', removeLabels: ['l1'] })
    expectLists()
    cache.threads.storePage(inbox, some.slice(0, 12), now)
    expectLists()
  })

  it('lists threads with equal times in the platform’s order, everywhere', () => {
    const { cache, inbox } = openTestCache()
    const label = { id: 'l1', name: 'Work', color: '#112233' }
    // IDs in no order, and a page that ends within one time.
    const ids = ['m', 'c', 'x', 'a', 'q', 'b', 'z', 'k', 'd', 'y', 'e', 'f']
    const thread = (id: string) => listedThread(id, id === 'm' ? 9 : 5, { labels: [label] })
    const store = (some: readonly string[]) =>
      cache.threads.storePage(inbox, some.map(thread), { askedAt: 0, inSent: true })
    store(ids.slice(0, 7))
    store(ids.slice(7))
    const expectOrder = (expected: readonly string[], lists: readonly CachedThreadList[]): void => {
      for (const list of lists) {
        const windows = [0, 3, 6, 9, 12].flatMap((offset) => cache.threads.list(inbox, list, { offset, limit: 3 }))
        expect([list, windows.map(({ id }) => id)]).toEqual([list, expected])
        const byTime = { before: Date.UTC(2026, 0, 1, 0, 5) + 1, skip: 2, limit: 4 }
        const part = cache.threads.list(inbox, list, byTime).map(({ id }) => id)
        expect([list, part]).toEqual([list, expected.filter((id) => id !== 'm').slice(2, 6)])
        const followed: string[] = []
        for (let page = cache.threadLists.after(inbox, list, null, 5); page.length > 0;) {
          followed.push(...page.map(({ id }) => id))
          page = cache.threadLists.after(inbox, list, page.at(-1) ?? null, 5)
        }
        expect([list, followed]).toEqual([list, expected])
      }
      const all = { ...NO_FILTER, since: null, until: null, inboxId: inbox.id, folders: FOLDERS }
      const found = cache.threadSearch.page({ ...all, read: false }, null, 50).threads
      expect(found.map(({ id }) => id)).toEqual(expected)
    }
    const lists = [{ folder: 'inbox' }, { folder: 'sent' }, { labelId: 'l1' }] as const
    expectOrder(ids, lists)

    // A thread stored later comes first; one marked by another client keeps its place.
    store(['new', 'c', 'x'])
    store(['x', 'a'])
    const now = ['m', 'new', ...ids.slice(1)]
    expectOrder(now, lists)
    expect(cache.threadLists.rowsAbove(inbox, 'inbox', Date.UTC(2026, 0, 1, 0, 5), 2).map(({ id }) => id)).toEqual([
      'f',
      'e',
    ])

    cache.threads.markGone(inbox, 'a')
    const there = now.filter((id) => id !== 'a')
    for (const list of lists) {
      const left = cache.threads.list(inbox, { ...list, withoutDropped: true }, { offset: 0, limit: 50 })
      expect(left.map(({ id }) => id)).toEqual(there)
    }
    for (const id of there) cache.threads.markGone(inbox, id)
    expectOrder(now, [...lists, { isLocalOnly: true }])
  })

  it('reads a thread again if the platform has fewer of its e-mails than before', () => {
    const { cache, inbox } = openTestCache()
    cache.threads.storePage(inbox, [listedThread('t1', 1, { email_count: 3 })], now)
    const receivedAt = cache.threads.get(inbox, 't1')?.receivedAt ?? 0
    cache.threads.storeReading(inbox, 't1', { emailsAt: receivedAt, snippet: null, hasOutbound: false })
    cache.threads.storePage(inbox, [listedThread('t1', 1, { email_count: 3, read: true })], now)
    expect(cache.threads.emailsComplete(inbox, 't1')).toBe(true)
    cache.threads.storePage(inbox, [listedThread('t1', 1, { email_count: 2, read: true })], now)
    expect(cache.threads.emailsComplete(inbox, 't1')).toBe(false)
    expect(cache.backlog.count(inbox.key, 0)).toBe(1)
  })

  it('keeps fields that the platform omits or adds', () => {
    const { cache, inbox } = openTestCache()
    cache.threads.storePage(inbox, [listedThread('t1', 1, { folder: 'archive', future_field: 7 })], now)
    cache.threads.storePage(inbox, [threadOf({ id: 't1', subject: 'New subject' })], now)
    expect(cache.threads.get(inbox, 't1')).toMatchObject({
      subject: 'New subject',
      folder: 'archive',
      from: 'Ada <ada@example.com>',
      receivedAt: Date.UTC(2026, 0, 1, 0, 1),
    })
  })

  it('keeps the raw payload exactly, with absent, empty and unknown fields', () => {
    const { cache, inbox, file } = openTestCache()
    const words = {
      id: 't1',
      subject: null,
      to: [],
      cc: ['a@b.example'],
      read: false,
      folder: 'archive',
      odd: [{ x: 1 }],
    }
    const keptWords = (): string => {
      const database = new Database(file, { readonly: true })
      const kept = database.prepare<[], string>('SELECT substr(wire, 9) FROM threads').pluck().get() ?? ''
      database.close()
      return kept
    }
    cache.threads.storePage(inbox, [threadOf(words)], now)
    expect(keptWords()).toBe(JSON.stringify(words))
    cache.threads.storePage(inbox, [threadOf({ id: 't1', cc: [], from: 'Ben <ben@example.com>', to: 7 })], now)
    expect(JSON.parse(keptWords())).toEqual({ ...words, cc: [], from: 'Ben <ben@example.com>' })
    cache.threads.storeState(inbox, 't1', summaryOf({ id: 't1', labels: null, subject: 'Not its state' }), Infinity)
    expect(JSON.parse(keptWords())).toEqual({ ...words, cc: [], from: 'Ben <ben@example.com>', labels: null })
  })

  it('shows an unknown folder as it is', () => {
    const { cache, inbox } = openTestCache()
    cache.threads.storePage(inbox, [listedThread('t1', 1, { folder: 'snoozed' })], now)
    expect(cache.threads.get(inbox, 't1')?.folder).toBe('snoozed')
    expect(cache.threadLists.count(inbox, { folder: 'inbox' })).toBe(0)
  })

  it('also counts e-mails by the older field name', () => {
    const { cache, inbox } = openTestCache()
    cache.threads.storePage(inbox, [threadOf({ id: 't1', message_count: 4 })], now)
    expect(cache.threads.get(inbox, 't1')?.emailCount).toBe(4)
  })

  it('lists under sent what the platform lists there, whatever its folder', () => {
    const { cache, inbox } = openTestCache()
    cache.threads.storePage(inbox, [listedThread('replied', 1)], { askedAt: 0, inSent: true })
    expect(cache.threads.list(inbox, { folder: 'sent' }, window).map(({ id }) => id)).toEqual(['replied'])
    expect(cache.threads.list(inbox, { folder: 'inbox' }, window).map(({ id }) => id)).toEqual(['replied'])
    cache.threads.leaveSent(inbox, 'replied')
    expect(cache.threads.list(inbox, { folder: 'sent' }, window)).toEqual([])
    expect(cache.threadLists.count(inbox, { folder: 'inbox' })).toBe(1)
  })

  it('leaves spam and trash out of a label’s list', () => {
    const { cache, inbox } = openTestCache()
    const labels = [{ id: 'l1', name: 'Work', color: '#112233' }]
    const folders = ['inbox', 'archive', 'spam', 'sent', 'trash']
    cache.threads.storePage(
      inbox,
      folders.map((folder, minute) => listedThread(folder, minute, { folder, labels })),
      now,
    )
    const listed = cache.threads.list(inbox, { labelId: 'l1' }, window)
    expect(listed.map(({ id }) => id)).toEqual(['sent', 'archive', 'inbox'])
    expect(cache.threadLists.count(inbox, { labelId: 'l1' })).toBe(3)
  })

  it('keeps and marks a thread that the platform dropped', () => {
    const { cache, inbox } = openTestCache()
    cache.threads.storePage(inbox, [listedThread('t1', 1)], now)
    cache.threads.markGone(inbox, 't1')
    expect(cache.threads.list(inbox, { folder: 'inbox' }, window)).toMatchObject([{ id: 't1', onServer: false }])
    expect(cache.threadLists.rowsBetween(inbox, 'inbox', 0, Number.MAX_SAFE_INTEGER)).toEqual([])
    cache.threads.storePage(inbox, [listedThread('t1', 1)], now)
    expect(cache.threads.get(inbox, 't1')?.onServer).toBe(true)
  })

  it('applies a pending change over every response, and reverts once it is gone', () => {
    const { cache, inbox, pending } = openTestCache()
    cache.threads.storePage(inbox, [listedThread('t1', 1)], now)
    pending.overlays.set('t1', { folder: 'archive', read: true })
    cache.threads.project(inbox, ['t1'])
    expect(cache.threads.get(inbox, 't1')).toMatchObject({ folder: 'archive', read: true })

    const touched = cache.threads.storePage(inbox, [listedThread('t1', 5)], now)
    expect([...touched.folders]).toEqual(['archive'])
    expect(cache.threads.get(inbox, 't1')).toMatchObject({ folder: 'archive', read: true })
    expect(cache.threads.serverState(inbox, 't1')).toMatchObject({ folder: 'inbox', read: false })

    pending.overlays.clear()
    cache.threads.project(inbox, ['t1'])
    expect(cache.threads.get(inbox, 't1')).toMatchObject({ folder: 'inbox', read: false })
  })

  it('ignores the old state in a response requested before a change was confirmed', () => {
    const { cache, inbox, pending } = openTestCache()
    cache.threads.storePage(inbox, [listedThread('t1', 1)], now)
    pending.confirmedAt.set('t1', 100)
    cache.threads.storeState(inbox, 't1', summaryOf({ id: 't1', folder: 'archive', read: true }), Infinity)

    cache.threads.storePage(inbox, [listedThread('t1', 2)], { askedAt: 50, inSent: false })
    expect(cache.threads.get(inbox, 't1')).toMatchObject({ folder: 'archive', receivedAt: Date.UTC(2026, 0, 1, 0, 2) })
    cache.threads.storePage(inbox, [listedThread('t1', 2)], { askedAt: 150, inSent: false })
    expect(cache.threads.get(inbox, 't1')).toMatchObject({ folder: 'inbox' })
  })

  it('rolls back a page, including list lengths, if its transaction fails', () => {
    const { cache, inbox } = openTestCache()
    cache.threads.storePage(inbox, [listedThread('t1', 1)], now)
    expect(cache.threadLists.count(inbox, { folder: 'inbox' })).toBe(1)
    expect(() =>
      cache.inTransaction(() => {
        cache.threads.storePage(inbox, [listedThread('t2', 2)], now)
        throw new Error('the disk failed')
      }),
    ).toThrow('the disk failed')
    expect(cache.threadLists.count(inbox, { folder: 'inbox' })).toBe(1)
    expect(cache.threads.get(inbox, 't2')).toBeUndefined()
  })

  it('counts every list correctly after any series of pages', () => {
    const thread = fc.record({
      id: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      minute: fc.integer({ min: 0, max: 5 }),
      folder: fc.constantFrom(...FOLDERS),
      read: fc.boolean(),
      labels: fc.subarray(['l1', 'l2']),
      inSent: fc.boolean(),
    })
    fc.assert(
      fc.property(
        fc.array(fc.uniqueArray(thread, { selector: ({ id }) => id, maxLength: 5 }), { maxLength: 6 }),
        (pages) => {
          const { cache, inbox } = openTestCache()
          const lists = [...FOLDERS.map((folder) => ({ folder })), { labelId: 'l1' }, { labelId: 'l2' }]
          for (const list of lists) cache.threadLists.count(inbox, list)
          for (const page of pages) {
            for (const { id, minute, folder, read, labels, inSent } of page) {
              const listed = listedThread(id, minute, { folder, read, labels: labels.map((label) => ({ id: label })) })
              cache.threads.storePage(inbox, [listed], { askedAt: 0, inSent })
            }
          }
          for (const list of lists) {
            expect(cache.threadLists.count(inbox, list)).toBe(cache.threads.list(inbox, list, window).length)
          }
          const unread = cache.threads.list(inbox, { folder: 'inbox' }, window).filter(({ read }) => !read)
          expect(cache.threadLists.countUnread(inbox)).toBe(unread.length)
        },
      ),
      { numRuns: 30 },
    )
  })
})
