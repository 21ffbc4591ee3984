import Database from 'better-sqlite3'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openTestCache, listedThread } from '../support/open-test-cache.ts'

const minute = (number: number): number => Date.UTC(2026, 0, 1, 0, number)
const page = { askedAt: 0, inSent: false }
const reading = (at: number) => ({ emailsAt: minute(at), snippet: null, hasOutbound: false })

describe('threads with e-mails still to fetch', () => {
  it('are returned newest first in pages, until complete up to the latest activity', () => {
    const { cache, inbox } = openTestCache()
    const ids = (below: Parameters<typeof cache.backlog.page>[2], limit: number) =>
      cache.backlog.page(inbox.key, 0, below, limit)
    cache.threads.storePage(inbox, [listedThread('old', 1), listedThread('new', 9), listedThread('same', 9)], page)
    const first = ids(null, 2)
    expect(first.map(({ threadId }) => threadId)).toEqual(['new', 'same'])
    expect(ids(first[0] ?? null, 2).map(({ threadId }) => threadId)).toEqual(['same', 'old'])
    cache.threads.storeReading(inbox, 'new', reading(9))
    expect(ids(null, 9).map(({ threadId }) => threadId)).toEqual(['same', 'old'])
    cache.threads.storePage(inbox, [listedThread('new', 10)], page)
    expect(ids(null, 9).map(({ threadId }) => threadId)).toEqual(['new', 'same', 'old'])
    expect(cache.backlog.page(inbox.key, minute(5), null, 9).map(({ threadId }) => threadId)).toEqual(['new', 'same'])
  })

  it('keep an exact count as they come and go, at any depth', () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('listed'), id: fc.nat(6), at: fc.integer({ min: 1, max: 20 }) }),
      fc.record({ kind: fc.constant('read'), id: fc.nat(6), at: fc.integer({ min: 1, max: 20 }) }),
      fc.record({ kind: fc.constant('gone'), id: fc.nat(6), at: fc.constant(0) }),
      fc.record({ kind: fc.constant('depth'), id: fc.constant(0), at: fc.integer({ min: 0, max: 22 }) }),
      fc.record({ kind: fc.constant('taken back'), id: fc.nat(6), at: fc.integer({ min: 1, max: 20 }) }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const { cache, inbox, file } = openTestCache()
        let since = 0
        for (const { kind, id, at } of steps) {
          if (kind === 'listed') cache.threads.storePage(inbox, [listedThread(`t${id}`, at)], page)
          if (kind === 'read') cache.threads.storeReading(inbox, `t${id}`, reading(at))
          if (kind === 'gone') cache.threads.markGone(inbox, `t${id}`)
          if (kind === 'depth') since = minute(at)
          if (kind === 'taken back') {
            const write = () =>
              cache.inTransaction(() => {
                cache.threads.storePage(inbox, [listedThread(`t${id}`, at)], page)
                throw new Error('The disk is full.')
              })
            expect(write).toThrow()
          }
          cache.backlog.count(inbox.key, since)
        }
        const other = new Database(file, { readonly: true })
        const counted = other
          .prepare(
            'SELECT count(*) FROM threads WHERE on_server = 1 AND emails_at IS NOT received_at AND received_at >= ?',
          )
          .pluck()
          .get(since)
        other.close()
        expect(cache.backlog.count(inbox.key, since)).toBe(counted)
      }),
      { numRuns: 40 },
    )
  })
})
